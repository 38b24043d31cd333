"""The code that a student handed in for an exercise: the cells between its check and the one before."""

from __future__ import annotations

from allyouneed.check.questions.own_code import NotUsable, Own, from_texts
from coursegrader.course.check_cells import checked_exercise, is_judged
from coursegrader.grading.judging import python_of


def own_code(notebook, exercise: str) -> Own:
    """The student's code for an exercise of a mended notebook. Raises NotUsable."""
    above, mine = [], []
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        if is_judged(cell):
            if checked_exercise(cell.source) == exercise:
                break
            above, mine = [*above, *mine], []
        else:
            mine.append(cell.source)
    else:
        raise NotUsable(f"{exercise} is not in the notebook")
    if any(exercise in source and source.strip() and not python_of([source]).strip() for source in mine):
        raise NotUsable(f"the code of {exercise} is not Python")
    return from_texts(exercise, python_of(mine), python_of(above))
