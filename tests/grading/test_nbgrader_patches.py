"""What nbgrader is patched for rests on nbgrader as it was seen: these tests fail when it changes there."""

from importlib.metadata import version

import pytest
from nbgrader.apps import api, autogradeapp
from nbgrader.converters import Autograde

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
