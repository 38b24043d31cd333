"""Grade one class with stock nbgrader and with ours: seconds and CPU seconds a notebook, memory, and whether
the scores agree.

    python benchmarks/grading.py [--stock 12] [--sizes 10 100] [--workers 1 2] [--json FILE]

Each student hands in right versions, wrong ones that earn nothing, and exercises left open, all from the
rubric's evidence.
Stock nbgrader is `nbgrader autograde` with its own Execute on the same notebooks, whose check cells then run
the students' own check. It also runs the cells below the last graded one, which ours leaves out; a second
stock run has them removed.

A class is graded as an instructor meets it: the problem set has been released, which makes the hidden probes.
One more row is of a course that has lost them, where grading makes them first.
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import nbformat
import psutil
from rounds import machine

from coursegrader.course.check_cells import checked_exercise
from coursegrader.course.configuration import open_course
from coursegrader.course.problem_set import ProblemSet
from coursegrader.course.release import release

ROOT = Path(__file__).resolve().parents[1]
STOCK = """c = get_config()
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
c.CourseDirectory.ignore = ["rubric*", "__pycache__"]
c.Execute.timeout = 120
"""


def make_course(folder, name, configuration, lost=False):
    """A course folder with one problem set, released into its own gradebook; returns it as a ProblemSet.

    lost: the hidden probes that the release has made are gone.
    """
    shutil.copytree(
        ROOT / "solutions" / name, folder / "solutions" / name, ignore=shutil.ignore_patterns("__pycache__")
    )
    (folder / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text())
    course = ProblemSet(folder, name)
    release(course)
    if lost:
        shutil.rmtree(folder / ".coursegrader" / "hidden")
    (folder / "nbgrader_config.py").write_text(configuration)
    return course


def without_points(name):
    """The wrong versions that earn nothing, by exercise, from the certified page; those that never end are
    left out."""
    text = (ROOT / "book" / "instructors" / "certified" / f"{name}.md").read_text(encoding="utf-8")
    found = {}
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        exercise, mistake = part.split("`")[1], None
        found[exercise] = set()
        for line in part.splitlines():
            if named := re.fullmatch(r"`([\w-]+)`", line):
                mistake = named[1]
            elif line.startswith("  *Versions:* ") and mistake != "timeout":
                labels = re.findall(r"(.+?)\u00a0\((.+?)\)(?:; |$)", line.removeprefix("  *Versions:* "))
                found[exercise] |= {
                    mistake if label == "plain" else re.sub(r"\\(.)", r"\1", label)
                    for label, points in labels
                    if points == "0"
                }
    return found


def versions(problem_set):
    """For each exercise the texts that students hand in: two right ones for each wrong one, and None for one
    left open."""
    harmless = without_points(problem_set.name)
    texts = {}
    for name, exercise in problem_set.exercises.items():
        right = [version.source for version in exercise.alternatives]
        wrong = [version.source for version in exercise.wrong_versions if version.label in harmless[name]]
        texts[name] = [
            text
            for index, bad in enumerate(wrong)
            for text in (right[index % len(right)], right[(index + 1) % len(right)], bad)
        ]
        texts[name].append(None)
    return texts


def hand_in(course, n_students, without_last_part=False):
    """Write `n_students` submissions, all different."""
    released = nbformat.read(course.root / "notebooks" / course.name / f"{course.name}.ipynb", as_version=4)
    texts = versions(course)
    graded = [
        index
        for index, cell in enumerate(released.cells)
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade")
    ]
    for number in range(n_students):
        notebook, solution = nbformat.from_dict(json.loads(json.dumps(released))), None
        for cell in notebook.cells:
            if cell.cell_type != "code":
                continue
            if cell.metadata.get("nbgrader", {}).get("solution"):
                solution = cell
            name = checked_exercise(cell.source)
            if (
                name in texts
                and (text := texts[name][(number * 7 + len(name)) % len(texts[name])]) is not None
            ):
                solution.source = text
        if without_last_part:
            for cell in notebook.cells[graded[-1] + 1 :]:
                if cell.cell_type == "code":
                    cell.source = "pass"
        path = course.root / "submitted" / f"student{number:04d}" / course.name / f"{course.name}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)


class Watch:
    """The largest memory, in bytes, that a process and all below it shared out among them at any moment."""

    def __init__(self, process):
        self.most, self._process, self._done = 0, psutil.Process(process.pid), threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while not self._done.wait(5.0):  # reading it costs a tenth of a second of a core
            total = 0
            with contextlib.suppress(psutil.Error):  # processes come and go
                for process in [self._process, *self._process.children(recursive=True)]:
                    with contextlib.suppress(psutil.Error):
                        total += process.memory_full_info().pss
            self.most = max(self.most, total)

    def stop(self):
        self._done.set()
        self._thread.join()
        return self.most


def grade(course, command):
    """Run a grading command; returns its wall seconds, CPU seconds and most memory."""
    before = os.times()
    started = time.perf_counter()
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "OMP_NUM_THREADS": "1",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=course.root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    watch = Watch(process)
    output, _ = process.communicate()
    seconds, memory, after = time.perf_counter() - started, watch.stop(), os.times()
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{output[-3000:]}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    # kernels are not this process's children
    for note in (course.root / ".coursegrader" / "graded" / course.name).glob("*.json"):
        cpu += json.loads(note.read_text())["cpu_seconds"] or 0
    return {"seconds": seconds, "cpu": cpu, "memory": memory}


def scores(course):
    """Each student's automatic score for each graded cell."""
    with open_course(course.root) as api, api.gradebook as gradebook:
        return {
            (submission.student.id, grade.name): grade.auto_score
            for submission in gradebook.assignment_submissions(course.name)
            for notebook in submission.notebooks
            for grade in notebook.grades
            if grade.cell.cell_type == "code"
        }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--problem-set", default="03-attention")
    parser.add_argument("--stock", type=int, default=12, help="students of the stock class")
    parser.add_argument("--sizes", type=int, nargs="*", default=[10, 100], help="students of our classes")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--json", help="also write the results to this file")
    chosen = parser.parse_args()
    ours_configuration = (ROOT / "nbgrader_config.py").read_text()
    name, results = chosen.problem_set, []

    def one(label, n_students, configuration, command, lost=False, **how):
        with tempfile.TemporaryDirectory(prefix="bench-grading-") as folder:
            course = make_course(Path(folder), name, configuration, lost)
            hand_in(course, n_students, **how)
            row = {"what": label, "students": n_students} | grade(course, command)
            results.append(row)
            print(
                (
                    f"{label:38} {n_students:5} notebooks {row['seconds'] / n_students:7.2f} s a notebook "
                    f"{row['cpu'] / n_students:7.2f} CPU-s {row['memory'] / 2**30:5.2f} GiB"
                ),
                flush=True,
            )
            return row, scores(course)

    print(machine())
    stock_command = ["nbgrader", "autograde", name]
    stock, theirs = one("stock nbgrader", chosen.stock, STOCK, stock_command)
    short, _ = one(
        "stock nbgrader, without the last part", chosen.stock, STOCK, stock_command, without_last_part=True
    )
    sizes = sorted({chosen.stock, *chosen.sizes})
    for workers in chosen.workers:
        last = workers == chosen.workers[-1]
        for size, lost in [*((size, False) for size in sizes), *([(sizes[0], True)] if last else [])]:
            row, mine = one(
                f"ours, {workers} worker{'s' * (workers > 1)}{', hidden probes lost' if lost else ''}",
                size,
                ours_configuration,
                ["coursegrader.cli", "grade", name, "--workers", str(workers)],
                lost,
            )
            if size == chosen.stock:
                different = [key for key in theirs if theirs[key] != mine[key]]
                print(
                    f"    scores equal to stock nbgrader's: {len(theirs) - len(different)} of "
                    f"{len(theirs)} {different[:5] or ''}"
                )
            each = row["seconds"] / size
            print(
                f"    throughput: {stock['seconds'] / stock['students'] / each:.1f} times stock; "
                f"{short['seconds'] / short['students'] / each:.1f} times stock without the last part"
            )
    if chosen.json:
        Path(chosen.json).write_text(json.dumps({"machine": machine(), "rows": results}, indent=1))


if __name__ == "__main__":
    main()
