"""Collecting from nbgrader's exchange: `nbgrader collect`, with `--update` too, loses nothing."""

import pytest
from grading.classroom import make_course
from nbgrader.exchange.default import collect

from coursegrader.course.configuration import open_course
from coursegrader.submissions import exchange
from coursegrader.submissions.exchange import OwnCollect


@pytest.fixture
def collected(attention, tmp_path):
    """Hand a text in for a student at a time of day, collect with --update, give what the course has then."""
    course = make_course(attention, tmp_path)

    def hand_in(hour: int, text: str) -> dict[str, str]:
        with open_course(course.root) as api:
            inbound = tmp_path / "exchange" / api.coursedir.course_id / "inbound"
            time = f"2026-11-30 {hour:02}:00:00 UTC"
            folder = inbound / f"ana+{course.name}+{time}+x{hour}"
            folder.mkdir(parents=True)
            (folder / f"{course.name}.ipynb").write_text(text, encoding="utf-8")
            (folder / "timestamp.txt").write_text(time, encoding="utf-8")
            api.coursedir.assignment_id = course.name
            OwnCollect(coursedir=api.coursedir, config=api.config, update=True).start()
        return there()

    def there() -> dict[str, str]:
        place = course.root / "submitted" / "ana"
        assert [path.name for path in place.iterdir()] == [course.name]
        return {path.name: path.read_text(encoding="utf-8") for path in (place / course.name).iterdir()}

    hand_in.there = there
    return hand_in


def test_what_is_newer_takes_the_place_of_what_was_collected(collected):
    assert "first" in collected(9, "first").values()
    files = collected(10, "second")
    assert "second" in files.values() and "first" not in files.values() and len(files) == 2


@pytest.mark.parametrize("why", ["too large", "the disk is full"])
def test_what_was_collected_stays_where_a_newer_one_cannot_be_taken(collected, monkeypatch, why):
    before = collected(9, "first")
    with monkeypatch.context() as patch:
        if why == "too large":
            patch.setattr(exchange, "MAX_FOLDER", 30)
            collected(10, "second" * 9)
        else:
            patch.setattr(exchange, "_copy", _no_room)
            with pytest.raises(OSError, match="No space left"):
                collected(10, "second")
    assert collected.there() == before
    assert collect.shutil is exchange.shutil  # nbgrader's own has come back
    assert "third" in collected(11, "third").values()


def _no_room(*_):
    raise OSError(28, "No space left on device")
