"""The warm server: kernels that start fast, know nothing of each other, and end with the grader."""

import mmap
import os
import re
import shutil
import signal
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from sandbox.jailroom import enough_seconds, run, wait_until
from traitlets.config import Config

from coursegrader.course.configuration import configure
from coursegrader.sandbox.fork_client import ForkServer
from coursegrader.sandbox.fork_server import COLLAPSE
from coursegrader.sandbox.jail import Limits
from coursegrader.sandbox.provisioner import NAME, ForkProvisioner, connection_folder

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("jail")]


def alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_the_provisioner_is_an_entry_point():
    found = [
        point for point in entry_points(group="jupyter_client.kernel_provisioners") if point.name == NAME
    ]
    assert [point.load() for point in found] == [ForkProvisioner]


def test_a_kernel_has_all_imported_when_it_starts_and_draws(tmp_path):
    done = run(
        ("import sys\nprint({'torch', 'matplotlib.pyplot', 'allyouneed.nn.attention'} <= set(sys.modules))"),
        "import torch, matplotlib.pyplot as plt, allyouneed.nn.attention\nplt.plot([1, 2]); plt.show()",
        folder=tmp_path,
    )
    assert done.texts[0] == "True\n"
    assert [set(output.get("data", {})) for output in done.outputs[1]] == [{"image/png", "text/plain"}]


def test_notebooks_do_not_see_each_others_state_or_random_stream(tmp_path):
    probe = (
        "import random, numpy, torch\nprint(random.random(), numpy.random.rand(), torch.rand(1, "
        "dtype=torch.float64).item())"
    )
    first = run(
        probe,
        ("import torch\ntorch.secret = 1; open('/tmp/left', 'w').write('x'); open('left', 'w').write('x')"),
        folder=tmp_path,
    )
    second = run(
        probe,
        (
            "import os, torch\nprint(hasattr(torch, 'secret'), os.path.exists('/tmp/left'), "
            "os.path.exists('left'))"
        ),
        folder=tmp_path,
    )
    assert second.texts[1] == "False False False\n"
    one, two = first.texts[0].split(), second.texts[0].split()
    assert len(one) == 3 and all(a != b for a, b in zip(one, two))


def test_a_cell_out_of_time_is_interrupted_and_the_next_one_runs(tmp_path):
    timeout = enough_seconds(tmp_path)
    done = run("while True: pass", "print('after')", folder=tmp_path, timeout=timeout)
    assert "KeyboardInterrupt" in done.texts[0] and done.texts[1] == "after\n"


def test_the_server_has_one_thread_and_the_connection_folder_is_private_and_empty(tmp_path):
    run("1", folder=tmp_path)
    assert len(os.listdir(f"/proc/{ForkServer.shared().process.pid}/task")) == 1
    folder = connection_folder()
    assert folder.stat().st_mode & 0o777 == 0o700 and list(folder.iterdir()) == []


def test_much_of_what_the_server_holds_lies_in_large_pages(tmp_path):
    try:
        with mmap.mmap(-1, 8 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
            memory.write(bytes(8 << 20))
            memory.madvise(COLLAPSE)
    except OSError as error:
        pytest.skip(f"this system has no large pages to give: {error}")
    run("pass", folder=tmp_path)
    held = Path(f"/proc/{ForkServer.shared().process.pid}/smaps_rollup").read_text()
    anonymous, large = (
        int(re.search(f"{name}: +(\\d+) kB", held)[1]) for name in ("Anonymous", "AnonHugePages")
    )
    assert large > anonymous / 4


def test_a_crashed_server_is_replaced_and_running_kernels_go_on(tmp_path):
    run("1", folder=tmp_path)
    server = ForkServer.shared()
    first = server.process

    def crash():
        first.kill()
        first.wait()

    done = run("kept = 'survived'", "print(kept)", folder=tmp_path, after_first=crash)
    assert done.texts == ["", "survived\n"] and first.returncode
    assert run("print('again')", folder=tmp_path).texts == ["again\n"]
    assert server.process.pid != first.pid


def test_a_lent_server_may_still_be_starting_and_is_replaced_when_it_is_lost(tmp_path):
    lender, borrower = ForkServer(warm=False), ForkServer(warm=False)
    lender.begin()
    borrower.borrow(lender.control.dup())
    try:
        for lost in (False, True):
            if lost:
                lender.process.kill()
                lender.process.wait()
            channel, kernel = borrower.launch(str(tmp_path), [], b"", Limits())
            channel.close()
            assert kernel > 0 and (borrower.process is not None) == lost
    finally:
        borrower.stop()
        lender.stop()


def test_a_server_has_the_environment_of_now_and_this_python(monkeypatch):
    server = ForkServer(warm=False)
    monkeypatch.setenv("PATH", f"/usr/bin:/bin:{Path(sys.executable).parent}")
    try:
        server.begin_once()
        first = server.process
        assert shutil.which("python3", path=server._environment["PATH"]).startswith(
            str(Path(sys.executable).parent)
        )
        configure(Config())  # it sees to it that this Python's folder is on PATH
        server.begin_once()
        assert server.process is first
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
        server.begin_once()
        assert server.process is not first and not alive(first.pid)
        assert server._environment["CUDA_VISIBLE_DEVICES"] == "3"
    finally:
        server.stop()


def test_a_server_that_keeps_crashing_is_reported(tmp_path, monkeypatch):
    server, starts = ForkServer(), []
    monkeypatch.setattr(ForkServer, "start", lambda self: starts.append(1))
    monkeypatch.setattr(ForkServer, "_ask", lambda *arguments: (_ for _ in ()).throw(ConnectionResetError()))
    with pytest.raises(RuntimeError, match="crashed twice"):
        server.launch(str(tmp_path), [], b"", Limits())
    assert len(starts) == 2


def test_everything_ends_with_a_grader_that_is_killed(tmp_path):
    code = (
        "import os, sys; sys.path.insert(0, 'tests')\nfrom coursegrader.sandbox.fork_client import "
        "ForkServer\nfrom coursegrader.sandbox.provisioner import connection_folder\nfrom "
        "coursegrader.sandbox.jail import Limits\nimport socket\nfolder = connection_folder(); ls = "
        "[]\nfor n in range(4):\n    s = socket.socket(socket.AF_UNIX); "
        f"s.bind(f'{{folder}}/x-{{n}}'); s.listen(); ls.append(s)\nchannel, kernel = "
        f"ForkServer.shared().launch({str(tmp_path)!r}, [s.fileno() for s in ls], b'k', "
        "Limits())\nprint(ForkServer.shared().process.pid, kernel, folder, flush=True)\nimport time; "
        "time.sleep(60)"
    )
    grader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    server, kernel, folder = grader.stdout.readline().split()
    assert alive(int(server)) and alive(int(kernel)) and Path(folder).exists()
    grader.send_signal(signal.SIGKILL)
    grader.wait()
    assert wait_until(lambda: not alive(int(server)) and not alive(int(kernel)))
    from coursegrader.sandbox.provisioner import sweep

    os.utime(folder)
    sweep(Path(folder).parent)
    assert Path(folder).exists(), "a young folder may be one that its grader has not locked yet"
    os.utime(folder, (0, 0))
    sweep(Path(folder).parent)
    assert not Path(folder).exists() and connection_folder().exists()
