"""What a command prints arrives, or harms nobody: in a terminal that lacks letters, in none, in one that has
gone."""

import os
import subprocess
import sys

import pytest

from coursegrader.cli import main, reporting

COMMAND = [sys.executable, "-m", "coursegrader.cli"]


def test_a_terminal_without_umlauts_is_told_in_another_way(tmp_path):
    done = subprocess.run(
        [*COMMAND, "--root", tmp_path / "Kürs", "dates"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "K\\xfcrs is not a course folder" in done.stderr


def test_nobody_has_to_listen(tmp_path):
    for closed in (">&-", "2>&-"):
        command = f'"$@" {closed}'
        done = subprocess.run(["sh", "-c", command, "sh", *COMMAND, "--root", tmp_path, "dates"])
        assert done.returncode == 2
    gone = subprocess.run(
        ["bash", "-c", '"$@" | true; exit ${PIPESTATUS[0]}', "sh", *COMMAND, "--help"],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert "Traceback" not in gone.stderr


@pytest.mark.parametrize(
    "error, said",
    [
        (BrokenPipeError(32, "Broken pipe"), ""),
        (
            OSError(28, "No space left on device"),
            "coursegrader: [Errno 28] No space left on device. The disk is full. Make room. Finished work is "
            "kept: run the same command again. (No space left on device)\n",
        ),
        (OSError(28, "No space left on device. The disk is full. Make room."), "once"),
    ],
)
def test_advice_is_given_once_and_none_where_nobody_reads(error, said, tmp_path, monkeypatch, capfd):
    def fails(options):
        raise error

    (tmp_path / "solutions" / "03-attention").mkdir(parents=True)
    monkeypatch.setattr(reporting, "_overview", fails)
    with pytest.raises(SystemExit) as ended:
        main(["--root", str(tmp_path), "overview"])
    told = capfd.readouterr().err
    assert ended.value.code == (141 if not said else 2)
    assert told == said if said != "once" else told.count("Make room") == 1
