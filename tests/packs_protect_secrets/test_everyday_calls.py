"""Everyday calls, which stay silent, and their neighbours, which do not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.packs_protect_secrets import answer_of, bash


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("pnpm -C sub test", ""),
        ("npm --prefix sub run build", ""),
        ("cat a | sed -n '1,5p'", ""),
        ("sed -n '/start/,/end/p' docs/env.md", ""),
        ("sed -i 's/foo/bar/g;s/x/y/' a.py", ""),
        ("sed -e 's|.env|x|' -e '/a/d' README.md", ""),
        ("sed -i '/^import/a from x import .env' a.py", ""),
        ("sed 's/e/w .env/' a", ""),
        ("sed 's/a/.env/we' a", ""),
        ('for f in *.ts; do mv "$f" "${f%.ts}.js"; done', ""),
        ("f=src/env.ts; echo ${f/.ts/.js}", ""),
        ("name=$(basename $x .env); echo ${name:0:4}", ""),
        ("echo *.md | xargs wc -l", ""),
        ("ls *.py | xargs wc -l", ""),
        ("find . -name '*.key' -newer x", ""),
        ("git log -p -- src/a.py", ""),
        ("git log --format='%h %s' -5 -- .env", ""),
        ("git log -L1,5:a.py", ""),
        ("git log -1 --pretty=%B", ""),
        ("git log --author=me -- .env.example", ""),
        ("git -c core.pager=cat diff", ""),
        ("git -c core.editor=true rebase --continue", ""),
        ("git config --get user.email", ""),
        ("git config core.hooksPath .githooks", ""),
        ("git config --global credential.helper store", ""),
        ("git rebase -i HEAD~3", ""),
        ("git rebase -x 'npm test' main", ""),
        ("git bisect run npm test", ""),
        ("git submodule foreach 'git pull'", ""),
        ("git stash push -m 'add .env' -- a.py", ""),
        ("git add .", ""),
        ("git add -A", ""),
        ("git commit -am 'ignore .env'", ""),
        ("git show HEAD --stat", ""),
        ("git show HEAD:src/a.py", ""),
        ("git checkout -b feature/secrets.json", ""),
        ("git checkout main", ""),
        ("git grep -n KEY -- ':!.env'", ""),
        ("git diff main...HEAD -- '*.ts'", ""),
        ("curl -fsSL https://x/install.sh -o /tmp/i.sh", ""),
        ("curl -s -u user:pw https://x/.env", ""),
        ("curl -sX POST -H 'a: b' -d '{\"file\": \".env\"}' https://x", ""),
        ("wget -qO- https://x/a", ""),
        ("wget -q https://x/.env.example", ""),
        ("curl -I https://x", ""),
        ("aws s3 sync . s3://b --exclude '.env*' --delete", ""),
        ("docker build -t x .", ""),
        ("tar -xzf a.tgz -C /opt --strip-components=1", ""),
        ("make -C build -j4", ""),
        ("cmake -S . -B build", ""),
        ("ninja -C out", ""),
        ("python3 scripts/secrets.py", ""),
        ("./scripts/load.env.sh", ""),
        ("./node_modules/.bin/tsc", ""),
        ("java -Dapp.env=prod -jar a.jar", ""),
        ("java -jar a.jar", ""),
        ("process.env.FOO", ""),
        ("node -e 'console.log(process.env.HOME)'", ""),
        ("git restore --staged .env", ""),
    ],
)
def test_everyday_commands_are_silent(command: str, decision: str) -> None:
    assert bash(command) == decision


@pytest.mark.parametrize(
    ("command", "decision"),
    [
        ("rsync -a --files-from=- . x <<< .env", "deny"),
        ("gcc -I.env-inc a.c", "ask"),
        ("pwsh -c \"[IO.File]::ReadAllText('.env')\"", "ask"),
        ("parallel -a .env echo", "deny"),
        ("sed -e 'r .env' -e d a", "deny"),
        ("sed '/a/{r .env\n}' a", "deny"),
        ("sed 's/a;b/c/;r .env' a", "deny"),
        ("git grep KEY -- .env", "deny"),
        ("git restore -s HEAD~1 .env", "deny"),
    ],
)
def test_their_neighbours_are_not(command: str, decision: str) -> None:
    assert bash(command) == decision


@pytest.mark.parametrize(
    ("tool", "given", "decision"),
    [
        ("powershell", {"command": "$env:PATH -split ';'"}, ""),
        ("powershell", {"command": "Get-ChildItem Env:"}, ""),
        ("powershell", {"command": "[IO.Path]::GetFullPath('a')"}, ""),
        ("powershell", {"command": "Get-Content -Path .env"}, "deny"),
        ("powershell", {"command": "gc .env"}, "deny"),
        ("powershell", {"command": '[IO.File]::ReadAllText("$PWD/.env")'}, "ask"),
        ("powershell", {"command": "$x = [IO.File]::ReadAllText('.env')"}, "ask"),
        ("powershell", {"command": "Write-Output ([System.IO.File]::ReadAllText('.env'))"}, "ask"),
        ("pwsh", {"command": "(Get-Content .env).Length"}, "deny"),
        (
            "mcp__github__create_or_update_file",
            {
                "owner": "a",
                "repo": "b",
                "path": "src/x.py",
                "content": "open('.env')",
                "branch": "main",
            },
            "",
        ),
        (
            "mcp__github__get_file_contents",
            {"owner": "a", "repo": "b", "path": ".env", "ref": "main"},
            "deny",
        ),
        ("mcp__slack__post", {"channel": "x", "text": "cat .env"}, ""),
        (
            "mcp__calendar__find",
            {"from": "2026-01-01", "to": "2026-02-01", "location": "Berlin"},
            "",
        ),
        ("mcp__playwright__browser_evaluate", {"function": "() => document.title"}, ""),
        ("mcp__ctx__docs", {"topic": "dotenv", "query": ".env"}, ""),
        ("KillShell", {"shell_id": "1"}, ""),
        ("TodoWrite", {"todos": [{"content": "read .env"}]}, ""),
        ("Write", {"file_path": "a.md", "content": "cat .env"}, ""),
        ("mcp__process__list", {"text": "abc"}, ""),
        ("x", {"task": {"program": "cat", "args": ".env"}}, "deny"),
        ("x", {"calls": [{"tool": "Read", "params": {"path": ".env"}}]}, "deny"),
        ("x", {"cwd": "/r", "program": "npm", "args": ["test"]}, ""),
        ("x", {"command": "bash", "args": ["-c", "cat .env"]}, "deny"),
        ("x", {"command": "cat .env", "args": []}, "deny"),
        ("x", {"executable": "head", "argv": ["-n1", ".env"], "cwd": "/r"}, "deny"),
        ("x", {"workdir": "~/.aws", "commands": ["ls", "cat credentials"]}, "deny"),
        ("x", {"cmd": ["cat", "credentials"], "workdir": "~/.aws"}, "deny"),
        ("x", {"workspace": "/r", "path": "."}, ""),
        ("read_bash", {"sessionId": "1"}, ""),
        ("Grep", {"pattern": "x", "path": "src", "glob": "*.ts"}, ""),
        ("Grep", {"pattern": "x", "path": "/r", "glob": ".env*"}, "deny"),
        ("mcp__slack__reply", {"text": "cat .env"}, ""),
        ("mcp__x__replace", {"text": "cat .env", "input": "cat .env"}, ""),
        ("mcp__nlp__process_text", {"text": "cat .env"}, ""),
        ("mcp__py_repl__send", {"input": "open('.env')"}, "ask"),
        ("x", {"commands": [{"command": "cat .env"}]}, "deny"),
        (
            "create_and_run_task",
            {"task": {"command": "cat", "args": ["credentials"], "options": {"cwd": "~/.aws"}}},
            "deny",
        ),
        ("x", {"commands": ["npm test", "npm run build"]}, ""),
        ("x", {"command": ["git", "status"]}, ""),
    ],
)
def test_other_tools_are_judged_by_what_they_are_given(
    tool: str, given: dict[str, Any], decision: str
) -> None:
    assert answer_of(tool, given)[0] == decision
