"""Reading apply_patch: by itself, and called in a shell command."""

from __future__ import annotations

import time

import pytest

from hookpm.contract.patch import read, read_shell


def seen(text: str) -> list[tuple[str, str]]:
    return [(c.kind, c.path + (" -> " + c.moved_to if c.moved_to else "")) for c in read(text)]


def in_shell(command: str) -> list[str]:
    return [change.path for change in read_shell(command)]


def test_every_file_of_a_patch_is_seen_with_its_kind() -> None:
    patch = (
        "*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** Add File: b.txt\n+b\n"
        "*** Delete File: c.txt\n*** Update File: d\n*** Move to: e\n@@\n-d\n+e\n"
        "*** Update File: .env\n@@\n-A\n+B\n*** End Patch"
    )
    assert seen(patch) == [
        ("update", "a.txt"),
        ("add", "b.txt"),
        ("delete", "c.txt"),
        ("update", "d -> e"),
        ("update", ".env"),
    ]


def test_an_update_is_its_context_with_the_old_and_with_the_new_lines() -> None:
    (change,) = read(
        "*** Begin Patch\n*** Update File: a\n@@ class C\n one\n-two\n+TWO\n\n three\n"
        "@@\n-four\n*** End of File\n*** End Patch"
    )
    assert change.old == "one\ntwo\n\nthree\nfour"
    assert change.new == "one\nTWO\n\nthree"


def test_an_added_file_is_its_text() -> None:
    (change,) = read("*** Begin Patch\n*** Add File: a b.txt\n+one\n+\n++two\n*** End Patch\n")
    assert (change.path, change.new) == ("a b.txt", "one\n\n+two\n")


@pytest.mark.parametrize(
    "patch",
    [
        "\n\n  *** Begin Patch  \n *** Add File: .env \n+A\n*** End Patch\n\n",
        "*** Begin Patch\r\n*** Add File: .env\r\n+A\r\n*** End Patch\r\n",
        "*** Begin Patch\n*** Add File: .env\n+A",
        "<<'EOF'\n*** Begin Patch\n*** Add File: .env\n+A\n*** End Patch\nEOF\n",
        "*** Begin Patch\n*** Environment ID: x\n*** Add File: .env\n+A\n*** End Patch",
        "*** Add File: .env\n+A",
        "*** Begin Patch\n*** Delete File: .env\n*** End Patch",
        "*** Begin Patch\n*** Add File: x\n *** Add File: .env\n+A\n*** End Patch",
    ],
)
def test_padding_and_missing_marks_hide_no_file(patch: str) -> None:
    assert read(patch)[-1].path == ".env"


def test_lines_of_a_file_that_look_like_headers_are_content() -> None:
    patch = (
        "*** Begin Patch\n*** Add File: doc.md\n+*** Delete File: .env\n"
        "*** Update File: b\n@@\n *** Delete File: .env\n-*** Add File: .env\n"
        "+*** Update File: .env\n*** End Patch"
    )
    assert seen(patch) == [("add", "doc.md"), ("update", "b")]


def test_only_line_feeds_end_a_line() -> None:
    patch = "*** Begin Patch\n*** Add File: a\n+x\x0b*** Add File: b\u2028*** Add File: c\n"
    assert seen(patch) == [("add", "a")]


@pytest.mark.parametrize("text", ["", "hello", "*** Begin Patch\n*** End Patch", "*** Add File: "])
def test_what_is_no_patch_holds_no_changes(text: str) -> None:
    assert read(text) == []


BODY = "*** Begin Patch\n*** Add File: .env\n+A=1\n*** End Patch"


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        (f"apply_patch <<'EOF'\n{BODY}\nEOF", [".env"]),
        (f"applypatch <<EOF\n{BODY}\nEOF\n", [".env"]),
        (f'apply_patch <<"X"\n{BODY}\nX', [".env"]),
        (f"cd sub && apply_patch <<'EOF'\n{BODY}\nEOF", ["sub/.env"]),
        (f"cd 'a b'; cd c && apply_patch <<'EOF'\n{BODY}\nEOF", ["a b/c/.env"]),
        (f"cd /tmp/x && apply_patch <<'EOF'\n{BODY}\nEOF", ["/tmp/x/.env"]),
        (f"cd sub\napply_patch <<'EOF'\n{BODY}\nEOF", ["sub/.env"]),
        (f"cat <<'EOF' | apply_patch\n{BODY}\nEOF", [".env"]),
        (f"echo hi; apply_patch <<'EOF'\n{BODY}\nEOF\necho done", [".env"]),
        (f"bash -lc \"apply_patch <<'EOF'\n{BODY}\nEOF\n\"", [".env"]),
        (f"bash <<'OUT'\napply_patch <<'EOF'\n{BODY}\nEOF\nOUT", [".env"]),
        (f"/usr/bin/apply_patch '{BODY}'", [".env"]),
        (f'apply_patch "{BODY}" && echo ok', [".env"]),
        ("apply_patch $'*** Begin Patch\\n*** Add File: .env\\n+A\\n*** End Patch'", [".env"]),
        (f"apply_patch <<'A' && cd sub && apply_patch <<'B'\n{BODY}\nA\n{BODY}\nB", [".env"] * 2),
        (f"apply_patch <<'EOF'\n{BODY}", [".env"]),
        ("grep -rn apply_patch src", []),
        (f"cat > notes.md <<'EOF'\napply_patch <<'X'\n{BODY}\nX\nEOF", []),
        (f"echo \"apply_patch\" ; cat <<'EOF'\n{BODY}\nEOF", []),
        ("apply_patch --help", []),
        ("apply_patch < change.patch", []),
    ],
)
def test_a_shell_command_is_read_for_the_patches_it_makes(command: str, paths: list[str]) -> None:
    assert in_shell(command) == paths


@pytest.mark.parametrize(
    "piece",
    [
        "(",
        ";a=",
        "-",
        "cd '",
        "{apply_patch ",
        "apply_patch '\n",
        "apply_patch x\n",
        "<<'",
        "<<A\n",
        "bash <<A\n",
        "apply_patch <<A\n",
        "$(",
        "then ",
        "a/",
        " ",
        "\t\n",
        "cd a\n",
        "*** Add File: x\n",
    ],
)
def test_no_command_takes_longer_than_its_length_warrants(piece: str) -> None:
    text = "apply_patch *** " + piece * (1_000_000 // len(piece))
    start = time.process_time()
    read_shell(text)
    assert time.process_time() - start < 6
