"""The jail around a process that runs a stranger's code: it locks itself in, and cannot get out again.

Everything here is system calls, made by the forked child itself. bubblewrap does the same and is reviewed by
many, but it starts a new program: a jailed kernel would import torch again (seconds), and a fork of a warm
process could not be jailed (a fork server inside one bubblewrap needs the same calls for each child, with
more rights left in the jail than ours has). So the calls are made from here, in bubblewrap's order:
namespaces, a new root from nothing, then no rights, no way to new ones, and a filter.
"""

from __future__ import annotations

import fcntl
import fnmatch
import os
import platform
import resource
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from coursegrader.sandbox.rights import give_up_rights
from coursegrader.sandbox.system_calls import (
    BIND,
    NEWCGROUP,
    NEWIPC,
    NEWNET,
    NEWNS,
    NEWPID,
    NEWUSER,
    NEWUTS,
    NODEV,
    NOEXEC,
    NOSUID,
    NUMBERS,
    PDEATHSIG,
    PRIVATE,
    RDONLY,
    REC,
    REMOUNT,
    JailError,
    libc,
    may_use_root,
    mount,
    set_attributes,
    system_call,
    unshare,
)

HOME = "/home/student"
NEVER_COPIED = (
    "rubric*",
    "verdicts.json",
    ".verdicts.json*",
    "*.db",
    "nbgrader_config.py",
    "__pycache__",
    ".ipynb_checkpoints",
)
SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/fonts",
    "/etc/mime.types",
    "/etc/alternatives",
    "/etc/nsswitch.conf",
    "/etc/magic",
)
DEVICES = ("null", "zero", "full", "random", "urandom")


@dataclass(frozen=True)
class Limits:
    """What one notebook may use; memory is for its processes together and its files, under `scratch`."""

    memory: int = 2 << 30
    scratch: int = 256 << 20
    file_size: int = 128 << 20
    processes: int = 128
    seconds: int = 900


def new_process_space() -> None:
    """This process's next child is number 1 of its own process namespace: its end kills all in it."""
    if may_use_root():
        return unshare(NEWPID, "a process namespace")
    user, group = os.geteuid(), os.getegid()
    unshare(NEWUSER | NEWPID, "a user namespace")
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")


def lock_in(folder: int | None, limits: Limits, visible: list[str], user: int | None) -> None:
    """In child number 1 of `new_process_space`, one thread alone: build the jail, enter, give up all rights.

    folder: a descriptor of the folder whose files the notebook may see (they are copied). visible: further
    folders to show read-only. user: the number to become, when started as root; None keeps the user's own.
    """
    libc.prctl(PDEATHSIG, 9, 0, 0, 0)
    unshare(NEWNS | NEWNET | NEWIPC | NEWUTS | NEWCGROUP, "mount, network and ipc namespaces")
    libc.sethostname(b"jail", 4)
    new_root(folder, limits, visible, os.geteuid() if user is None else user)
    set_limits(limits)
    give_up_rights(user)
    os.chdir(HOME)


def new_root(folder: int | None, limits: Limits, visible: list[str], user: int) -> None:
    mount("none", "/", None, REC | PRIVATE)
    mount("jail", "/tmp", "tmpfs", NOSUID | NODEV, "size=1m,nr_inodes=2000,mode=755")
    os.chdir("/tmp")
    os.mkdir("old")
    system_call(
        libc.syscall(NUMBERS[platform.machine()]["pivot_root"], b".", b"old"), "cannot change the root"
    )
    os.chdir("/")
    # such a checkout: shown once /tmp is there
    below_tmp = [path for path in visible if path.startswith("/tmp/")]
    for path in dict.fromkeys([*SYSTEM, *visible]):
        if path not in below_tmp:
            show(path)
    os.makedirs("/dev", exist_ok=True)
    for name in DEVICES:
        Path(f"/dev/{name}").touch()
        mount(f"/old/dev/{name}", f"/dev/{name}", None, BIND)
        set_attributes(f"/dev/{name}", NOSUID | NOEXEC)
    for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(f"/proc/self/{target}", f"/dev/{name}")
    Path("/etc/passwd").write_text(f"student:x:{user}:{user}:student:{HOME}:/bin/sh\n", encoding="ascii")
    Path("/etc/group").write_text(f"student:x:{user}:\n", encoding="ascii")
    Path("/etc/hosts").write_text("127.0.0.1 localhost jail\n", encoding="ascii")
    os.mkdir("/proc")
    mount("proc", "/proc", "proc", RDONLY | NOSUID | NODEV | NOEXEC)

    writable = (("home", HOME), ("tmp", "/tmp"), ("shm", "/dev/shm"))
    for place in ("/store", *(place for _, place in writable)):
        os.makedirs(place)
    mount("scratch", "/store", "tmpfs", NOSUID | NODEV, f"size={limits.scratch},nr_inodes=20000,mode=755")
    for name, place in writable:
        os.mkdir(f"/store/{name}", 0o700)
        if name == "home" and folder is not None:
            copy_files(folder, "/store/home", limits.scratch // 2, user)
        os.chown(f"/store/{name}", user, user if may_chown(user) else -1)
        mount(f"/store/{name}", place, None, BIND)
    for path in below_tmp:
        show(path)
    system_call(libc.umount2(b"/store", 2), "cannot hide the store")
    system_call(libc.umount2(b"/old", 2), "cannot leave the old root")
    os.rmdir("/old")
    os.rmdir("/store")
    mount("none", "/", None, REMOUNT | BIND | RDONLY | NOSUID | NODEV)


def may_chown(user: int) -> bool:
    return user != os.geteuid()


def show(path: str) -> None:
    """Put one path of the old root, read-only, at the same place in the new one; a link stays a link."""
    source = f"/old{path}"
    if os.path.islink(source) and path in SYSTEM and not path.startswith("/etc/"):
        os.symlink(os.readlink(source), path)
        return
    if not os.path.exists(source) or os.path.lexists(path) and os.path.ismount(path):
        return
    if os.path.isdir(source):
        os.makedirs(path, exist_ok=True)
        if os.path.samefile(source, path):
            return  # already inside another one
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.islink(source):  # such as /etc/localtime: the file itself, not where it points
            source = "/old" + os.path.realpath(source).removeprefix("/old")
            if not os.path.isfile(source):
                return
        Path(path).touch()
    mount(source, path, None, BIND | REC)
    set_attributes(path, RDONLY | NOSUID | NODEV)


def copy_files(folder: int, target: str, room: int, user: int) -> None:
    """Copy plain files and folders; follow no link, take nothing private, stop when there is too much."""
    for name in os.listdir(folder):
        if any(fnmatch.fnmatch(name, pattern) for pattern in NEVER_COPIED):
            continue
        try:
            source = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        except OSError:
            continue
        try:
            found, path = os.fstat(source), f"{target}/{name}"
            if stat.S_ISDIR(found.st_mode):
                os.mkdir(path, 0o700)
                room = copy_files(source, path, room, user)
            elif stat.S_ISREG(found.st_mode):
                room -= found.st_size
                if room < 0:
                    raise JailError(
                        "the notebook's folder holds more files than its scratch folder has room for"
                    )
                with open(source, "rb", closefd=False) as reading, open(path, "xb") as writing:
                    shutil.copyfileobj(reading, writing)
            else:
                continue
            os.chown(path, user, user if may_chown(user) else -1)
        finally:
            os.close(source)
    return room


def set_limits(limits: Limits) -> None:
    used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * resource.getpagesize()
    for name, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_NPROC, limits.processes),
        (resource.RLIMIT_DATA, used + limits.memory),
        (resource.RLIMIT_CPU, limits.seconds),
        (resource.RLIMIT_NOFILE, 1024),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_MEMLOCK, 1 << 16),
    ):
        hard = resource.getrlimit(name)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(name, (most, most))


def close_all_but(kept: set[int]) -> None:
    """Close every descriptor but these; `kept` ones stay open over no exec."""
    for name in os.listdir("/proc/self/fd"):
        number = int(name)
        if number not in kept:
            try:
                os.close(number)
            except OSError:
                pass
    for number in kept:
        if number > 2:
            fcntl.fcntl(number, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
