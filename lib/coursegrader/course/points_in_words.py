"""What the text of a notebook says about points: "## 1. Softmax (4 points)", and "**Points.** 39" in all."""

from __future__ import annotations

import re

HEADING = re.compile(r"^#+ (?P<title>.*) \((?P<points>\d+(?:\.\d+)?) points?\b", re.MULTILINE)
IN_ALL = re.compile(r"\*\*Points\.\*\* (?P<points>\d+(?:\.\d+)?)\b")


def wrong_points(notebook) -> list[str]:
    """What a source `notebook` says about points and its graded cells do not give, a sentence each."""
    problems, heading, given, total, in_all = [], None, 0.0, 0.0, None

    def close() -> None:
        if heading and float(heading["points"]) != given:
            problems.append(
                f'the heading "{heading["title"]}" says {heading["points"]} points, and what is graded '
                f"below it gives {given:g}"
            )

    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "markdown" and (found := HEADING.search(cell.source)):
            close()
            heading, given = found, 0.0
        if cell.cell_type == "markdown" and not in_all:
            in_all = IN_ALL.search(cell.source)
        if about.get("grade"):
            given, total = given + about["points"], total + about["points"]
    close()
    if in_all and float(in_all["points"]) != total:
        problems.append(
            f"the text says {in_all['points']} points in all, and all graded cells give {total:g}"
        )
    return problems
