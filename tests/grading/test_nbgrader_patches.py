"""What nbgrader is patched for rests on nbgrader as it was seen: these tests fail when it changes there."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from nbgrader.apps import api, autogradeapp
from nbgrader.converters import Autograde
from nbgrader.dbutil import _temp_alembic_ini
from sqlalchemy import text

from coursegrader.course.configuration import open_course
from coursegrader.grading import nbgrader_patches
from coursegrader.grading.nbgrader_patches import RESTS_ON, SEEN_WITH, digest_of_source


def test_nbgrader_is_the_version_that_was_seen():
    assert version("nbgrader") == SEEN_WITH, (
        "read what has changed, then write the version in nbgrader_patches.py"
    )
    assert SEEN_WITH in nbgrader_patches.__doc__


@pytest.mark.parametrize("name", RESTS_ON)
def test_what_the_patches_rest_on_is_as_it_was_seen(name):
    seen, consequence = RESTS_ON[name]
    now = digest_of_source(name)
    assert now == seen, (
        f"{name} has changed. Does this still hold: {consequence}? "
        f"Then write its digest {now} in nbgrader_patches.py."
    )


def test_every_way_into_grading_begins_at_the_patched_place():
    assert api.Autograde is Autograde and autogradeapp.Autograde is Autograde
    assert (
        Autograde.start is nbgrader_patches._start
        and nbgrader_patches.WriteDown.start is not nbgrader_patches._start
    )


def test_a_new_gradebook_is_of_the_revision_that_alembic_names(tmp_path):
    with open_course(tmp_path) as api, api.gradebook as gradebook:
        written = gradebook.db.execute(text("select version_num from alembic_version")).scalar_one()
    with _temp_alembic_ini("sqlite://") as settings:
        alembic = Path(sys.executable).parent / "alembic"
        heads = subprocess.run([alembic, "-c", settings, "heads"], capture_output=True, text=True, check=True)
    assert heads.stdout.split()[0] == written
