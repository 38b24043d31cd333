"""Who wrote an answer, or a number in the place of the name, which stays the same through the term."""

from __future__ import annotations

import json
import secrets

from coursegrader.course.configuration import open_course
from coursegrader.course.damaged import said_if_damaged
from coursegrader.course.kept import private_folder
from coursegrader.course.problem_set import ProblemSet
from coursegrader.files import write_whole
from coursegrader.submissions.lms_import import collected_from
from coursegrader.submissions.whose_file import PARTICIPANT, lms_name


def names_of(problem_set: ProblemSet, students: list[str]) -> dict[str, str]:
    """Names as the gradebook has them, and accounts."""
    with open_course(problem_set.root) as api, api.gradebook as gradebook:
        own = {
            item.id: f"{item.first_name or ''} {item.last_name or ''}".strip() for item in gradebook.students
        }
    return {who: f"{own[who]} ({who})" if own.get(who) else who for who in students}


def numbers_of(problem_set: ProblemSet, students: list[str]) -> dict[str, str]:
    """A number for each: Moodle's own where submissions came as those of "Participant 4720", else one that is
    drawn once and kept in the course's private folder."""
    path = private_folder(problem_set.root) / "numbers.json"
    try:
        with said_if_damaged(path, "put it back from a backup, or delete it: other numbers are drawn then"):
            kept = {
                str(who): int(number) for who, number in json.loads(path.read_text(encoding="utf-8")).items()
            }
    except FileNotFoundError:
        kept = {}
    found, drawn = {}, dict(kept)
    for who in students:
        names = [name[0] for path in collected_from(problem_set, who) if (name := lms_name(path, who))]
        if moodle := next(filter(None, map(PARTICIPANT.match, names)), None):
            found[who] = f"Participant {moodle[1]}"
        else:
            free = set(range(1000, 10_000 + 10 * len(drawn))) - set(drawn.values())
            found[who] = f"no. {drawn.setdefault(who, secrets.choice(sorted(free)))}"
    if drawn != kept:
        write_whole(path, json.dumps(drawn, indent=1).encode())
        path.chmod(0o600)
    return found
