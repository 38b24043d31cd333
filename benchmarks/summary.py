"""The benchmarks' JSON files in Markdown: ratios, attention by length, the ablation; GPT-2 on a GPU. Printed,
or written between the marks of a page.

    python benchmarks/summary.py FOLDER [--write book/performance.md]
"""

import argparse
import json
from pathlib import Path

BEGIN, END = "<!-- benchmarks: {} -->", "<!-- end of benchmarks -->"


def parts(folder):
    """By the command that measured it, what its results say; nothing of a command without results."""
    files = [json.loads(path.read_text()) for path in sorted(Path(folder).glob("*.json"))]
    tables = [file for file in files if "tables" in file]
    gpus = [file for file in files if "gpu" in file and "found" in file["steps"].get("gpt2", {})]
    if not tables and not gpus:
        raise SystemExit(f"There are no results in {folder}: run make bench.")
    found = {"make bench": summary(tables)} if tables else {}
    return found | ({"make bench-gpu": on_a_gpu(gpus[-1])} if gpus else {})


def summary(files):
    """Markdown: how many times faster ours is for each piece of work and each peer, then time and memory by
    length, then the ablation."""
    tables = {title: rows for file in files for title, rows in file["tables"].items()}
    machines = sorted({file["machine"] for file in files})
    parts = [(f"Measured on: {'; '.join(machines)}. Medians of rounds in turn, but one run each of "
              "training to a loss; above 1, ours is faster."),
             ratios(tables), by_length(tables), ablation(tables)]  # fmt: skip
    return "\n\n".join(filter(None, parts))


def ratios(tables):
    rows = [
        [title.partition(":")[0], row["name"], f"{row['ours_is_faster_by']:.2f}"]
        for title, rows in tables.items()
        for row in rows
        if not row["name"].startswith("allyouneed") and "ours_is_faster_by" in row
    ]
    return markdown(["work", "against", "ours is so many times as fast"], rows)


def by_length(tables):
    """One row a form of attention, one column a length: processor milliseconds and extra MiB."""
    lengths = {
        title.rpartition(" ")[2].replace(",", ""): {row["name"]: row for row in rows if "MiB" in row}
        for title, rows in tables.items()
        if rows and "MiB" in rows[0]
    }
    forms = list(dict.fromkeys(name for rows in lengths.values() for name in rows))
    cells = [
        [
            name,
            *(
                f"{rows[name]['ms']:,.0f} / {rows[name]['MiB']:,.0f}" if name in rows else "not run"
                for rows in lengths.values()
            ),
        ]
        for name in forms
    ]
    return markdown(["causal attention: ms / extra MiB", *(f"{int(length):,}" for length in lengths)], cells)


def ablation(tables):
    """The titles of tables with a loss and no peer, and a row a recipe."""
    found = [
        (title, rows)
        for title, rows in tables.items()
        if rows and "loss" in rows[0] and "ours_is_faster_by" not in rows[0]
    ]
    return "\n\n".join(
        markdown(
            [title, "loss", "seconds"],
            [[row["name"], f"{row['loss']:.3f}", f"{row['seconds']:.0f}"] for row in rows],
        )
        for title, rows in found
    )


def on_a_gpu(file):
    """Training of GPT-2, a row a way and a size of batch, beside transformers' in the same way."""
    found = {name: row for name, row in file["steps"]["gpt2"]["found"].items() if isinstance(row, dict)}
    rows = [
        [
            name,
            f"{row['tokens_a_second'] / 1000:,.0f},000",
            f"{row['teraflops']:,.0f}",
            f"{row['peak_mib'] / 1024:,.1f}",
            f"{row['times_transformers']:.2f}" if "times_transformers" in row else "",
        ]
        for name, row in found.items()
    ]
    head = ["GPT-2, 124M", "tokens a second", "TFLOP/s", "GiB", "times transformers"]
    return f"Measured on: {file['gpu']}, torch {file['torch']}.\n\n{markdown(head, rows)}"


def markdown(head, rows):
    """A table, or nothing where there are no rows."""
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]) if rows else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--write", type=Path, help="a Markdown page with the marks")
    chosen = parser.parse_args()
    texts = parts(chosen.folder)
    if chosen.write is None:
        return print(*texts.values(), sep="\n\n")
    page = chosen.write.read_text(encoding="utf-8")
    for command, text in texts.items():
        begin = BEGIN.format(command)
        before, _, rest = page.partition(begin)
        _, found, after = rest.partition(END)
        if not found:
            raise SystemExit(f"{chosen.write} does not hold the marks {begin} and {END}.")
        page = f"{before}{begin}\n{text}\n{END}{after}"
    chosen.write.write_text(page, encoding="utf-8")
    print(f"wrote in {chosen.write} what was measured by {' and '.join(texts)}")


if __name__ == "__main__":
    main()
