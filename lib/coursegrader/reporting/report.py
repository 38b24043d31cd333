"""What a class has understood: scores, how hard each exercise was, and how many students share a mistake."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from pathlib import Path

from allyouneed.check import link
from coursegrader.course.configuration import load_config
from coursegrader.course.problem_set import ProblemSet
from coursegrader.files import write_whole
from coursegrader.grading.due_dates import settle_all
from coursegrader.grading.verdicts import graded_verdicts
from coursegrader.reporting.item_analysis import ENOUGH, Item, analyse
from coursegrader.reporting.lms_export import Grade, grades, write_canvas, write_moodle, write_table
from coursegrader.reporting.mistakes import OF_NO_CODE, Shared, shared_mistakes
from coursegrader.reporting.report_page import report_page
from coursegrader.reporting.similar_page import Together, compare, similar_page
from coursegrader.reporting.sources import class_texts, earlier_term
from coursegrader.reporting.status import NOT_GRADED, NOT_HANDED_IN, check_points, is_outdated
from coursegrader.submissions.preflight import findings_of
from coursegrader.text import counted, in_a_line


def report(
    problem_set: ProblemSet, unfinished: bool = False, earlier: Iterable[Path] = ()
) -> tuple[str, list[Path]]:
    """Write ``reports/NN/``: the page, that of answers that are alike, the scores, and files for Canvas and
    Moodle. Return a summary for the terminal, and the files.

    Answers are compared with those in the folders of `earlier` terms too. The last two files are not written,
    and older ones are removed, while answers wait to be marked or submissions to be graded, unless
    `unfinished`; then those who wait have no score there.
    """
    verdicts = graded_verdicts(problem_set)
    check_points(problem_set)
    terms = [earlier_term(problem_set, folder) for folder in earlier]
    settle_all(problem_set.root)
    names = list(problem_set.exercises)
    rows = [[student] + [_points_for(items, name) for name in names] for student, items in verdicts.items()]
    items = analyse(
        names,
        [row[1:] for row in rows],
        [problem_set.exercises[name].max_points for name in names],
        list(verdicts.values()),
    )
    texts, damaged = class_texts(problem_set, verdicts)
    shared = shared_mistakes(problem_set, verdicts, texts)
    compared = compare(problem_set, texts, verdicts, terms, damaged)
    folder = problem_set.root / "reports" / problem_set.name
    folder.mkdir(parents=True, exist_ok=True)
    files = [
        folder / name for name in ("report.html", "similar.html", "scores.csv", "canvas.csv", "moodle.csv")
    ]
    site = load_config(problem_set.root).SafeFeedback.book_url
    everybody, most = grades(
        problem_set, {student: _feedback(problem_set, found, site) for student, found in verdicts.items()}
    )
    scores = _scores(names, rows, everybody)
    write_table(files[2], scores)
    waiting = [grade.student for grade in everybody if grade.waiting]
    outdated = [grade.student for grade in everybody if is_outdated(grade.status)]
    if (waiting or outdated) and not unfinished:
        for path in files[3:]:
            path.unlink(missing_ok=True)
        del files[3:]
    else:
        write_canvas(files[3], problem_set.name, everybody, most)
        write_moodle(files[4], problem_set.name, everybody)
    late = [(grade.student, _on_lateness(grade)) for grade in everybody if grade.late]
    above = [
        (grade.student, f"a mark above the maximum: {grade.above}") for grade in everybody if grade.above
    ]
    notes = _notes(problem_set, set(verdicts)) + above + late
    page = report_page(
        problem_set, scores, items, shared, compared.pairs, notes, len(rows), len(waiting), site
    )
    write_whole(files[0], page.encode())
    write_whole(files[1], similar_page(problem_set, compared).encode())
    absent = [grade.student for grade in everybody if grade.status == NOT_HANDED_IN]
    ungraded = [grade.student for grade in everybody if grade.status.startswith(NOT_GRADED)]
    said = _summary(
        problem_set,
        len(rows),
        items,
        shared,
        compared.pairs,
        notes,
        len(late),
        absent,
        ungraded,
        waiting,
        unfinished,
        site,
        outdated,
    )
    said += "".join(f"\n\n  {student} has {text}." for student, text in above)
    if compared.unread:
        said += f"\n\n  {counted(len(compared.unread), 'answer')} not compared; similar.html says why."
    return said, files


def _points_for(items: list[dict], name: str) -> float:
    return next((item["points"] for item in items if item["exercise"] == name), 0.0)


def _scores(names: list[str], rows: list[list], everybody: list[Grade]) -> list[list]:
    """The table of scores, with a row for everybody: the verdicts' points, what formgrader added by hand, the
    penalty for being late, what that makes, and how far it is."""
    scores, known = (
        [["student", *names, "by hand", "extended to", "late", "penalty", "total", "status"]],
        {row[0]: row for row in rows},
    )
    everybody = {grade.student: grade for grade in everybody}
    for student in sorted(known.keys() | everybody.keys()):
        row, grade = known.get(student, [student, *[""] * len(names)]), everybody.get(student)
        if grade is None or grade.score is None:
            status = grade.status if grade else "not in the gradebook: grade it again"
            given = [grade.extended_to, grade.late] if grade else ["", ""]
            scores.append([*row, "", *given, "", "", status])
        else:
            by_hand = _rounded(grade.raw - sum(points for points in row[1:] if points != ""))
            if grade.waiting and not by_hand:
                by_hand = ""  # not 0: nobody has marked it
            given = [by_hand, grade.extended_to, grade.late, _rounded(grade.penalty)]
            scores.append([*row, *given, _rounded(grade.score), grade.status])
    return scores


def _rounded(value: float) -> float:
    value = round(value, 6)
    return int(value) if value == int(value) else value


def _feedback(problem_set: ProblemSet, items: list[dict], site: str) -> str:
    """What a student reads in Moodle, as HTML: each message, and the paragraph that explains it."""
    return html.escape(
        "\n".join(
            (f"{item['exercise']}: {item['message']} {link(problem_set.name, item['section'], site)}")
            for item in items
            if item["misconception"]
        ),
        quote=False,
    )


def _notes(problem_set: ProblemSet, graded: set[str]) -> list[tuple[str, str]]:
    """Submissions that were not graded, and what was found in others before grading."""
    notes = []
    for folder in sorted((problem_set.root / "submitted").glob(f"*/{problem_set.name}")):
        student = folder.parent.name
        findings, error = findings_of(problem_set.root, student, problem_set.name)
        if student not in graded:
            notes.append((student, f"not graded: {error or 'run coursegrader grade to see why'}"))
        elif error:
            notes.append((student, f"an earlier submission is graded; the last could not be: {error}"))
        notes += [(student, finding) for finding in findings]
    return notes


def _on_lateness(grade: Grade) -> str:
    until = f" (with an extension to {grade.extended_to})" if grade.extended_to else ""
    cost = f"; {grade.penalty:g} points are taken for it" if grade.penalty else ""
    return f"late{until}: {grade.late}{cost}"


def _summary(
    problem_set,
    graded: int,
    items: list[Item],
    shared: list[Shared],
    alike: list[Together],
    notes,
    late: int,
    absent: list[str],
    ungraded: list[str],
    waiting: list[str],
    unfinished: bool,
    site: str = "",
    outdated: Sequence[str] = (),
) -> str:
    lines = [f"{problem_set.name}: {counted(graded, 'graded submission')}", ""]
    discrimination = "   discrimination {:>5}" if graded >= ENOUGH else ""
    lines += [
        (
            f"  {item.exercise:34} {item.difficulty:5.0%} of the "
            f"points{discrimination.format(item.told_discrimination() or '-')}   "
            f"{item.told_failures()}"
        ).rstrip()
        for item in items
    ]
    made = [row for row in shared if row.misconception not in OF_NO_CODE]
    lines += ["", "  most shared mistakes:"] if made else []
    for row in made[:10]:
        lines += [
            f"  {len(row.students):4} of {graded}  {row.exercise}: {in_a_line(row.message, 120)}",
            f"       {link(problem_set.name, row.section, site)}",
        ]
    lines += (
        ["", f"  {counted(len(alike), 'pair')} with answers that are alike; see similar.html."]
        if alike
        else []
    )
    of_late = f", {late} of them on late ones" if late else ""
    lines += ["", f"  {counted(len(notes), 'note')} on submissions{of_late}; see the page."] if notes else []
    lines += ["", f"  not handed in: {_names(absent)}"] if absent else []
    lines += ["", f"  not graded (the page says why): {_names(ungraded)}"] if ungraded else []
    lines += ["", f"  handed in again, and not graded since: {_names(outdated)}"] if outdated else []
    lines += [f"  Run coursegrader grade {problem_set.name}, then the report again."] if outdated else []
    lines += ["", f"  not yet marked: {_names(waiting)}"] if waiting else []
    if waiting:
        lines += [f"  Mark them with coursegrader mark {problem_set.name}, then run the report again."]
    if waiting or outdated:
        lines += [
            "  canvas.csv and moodle.csv have no score for them."
            if unfinished
            else "  Until then, canvas.csv and moodle.csv are not written, unless you add --unfinished."
        ]
    return "\n".join(lines)


def _names(students: list[str], most: int = 20) -> str:
    more = len(students) - most
    return ", ".join(students[:most]) + (f" and {more} more" if more > 0 else "")
