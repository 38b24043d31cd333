"""The error with which a command ends, and that its user can mend."""


class RubricError(Exception):
    """A rubric, roster, folder or option that cannot be used: what is missing or contradictory, and where."""
