"""The course's commands as tests give them. Each runs in a process of its own, forked from one that has
imported what all of them import.

A command begins with seconds of imports (torch, nbgrader); a term gives forty commands. What runs is what the
installed script runs: the same function, with the same arguments, folder and variables.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

BIN = Path(sys.executable).parent
PROGRAMS = ("coursegrader", "nbgrader")


@dataclass(frozen=True)
class Said:
    """What a command printed and returned."""

    returncode: int
    stdout: str
    stderr: str


def run(program: str, *arguments, cwd: Path, environment: dict[str, str] | None = None) -> Said:
    """Run `coursegrader` or `nbgrader` in `cwd`, with this process's variables and those of `environment`."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / name) for name in ("stdout", "stderr")]
        variables = (
            os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1"} | (environment or {})
        )
        server = _server()
        server.stdin.write(
            json.dumps([program, [str(argument) for argument in arguments], str(cwd), variables, paths])
            + "\n"
        )
        server.stdin.flush()
        answer = server.stdout.readline()
        assert answer, f"the process from which commands are forked ended with code {server.wait()}"
        return Said(
            int(answer), *(Path(path).read_text(encoding="utf-8", errors="replace") for path in paths)
        )


def command(
    *arguments, cwd: Path, expect: int = 0, errors: bool = False, environment: dict[str, str] | None = None
) -> str:
    """Run a command of the course, or another program; return what it printed (with its errors where asked
    for, or where it is to fail)."""
    if arguments[0] in PROGRAMS:
        done = run(*arguments, cwd=cwd, environment=environment)
    else:
        variables = (
            os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1"} | (environment or {})
        )
        done = subprocess.run(
            [str(argument) for argument in arguments], cwd=cwd, env=variables, capture_output=True, text=True
        )
    assert done.returncode == expect, f"{done.returncode} from {arguments}:\n{done.stdout}{done.stderr}"
    assert "SAWarning" not in done.stderr, "what the software beneath says to its programmers"
    return done.stdout + done.stderr if errors or expect else done.stdout


def _server() -> subprocess.Popen:
    """This process's own server of commands."""
    global _running
    if _running is None or _running.poll() is not None:
        _running = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
        )
        atexit.register(_running.stdin.close)  # at which it ends
    return _running


_running: subprocess.Popen | None = None


def _serve() -> None:
    mains = _mains()
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        program, arguments, folder, variables, paths = json.loads(line)
        child = os.fork()
        if child == 0:
            answers.close()
            _become(folder, variables, paths)
            sys.argv = [str(BIN / program), *arguments]
            _end(mains[program])
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


def _mains() -> dict:
    """Each program's function, after everything that it may import has been imported."""
    import importlib
    import pkgutil

    import nbgrader.apps

    import coursegrader

    for package in (coursegrader, nbgrader.apps):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.startswith("coursegrader.reporting.jupyter"):  # an extension of a server
                importlib.import_module(module.name)
    from nbgrader.apps.nbgraderapp import main as nbgrader_main

    from coursegrader.cli import main

    return {"coursegrader": main, "nbgrader": nbgrader_main}


def _become(folder: str, variables: dict[str, str], paths: list[str]) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    for number, path in ((0, os.devnull), (1, paths[0]), (2, paths[1])):
        file = os.open(path, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(file, number)
        os.close(file)


def _end(main) -> None:
    """Run it, and end this process as Python ends a script."""
    import threading
    import traceback

    code = 1
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if code == 1 and isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    try:
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


if __name__ == "__main__":
    _serve()
