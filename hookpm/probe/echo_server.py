"""An MCP server on stdin and stdout with one tool, `echo`, which answers with its `text`."""

from __future__ import annotations

import json
import sys
from typing import Any

TOOL = {
    "name": "echo",
    "description": "Answers with the text it is given.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
}


def result(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """What a request is answered with; methods it does not know get an empty result."""
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", ""),
            "serverInfo": {"name": "probe", "version": "1"},
            "capabilities": {"tools": {}},
        }
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        text = str(params.get("arguments", {}).get("text", ""))
        return {"content": [{"type": "text", "text": f"echo: {text}"}]}
    return {}


def main() -> None:
    """Answer line by line until stdin ends; a message without an id wants no answer."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message:
            answer = result(message.get("method", ""), message.get("params") or {})
            reply = {"jsonrpc": "2.0", "id": message["id"], "result": answer}
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
