"""Where an agent's own user config lies, from the home folder, and what moves it elsewhere.

Pure: the environment is given.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple


class Home(NamedTuple):
    """An agent's folder of the user, and the file in it that can hold our wiring.

    folder: from the home folder. variable: what moves it, "" = nothing does; below: where the
    folder is then, seen from what the variable names.
    """

    folder: str
    file: str
    variable: str = ""
    below: str = ""

    @property
    def path(self) -> str:
        """The file where nothing is moved, from the home folder."""
        return f"{self.folder}/{self.file}"

    def place(self, home: str, environment: Mapping[str, str]) -> tuple[str, str]:
        """The file in this environment, from the home folder; and "" or why it cannot be there.

        home: absolute. Where the file would lie outside the home folder, the usual path comes back.
        """
        moved = environment.get(self.variable, "") if self.variable else ""
        if not moved:
            return self.path, ""
        if not moved.startswith("/"):
            return self.path, f"{self.variable} is {moved!r}, another folder wherever one stands"
        folder = os.path.realpath(os.path.join(moved, self.below))  # noqa: PTH118
        inside = os.path.relpath(folder, home)
        if inside == ".." or inside.startswith("../"):
            why = f"{self.variable} leads to {folder}, which is outside of your home folder"
            return self.path, why
        return self.file if inside == "." else f"{inside}/{self.file}", ""
