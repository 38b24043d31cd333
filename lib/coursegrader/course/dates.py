"""When problem sets are due, for all and for single students: told and asked in the course's own time zone.

nbgrader keeps due dates in UTC, and an extension in a submission's row. A row that nobody's work has made
would look like an empty submission, so extensions are kept beside the gradebook until there is one.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

from coursegrader.course.configuration import load_config
from coursegrader.course.damaged import said_if_damaged
from coursegrader.course.kept import private_folder
from coursegrader.errors import UserError
from coursegrader.files import write_whole

LAST_MINUTE = time(23, 59)
YEARS = range(2000, 3000)  # others are slips; and at the ends of its calendar Python cannot change zones


def zone_of(name: str | None) -> ZoneInfo | None:
    """The time zone of this name, or None for this machine's own. Raises UserError."""
    try:
        return ZoneInfo(name) if name else None
    except (OSError, ValueError, KeyError) as error:  # ZoneInfoNotFoundError is a KeyError
        raise UserError(
            f"There is no time zone {name!r}: name it as Europe/Zurich or America/New_York."
        ) from error


def course_zone(root: Path) -> ZoneInfo | None:
    """The course's time zone, of its ``nbgrader_config.py``, or None for this machine's own."""
    return zone_of(load_config(root).CourseDates.zone)


def moment(day: date, clock: time, zone: ZoneInfo | None) -> datetime:
    """This time of this day in a zone. Raises UserError where clocks that are put forward leave it out."""
    local = _in_a_usual_year(datetime.combine(day, clock))
    found = local.replace(tzinfo=zone) if zone else local.astimezone()
    if found.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != local:
        raise UserError(
            f"{local:%Y-%m-%d %H:%M} is no time in {zone or 'this time zone'}: clocks are put forward "
            "over it. Name one before or after."
        )
    return found


def read_date(text: str, zone: ZoneInfo | None, usual: time = LAST_MINUTE) -> datetime:
    """2027-03-15, at the `usual` time, or 2027-03-15 18:00, in the zone unless it names an offset."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise UserError(
            f"A date is written as 2027-03-15 or '2027-03-15 18:00'; got {text!r} ({error})."
        ) from error
    if found.tzinfo:
        return _in_a_usual_year(found)
    return moment(found.date(), usual if len(text) <= len("2027-03-15") else found.time(), zone)


def _in_a_usual_year(when: datetime) -> datetime:
    if when.year not in YEARS:
        raise UserError(f"{when:%Y-%m-%d} is no date of a course: write its year as 2027.")
    return when


def as_utc(when: datetime) -> datetime:
    """As nbgrader keeps it: in UTC, without saying so."""
    return when.astimezone(UTC).replace(tzinfo=None)


def in_zone(when: datetime, zone: ZoneInfo | None) -> datetime:
    """What nbgrader keeps, in the course's zone."""
    return when.replace(tzinfo=UTC).astimezone(zone)


def shown(when: datetime, zone: ZoneInfo | None) -> str:
    """What nbgrader keeps, as Mon 2027-03-15 23:59 CET."""
    return f"{in_zone(when, zone):%a %Y-%m-%d %H:%M %Z}"


def extensions(root: Path) -> dict[str, dict[str, datetime]]:
    """The due dates (UTC, as nbgrader keeps them) of single students, by problem set and account."""
    path = _extensions_file(root)
    try:
        with said_if_damaged(path, "put it back from a backup"):
            return {
                name: {student: _utc_as_kept(when) for student, when in own.items()}
                for name, own in json.loads(path.read_text(encoding="utf-8")).items()
            }
    except FileNotFoundError:
        return {}


def _utc_as_kept(text: str) -> datetime:
    when = datetime.fromisoformat(text)
    if when.tzinfo or when.year not in YEARS:
        raise ValueError(f"{text} is no date of a course in UTC, without an offset")
    return when


def keep_extensions(root: Path, granted: dict[str, dict[str, datetime]]) -> None:
    """Write them down, all of them."""
    text = json.dumps(granted, default=datetime.isoformat, indent=1, sort_keys=True)
    write_whole(_extensions_file(root), text.encode())


def _extensions_file(root: Path) -> Path:
    return private_folder(root) / "extensions.json"
