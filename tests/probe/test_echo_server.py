from __future__ import annotations

import json
import subprocess

from hookpm.probe.agent import mcp_command


def test_the_mcp_server_lists_its_tool_and_echoes() -> None:
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "x"}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"arguments": {"text": "é"}}},
        {"jsonrpc": "2.0", "id": 4, "method": "ping"},
    ]
    spoken = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(
        mcp_command(), input=spoken, capture_output=True, text=True, timeout=30, check=True
    )
    replies = {r["id"]: r["result"] for r in map(json.loads, done.stdout.splitlines())}
    assert sorted(replies) == [1, 2, 3, 4]
    assert replies[1]["protocolVersion"] == "x"
    assert [tool["name"] for tool in replies[2]["tools"]] == ["echo"]
    assert replies[3]["content"] == [{"type": "text", "text": "echo: é"}]
    assert replies[4] == {}
