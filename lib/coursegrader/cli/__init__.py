"""The grader's command line. Errors go to standard error, a line or a short list; the exit code is not 0.

Each command's parser and action stand together, in the module of its subject.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import io
import os
import shutil
import sys
from pathlib import Path

from coursegrader.cli import authoring, defence, defence_forms, grading, marking, reporting, term, upkeep
from coursegrader.cli.arguments import name_of_set
from coursegrader.errors import UserError
from coursegrader.trouble import advice_on, what_to_do

COMMANDS = (  # in the order of the help
    authoring.add_release,
    authoring.add_try,
    authoring.add_certify,
    authoring.add_show,
    authoring.add_sweep,
    grading.add_grade,
    marking.add_mark,
    reporting.add_report,
    reporting.add_feedback,
    reporting.add_passback,
    reporting.add_overview,
    term.add_init,
    term.add_roster,
    term.add_site,
    term.add_dates,
    term.add_extend,
    grading.add_collect,
    defence.add_defend,
    *defence_forms.FORMS,
    authoring.add_new_exercise,
    upkeep.add_backup,
    upkeep.add_restore,
    upkeep.add_doctor,
)
# What a command imports is no garbage. Python would look through all of torch and nbgrader for some whenever
# that has grown by a quarter, and once more at the end: a third of the time of a short command.
gc.set_threshold(20_000)
atexit.register(gc.freeze)


def main(arguments: list[str] | None = None) -> None:
    """Run one subcommand; exit 0 when all is well, 1 when something was found wrong, 2 on bad input."""
    _use_what_is_open()
    # before torch is imported: small matrices on several threads cost several times as much
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        code = _code_of(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # `coursegrader dates | head -1`: nobody reads on
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = 141
    except (UserError, OSError) as error:
        # of many files, the first
        text = (
            error.args[0][0][2]
            if isinstance(error, shutil.Error) and isinstance(error.args[0], list)
            else error
        )
        if isinstance(error, FileNotFoundError) and error.filename:
            text = f"There is no file or folder {error.filename}."
        print(f"coursegrader: {_with_advice(str(text))}", file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        print("coursegrader: stopped; finished work is kept. Run the same command to go on.", file=sys.stderr)
        code = 130
    except Exception as error:
        if not (advice := what_to_do(str(error))):
            raise
        print(f"coursegrader: {advice}", file=sys.stderr)
        code = 2
    sys.exit(code)


def _code_of(arguments: list[str] | None) -> int:
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as ended:  # it has printed its help, or what it does not understand
        return int(ended.code or 0)
    return options.run(options)


def _use_what_is_open() -> None:
    """Print what the terminal cannot show in another way, and nothing where nobody listens (``2>&-``)."""
    for name in ("stdout", "stderr"):
        if (stream := getattr(sys, name)) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _with_advice(text: str) -> str:
    """The text, and what to do about a locked gradebook or a full disk, where it tells of one and does not
    say so itself."""
    advice = what_to_do(text)
    return text if advice is None or str(advice_on(text)) in text else f"{text.rstrip('.')}. {advice}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="coursegrader", description="Release, try, certify, grade and report problem sets."
    )
    parser.add_argument(
        "--root",
        type=Path,
        default=Path.cwd(),
        help="the course folder, which holds solutions/ (default: here)",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name, run, text, problem_set=True):
        sub = commands.add_parser(name, help=text, description=text)
        if problem_set:
            sub.add_argument("problem_set", metavar="NN-name", type=name_of_set)
        sub.set_defaults(run=run)
        return sub

    for add in COMMANDS:
        add(command)
    return parser
