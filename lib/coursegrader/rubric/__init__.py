"""What a rubric is written with: ``from coursegrader.rubric import Exercise, edit, full``."""

from coursegrader.errors import RubricError
from coursegrader.rubric.edits import edit, every, full
from coursegrader.rubric.language import Exercise, Relation, Version

__all__ = ["Exercise", "Relation", "RubricError", "Version", "edit", "every", "full"]
