"""The user's own configuration: hosts and authorities, with errors that show no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookpm.errors import FileFormatError
from hookpm.project.home import userconfig
from tests.project.world import World


def write(world: World, text: str) -> Path:
    file = world.home / "config" / "hookpm" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return file


def test_without_a_file_nothing_is_configured(world: World) -> None:
    assert userconfig.read() == userconfig.UserConfig()


def test_hosts_and_a_bundle_beside_the_file(world: World) -> None:
    file = write(
        world,
        'ca-bundle = "own.pem"\n[hosts."hooks.example.com"]\ntoken = "t"\n'
        '[hosts."localhost:8443"]\nusername = "me"\npassword = "p"\n',
    )
    found = userconfig.read()
    assert found.ca_bundle == str(file.parent / "own.pem")
    assert found.hosts["hooks.example.com"].token == "t"
    assert found.hosts["localhost:8443"].username == "me"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('[hosts."https://a.example.com"]\ntoken = "s3cret"\n', 1, "is not a host"),
        ('[hosts."a.example.com"]\ntoken = ["s3cret"]\n', 2, "must be text"),
        ('[hosts."a.example.com"]\npassword = "s3cret"\n', 1, "either a token"),
        ('[hosts."a.example.com"]\ntoken = "s3cret"\nusername = "me"\n', 1, "either a token"),
        ('[hosts."a.example.com"]\ntokne = "s3cret"\n', 2, "did you mean `token`"),
        ('[hosts."a.example.com"]\ntoken = s3cret\n', 2, "not valid TOML"),
        ('ca-bundel = "x"\n', 1, "unknown key"),
    ],
)
def test_a_mistake_is_said_with_its_line_and_without_a_secret(
    world: World, text: str, line: int, said: str
) -> None:
    write(world, text)
    with pytest.raises(FileFormatError) as caught:
        userconfig.read()
    error = caught.value
    words = f"{error.message} {error.cause} {error.hint}"
    assert said in words
    assert "s3cret" not in words
    assert error.line == line
