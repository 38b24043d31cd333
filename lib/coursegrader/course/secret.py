"""The course's secret: hidden probes follow from it, so that nobody with the rubrics alone can compute them.

The same secret gives the same probes and the same verdicts, so it belongs to the backup of the course folder.
Only the process that judges reads it; what runs submissions, on this machine or another, is sent probes
alone.
"""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

from coursegrader.course.kept import private_folder
from coursegrader.errors import UserError

# in the environment of this repository's own tests, which leave nothing to chance
FIXED = "COURSEGRADER_TEST_SECRET"
LENGTH = 32


def secret_path(root: Path) -> Path:
    """The file that holds it, in the folder that only the course's owner can look into."""
    return private_folder(root) / "secret"


def course_secret(root: Path) -> str:
    """The secret of the course in `root`. One that was begun without gets it here, and a line says so."""
    if fixed := os.environ.get(FIXED):
        return fixed
    path = secret_path(root)
    if not path.exists():
        make_secret(root)
        print(
            (
                "coursegrader: this course had no secret yet, from which its hidden probes follow. It is "
                f"now in {path}: keep it with the course's backup. Who is graded again is asked other "
                "probes than before."
            ),
            file=sys.stderr,
        )
    try:
        found = path.read_text(encoding="ascii").strip()
        others = path.stat().st_mode & 0o077
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"The course's secret in {path} cannot be read ({type(error).__name__}). It belongs to "
            "whoever grades this course; if it was damaged, put it back from a backup."
        ) from error
    if len(found) < LENGTH:
        raise UserError(
            f"The course's secret in {path} is damaged. Put it back from a backup, or delete the file: a "
            "new one is made, and who is graded again is asked other probes than before."
        )
    if others:
        raise UserError(f"Others than its owner can read the course's secret. Mend it: chmod 600 {path}")
    return found


def same_secret(one: Path, other: Path) -> bool:
    """Whether two courses have the same secret; neither is given one."""
    if os.environ.get(FIXED):
        return True
    try:
        return secret_path(one).read_bytes() == secret_path(other).read_bytes()
    except OSError:
        return False


def make_secret(root: Path) -> None:
    """Make the secret of the course in `root`, unless it has one; two commands at once make one."""
    path = secret_path(root)
    scratch = path.with_name(f"secret.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(LENGTH) + "\n")
            file.flush()
            os.fsync(descriptor)
        try:
            os.link(scratch, path)  # which replaces nothing
        except FileExistsError:
            pass
        finally:
            scratch.unlink()
    except OSError as error:
        raise UserError(
            f"The course's secret, from which its hidden probes follow, cannot be written to {path}: "
            f"{error.strerror}."
        ) from error
