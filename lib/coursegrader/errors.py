"""Errors that the person at the terminal can mend."""


class UserError(Exception):
    """What cannot be used, such as a folder, file or option: what is missing or contradictory, and where. A
    command ends with it, in one line."""


class RubricError(UserError):
    """A rubric that cannot be used."""
