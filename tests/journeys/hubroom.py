"""A machine as a hub has it: accounts, homes and groups of the system, made for a test and taken away.

Everything runs in a mount namespace of its own, in which the project lies as an administrator would have it:
solutions and the history are copies, so that setup.sh can close them without touching this checkout.
"""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from commands import BIN
from journeys.servers import PATIENCE, Server, free_port

from coursegrader.course.secret import FIXED, secret_path

ROOT = Path(__file__).resolve().parents[2]
HUB = ROOT / "book" / "instructors" / "hub"
PASSWORD = "a-password-of-the-test"


def share_kept(problem_set, course: Path) -> None:
    """Give a course the fingerprints that this checkout keeps, or makes now, which takes half a minute; and
    the secret from which the hidden ones follow."""
    problem_set.public(), problem_set.hidden()
    problem_set.hand_on(course)
    owner, secret = course.stat(), secret_path(course)
    secret.write_text(os.environ[FIXED], encoding="ascii")
    secret.chmod(0o600)
    for path in (secret.parent, *secret.parent.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)


def why_not() -> str | None:
    """Why this machine cannot run a hub with accounts of its own; None if it can."""
    if os.geteuid() != 0:
        return "a hub with accounts of its own needs root"
    if missing := [
        name
        for name in (
            "useradd",
            "userdel",
            "groupadd",
            "groupdel",
            "chpasswd",
            "setpriv",
            "unshare",
            "nsenter",
        )
        if not shutil.which(name)
    ]:
        return f"{', '.join(missing)} missing"
    if (
        not (BIN / "jupyterhub").exists()
        or not (BIN.parent / "hub" / "node_modules" / ".bin" / "configurable-http-proxy").exists()
    ):
        return "JupyterHub and its proxy are not installed: make hub (needs npm)"
    if subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "true"], capture_output=True
    ).returncode:
        return "this machine makes no mount namespaces"
    return None


ROOMS = itertools.count()


class HubRoom:
    """Accounts in two groups, the namespace, and the hub."""

    def __init__(self, staff: list[str], students: list[str]):
        number = f"{os.getpid()}{next(ROOMS)}"
        self.place = Path(tempfile.mkdtemp(prefix="hub-", dir="/tmp"))
        self.place.chmod(0o755)
        self.groups = {"MEMBERS": f"course{number}", "STAFF": f"staff{number}"}
        self.staff, self.students = ([f"{name}{number}" for name in names] for names in (staff, students))
        self.users: list[str] = []
        self.variables = self.groups | {
            "COURSE": "spring",
            "PLACE": str(self.place / "srv"),
            "PROJECT": str(ROOT),
        }
        self.holder = self.hub = None

    def open(self) -> None:
        for group in self.groups.values():
            _run(["groupadd", group])
        for name in (*self.staff, *self.students):
            groups = self.groups["MEMBERS"] + (f",{self.groups['STAFF']}" if name in self.staff else "")
            _run(
                [
                    "useradd",
                    "--create-home",
                    "--home-dir",
                    self.place / name,
                    "--groups",
                    groups,
                    "--shell",
                    "/bin/bash",
                    name,
                ]
            )
            self.users.append(name)
            _run(["chpasswd"], input=f"{name}:{PASSWORD}\n")
        self._open_namespace()
        print(self.as_root(["sh", HUB / "setup.sh"]))

    def _open_namespace(self) -> None:
        """Make the folders of Python and the project reachable where they lie in a closed one, and lay copies
        over what setup.sh closes."""
        lines, closed = ["set -e"], {}
        for path in dict.fromkeys([Path(sys.base_prefix).resolve(), Path(sys.prefix).resolve(), ROOT]):
            if above := next(
                (parent for parent in reversed(path.parents) if not parent.stat().st_mode & 1), None
            ):
                closed.setdefault(above, []).append(path)
        for number, path in enumerate(path for paths in closed.values() for path in paths):
            (self.place / "kept" / str(number)).mkdir(parents=True)
            lines.append(f"mount --rbind '{path}' '{self.place}/kept/{number}'")
        number = 0
        for above, paths in closed.items():
            lines.append(f"mount -t tmpfs -o mode=755 none '{above}'")
            for path in paths:
                lines += [f"mkdir -p '{path}'", f"mount --rbind '{self.place}/kept/{number}' '{path}'"]
                number += 1
        shutil.copytree(ROOT / "solutions", self.place / "closed" / "solutions")
        lines.append(f"mount --bind '{self.place}/closed/solutions' '{ROOT}/solutions'")
        if (ROOT / ".git").is_dir():
            (self.place / "closed" / "git").mkdir()
            lines.append(f"mount --bind '{self.place}/closed/git' '{ROOT}/.git'")
        lines += [f"touch '{self.place}/ready'", "exec sleep infinity"]
        self.holder = subprocess.Popen(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", "\n".join(lines)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        until = time.monotonic() + 300
        while not (self.place / "ready").exists():
            assert self.holder.poll() is None, self.holder.stdout.read().decode()
            assert time.monotonic() < until, "The namespace was not ready after five minutes."
            time.sleep(0.05)

    def _inside(self, arguments) -> list[str]:
        return [
            "nsenter",
            f"--mount=/proc/{self.holder.pid}/ns/mnt",
            f"--wd={self.place}",
            *map(str, arguments),
        ]

    def as_root(self, arguments) -> str:
        return _run(self._inside(arguments), env=os.environ | self.variables)

    def run_as(self, name: str, script: str, expect: int | None = 0) -> str:
        """Run a shell script as this user, as in a terminal of JupyterLab; `expect` None: any exit code."""
        folders = [HUB / "staff", HUB / "everybody"] if name in self.staff else [HUB / "everybody"]
        variables = {
            "HOME": self.place / name,
            "USER": name,
            "LOGNAME": name,
            "PATH": f"{BIN}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "COURSE": "spring",
            "EXCHANGE": self.exchange,
            "JUPYTER_CONFIG_PATH": ":".join(map(str, folders)),
            "OMP_NUM_THREADS": "1",
        }
        account = pwd.getpwnam(name)
        command = [
            "setpriv",
            f"--reuid={account.pw_uid}",
            f"--regid={account.pw_gid}",
            "--init-groups",
            "env",
            "-i",
            *(f"{key}={value}" for key, value in variables.items()),
            "sh",
            "-c",
            f"cd ~ && {script}",
        ]
        return _run(self._inside(command), expect=expect, errors=True)

    @property
    def exchange(self) -> Path:
        return self.place / "srv" / "exchange"

    def start(self, configuration: str = "jupyterhub_config.py", **variables: str) -> Server:
        """Start the hub, and return when it answers."""
        port, log = free_port(), self.place / "hub.log"
        command = [
            BIN / "jupyterhub",
            "-f",
            HUB / configuration,
            f"--JupyterHub.bind_url=http://127.0.0.1:{port}",
            f"--JupyterHub.hub_port={free_port()}",
            f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{free_port()}",
        ]
        with log.open("wb") as file:
            self.hub = subprocess.Popen(
                self._inside(command),
                env=os.environ | self.variables | variables,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        server = Server(f"http://127.0.0.1:{port}/", log)
        until = time.monotonic() + PATIENCE
        while True:
            try:
                urllib.request.urlopen(f"{server.url}hub/health", timeout=30).close()
                return server
            except OSError:
                said = log.read_text(encoding="utf-8", errors="replace")
                assert self.hub.poll() is None and time.monotonic() < until, said
                time.sleep(0.3)

    def close(self) -> None:
        """End the hub and whatever the accounts still run, and take the accounts away."""
        if self.hub is not None:
            self.hub.terminate()  # it ends its proxy and the users' servers
            try:
                self.hub.wait(60)
            except subprocess.TimeoutExpired:
                os.killpg(self.hub.pid, signal.SIGKILL)
                self.hub.wait(30)
        for name in self.users:
            for _ in range(50):
                if not (left := _processes(pwd.getpwnam(name).pw_uid)):
                    break
                for number in left:
                    try:
                        os.kill(number, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
                time.sleep(0.1)
            subprocess.run(["userdel", "--force", name], capture_output=True)
        for group in self.groups.values():
            subprocess.run(["groupdel", group], capture_output=True)
        if self.holder is not None:
            self.holder.kill()
            self.holder.wait()
        shutil.rmtree(self.place, ignore_errors=True)


def _processes(user: int) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if folder.stat().st_uid == user:
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def _run(arguments, expect: int | None = 0, errors: bool = False, **options) -> str:
    done = subprocess.run(
        [str(argument) for argument in arguments], capture_output=True, text=True, **options
    )
    assert expect is None or done.returncode == expect, (
        f"{done.returncode} from {arguments}:\n{done.stdout}{done.stderr}"
    )
    return done.stdout + (done.stderr if errors else "")
