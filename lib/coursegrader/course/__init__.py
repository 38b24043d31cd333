"""What a course folder's ``nbgrader_config.py`` calls: ``from coursegrader.course import configure``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from traitlets.config import Config


def configure(config: Config) -> None:
    """Make a course of nbgrader's configuration: see `coursegrader.course.configuration`."""
    from coursegrader.course.configuration import configure  # imports nbgrader, for most of a second

    configure(config)
