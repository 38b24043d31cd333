"""nbgrader's exchange where students have their own accounts on the machine, and may put anything into it.

nbgrader's collection follows links, takes what Ben put there in Ana's name (with a warning), and stops the
whole class at one folder that is too large. Its submissions are readable to whoever learns their name. These
classes take its place.
"""

from __future__ import annotations

import errno
import os
import pwd
import shutil
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

from nbgrader.api import Gradebook
from nbgrader.exchange.default import ExchangeCollect, ExchangeSubmit, collect

from coursegrader.course.roster import ACCOUNT
from coursegrader.files import replaced_whole
from coursegrader.submissions.files import MAX_FILES, MAX_FOLDER
from coursegrader.text import in_a_line

MAX_DEPTH = 10
LATER = timedelta(minutes=15)  # between a submission's own time and the last change of its files


class OwnCollect(ExchangeCollect):
    """Takes from students what they own, follows no link, says where files do not fit the time claimed."""

    def init_src(self):
        super().init_src()
        kept = []
        for record in self.src_records:
            if self._is_own(record):
                kept.append(record)
            elif not ACCOUNT.fullmatch(record["username"]):
                self.log.warning(
                    "left out: %s: its name is not one that nbgrader gives", in_a_line(record["filename"])
                )
            else:
                self.log.warning(
                    (
                        "left out: %s says it is of %s, but belongs to another account. %s has "
                        "handed in nothing else."
                    ),
                    in_a_line(record["filename"]),
                    in_a_line(record["username"]),
                    in_a_line(record["username"]),
                )
        self.src_records = kept
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            with_plus = sorted(student.id for student in gradebook.students if "+" in student.id)
        if with_plus:
            self.log.warning(
                "nbgrader's exchange separates by +, and cannot serve accounts with one. Take what these "
                "hand in with coursegrader collect: %s",
                ", ".join(with_plus),
            )

    def _path_to_record(self, path):
        try:
            return super()._path_to_record(path)
        except Exception:  # whatever somebody calls a folder, the others are collected
            return {"username": "", "filename": Path(path).name, "timestamp": datetime.min}

    def _sort_by_timestamp(self, records):
        return super()._sort_by_timestamp([record for record in records if self._is_own(record)] or records)

    def _is_own(self, record) -> bool:
        if not ACCOUNT.fullmatch(record["username"]) or not self.check_owner:
            return bool(ACCOUNT.fullmatch(record["username"]))
        try:
            return (
                pwd.getpwuid(os.lstat(os.path.join(self.inbound_path, record["filename"])).st_uid).pw_name
                == record["username"]
            )
        except (KeyError, OSError):
            return False

    def copy_files(self):
        """nbgrader removes what it has collected before, and then copies; `do_copy` does it the other way
        round, so that nobody's submission is lost for a newer one that cannot be taken."""
        usual, collect.shutil = collect.shutil, SimpleNamespace(rmtree=lambda path: None)
        try:
            super().copy_files()
        finally:
            collect.shutil = usual

    def do_copy(self, src, dest, log=None):
        scratch = Path(dest).with_name(f".{Path(dest).name}.part")
        shutil.rmtree(scratch, ignore_errors=True)
        try:
            place = os.open(src, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                left = []
                newest = _copy(place, scratch, [MAX_FILES, MAX_FOLDER], left)
            finally:
                os.close(place)
        except (TooMuch, OSError) as error:
            shutil.rmtree(scratch, ignore_errors=True)
            if getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT):
                raise  # not this student's fault
            self.log.error("left out: %s: %s", in_a_line(Path(src).name), error)
            return
        if self.coursedir.groupshared:
            for path in (scratch, *scratch.rglob("*")):
                path.chmod(0o2770 if path.is_dir() else 0o660)
        with replaced_whole(Path(dest)):
            os.rename(scratch, dest)
        if left:
            self.log.warning(
                "%s: not copied, since they are links or closed: %s",
                in_a_line(Path(src).name.partition("+")[0]),
                in_a_line(", ".join(left)),
            )
        claimed = self._path_to_record(str(src))["timestamp"].replace(tzinfo=UTC)
        if abs(newest - claimed) > LATER:
            self.log.warning(
                (
                    "%s: it says that it was handed in %s, but its files were last changed %s. "
                    "The clocks differ, or it was changed afterwards."
                ),
                in_a_line(Path(src).name.partition("+")[0]),
                f"{claimed:%Y-%m-%d %H:%M} UTC",
                f"{newest:%Y-%m-%d %H:%M} UTC",
            )


class TooMuch(Exception):
    """A submission that is larger than one may be."""


def _copy(folder: int, target: Path, room: list[int], left: list[str], depth: int = 0) -> datetime:
    """Copy plain files and folders below an open folder, and nothing that a link leads to; return when the
    last of them was changed.

    What could not be opened, such as a link, is added to `left`.
    """
    if depth > MAX_DEPTH:
        raise TooMuch(f"its folders are more than {MAX_DEPTH} deep")
    target.mkdir(mode=0o755)
    newest = os.fstat(folder).st_ctime
    for name in os.listdir(folder):
        room[0] -= 1
        if room[0] < 0:
            raise TooMuch(f"it holds more than {MAX_FILES} files")
        try:
            source = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        except OSError:
            left.append(name)
            continue
        try:
            found = os.fstat(source)
            if stat.S_ISDIR(found.st_mode):
                newest = max(newest, _copy(source, target / name, room, left, depth + 1).timestamp())
            elif stat.S_ISREG(found.st_mode) and found.st_nlink == 1:
                room[1] -= found.st_size
                if room[1] < 0:
                    raise TooMuch(f"it is larger than {MAX_FOLDER // 2**20} MiB")
                with open(source, "rb", closefd=False) as reading, (target / name).open("xb") as writing:
                    shutil.copyfileobj(reading, writing)
                newest = max(newest, found.st_ctime)
        finally:
            os.close(source)
    return datetime.fromtimestamp(newest, UTC)


class ClosedSubmit(ExchangeSubmit):
    """Leaves a submission readable to its student and to the instructor's group, which the exchange's folder
    hands on, and to nobody else."""

    def copy_files(self):
        super().copy_files()
        folder = Path(self.inbound_path) / self.assignment_filename
        # the exchange's folder handed its group on, so the instructor can read it
        if folder.stat().st_gid != os.getgid():
            folder.chmod(0o770)
