"""What a class has understood of its own code: the score of the code against that of the defence, and the
questions that were hard for those whose code was right."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from markupsafe import Markup

from allyouneed.check.questions.shown import title
from coursegrader.course.problem_set import ProblemSet
from coursegrader.defence.difficulty import AIM, Difficulty, learned
from coursegrader.defence.marks import Marked, defence_name, marked_class
from coursegrader.defence.sheets import write_private
from coursegrader.errors import UserError
from coursegrader.grading.verdicts import read_verdicts
from coursegrader.reporting.pages import TEXT, drawing, page, paragraph, share, table

ENOUGH = 5  # answers, below which a share is chance


def write_understanding(problem_set: ProblemSet) -> Path:
    """Write the page for the instructor, and return where it is."""
    marked, absent = marked_class(problem_set)
    if not marked:
        raise UserError(f"Nobody has answered a paper of {problem_set.name} yet.")
    points = {
        student: {verdict["exercise"]: verdict for verdict in verdicts}
        for student, verdicts in read_verdicts(problem_set).items()
    }
    target = problem_set.root / "reports" / problem_set.name / "defence" / "report.html"
    opening = f"{len(marked)} students have answered, {len(absent)} have not."
    parts = [
        ("Code and defence", _plot(marked, points)),
        ("Hard for those whose code was right", _hard(marked, points)),
        ("How hard each kind of question is", _kinds(learned(problem_set.root))),
    ]
    write_private(target, page(f"{defence_name(problem_set)}: report", parts, opening).encode())
    return target


def _code_share(verdicts: dict[str, dict]) -> float | None:
    most = sum(verdict["max_points"] for verdict in verdicts.values())
    return sum(verdict["points"] for verdict in verdicts.values()) / most if most else None


def _plot(marked: list[Marked], points: dict[str, dict]) -> Markup:
    from matplotlib.figure import Figure

    both = [
        (100 * code, 100 * item.share)
        for item in marked
        if item.share is not None and (code := _code_share(points.get(item.paper.student, {}))) is not None
    ]
    if not both:
        return paragraph("No code of those who have answered is graded yet.")
    figure = Figure(figsize=(5, 4))
    axes = figure.subplots()
    # equal ones are drawn beside each other
    beside = [((number * 7) % 11 - 5) / 5 for number in range(len(both))]
    axes.plot(
        [x + d for (x, _), d in zip(both, beside)],
        [y + d for (_, y), d in zip(both, beside)],
        "o",
        color="#3b8ec2",
        alpha=0.8,
        markersize=5,
    )
    axes.set_xlabel("code: points reached (%)", color=TEXT)
    axes.set_ylabel("defence: points reached (%)", color=TEXT)
    axes.set_xlim(-4, 104)
    axes.set_ylim(-4, 104)
    axes.tick_params(colors=TEXT)
    for spine in axes.spines.values():
        spine.set_color(TEXT)
    low = sum(code >= 90 and defence < 50 for code, defence in both)
    return drawing(
        figure, f"{len(both)} students; {low} with 90% or more for the code and less than half in the defence"
    ) + paragraph(
        "A dot is a student. What lies low on the right is a reason to talk, and never an accusation: a "
        "question can be unclear, and ten minutes are short."
    )


def _kinds(difficulty: Difficulty) -> Markup:
    """What the answers of the course have shown so far, the hardest kind first."""
    shifts = sorted(difficulty.kinds.items(), key=lambda item: -item[1])
    rows = [[kind, difficulty.answers[kind], f"{shift:+.1f}"] for kind, shift in shifts]
    return table(["kind", "answers", "harder than assumed by"], rows) + paragraph(
        "From all defences of this course. The next papers reckon with it: of the questions that a code "
        f"allows, they take the one nearest to {AIM:g}, which two of three students are meant to know. Few "
        "answers move little."
    )


def _hard(marked: list[Marked], points: dict[str, dict]) -> Markup:
    """By exercise and kind, the hardest first, of those who had all points of that exercise."""
    given: dict[tuple[str, str], list[float]] = defaultdict(list)
    for item in marked:
        own = points.get(item.paper.student, {})
        for question, score in zip(item.paper.questions, item.marks):
            verdict = own.get(question.exercise)
            if score is not None and verdict and verdict["points"] >= verdict["max_points"]:
                given[question.exercise, title(question)].append(score)
    rows = sorted((sum(scores) / len(scores), *key, len(scores)) for key, scores in given.items())
    if not rows:
        return paragraph("Nobody whose code was right has answered yet.")
    return table(
        ["exercise", "question", "share of the points", "students", "remark"],
        [
            [exercise, kind, share(mean), number, "few: this can be chance" if number < ENOUGH else ""]
            for mean, exercise, kind, number in rows
        ],
    ) + paragraph("What stands first is what the class has not understood, though its code works.")
