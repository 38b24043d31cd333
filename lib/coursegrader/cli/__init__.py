"""The grader's command line. Errors go to standard error, a line or a short list; the exit code is not 0.

Each command's parser and action stand together, in the module of its subject.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import shutil
import sys
from pathlib import Path

from coursegrader.cli import authoring, defence, defence_forms, grading, marking, reporting, term, upkeep
from coursegrader.cli.arguments import name_of_set
from coursegrader.errors import UserError

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
    options = _parser().parse_args(arguments)
    # before torch is imported: small matrices on several threads cost several times as much
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    try:
        code = options.run(options)
    except (UserError, OSError) as error:
        # of many files, the first
        text = (
            error.args[0][0][2]
            if isinstance(error, shutil.Error) and isinstance(error.args[0], list)
            else error
        )
        if isinstance(error, FileNotFoundError) and error.filename:
            text = f"There is no file or folder {error.filename}."
        print(f"coursegrader: {text}{_advice(error)}", file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        print("coursegrader: stopped; finished work is kept. Run the same command to go on.", file=sys.stderr)
        code = 130
    except Exception as error:
        if not (advice := _advice(error)):
            raise
        print(f"coursegrader:{advice}", file=sys.stderr)
        code = 2
    sys.exit(code)


def _advice(error: Exception) -> str:
    """What to do about a locked gradebook or a full disk; empty where that is not the trouble."""
    from coursegrader.grading.trouble import what_to_do

    return f" {advice}" if (advice := what_to_do(str(error))) else ""


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
