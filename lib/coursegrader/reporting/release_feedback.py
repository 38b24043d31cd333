"""nbgrader's release of feedback through the exchange, to those who can have it and as it should be."""

from __future__ import annotations

import glob
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback

from coursegrader.errors import UserError
from coursegrader.reporting.status import check_points_of


class KnownReleaseFeedback(ExchangeReleaseFeedback):
    """Releases feedback to those who used the exchange, and names the others: nbgrader stops at the first.
    Releases none whose points are not those of the last release."""

    def copy_files(self):
        try:
            check_points_of(self.coursedir)
        except UserError as error:
            self.fail(str(error))
        before = self.coursedir.student_id_exclude
        chosen = self.coursedir.student_id if self.coursedir.student_id not in ("", "*") else None
        folders = map(
            Path,
            glob.glob(
                self.coursedir.format_path(
                    self.coursedir.feedback_directory, "*", self.coursedir.assignment_id
                )
            ),
        )
        others = sorted(
            folder.parent.name
            for folder in folders
            if not all((folder / name).is_file() for name in ("timestamp.txt", "submission_secret.txt"))
        )
        for student in others:
            if chosen in (None, student):
                self.log.warning(
                    ("%s did not hand in through the exchange: send them feedback/%s/%s yourself."),
                    student,
                    student,
                    self.coursedir.assignment_id,
                )
        self.coursedir.student_id_exclude = ",".join(filter(None, [before, *others]))
        try:
            super().copy_files()
        finally:
            self.coursedir.student_id_exclude = before
