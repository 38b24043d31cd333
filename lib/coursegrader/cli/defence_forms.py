"""A defence held: sheets and codes out, answers in, marks into the gradebook."""

from __future__ import annotations

import argparse
import socket
from pathlib import Path

from coursegrader.cli.arguments import minutes, port, problem_set_of
from coursegrader.errors import UserError


def add_defend_print(command) -> None:
    parser = command(
        "defend-print",
        _print,
        "Print the papers of a defence: one PDF, a sheet a student, in the order of the seats.",
    )
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help="its size (default: a4)")
    parser.add_argument(
        "--two-sided",
        action="store_true",
        help="an empty page after an odd number, so that no sheet is shared",
    )


def _print(options) -> int:
    from coursegrader.defence.paper import read_paper, students_with_papers
    from coursegrader.defence.seats import seats_of
    from coursegrader.defence.sheets import print_sheets

    problem_set = problem_set_of(options)
    students = students_with_papers(problem_set)
    order = [name for name in seats_of(problem_set, students).order() if name in set(students)]
    papers = [read_paper(problem_set, student) for student in order]
    if not papers:
        raise UserError(f"There are no papers yet. Make them: coursegrader defend {problem_set.name}")
    target = _folder(problem_set) / "sheets.pdf"
    printing = print_sheets(
        problem_set, papers, _names(problem_set.root), target, options.paper, options.two_sided
    )
    print(f"wrote {target}: {len(papers)} sheets, {sum(sheet.pages for sheet in printing.sheets)} pages")
    long = [sheet.student for sheet in printing.sheets if sheet.pages > 2]
    if long:
        print(f"more than two pages: {', '.join(long)}")
    return 0


def add_defend_read(command) -> None:
    parser = command(
        "defend-read", _read, "Read the answers of a defence: scanned sheets (PDF, images), or a typed CSV."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument(
        "--overwrite",
        action="store_true",
        help="also where the browser room has another answer, or the old paper was answered",
    )


def _read(options) -> int:
    from coursegrader.defence.answers import SCAN, TYPED, Answer, digest_of, open_answers
    from coursegrader.defence.paper import read_paper, students_with_papers
    from coursegrader.defence.scans import read_scans
    from coursegrader.defence.sheets import write_private
    from coursegrader.defence.typed import read_typed

    problem_set = problem_set_of(options)
    papers = {name: read_paper(problem_set, name) for name in students_with_papers(problem_set)}
    tables = [path for path in options.files if path.suffix.lower() in (".csv", ".tsv", ".txt")]
    scans = [path for path in options.files if path not in tables]
    taken, lines = [(TYPED, read_typed(path, papers)) for path in tables], []
    if scans:
        read = read_scans(problem_set, scans)
        own: dict[str, list[Answer]] = {}
        for student, answers in read.answers.items():
            if student not in papers or read.papers[student] != digest_of(papers[student]):
                lines.append([student, "", "", "", "the sheet is of an older paper of theirs"])
                continue
            own[student] = [Answer(number, choice) for number, choice in answers.items()]
        taken.insert(0, (SCAN, own))
        lines += [
            [item.student, "" if item.question is None else item.question + 1, "", item.place, item.why]
            for item in read.unsure
        ]
    with open_answers(problem_set) as file:
        for source, found in taken:
            for student, answers in found.items():
                for number, other in file.put(papers[student], answers, source, options.overwrite):
                    lines.append([student, number + 1, "", "", f"left as it was: another answer by {other}"])
    students = len({student for _, found in taken for student in found})
    print(f"answers of {students} {'student' if students == 1 else 'students'} taken")
    if not lines:
        return 0
    target = _folder(problem_set) / "unsure.csv"
    write_private(target, _table([["student", "question", "answer", "where", "why"], *lines]))
    for student, number, _, place, why in lines:
        whose = f"{student}, question {number}" if number else student
        print(": ".join(filter(None, [whose, place, why])))
    print(f"Look at these, type the answers into {target}, and give it to this command.")
    return 1


def add_defend_marks(command) -> None:
    command("defend-marks", _marks, "Put the marks of a defence into the gradebook, as an own assignment.")


def _marks(options) -> int:
    from coursegrader.defence.marks import defence_name, write_marks

    problem_set = problem_set_of(options)
    marked, absent = write_marks(problem_set)
    waiting = [item.paper.student for item in marked if None in item.marks]
    print(f"{defence_name(problem_set)}: {len(marked)} students marked")
    if waiting:
        print(f"questions in words wait for a mark in formgrader: {', '.join(waiting)}")
    if absent:
        print(f"not answered: {', '.join(absent)}")
    return 0


def add_defend_report(command) -> None:
    command("defend-report", _report, "Compare code and defence of a class, and show what it found hard.")


def _report(options) -> int:
    from coursegrader.defence.understanding import write_understanding

    print(f"wrote {write_understanding(problem_set_of(options))}")
    return 0


def add_defend_serve(command) -> None:
    parser = command("defend-serve", _serve, "Hold a defence in the browser: serve each student their paper.")
    parser.add_argument("--minutes", type=minutes, default=10, help="for each student (default: 10)")
    parser.add_argument(
        "--more-time",
        nargs="+",
        type=_more_time,
        default=[],
        metavar="STUDENT=MINUTES",
        help="the minutes of students who have others",
    )
    parser.add_argument(
        "--new-code",
        nargs="+",
        default=[],
        metavar="STUDENT",
        help="give these a new code, and serve nothing: also while the room is open",
    )
    parser.add_argument(
        "--overwrite",
        action="store_true",
        help="drop the answers to papers that were made anew since; these students begin again",
    )
    parser.add_argument("--address", default="", help="where to listen (default: everywhere)")
    parser.add_argument("--port", type=port, default=8765, help="(default: 8765)")


def _more_time(text: str) -> tuple[str, float]:
    student, _, number = text.rpartition("=")
    if not student:
        raise argparse.ArgumentTypeError(f"STUDENT=MINUTES is expected, but got {text!r}")
    return student, minutes(number)


def _serve(options) -> int:
    import asyncio

    from coursegrader.defence.paper import read_paper, students_with_papers
    from coursegrader.defence.room import Room, serve
    from coursegrader.defence.sheets import write_private

    problem_set = problem_set_of(options)
    papers = {name: read_paper(problem_set, name) for name in students_with_papers(problem_set)}
    if not papers:
        raise UserError(f"There are no papers yet. Make them: coursegrader defend {problem_set.name}")
    more = dict(options.more_time)
    if unknown := sorted({*more, *options.new_code} - papers.keys()):
        raise UserError(f"There is no paper of {', '.join(unknown)}.")
    room = Room(problem_set, papers, _names(problem_set.root))
    for student in options.new_code:
        room.sittings.renew(student)
    if options.new_code:
        codes = room.sittings.codes()
    else:
        old = [student for student, paper in papers.items() if room.answers.of_another(paper)]
        if old and not options.overwrite:
            raise UserError(
                f"Answered another paper than the present one, which was made anew since: {', '.join(old)}. "
                "To drop these answers and let them begin again, add --overwrite."
            )
        for student in old:
            room.answers.forget(student)
        codes = room.sittings.admit(sorted(papers), options.minutes, more)
    target = _folder(problem_set) / "codes.csv"
    write_private(target, _table([["student", "code"], *([name, code] for name, code in codes.items())]))
    if options.new_code:
        for student in options.new_code:
            print(f"{student}: {codes.get(student, 'no code, since the room was never opened')}")
        return 0

    def ready() -> None:
        where = options.address or socket.gethostname()
        print(f"wrote {target}: the one-time codes; give each student their own")
        print(f"{len(papers)} students: http://{where}:{options.port}/  (Ctrl-C ends it)", flush=True)

    asyncio.run(serve(room, options.address, options.port, ready))
    return 0


def _folder(problem_set) -> Path:
    return problem_set.root / "reports" / problem_set.name / "defence"


def _names(root: Path) -> dict[str, str]:
    """The students' own names, by account."""
    from coursegrader.course.configuration import open_course

    with open_course(root) as api, api.gradebook as gradebook:
        return {
            student.id: " ".join(filter(None, (student.first_name, student.last_name)))
            for student in gradebook.students
        }


def _table(rows: list[list]) -> bytes:
    import csv
    import io

    file = io.StringIO(newline="")
    csv.writer(file).writerows(rows)
    return file.getvalue().encode()


FORMS = (add_defend_print, add_defend_serve, add_defend_read, add_defend_marks, add_defend_report)
