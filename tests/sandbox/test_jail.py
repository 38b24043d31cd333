"""What a submission must not be able to do, whatever it tries. Runs as root and as a normal user."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from sandbox.attacks import CALLS, SOCKETS
from sandbox.jailroom import enough_seconds, run, wait_until
from sandbox.normal_user import needs_root, passes_for_a_normal_user

from coursegrader.sandbox import provisioner
from coursegrader.sandbox.fork_client import ForkServer

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("jail")]
TRY = """
import json, os, sys, errno, warnings
warnings.simplefilter("ignore")  # Python warns of forks in a process with threads
def attempt(function, *arguments):
    try:
        found = function(*arguments)
        return "done: " + repr(found)[:60]
    except BaseException as error:
        return type(error).__name__
def read(path): return open(path, 'rb').read(40)
"""


@pytest.fixture
def place(tmp_path):
    """A course folder with secrets, and in it the folder of one submission."""
    (tmp_path / "gradebook.db").write_text("everybody's grades")
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "rubric.py").write_text("the answers")
    folder = tmp_path / "autograded" / "zoe-secret-name" / "03"
    folder.mkdir(parents=True)
    (folder / "03.ipynb").write_text("{}")
    return folder


def course(place: Path) -> Path:
    return place.parents[2]


def test_it_cannot_read_the_course_the_system_or_other_submissions(place, root):
    forbidden = [
        course(place) / "gradebook.db",
        course(place) / "solutions" / "rubric.py",
        root / "solutions",
        root / ".git",
        root / "tests",
        root / "lib" / "coursegrader",
        "/etc/shadow",
        "/etc/passwd-",
        "/root/.bashrc",
        "/var",
        "/run",
        "/sys",
        "/srv",
        "/home/student/../..//var",
        "/proc/1/root/var",
        "/proc/self/root/etc/shadow",
        "/proc/1/cwd/../../var",
        "/proc/kcore",
        "/dev/mem",
        "/dev/vda",
        "/dev/kmsg",
        "/dev/tty",
        "/old",
        "/store",
    ]
    done = run(
        TRY,
        (
            f"print(json.dumps({{p: [attempt(read, p), attempt(os.listdir, p)] for p in "
            f"{[str(path) for path in forbidden]!r}}}))"
        ),
        "print(json.dumps([sorted(os.listdir('.')), sorted(os.listdir('/dev'))]))",
        folder=place,
    )
    opened = {
        path: answers
        for path, answers in done.data(1).items()
        if any(answer.startswith("done") for answer in answers)
    }
    assert opened == {}
    assert done.data(2)[0] == ["03.ipynb"]
    assert set(done.data(2)[1]) == {
        "null",
        "zero",
        "full",
        "random",
        "urandom",
        "shm",
        "fd",
        "stdin",
        "stdout",
        "stderr",
    }


def test_where_there_is_no_control_group_many_processes_get_one_processor(place):
    """So that they take nothing from the notebook beside them; a control group does better."""
    done = run(
        TRY,
        """
import time
for _ in range(60):
    if os.fork() == 0:
        time.sleep(600); os._exit(0)
end = time.monotonic() + PATIENCE
while len(os.sched_getaffinity(0)) > 1 and time.monotonic() < end:
    time.sleep(0.1)
everywhere = range(os.cpu_count())
print(json.dumps([len(os.sched_getaffinity(0)), attempt(os.sched_setaffinity, 0, everywhere)]))
""".replace("PATIENCE", "2" if os.getuid() == 0 else "60"),  # root has a control group, and waits in vain
        folder=place,
    )
    processors, moved = done.data(1)
    assert moved == "PermissionError"
    assert processors == 1 or os.getuid() == 0 and processors == len(os.sched_getaffinity(0))


def test_it_gets_neither_private_files_nor_what_links_point_to(place):
    (place / "rubric.py").write_text("the answers")
    (place / "verdicts.json").write_text("[]")
    (place / "data.csv").write_text("1,2")
    (place / "sub").mkdir()
    (place / "sub" / "link").symlink_to(course(place) / "gradebook.db")
    (place / "link").symlink_to(course(place) / "gradebook.db")
    (place / "folder").symlink_to(course(place))
    os.mkfifo(place / "fifo")
    done = run(
        TRY,
        ("print(json.dumps([sorted(os.listdir('.')), os.listdir('sub'), open('data.csv').read()]))"),
        (
            f"os.symlink({str(course(place) / 'gradebook.db')!r}, 'mine'); "
            "print(json.dumps(attempt(read, 'mine')))"
        ),
        folder=place,
    )
    assert done.data(1) == [["03.ipynb", "data.csv", "sub"], [], "1,2"]
    assert done.data(2) == "FileNotFoundError"


def test_it_does_not_see_the_graders_environment_or_the_students_name(place, monkeypatch):
    monkeypatch.setenv("COURSE_SECRET", "sesame-opens")
    ForkServer.shared().stop()
    done = run(
        TRY,
        (
            "import gc, glob\nseen = [repr(dict(os.environ))] + [open(p, errors='replace').read() "
            "for p in glob.glob('/proc/*/environ')]\nframe, names = sys._getframe(), []\nwhile "
            "frame:\n    names.append(repr(frame.f_locals)[:100000]); frame = "
            "frame.f_back\nthings = [repr(o)[:2000] for o in gc.get_objects() if type(o) in "
            "(dict, list, tuple) and len(o) < 40]\ntext = ' '.join(seen + names + "
            "things)\nprint(json.dumps([len(text) > 1000, 'sesame-' + 'opens' in text, 'zoe-' + "
            "'secret-name' in text, 'COURSE_' + 'SECRET' in seen[0]]))"
        ),
        folder=place,
    )
    assert done.data() == [True, False, False, False]


def test_it_does_not_see_or_signal_other_processes(place):
    bystander = subprocess.Popen(["sleep", "60"])
    try:
        done = run(
            TRY,
            (
                "import signal\nprint(json.dumps([sorted(p for p in os.listdir('/proc') if "
                f"p.isdigit()), os.getppid(), *{{attempt(os.kill, n, 9) for n in ({os.getpid()}, "
                f"{ForkServer.shared().process.pid if ForkServer.shared().process else 99999}, "
                # a young container's own numbers may be those of a thread in the jail
                f"{bystander.pid}) if not os.path.exists(f'/proc/self/task/{{n}}')}}]))"
            ),
            (
                "attempt(os.kill, -1, 9); attempt(os.killpg, 0, 9); attempt(os.kill, 0, 15); "
                "attempt(os.kill, os.getppid(), 9); print(json.dumps('alive'))"
            ),
            "print(json.dumps('still here'))",
            folder=place,
        )
        assert done.data(1) == [["1"], 0, "ProcessLookupError"]
        assert not done.died and done.data(3) == "still here"
        assert bystander.poll() is None and ForkServer.shared().process.poll() is None
    finally:
        bystander.kill()


def test_it_writes_nowhere_but_in_its_scratch_folder(place, root):
    before = sorted(course(place).rglob("*"))
    places = [
        "/x",
        "/usr/x",
        "/etc/x",
        "/etc/passwd",
        "/dev/x",
        "/proc/sys/kernel/hostname",
        "/proc/1/oom_score_adj",
        "/home/x",
        "/var/x",
        str(Path(sys.prefix) / "x"),
        str(root / "lib" / "allyouneed" / "x"),
        str(root / "lib" / "allyouneed" / "nn" / "attention.py"),
        str(place / "x"),
        str(Path(sys.base_prefix) / "lib" / "x"),
    ]
    done = run(
        TRY,
        ("def write(path):\n    with open(path, 'a') as file: file.write('x')\n    return 'written'"),
        f"print(json.dumps({{p: attempt(write, p) for p in {places!r}}}))",
        (
            "print(json.dumps([attempt(write, p) for p in ('here', '/tmp/x', '/dev/shm/x', "
            "'/home/student/x')]))"
        ),
        folder=place,
    )
    assert {path: answer for path, answer in done.data(2).items() if answer.startswith("done")} == {}
    assert all(answer.startswith("done") for answer in done.data(3))
    assert sorted(course(place).rglob("*")) == before, "what it wrote must not reach the grader's folders"


def test_it_reaches_no_network_and_no_socket_of_the_machine(place):
    doors = [
        socket.create_server(("127.0.0.1", 0)),
        socket.socket(socket.AF_UNIX),
        socket.socket(socket.AF_UNIX),
    ]
    path, hidden = f"/tmp/door-{os.getpid()}", f"\0door-{os.getpid()}"
    doors[1].bind(path)
    doors[2].bind(hidden)
    try:
        for door in doors:
            door.listen()
            door.setblocking(False)
        done = run(
            TRY,
            (
                "import socket\ndef knock(family, address):\n    s = socket.socket(family); "
                "s.settimeout(2); s.connect(address); return "
                "'in'\nprint(json.dumps([attempt(knock, socket.AF_INET, ('127.0.0.1', "
                f"{doors[0].getsockname()[1]})), attempt(knock, socket.AF_INET, ('10.0.0.1', "
                f"80)), attempt(knock, socket.AF_UNIX, {path!r}), attempt(knock, socket.AF_UNIX, "
                f"{hidden!r}), attempt(socket.getaddrinfo, 'example.org', 80), "
                "attempt(socket.socket, 40, 1), attempt(socket.socket, 38, 5), "
                "attempt(socket.socket, 17, 3), attempt(socket.socket, 16, 3, 12)]))"
            ),
            folder=place,
        )
        assert not any(answer.startswith("done") for answer in done.data()), done.texts
        for door in doors:
            with pytest.raises(BlockingIOError):
                door.accept()
    finally:
        os.unlink(path)
        for door in doors:
            door.close()


def test_it_has_no_rights_and_gets_no_new_ones(place):
    done = run(
        TRY,
        (
            "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nstatus = "
            "dict(line.split(':', 1) for line in "
            "open('/proc/self/status').read().splitlines())\ntasks = [dict(line.split(':', 1) for "
            "line in open(f'/proc/self/task/{t}/status').read().splitlines()) for t in "
            "os.listdir('/proc/self/task')]\nprint(json.dumps([sorted({t[k].strip() for t in "
            "tasks for k in ('CapEff', 'CapPrm', 'CapBnd', 'CapInh', 'CapAmb')}), "
            "sorted({t['NoNewPrivs'].strip() + t['Seccomp'].strip() for t in tasks}), os.getuid() "
            "!= 0, [attempt(f, 0) for f in (os.setuid, os.setgid)], [libc.unshare(f) for f in "
            "(0x10000000, 0x20000, 0x40000000)], libc.mount(b'x', b'/tmp', b'tmpfs', 0, None), "
            "libc.mount(b'none', b'/', None, 32 | 4096, None), libc.ptrace(0, 0, 0, 0), "
            "libc.syscall(321, 0, 0, 0), libc.syscall(425, 1, 0), libc.umount2(b'/proc', 2), "
            "libc.chroot(b'/tmp')]))"
        ),
        (
            "print(json.dumps(os.waitstatus_to_exitcode(os.system('su -c true student </dev/null "
            ">/dev/null 2>&1; id -u > /tmp/id')) == 0 and open('/tmp/id').read().strip() != '0'))"
        ),
        folder=place,
    )
    caps, confined, unprivileged, ids, spaces, *calls = done.data(1)
    assert caps == ["0000000000000000"] and confined == ["12"] and unprivileged
    assert (
        not any(answer.startswith("done") for answer in ids) and spaces == [-1, -1, -1] and set(calls) == {-1}
    )
    assert done.data(2)


def test_a_fork_bomb_stays_in_its_jar(place):
    done = run(
        TRY,
        (
            "import time\ncount = 0\ntry:\n    for _ in range(1000):\n        if os.fork() == "
            "0:\n            time.sleep(60); os._exit(0)\n        count += 1\nexcept OSError as "
            "error:\n    pass\nprint(json.dumps(count))"
        ),
        folder=place,
        processes=60,
    )
    assert done.data() <= 60
    assert run("print(1)", folder=place).texts == ["1\n"]


def test_a_memory_bomb_in_one_process_hurts_only_itself(place):
    done = run(
        TRY,
        (
            "x = []\ndef eat():\n    for _ in range(100): x.append(os.urandom(1 << 16) * 400)\n   "
            " return len(x)\nr = attempt(eat); n = len(x); x = None; print(json.dumps([r, n]))"
        ),
        folder=place,
        memory=600 << 20,
    )
    assert done.died or (done.data()[0] == "MemoryError" and done.data()[1] * 26 < 700)


def test_memory_is_limited_for_all_its_processes_together(place):
    done = run(
        TRY,
        (
            "import time, mmap\nr, w = os.pipe()\nfor _ in range(10):\n    if os.fork() == 0:\n   "
            "     m = mmap.mmap(-1, 150 << 20); m.write(b'x' * (150 << 20)); os.write(w, b'x'); "
            "time.sleep(30); os._exit(0)\nos.close(w); n = 0\nwhile some := os.read(r, 100): n += len(some)\n"
            "print(json.dumps(n))"
        ),
        folder=place,
        memory=700 << 20,
    )
    assert done.died and done.reason == "memory" or done.data() * 150 <= 700, done


def test_it_cannot_fill_the_disk(place):
    done = run(
        TRY,
        (
            "total = 0\nfor folder in ('.', '/tmp', '/dev/shm'):\n    try:\n        for n in "
            "range(1000):\n            with open(f'{folder}/{n}', 'wb') as file:\n                "
            "for _ in range(8): total += file.write(bytes(1 << 20))\n    except OSError: "
            "pass\nprint(json.dumps(total >> 20))"
        ),
        folder=place,
        scratch=64 << 20,
    )
    assert 30 <= done.data() <= 64
    done = run(
        TRY,
        (
            "def big():\n    with open('big', 'wb') as file:\n        for _ in range(40): "
            "file.write(bytes(1 << 20))\nprint(json.dumps(attempt(big)))"
        ),
        folder=place,
    )
    assert done.data().startswith("done"), "an ordinary file fits"


def test_an_endless_print_costs_its_own_cell_only(place):
    timeout = enough_seconds(place)
    # less, on any machine, than what ends a notebook, which a test below is about
    endless = "import time\nwhile True: print('x' * 1000); time.sleep(0.001)"
    done = run(endless, "print('after')", folder=place, timeout=timeout)
    assert len(done.texts[0]) > 1000 and done.texts[1] == "after\n"


def test_a_flood_of_output_ends_the_notebook_not_the_grader(place, monkeypatch):
    monkeypatch.setattr(provisioner, "NOTEBOOK_BYTES", 4 << 20)
    done = run(
        ("from IPython.display import display\nwhile True: display({'text/plain': 'x' * 100000}, raw=True)"),
        "print('not reached')",
        folder=place,
    )
    assert done.died and done.reason == "output"
    assert sum(len(str(output)) for output in done.outputs[0]) < 8 << 20


ENDLESS = """
import socket, struct
part = b"x" * (1 << 20)
while True:
    for n in range(3, 200):
        try:
            one = socket.socket(fileno=os.dup(n))
            ours = one.family == socket.AF_UNIX and "coursegrader" in str(one.getsockname())
            if ours and not one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                one.settimeout(1)
                for _ in range(100): one.sendall(bytes([3]) + struct.pack(">Q", len(part)) + part)
        except OSError: continue
"""


def test_a_message_without_an_end_ends_the_notebook_not_the_grader(place, monkeypatch):
    monkeypatch.setattr(provisioner, "GROWTH_BYTES", 100 << 20)
    done = run(TRY, ENDLESS, "print('not reached')", folder=place)
    assert done.died and done.reason == "output" and done.texts[2] == ""


def test_it_gets_no_memory_that_no_process_holds_and_asks_no_machine_about_its_network(place):
    done = run(TRY, CALLS, SOCKETS, folder=place)
    assert "GAINED" not in str(done.texts) and not done.died, done.texts


def processes_named(marker: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if marker in path.read_text(errors="replace"):
                found.append(path.parent.name)
        except OSError:
            continue
    return found


LIVES = """
import glob, time
for _ in range(300):
    found = ['{marker}' in open(path).read() for path in glob.glob('/proc/[0-9]*/cmdline')].count(True)
    if found: break
    time.sleep(0.05)
print(json.dumps(found))
"""


def test_no_process_outlives_the_notebook(place):
    marker = f"98765.{os.getpid()}"
    source = (
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        "
        f"os.execv('/bin/sleep', ['sleep', {marker!r}])\n    os._exit(0)\nprint(json.dumps('left "
        "one'))"
    )
    assert run(TRY, source, LIVES.format(marker=marker), folder=place).data() == 1, (
        "the daemon must have lived for this test to mean anything"
    )
    assert wait_until(lambda: processes_named(marker) == [])


@pytest.mark.parametrize(
    "source",
    [
        "import os; os._exit(0)",
        "import os; os.abort()",
        "import ctypes; ctypes.string_at(0)",
        "import sys; sys.exit(3)",
        (
            "import threading, time\nthreading.Thread(target=lambda: "
            "[time.sleep(1) for _ in iter(int, 1)]).start()"
        ),
        "import atexit, time\natexit.register(lambda: time.sleep(3600))",
        ("import signal\nfor n in (1, 2, 3, 15): signal.signal(n, signal.SIG_IGN)"),
    ],
)
def test_no_way_to_end_holds_up_the_grader(place, source):
    usual = run("print(1)", folder=place).seconds
    assert run(source, folder=place).seconds < 20 + 10 * usual, (
        "what is waited for here takes an hour, or for ever"
    )
    assert run("print(2)", folder=place).texts == ["2\n"]


def test_the_notebooks_whole_time_is_limited(place):
    seconds = enough_seconds(place)
    endless = "import signal\nsignal.signal(2, signal.SIG_IGN)\nwhile True: pass"
    done = run(endless, folder=place, seconds=seconds)
    assert done.died and done.reason == "time"


def test_no_descriptor_of_the_server_is_left_in_it(place):
    done = run(
        TRY,
        (
            "import stat, socket\nfound = []\nfor n in range(1024):\n    try: kind = "
            "os.fstat(n)\n    except OSError: continue\n    if stat.S_ISSOCK(kind.st_mode):\n    "
            "    s = socket.socket(fileno=os.dup(n)); found.append(['socket', int(s.type), "
            "repr(s.getsockname())])\n    else: "
            "found.append([os.readlink(f'/proc/self/fd/{n}').split(':')[0]])\nprint(json.dumps(found))"
        ),
        folder=place,
    )
    kinds = {item[0] for item in done.data()}
    assert kinds <= {"socket", "pipe", "anon_inode", "/dev/null"}, kinds
    sockets = [item for item in done.data() if item[0] == "socket"]
    assert not [item for item in sockets if item[1] == socket.SOCK_SEQPACKET], (
        "the grader's own sockets are of this type"
    )


def test_without_a_jail_it_runs_and_leaves_no_process_either(place):
    marker = f"87654.{os.getpid()}"
    done = run(
        TRY,
        (
            "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        "
            f"os.execv('/bin/sleep', ['sleep', {marker!r}])\n    os._exit(0)"
        ),
        f"print(json.dumps([os.getcwd(), os.path.exists({str(course(place) / 'gradebook.db')!r})]))",
        folder=place,
        jailed=False,
    )
    assert done.data() == [str(place), True]
    assert wait_until(lambda: processes_named(marker) == [])


@pytest.mark.skipif(os.getuid() != 0, reason="takes root's rights away first")
def test_where_no_jail_can_be_made_the_reason_is_given(tmp_path):
    code = "from coursegrader.sandbox.fork_client import why_no_jail; print(why_no_jail())"
    script = (
        "echo 0 > /proc/sys/user/max_user_namespaces; exec setpriv --bounding-set=-sys_admin "
        f"{sys.executable} -c '{code}'"
    )
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "sh", "-c", script],
        capture_output=True,
        text=True,
        timeout=1800,
    )
    assert (
        "cannot jail a submission" in done.stdout
        and "namespace" in done.stdout
        and "--no-jail" in done.stdout
    ), done


@pytest.mark.slow
@needs_root
def test_all_of_this_holds_for_a_normal_user_too(root):
    here = Path(__file__)
    said = passes_for_a_normal_user(root, [here, here.with_name("test_fork_server.py")], "not holds_up")
    # what root alone can try, and large pages where the system has none
    assert re.search(" passed, [23] skipped, ", said), said
