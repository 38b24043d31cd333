"""What a file that cannot be read is of: its name has to say it."""

import pytest

from coursegrader.submissions.lms_import import _other_set


@pytest.mark.parametrize(
    "name, other",
    [
        ("04-multi-head-1.ipynb", "04-multi-head"),
        ("03-attention-1.ipynb", None),
        ("homework.ipynb", None),
        ("03-attention as 04-multi-head.ipynb", None),
    ],
)
def test_of_a_file_that_cannot_be_read_it_counts_what_it_is_called(attention, name, other):
    assert _other_set(attention, {name: b'{"cells": ['}) == other
