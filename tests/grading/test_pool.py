"""Workers may die, hang or fail: no other work is lost, and what was lost is done again once."""

import contextlib
import json
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from grading.poolwork import work
from nbformat.v4 import new_code_cell, new_notebook

from coursegrader.grading.grade import _Run
from coursegrader.grading.pool import LocalPool, WorkerLost
from coursegrader.grading.worker import JailedExecute, run
from coursegrader.sandbox.fork_client import ForkServer
from coursegrader.sandbox.provisioner import connection_folder

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pool")]
PATIENCE = 600  # a worker begins by importing torch, and a busy machine takes its time


@pytest.fixture
def pool():
    pool = LocalPool(2, work=work, seconds=4, server=ForkServer(warm=False))
    yield pool
    pool.stop()


def job(folder, name, deaths=0, **more) -> str:
    return json.dumps({"folder": str(folder), "name": name, "deaths": deaths} | more)


def test_a_lost_worker_costs_its_own_work_alone_and_that_is_done_again(pool, tmp_path):
    futures = {
        name: pool.submit(job(tmp_path, name, deaths))
        for name, deaths in (("one", 0), ("dies", 1), ("two", 0), ("always", 9), ("three", 0))
    }
    assert [futures[name].result(PATIENCE) for name in ("one", "two", "three")] == [
        f"{name} done by try 1" for name in ("one", "two", "three")
    ]
    assert futures["dies"].result(PATIENCE) == "dies done by try 2"
    with pytest.raises(WorkerLost, match="ended or hung, twice"):
        futures["always"].result(PATIENCE)


def test_a_worker_that_hangs_is_replaced(pool, tmp_path):
    hanging = pool.submit(job(tmp_path, "hangs", hang=True))
    assert pool.submit(job(tmp_path, "other")).result(PATIENCE) == "other done by try 1"
    with pytest.raises(WorkerLost):
        hanging.result(PATIENCE)
    assert pool.submit(job(tmp_path, "after")).result(PATIENCE) == "after done by try 1"


def test_a_worker_blocks_no_interrupt(pool, tmp_path):
    """Its own fork server would hand that on to kernels, whose endless cells nothing then could interrupt."""
    assert pool.submit(job(tmp_path, "mask", mask=True)).result(PATIENCE) == "False"


def test_an_ordinary_error_is_not_tried_again(pool, tmp_path):
    failing = pool.submit(job(tmp_path, "raises", **{"raise": True}))
    with pytest.raises(ValueError, match="a plain error"):
        failing.result(PATIENCE)
    assert len(list(tmp_path.glob("raises.*"))) == 1


def lives(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_workers_and_their_server_end_with_a_grader_that_is_killed(root):
    code = (
        "import sys; sys.path.insert(0, 'tests')\nif __name__ == '__main__':\n    from "
        "coursegrader.grading.pool import LocalPool\n    from grading.poolwork import whoami\n    "
        f"pool = LocalPool(1, work=whoami)\n    print(pool.submit('').result({PATIENCE}), "
        "pool._server.process.pid, flush=True)\n    import time; time.sleep(60)\n"
    )
    grader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=root)
    processes = [int(number) for number in grader.stdout.readline().split()]
    assert len(processes) == 2 and all(map(lives, processes))
    grader.kill()
    grader.wait()
    end = time.monotonic() + PATIENCE
    while any(map(lives, processes)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(map(lives, processes))


def test_ctrl_c_reaches_no_worker_from_its_first_moment_on(pool):
    """A terminal gives it to workers too, and they wrote pages of tracebacks while they imported."""
    blocked, end = {}, time.monotonic() + PATIENCE
    while len(blocked) < pool.width and time.monotonic() < end:
        for child in psutil.Process().children():
            with contextlib.suppress(psutil.Error):  # one of the test before, that ends
                if child.pid not in blocked and "spawn_main" in " ".join(child.cmdline()):
                    status = Path(f"/proc/{child.pid}/status").read_text()
                    blocked[child.pid] = int(re.search(r"SigBlk:\s*(\w+)", status)[1], 16)
    assert len(blocked) == 2 and all(mask >> (signal.SIGINT - 1) & 1 for mask in blocked.values())
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, set())


def test_ctrl_c_stays_the_graders_while_a_notebook_runs():
    """Where a notebook's own client took signals, its kernel ended, and a right notebook got no points."""
    notebook = new_notebook(cells=[new_code_cell("import time\ntime.sleep(1)")])
    asked, seen, over = (
        json.dumps({"notebook": notebook, "questions": {}, "files": {}, "config": {}}),
        set(),
        [],
    )

    def handlers():
        return signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)

    def look():
        while not over:
            seen.add(handlers())
            time.sleep(0.01)

    before, looking = handlers(), threading.Thread(target=look)
    looking.start()
    try:
        done = json.loads(run(asked))
    finally:
        over.append(True)
        looking.join()
    assert done["stopped"] is None and done["cells"][0]["execution_count"] == 1
    assert seen == {before} == {handlers()}


def test_what_a_killed_worker_ran_in_is_swept_with_its_private_folder(monkeypatch):
    notebook = new_notebook(cells=[new_code_cell("import os\nprint(len(os.listdir()))")])
    asked, made = {"notebook": notebook, "questions": {}, "files": {"data.txt": ""}, "config": {}}, set()

    class Seen(JailedExecute):
        def run_cells(self):
            made.update(connection_folder().glob("run-*"))
            super().run_cells()

    monkeypatch.setattr("coursegrader.grading.worker.JailedExecute", Seen)
    done = json.loads(run(json.dumps(asked)))
    assert done["cells"][0]["outputs"][0]["text"] == "1\n"
    assert len(made) == 1 and not made.pop().exists()


def test_a_kernel_ends_with_an_interrupt_that_comes_while_it_starts(tmp_path):
    class Interrupted(JailedExecute):
        def start_new_kernel_client(self):
            raise KeyboardInterrupt

    execute = Interrupted(new_notebook(cells=[new_code_cell("1")]), str(tmp_path), {})
    with pytest.raises(KeyboardInterrupt):
        execute.run_cells()
    assert not execute._manager.has_kernel


def test_an_error_in_a_cell_stops_no_notebook_whatever_is_configured(tmp_path):
    sections = {"Execute": {"allow_errors": False, "force_raise_errors": True, "timeout": 7}}
    execute = JailedExecute(new_notebook(), str(tmp_path), sections)
    assert (execute.allow_errors, execute.force_raise_errors, execute.timeout) == (True, False, 7)


class Deserted:
    """A cluster that every worker has left, and that runs all it is given once they are back."""

    asked = 0

    @property
    def width(self) -> int:
        self.asked += 1
        assert self.asked < 100, "asked again and again, and given nothing"
        return 0

    def submit(self, job: str) -> Future:
        done: Future = Future()
        done.set_result(job)
        return done


def test_work_waits_at_a_cluster_that_has_no_worker_left():
    recorded = []
    grading = _Run.__new__(_Run)
    grading.keys = dict.fromkeys("abcdef", {})
    grading.grader = SimpleNamespace(prepare=lambda student, keys: SimpleNamespace(job=student))
    grading._record = lambda submission, future: recorded.append(submission.job)
    grading.all_of(list("abcdef"), Deserted())
    assert recorded == list("abcdef")
