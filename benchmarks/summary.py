"""The benchmarks' JSON files as one Markdown table of ratios, printed or written between the marks of a page.

    python benchmarks/summary.py FOLDER [--write README.md]
"""

import argparse
import json
from pathlib import Path

MARKS = ("<!-- benchmarks: make bench -->", "<!-- end of benchmarks -->")


def table(folder):
    """Markdown: for each piece of work and each peer, how many times faster ours is."""
    files = [json.loads(path.read_text()) for path in sorted(Path(folder).glob("*.json"))]
    if not files:
        raise SystemExit(f"There are no results in {folder}: run make bench.")
    machines = sorted({file["machine"] for file in files})
    lines = [f"Measured on: {'; '.join(machines)}. Medians of rounds in turn, but one run each of training to a loss; above 1, ours is faster.", "",
             "| work | against | ours is faster by |", "|---|---|---|"]  # fmt: skip
    for file in files:
        for title, rows in file["tables"].items():
            others = [row for row in rows if not row["name"].startswith("allyouneed") and "ours_is_faster_by" in row]
            lines += [f"| {title.partition(':')[0]} | {row['name']} | {row['ours_is_faster_by']:.2f} |" for row in others]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--write", type=Path, help="a Markdown page with the two marks")
    chosen = parser.parse_args()
    text = table(chosen.folder)
    if chosen.write is None:
        return print(text)
    before, _, rest = chosen.write.read_text(encoding="utf-8").partition(MARKS[0])
    _, found, after = rest.partition(MARKS[1])
    if not found:
        raise SystemExit(f"{chosen.write} does not hold the marks {MARKS[0]} and {MARKS[1]}.")
    chosen.write.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{after}", encoding="utf-8")
    print(f"wrote the table in {chosen.write}")


if __name__ == "__main__":
    main()
