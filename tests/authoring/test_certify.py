"""Every rubric is proven, and a rubric that is broken on purpose is caught."""

from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from grading.classroom import make_course

from coursegrader.authoring.certified_page import page, write_page, written_page
from coursegrader.authoring.certify import ROUNDS, Row, certify, matrix
from coursegrader.authoring.sweep_figures import Figures, out_of_date
from coursegrader.authoring.try_files import try_sources
from coursegrader.course.problem_set import ProblemSet, all_problem_sets
from coursegrader.rubric.asking import ask_versions
from coursegrader.rubric.fingerprints import derived, fingerprints
from coursegrader.rubric.language import RubricError, Version
from coursegrader.rubric.outline import outline
from coursegrader.rubric.reading import load_rubric
from coursegrader.rubric.sweep.stored import Told, told_changes, write_sweep

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(one.name, marks=pytest.mark.xdist_group(one.name)) for one in all_problem_sets(ROOT)],
)
def test_a_rubric_passes_what_is_right_and_names_what_is_wrong(name):
    """What is as it was when `coursegrader certify` ran every version on three kinds of probes and wrote the
    page is not run again: not a letter of rubrics, drivers or judge has changed since, nor Python, nor torch.
    """
    problem_set = ProblemSet(ROOT, name)
    written, unchanged = written_page(problem_set)
    if unchanged:
        return
    rows = certify(problem_set, rounds=["hidden"])
    assert [row.fault() for row in rows if row.fault()] == [], matrix(rows)
    assert all(row.label for row in rows)
    assert written == page(problem_set, rows), f"out of step: run make certify PS={name}"


@pytest.mark.slow
def test_a_page_is_out_of_date_when_its_text_a_rubric_or_a_sweep_changes(attention, tmp_path):
    course = make_course(attention, tmp_path)
    path = write_page(course, certify(course, ["softmax"], rounds=["hidden"]))
    text = path.read_text(encoding="utf-8")
    assert written_page(course) == (text.partition("\n% ")[0], True)

    path.write_text(text.replace("softmax", "soft max", 1), encoding="utf-8")
    assert not written_page(course)[1]
    path.write_text(text, encoding="utf-8")
    assert written_page(ProblemSet(course.root, course.name))[1]

    rubric = course.folder / "rubric" / "causal_mask.py"
    kept = rubric.read_text(encoding="utf-8")
    rubric.write_text(kept.replace("exercise.mistake(", "exercise.mistake( ", 1), encoding="utf-8")
    assert not written_page(ProblemSet(course.root, course.name))[1]
    rubric.write_text(kept, encoding="utf-8")
    swept = course.folder / "rubric" / "swept" / "causal_mask.json"
    swept.unlink()
    assert not written_page(ProblemSet(course.root, course.name))[1]


def test_a_page_groups_versions_by_what_they_are_told(tmp_path):
    def row(label, kind, mistake, points, message=""):
        verdict = SimpleNamespace(
            passed=mistake is None, misconception=mistake, points=points, message=message
        )
        return Row("merge", label, kind, mistake, {"hidden": verdict})

    rows = [
        row("reference", "reference", None, 2),
        row("by hand", "right", None, 2),
        row("end-marker", "wrong", "end-marker", 1, "Words end in </w>."),
        row("n*n", "wrong", "other", 0, "Join torch.no_grad."),
        row("the symbol", "wrong", "end-marker", 0, "Words end in </w>."),
        row("other", "wrong", "other", 0, "Join torch.no_grad."),
    ]
    problem_set = SimpleNamespace(
        name="x", exercises={"merge": SimpleNamespace(max_points=2)}, folder=tmp_path, rubric_path=tmp_path
    )
    both = [{"of": ["end-marker", "other"]}] * 2 + [{"of": ["other", "third"]}]  # the first pair in two ways
    problem_set.public = lambda: {"exercises": {"merge": {"both": both}}}
    written = page(problem_set, rows)
    assert written.partition("## ")[2] == (
        "`merge`\n\n2 right versions get all 2 points: reference; by hand.\n\n4 wrong versions are each "
        "told their own mistake.\n\n2 pairs of the likeliest mistakes are told as both at once.\n\n"
        "`end-marker`\n: Words end in \\</w\\>.\n\n  *Versions:* "
        "plain\u00a0(1); the symbol\u00a0(0)\n\n`other`\n: Join torch\\.no\\_grad.\n\n  *Versions:* "
        "plain\u00a0(0); n\\*n\u00a0(0)\n"
    )


def test_a_page_says_what_the_sweep_counted(tmp_path):
    rubric, text = tmp_path / "rubric", "def merge(x):\n    return x + 1\n"
    rubric.mkdir()
    exercise = SimpleNamespace(
        name="merge", max_points=2, reference=Version("reference", text, text=text), alternatives=[]
    )
    problem_set = SimpleNamespace(
        name="x", exercises={"merge": exercise}, folder=tmp_path, rubric_path=rubric, root=tmp_path
    )
    problem_set.public = lambda: {"exercises": {"merge": {"both": []}}}
    told = Told("reference", text.index("+"), text.index("+") + 1, "-", "It behaves as if.")
    counted = Figures(20, 2, 1, 9, named=5, told=3, held=7, form=4, error=5, disagree=0)
    write_sweep(rubric, exercise, asdict(counted), [told])
    assert (
        "20 small changes of right versions that nobody chose: 5 stop with an error, 4 return another form, "
        "9 a wrong value of the right form. Of these 5 are told a mistake by name and 3 what they behave "
        "like. With the right version that was changed held back, 7 are told the one or the other. 2 pass "
        "all probes, 1 unexplained."
    ) in page(problem_set, [])
    assert out_of_date(problem_set) == []
    assert told_changes(rubric, exercise) == [told]
    assert told.version(exercise).source == "def merge(x):\n    return x - 1\n"
    exercise.reference = Version("reference", text, text=text.replace("1", "2"))
    assert "merge: whose right versions have changed since" in out_of_date(problem_set)[0]
    assert told_changes(rubric, exercise) == []


def test_a_wrong_version_that_no_probe_shows_is_refused(attention):
    exercise = attention.exercise("softmax")
    tame = replace(exercise, points={"values": 2, "any axis": 1})
    tame.make_probes = lambda make: (
        probe for probe in exercise.make_probes(make) if probe["group"] != "large scores"
    )
    with pytest.raises(RubricError, match="no-shift.*answers every probe rightly"):
        dict(fingerprints([tame], {"softmax": outline(tame)}, attention.prelude, attention.helpers))


def test_what_nobody_wrote_is_asked_only_what_a_kept_fingerprint_holds_of_it(
    attention, monkeypatch, tmp_path
):
    """No long probes, and told changes not in the third round; the fingerprints are those that are made
    without certification."""
    course = make_course(attention, tmp_path)
    exercise, requests = course.exercise("softmax"), []
    told, both = (
        {version.source for version in found} for found in (derived(exercise)[:1], derived(exercise)[-1:])
    )

    def seen(prelude, helpers, tasks, versions, alone):
        requests.append((tasks, versions))
        return ask_versions(prelude, helpers, tasks, versions, alone)

    monkeypatch.setattr("coursegrader.authoring.certify.ask_versions", seen)
    assert not [row.fault() for row in certify(course, ["softmax"]) if row.fault()]
    [(tasks, versions)] = requests
    asked = {version.source: version.tasks for version in versions}
    assert [asked[source] for source in told] == [("public softmax brief", "hidden softmax brief")]
    assert [asked[source] for source in both] == [tuple(f"{kind} softmax brief" for kind in ROUNDS)]
    assert asked[exercise.reference.source] == tuple(f"{kind} softmax" for kind in ROUNDS)
    assert not [probe for probe in tasks["hidden softmax brief"]["probes"] if probe.get("long")]
    assert [probe for probe in tasks["hidden softmax"]["probes"] if probe.get("long")]
    outlines = {"softmax": course.outline("hidden", "softmax")}
    made = dict(fingerprints([exercise], outlines, course.prelude, course.helpers))
    assert made == course.fingerprints("hidden", ["softmax"]) and made["softmax"]["as_if"]


def test_a_rubric_without_evidence_is_refused(tmp_path):
    path = tmp_path / "rubric.py"
    path.write_text(
        ("from coursegrader.rubric import Exercise\nexercises = [Exercise('f', {'core': 1}, 's')]\n"),
        encoding="utf-8",
    )
    with pytest.raises(
        RubricError,
        match=("(?s)reference.*0 correct alternatives, at least 4.*0 wrong versions, at least 10"),
    ):
        load_rubric(path)


def test_an_unknown_mistake_gets_an_honest_message(attention):
    odd = "def softmax(x, dim):\n    return torch.exp(x - x.amax(dim, keepdim=True)) ** 0.3 + 7\n"
    verdict = try_sources(attention, [("softmax", odd)])[0]
    assert (
        verdict.misconception == "unknown"
        and "must sum to 1" in verdict.message
        and "tensor(" not in verdict.message
    )


def test_what_is_kept_of_a_rubric_is_never_taken_for_a_later_text_of_it(attention, tmp_path):
    loaded = make_course(attention, tmp_path)
    assert loaded.exercises
    path = loaded.folder / "rubric" / "softmax.py"
    path.write_text(path.read_text(encoding="utf-8") + "\n# mended since\n", encoding="utf-8")
    loaded.hidden(["softmax"])
    assert (
        loaded.so_far("hidden", "softmax") is not None
        and ProblemSet(loaded.root, loaded.name).so_far("hidden", "softmax") is None
    )


def test_a_course_folder_takes_along_what_is_kept_and_only_its_owner_may_look(attention, tmp_path):
    made = attention.hidden(["softmax"])["softmax"]
    course = make_course(attention, tmp_path)
    assert course.so_far("hidden", "softmax") == made
    assert (course.root / ".coursegrader").stat().st_mode & 0o777 == 0o700


@pytest.mark.slow
def test_what_is_certified_and_has_not_changed_is_not_run_again(attention, tmp_path, monkeypatch):
    course = make_course(attention, tmp_path)
    rows = certify(course, ["causal_mask"], rounds=["public"])
    assert rows and not any(row.fault() for row in rows)
    monkeypatch.setattr(
        "coursegrader.authoring.certify.ask_versions", lambda *_, **__: pytest.fail("nothing has changed")
    )
    again = ProblemSet(course.root, course.name)
    assert certify(again, ["causal_mask"], rounds=["public"]) == rows
    path = course.folder / "rubric" / "causal_mask.py"
    path.write_text(path.read_text(encoding="utf-8") + "\n# mended since\n", encoding="utf-8")
    with pytest.raises(pytest.fail.Exception):
        certify(ProblemSet(course.root, course.name), ["causal_mask"], rounds=["public"])
