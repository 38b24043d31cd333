"""What a class has understood: scores, how hard each exercise was, and which mistakes how many students share."""

from __future__ import annotations

import csv
import html
from collections import Counter
from pathlib import Path

from allyouneed.check import link
from coursegrader.grade import read_verdicts
from coursegrader.problemset import ProblemSet
from coursegrader.rubric import RubricError


def report(problem_set: ProblemSet) -> tuple[str, list[Path]]:
    """Write ``reports/NN/report.html`` and ``scores.csv``; return a summary for the terminal, and the files."""
    verdicts = read_verdicts(problem_set)
    if not verdicts:
        raise RubricError(f"Nothing of {problem_set.name} has been graded yet. Run: coursegrader grade {problem_set.name}")
    names = list(problem_set.exercises)
    rows = [[student] + [_points(items, name) for name in names] for student, items in verdicts.items()]
    difficulty = [(name, sum(row[1 + index] for row in rows) / (len(rows) * problem_set.exercises[name].max_points))
                  for index, name in enumerate(names)]
    shared = Counter((item["exercise"], item["misconception"], item["section"]) for items in verdicts.values()
                     for item in items if item["misconception"])
    folder = problem_set.root / "reports" / problem_set.name
    folder.mkdir(parents=True, exist_ok=True)
    table, page = folder / "scores.csv", folder / "report.html"
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["student", *names, "total"])
        writer.writerows([*row, sum(row[1:])] for row in rows)
    page.write_text(_page(problem_set, names, rows, difficulty, shared), encoding="utf-8")
    lines = [f"{problem_set.name}: {len(rows)} graded submissions", ""]
    lines += [f"  {name:34} {share:5.0%} of the points" for name, share in difficulty]
    lines += ["", "  most shared mistakes:"] if shared else []
    lines += [f"  {count:4}  {exercise}: {mistake}  ({link(problem_set.name, section)})"
              for (exercise, mistake, section), count in shared.most_common(10)]
    return "\n".join(lines), [page, table]


def _points(items: list[dict], name: str) -> float:
    return next((item["points"] for item in items if item["exercise"] == name), 0.0)


def _page(problem_set: ProblemSet, names, rows, difficulty, shared) -> str:
    def table(header, body):
        head = "".join(f'<th scope="col">{html.escape(str(item))}</th>' for item in header)
        lines = "".join("<tr>" + "".join(f"<td>{html.escape(str(item))}</td>" for item in row) + "</tr>" for row in body)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"

    mistakes = [[count, exercise, mistake, link(problem_set.name, section)] for (exercise, mistake, section), count in shared.most_common()]
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(problem_set.name)}: report</title>
<style>body{{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}}
table{{border-collapse:collapse;margin-bottom:2rem}}td,th{{border:1px solid #888;padding:.2rem .6rem;text-align:left}}</style></head>
<body><h1>{html.escape(problem_set.name)}</h1><p>{len(rows)} graded submissions.</p>
<h2>Mistakes, most shared first</h2>{table(["students", "exercise", "mistake", "paragraph to teach again"], mistakes)}
<h2>How hard each exercise was</h2>{table(["exercise", "share of the points reached"], [[name, f"{share:.0%}"] for name, share in difficulty])}
<h2>Scores</h2>{table(["student", *names, "total"], [[*row, sum(row[1:])] for row in rows])}</body></html>
"""
