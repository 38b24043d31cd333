"""Where a course folder may lie."""

from __future__ import annotations

import re
from pathlib import Path

from coursegrader.errors import UserError

MISREAD = re.compile("[?*[]|%[0-9A-Fa-f]{2}")  # as patterns of paths, or in the database's address


def look_at_place(folder: Path) -> None:
    """Raise UserError where no course can be, for what the folder's path is called."""
    if found := MISREAD.search(str(folder)):
        raise UserError(
            f"{folder} cannot be a course folder: nbgrader would misread {found[0]} in its path. Call it "
            "otherwise."
        )
