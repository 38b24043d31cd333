"""Make what a release hands out from what is committed, and say what it is or why it cannot go out yet.

python setup/release_check.py _build/all-you-need.zip    (make release-check builds the archive first)
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

import yaml

from coursegrader.course.leaks import MARKERS, find_leaks

ROOT = Path(__file__).resolve().parents[1]
INSTRUCTORS_ONLY = "coursegrader", "rubric", "solutions"
CITATION_NEEDS = "cff-version", "message", "title", "authors", "version", "date-released"


def main(site: Path) -> None:
    if git("status", "--porcelain").strip():
        sys.exit("A release is made of what is committed, and `git status` names something that is not.")
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "checkout"
        git("worktree", "add", "--quiet", "--detach", checkout, "HEAD")
        try:
            version, problems = papers(checkout)
            made = ROOT / "dist" / version
            shutil.rmtree(made, ignore_errors=True)
            made.mkdir(parents=True)
            build(checkout, made)
        finally:
            git("worktree", "remove", "--force", checkout)
    packages = [*made.glob("*.whl"), *made.glob("*.tar.gz")]
    problems += [problem for package in packages for problem in what_nobody_may_get(package)]
    problems += site_problems(site)
    shutil.copy(site, made / f"all-you-need-{version}.zip")
    for path in sorted(made.iterdir()):
        size, digest = path.stat().st_size / 1e6, hashlib.sha256(path.read_bytes()).hexdigest()
        print(f"{path.relative_to(ROOT)}  {size:.1f} MB  sha256 {digest[:16]}")
    if problems:
        sys.exit("\n".join(["This is no release yet:", *(f"- {problem}" for problem in problems)]))
    print(f"Version {version}, commit {git('rev-parse', '--short', 'HEAD').strip()}: ready to be tagged.")


def git(*arguments: object) -> str:
    command = ["git", "-C", str(ROOT), *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return done.stdout if done.returncode == 0 else sys.exit(f"git {arguments[0]} did not work (see above).")


def papers(root: Path) -> tuple[str, list[str]]:
    """The version, and in what its papers do not agree on it."""
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = {"CITATION.cff": str(citation.get("version"))}
    for name in ("pyproject.toml", "lib/coursegrader/pyproject.toml"):
        versions[name] = tomllib.loads((root / name).read_text(encoding="utf-8"))["project"]["version"]
    version = versions["pyproject.toml"]
    problems = [f"CITATION.cff does not say its {key}." for key in CITATION_NEEDS if not citation.get(key)]
    if len(set(versions.values())) > 1:
        each = ", ".join(f"{found} in {name}" for name, found in versions.items())
        problems.append(f"There are several versions: {each}.")
    dated = re.search(rf"^## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)$", changes, re.M)
    if not dated:
        problems.append(f"CHANGELOG.md has no line '## {version} (year-month-day)'.")
    elif dated[1] != str(citation.get("date-released")):
        problems.append(
            f"CHANGELOG.md dates {version} {dated[1]}, and CITATION.cff {citation.get('date-released')}."
        )
    unreleased = re.search(r"^## Unreleased$(.*?)(?=^## |\Z)", changes, re.M | re.S)
    if unreleased and unreleased[1].strip():
        problems.append("CHANGELOG.md has changes under Unreleased: they belong under a new version.")
    return version, problems


def build(checkout: Path, out: Path) -> None:
    """The sdist, and the wheel made from that, so that the sdist is known to build."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", out, checkout]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"The packages could not be built:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def what_nobody_may_get(package: Path) -> list[str]:
    """What a package holds that is for instructors only. Single lines: tests/course/test_leaks.py."""
    with tempfile.TemporaryDirectory() as folder:
        opened = tarfile.open(package) if package.suffix == ".gz" else zipfile.ZipFile(package)
        with opened:
            opened.extractall(folder)
        files = [path for path in Path(folder).rglob("*") if path.is_file()]
        names = [path.relative_to(folder).as_posix() for path in files]
        found = [
            f"{package.name} holds {name}." for name in names if any(w in name for w in INSTRUCTORS_ONLY)
        ]
        if not any(name.endswith("allyouneed/check/fingerprints/03-attention.json") for name in names):
            found.append(f"{package.name} lacks the checks' fingerprints.")
        return found + find_leaks(files, {re.sub(r"\s+", "", marker): "a marker" for marker in MARKERS})


def site_problems(site: Path) -> list[str]:
    with zipfile.ZipFile(site) as archive:
        broken, names = archive.testzip(), archive.namelist()
    problems = [f"{site.name} is damaged at {broken}."] if broken else []
    missing = {"__main__.py", "site/index.html"} - set(names)
    return problems + [f"{site.name} lacks {name}." for name in sorted(missing)]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
