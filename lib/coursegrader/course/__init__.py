"""What a course folder's ``nbgrader_config.py`` calls: ``from coursegrader.course import configure``."""

from coursegrader.course.configuration import configure

__all__ = ["configure"]
