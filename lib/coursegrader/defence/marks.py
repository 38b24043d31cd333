"""The marks of a defence in nbgrader's gradebook, as the assignment ``defence-NN-name``.

Each question is a cell of 1 point. A question that a paper lacks counts as the mean of those that it has, so
that all are marked of the same sum. Marking again takes the answers as they are then. What a person gave in
formgrader stays; a mark that was typed in the place of an answer is taken like an answer. A question "why"
waits until a person has marked it.
"""

from __future__ import annotations

import html
from dataclasses import dataclass

import nbformat
from nbgrader.api import Gradebook, MissingEntry

from allyouneed.check.questions.shown import label, lines_of, plain, title
from coursegrader.course.configuration import at_once, open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.answers import Answer, digest_of, open_answers
from coursegrader.defence.paper import Key, Paper, read_key, read_paper, students_with_papers
from coursegrader.errors import UserError
from coursegrader.files import write_whole


@dataclass(frozen=True)
class Marked:
    """A student's marks by question, None where a person has to give it; `answers` as they were."""

    paper: Paper
    marks: tuple[float | None, ...]
    answers: dict[int, Answer]

    @property
    def share(self) -> float | None:
        """Of the points of what is marked."""
        given = [mark for mark in self.marks if mark is not None]
        return sum(given) / len(given) if given else None


def defence_name(problem_set: ProblemSet) -> str:
    return f"defence-{problem_set.name}"


def mark(paper: Paper, key: Key, answers: dict[int, Answer]) -> tuple[float | None, ...]:
    """1 for the right choice and 0 for another or none; a person's mark; None for words."""
    marks = []
    for number, right in enumerate(key.answers):
        answer = answers.get(number, Answer(number))
        if answer.mark is not None:
            marks.append(answer.mark)
        else:
            marks.append(None if right is None else float(answer.choice == right))
    return tuple(marks)


def marked_class(problem_set: ProblemSet) -> tuple[list[Marked], list[str]]:
    """Everybody who has answered, and whose papers nobody has answered."""
    with open_answers(problem_set) as file:
        found, absent = [], []
        for student in students_with_papers(problem_set):
            answers, papers = file.of(student)
            if not answers:
                absent.append(student)
                continue
            paper, key = read_paper(problem_set, student), read_key(problem_set, student)
            if papers != {digest_of(paper)}:
                raise UserError(
                    f"{student} has answered another paper than the present one, which was made anew since. "
                    "Nothing was marked. Enter the answers to the present one, with --overwrite."
                )
            if len(key.answers) != len(paper.questions):
                raise UserError(f"The key of {student} does not fit the paper: make both anew.")
            found.append(Marked(paper, mark(paper, key, answers), answers))
    return found, absent


def write_marks(problem_set: ProblemSet) -> tuple[list[Marked], list[str]]:
    """Put the marks of all who have answered into the gradebook: all of them, or nothing."""
    marked, absent = marked_class(problem_set)
    if not marked:
        raise UserError(f"Nobody has answered a paper of {problem_set.name} yet.")
    name, most = defence_name(problem_set), max(len(item.marks) for item in marked)
    by_hand = {number for item in marked for number, q in enumerate(item.paper.questions) if not q.choices}
    with open_course(problem_set.root) as api, api.gradebook as gradebook:
        known = {student.id for student in gradebook.students}
        strangers = [item.paper.student for item in marked if item.paper.student not in known]
        if strangers:
            raise UserError(
                f"Not in the gradebook: {', '.join(strangers)}. Enter them: coursegrader roster FILE"
            )
        for item in marked:  # before its marks: formgrader cannot show marks without a page
            _write_page(problem_set, item, by_hand, most)
        with at_once(gradebook):
            _cells(gradebook, name, most, by_hand)
            for item in marked:
                _enter(gradebook, name, item, most, by_hand)
    return marked, absent


def _cell(number: int) -> str:
    return f"question-{number + 1}"


def _cells(gradebook: Gradebook, name: str, most: int, by_hand: set[int]) -> None:
    gradebook.update_or_create_assignment(name)
    gradebook.update_or_create_notebook(name, name)
    for number in range(most):
        kind = "markdown" if number in by_hand else "code"
        gradebook.update_or_create_grade_cell(_cell(number), name, name, max_score=1, cell_type=kind)
        gradebook.update_or_create_solution_cell(_cell(number), name, name)


def _enter(gradebook: Gradebook, name: str, item: Marked, most: int, by_hand: set[int]) -> None:
    from nbgrader.api import Comment, Grade

    gradebook.update_or_create_submission(name, item.paper.student)
    notebook = gradebook.find_submission_notebook(name, name, item.paper.student)
    for number in range(most):
        asked = number < len(item.marks)
        score = item.marks[number] if asked else item.share
        try:
            grade = gradebook.find_grade(_cell(number), name, name, item.paper.student)
        except MissingEntry:  # a cell that is newer than the submission
            cell = gradebook.find_grade_cell(_cell(number), name, name)
            grade = Grade(cell_id=cell.id, notebook=notebook)
            gradebook.db.add(grade)
        try:
            comment = gradebook.find_comment(_cell(number), name, name, item.paper.student)
        except MissingEntry:
            cell = gradebook.find_solution_cell(_cell(number), name, name)
            comment = Comment(cell_id=cell.id, notebook=notebook)
            gradebook.db.add(comment)
        grade.auto_score = score
        grade.needs_manual_grade = score is None and grade.manual_score is None
        comment.auto_comment = None if asked else "Not asked: it counts as the mean of the others."
    gradebook.db.flush()


def _write_page(problem_set: ProblemSet, item: Marked, by_hand: set[int], most: int) -> None:
    """What formgrader shows: the questions and the answers. The key is not in it."""
    name, cells = defence_name(problem_set), []
    for number in range(most):
        asked = number < len(item.paper.questions)
        text = _as_markdown(item, number) if asked else "*This question was not asked.*"
        cells.append(nbformat.v4.new_markdown_cell(text, id=f"text-{number + 1}"))
        about = {
            "grade": True,
            "solution": True,
            "locked": False,
            "task": False,
            "schema_version": 3,
            "grade_id": _cell(number),
            "points": 1,
        }
        answer = _said(item, number) if asked else ""
        if number in by_hand:
            cell = nbformat.v4.new_markdown_cell(f"<pre>{html.escape(answer)}</pre>", id=_cell(number))
        else:
            cell = nbformat.v4.new_code_cell(f"# {answer}", id=_cell(number))
        cell.metadata["nbgrader"] = about | {"cell_type": cell.cell_type}
        cells.append(cell)
    folder = problem_set.root / "autograded" / item.paper.student / name
    folder.mkdir(parents=True, exist_ok=True)
    notebook = nbformat.v4.new_notebook(cells=cells)
    write_whole(folder / f"{name}.ipynb", nbformat.writes(notebook).encode())


def _as_markdown(item: Marked, number: int) -> str:
    question = item.paper.questions[number]
    code = "\n".join(f"{at:3} {line}" for at, line in enumerate(lines_of(question.code), 1))
    choices = [
        f"{label(question, choice)}: {' / '.join(lines_of(text))}"
        for choice, text in enumerate(question.choices if question.kind != "mend" else ())
    ]
    parts = [f"<p>{html.escape(plain(question.prompt))}</p>", f"<pre>{html.escape(code)}</pre>"]
    parts += [f"<pre>{html.escape(chr(10).join(choices))}</pre>"] if choices else []
    return f"### {number + 1}. {title(question)}\n\n" + "\n".join(parts).replace("\n\n", "\n \n")


def _said(item: Marked, number: int) -> str:
    question, answer = item.paper.questions[number], item.answers.get(number, Answer(number))
    if answer.words is not None:
        return "\n".join(lines_of(answer.words))
    if answer.choice is not None:
        return f"answer: {label(question, answer.choice)}"
    return "marked by a person" if answer.mark is not None else "no answer"
