"""Versions are shown as the lines in which they differ from a right one."""

import pytest
from grading.classroom import make_course

from coursegrader.authoring.local_page import page
from coursegrader.authoring.new_exercise import begin
from coursegrader.authoring.show import difference, find, show
from coursegrader.course.problem_set import ProblemSet
from coursegrader.errors import RubricError, UserError


def test_a_list_shows_each_version_as_the_lines_in_which_it_differs(attention):
    lines = show(attention, "causal_mask", None, colour=False).splitlines()
    at = lines.index("diagonal-masked")
    assert lines[at + 1] == "  plain, in reference"
    assert [line[:6] for line in lines[at + 2 : at + 4]] == ["    - ", "    + "]
    assert lines[at + 3].endswith("- 1)") and not any("\x1b" in line for line in lines)
    exercise = attention.exercise("causal_mask")
    assert sum(line == mistake for line in lines for mistake in exercise.mistakes) == len(exercise.mistakes)


def test_one_version_is_shown_whole_with_what_differs_marked(attention):
    text = show(attention, "causal_mask", "offset of the right shape", colour=False)
    head, message, _, *code = text.splitlines()
    assert head == "causal_mask: rows-and-columns-swapped, offset of the right shape, in reference"
    assert message == attention.exercise("causal_mask").mistakes["rows-and-columns-swapped"].message
    assert [line[0] for line in code] == [" ", " ", "-", "+"]
    painted = show(attention, "causal_mask", "offset of the right shape", colour=True).splitlines()
    assert painted[-2].startswith("\x1b[31m- ") and painted[-1].startswith("\x1b[32m+ ")


def test_a_version_in_full_has_no_marks(attention):
    version = find(attention.exercise("causal_mask"), "keys-ignored")
    assert version.base is None and {sign for sign, _ in difference(version)} == {" "}


def test_what_cannot_be_shown_is_said_in_one_line(attention):
    with pytest.raises(
        UserError,
        match=(
            "causal_mask has no version 'transpose'. Do you mean .*'transposed'.*Without a label, all "
            "are listed"
        ),
    ):
        show(attention, "causal_mask", "transpose", colour=False)
    with pytest.raises(
        UserError,
        match=(
            "has 2 versions 'aligned at the start'|has \\d+ versions 'aligned at the start'. Say which: "
            ".*/aligned at the start"
        ),
    ):
        show(attention, "causal_mask", "aligned at the start", colour=False)
    assert "aligned at the start" in show(
        attention, "causal_mask", "needs-keys/aligned at the start", colour=False
    )


def test_an_exercise_can_be_looked_at_before_its_evidence_is_complete(attention, tmp_path):
    course = make_course(attention, tmp_path)
    _, rubric = begin(course, "row_means")
    assert show(course, "row_means", None, colour=False) == (
        "row_means: 1 right versions, 0 wrong ones\n\nright\n  reference"
    )
    with rubric.open("a", encoding="utf-8") as file:
        file.write(
            'exercise.mistake("raises-nothing", "", "Nothing raised.", edit(reference, {"raise": "return"}))'
        )
    assert show(course, "row_means", "raises-nothing", colour=False).endswith(
        '-     raise NotImplementedError("write the reference")\n'
        '+     return NotImplementedError("write the reference")'
    )
    with pytest.raises(RubricError, match="row_means: 1 wrong versions, at least 10 are needed"):
        ProblemSet(course.root, course.name).exercise("row_means")


@pytest.mark.parametrize("name", ["extra", "3-attention", "11_extra", "11-"])
def test_a_mistyped_name_makes_no_problem_set(name, tmp_path):
    course = ProblemSet(tmp_path, name)
    with pytest.raises(
        UserError, match=f"There is no problem set '{name}', and a new one is named by two digits"
    ):
        begin(course, "row_means")
    assert list(tmp_path.iterdir()) == []
    assert all(path.is_file() for path in begin(ProblemSet(tmp_path, "11-extra"), "row_means"))


def test_the_instructors_page_shows_every_wrong_version_with_signs(attention):
    text = page(attention, [])
    count = sum(len(exercise.wrong_versions) for exercise in attention.exercises.values())
    assert text.count("<figure>") == count
    assert '<span class="more">+ ' in text and '<span class="less">− ' in text and "<ins>" in text
    assert "<script" not in text and "http" not in text
