"""What a class has understood: scores, how hard each exercise was, and how many students share a mistake."""

from __future__ import annotations

import html
from collections import Counter
from pathlib import Path

from allyouneed.check import link
from coursegrader.course.configuration import load_config
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import UserError
from coursegrader.grading.verdicts import read_verdicts
from coursegrader.reporting.item_analysis import ENOUGH, FAILURES, Item, analyse
from coursegrader.reporting.lms_export import Grade, grades, write_canvas, write_moodle, write_table
from coursegrader.reporting.similarity import Alike, near_identical, solution_source
from coursegrader.reporting.status import NOT_HANDED_IN
from coursegrader.submissions.lms_import import marked_late
from coursegrader.submissions.preflight import findings_of

STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
body{color-scheme:light dark}
table{border-collapse:collapse;margin-bottom:2rem}
td,th{border:1px solid #888;padding:.2rem .6rem;text-align:left}"""


def report(problem_set: ProblemSet, unfinished: bool = False) -> tuple[str, list[Path]]:
    """Write ``reports/NN/``: the page, the scores, and files for Canvas and Moodle. Return a summary for the
    terminal, and the files.

    The last two are not written, and older ones are removed, while answers wait to be marked, unless
    `unfinished`; then those who wait have no score there.
    """
    verdicts = read_verdicts(problem_set)
    if not verdicts:
        raise UserError(
            f"Nothing of {problem_set.name} has been graded yet. Run: coursegrader grade {problem_set.name}"
        )
    names = list(problem_set.exercises)
    rows = [[student] + [_points_for(items, name) for name in names] for student, items in verdicts.items()]
    items = analyse(
        names,
        [row[1:] for row in rows],
        [problem_set.exercises[name].max_points for name in names],
        list(verdicts.values()),
    )
    shared = Counter(
        (item["exercise"], item["misconception"], item["section"])
        for found in verdicts.values()
        for item in found
        if item["misconception"]
    )
    alike = near_identical(
        (student, solution_source(path))
        for student in verdicts
        if (path := _notebook(problem_set, student)).is_file()
    )
    folder = problem_set.root / "reports" / problem_set.name
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / name for name in ("report.html", "scores.csv", "canvas.csv", "moodle.csv")]
    site = load_config(problem_set.root).SafeFeedback.book_url
    everybody, most = grades(
        problem_set, {student: _feedback(problem_set, found, site) for student, found in verdicts.items()}
    )
    table = _scores(names, rows, everybody)
    write_table(files[1], table)
    waiting = [grade.student for grade in everybody if grade.waiting]
    if waiting and not unfinished:
        for path in files[2:]:
            path.unlink(missing_ok=True)
        del files[2:]
    else:
        write_canvas(files[2], problem_set.name, everybody, most)
        write_moodle(files[3], problem_set.name, everybody)
    late = [
        (grade.student, f"handed in {_duration(grade.seconds_late)} after the due date")
        for grade in everybody
        if grade.seconds_late > 0
    ]
    late += [
        (student, "late, as Canvas marked it; by how much, its export does not say")
        for student in sorted(marked_late(problem_set))
    ]
    notes = _notes(problem_set, set(verdicts)) + late
    files[0].write_text(
        _page(problem_set, table, items, shared, alike, notes, len(rows), len(waiting), site),
        encoding="utf-8",
    )
    absent = [grade.student for grade in everybody if grade.status == NOT_HANDED_IN]
    return _summary(
        problem_set, rows, items, shared, alike, notes, len(late), absent, waiting, unfinished
    ), files


def _points_for(items: list[dict], name: str) -> float:
    return next((item["points"] for item in items if item["exercise"] == name), 0.0)


def _notebook(problem_set: ProblemSet, student: str) -> Path:
    return problem_set.root / "autograded" / student / problem_set.name / f"{problem_set.name}.ipynb"


def _scores(names: list[str], rows: list[list], everybody: list[Grade]) -> list[list]:
    """The table of scores, with a row for everybody: the verdicts' points, what formgrader added by hand, the
    penalty for being late, what that makes, and how far it is."""
    table, known = (
        [["student", *names, "by hand", "penalty", "total", "status"]],
        {row[0]: row for row in rows},
    )
    everybody = {grade.student: grade for grade in everybody}
    for student in sorted(known.keys() | everybody.keys()):
        row, grade = known.get(student, [student, *[""] * len(names)]), everybody.get(student)
        if grade is None or grade.score is None:
            table.append(
                [*row, "", "", "", grade.status if grade else "not in the gradebook: grade it again"]
            )
        else:
            by_hand = _rounded(grade.raw - sum(points for points in row[1:] if points != ""))
            table.append([*row, by_hand, _rounded(grade.penalty), _rounded(grade.score), grade.status])
    return table


def _rounded(value: float) -> float:
    value = round(value, 6)
    return int(value) if value == int(value) else value


def _feedback(problem_set: ProblemSet, items: list[dict], site: str) -> str:
    """What a student reads in Moodle, as HTML: each message, and the paragraph that explains it."""
    return html.escape(
        "\n".join(
            (f"{item['exercise']}: {item['message']} {_explained(problem_set, item['section'], site)}")
            for item in items
            if item["misconception"]
        ),
        quote=False,
    )


def _explained(problem_set: ProblemSet, section: str, site: str) -> str:
    return link(problem_set.name, section, site)


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


def _duration(seconds: float) -> str:
    days, minutes = divmod(max(1, round(seconds / 60)), 24 * 60)
    parts = (f"{days} day{'s' * (days != 1)}", f"{minutes // 60} h", f"{minutes % 60} min")
    return " ".join(part for part in parts if not part.startswith("0 "))


def _two_decimals(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _failures(item: Item) -> str:
    return ", ".join(f"{count} {FAILURES[kind]}" for kind, count in item.failures.items())


def _summary(
    problem_set,
    rows,
    items: list[Item],
    shared: Counter,
    alike: list[Alike],
    notes,
    late: int,
    absent: list[str],
    waiting: list[str],
    unfinished: bool,
) -> str:
    lines = [f"{problem_set.name}: {len(rows)} graded submissions", ""]
    discrimination = "   discrimination {:>5}" if len(rows) >= ENOUGH else ""
    lines += [
        (
            f"  {item.exercise:34} {item.difficulty:5.0%} of the "
            f"points{discrimination.format(_two_decimals(item.discrimination) or '-')}   "
            f"{_failures(item)}"
        ).rstrip()
        for item in items
    ]
    lines += ["", "  most shared mistakes:"] if shared else []
    lines += [
        f"  {count:4}  {exercise}: {mistake}  ({link(problem_set.name, section)})"
        for (exercise, mistake, section), count in shared.most_common(10)
    ]
    lines += ["", f"  {len(alike)} groups of nearly identical submissions; see the page."] if alike else []
    lines += (
        [
            "",
            (
                f"  {len(notes)} notes on "
                f"submissions{f', {late} of them on late ones' if late else ''}; see the page."
            ),
        ]
        if notes
        else []
    )
    lines += ["", f"  not handed in: {_names(absent)}"] if absent else []
    if waiting:
        lines += [
            "",
            f"  not yet marked: {_names(waiting)}",
            "  Mark them in formgrader (jupyter lab, menu Nbgrader), then run the report again.",
            "  canvas.csv and moodle.csv have no score for them."
            if unfinished
            else "  Until then, canvas.csv and moodle.csv are not written, unless you add --unfinished.",
        ]
    return "\n".join(lines)


def _names(students: list[str], most: int = 20) -> str:
    more = len(students) - most
    return ", ".join(students[:most]) + (f" and {more} more" if more > 0 else "")


def _page(
    problem_set: ProblemSet,
    table,
    items: list[Item],
    shared: Counter,
    alike: list[Alike],
    notes,
    graded: int,
    waiting: int,
    site: str = "",
) -> str:
    mistakes = [
        [count, exercise, mistake, _explained(problem_set, section, site).removeprefix("See ")]
        for (exercise, mistake, section), count in shared.most_common()
    ]
    exercises = [
        [
            item.exercise,
            f"{item.difficulty:.0%}",
            _two_decimals(item.discrimination),
            _failures(item),
            item.remark(),
        ]
        for item in items
    ]
    groups = [[", ".join(group.students), f"{group.similarity:.0%}", group.tokens] for group in alike]
    parts = [
        (
            "Mistakes, most shared first",
            _table(["students", "exercise", "mistake", "paragraph to teach again"], mistakes),
        ),
        (
            "How hard each exercise was, and what it tells",
            _table(
                ["exercise", "share of the points reached", "discrimination", "failures", "remark"], exercises
            )
            + (
                "<p>Discrimination is the correlation of an exercise's points with the points of all "
                "others: above 0.3 it tells strong from weak, clearly below 0 something is wrong with "
                f"it. In a class of fewer than {ENOUGH} it is chance, and left out.</p>"
            ),
        ),
    ]
    if groups:
        parts.append(
            (
                "Nearly identical submissions",
                _table(["students", "alike", "length in tokens"], groups)
                + (
                    "<p>Names and comments do not count. Short right answers are alike by nature: "
                    "take this as a hint, not as a proof.</p>"
                ),
            )
        )
    if notes:
        parts.append(("Notes on submissions", _table(["student", "note"], notes)))
    parts.append(
        (
            "Scores",
            _table(table[0], table[1:])
            + (
                "<p>By hand: written answers, and what else formgrader changed. The total is their sum, "
                "less the penalty; while it is not yet marked, it is what there is so far.</p>"
            ),
        )
    )
    body = "\n".join(f"<h2>{title}</h2>{text}" for title, text in parts)
    title = html.escape(problem_set.name)
    note = f" {waiting} of them not yet marked." if waiting else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{title}: report</title>\n<style>{STYLE}</style></head>\n"
        f"<body><h1>{title}</h1><p>{graded} graded submissions.{note}</p>\n{body}</body></html>\n"
    )


def _table(header, body) -> str:
    head = "".join(f'<th scope="col">{html.escape(str(item))}</th>' for item in header)
    lines = "".join(
        "<tr>" + "".join(f"<td>{html.escape(str(item))}</td>" for item in row) + "</tr>" for row in body
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
