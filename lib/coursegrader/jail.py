"""The jail around a process that runs what a stranger wrote: the process locks itself in, and cannot get out again.

Everything here is system calls, made by the forked child itself. bubblewrap does the same and is reviewed by many, but it starts a
new program: a jailed kernel would import torch again (seconds), and a fork of a warm process could not be jailed (a fork server
inside one bubblewrap needs the same calls for each child, with more rights left in the jail than ours has). So the calls are
made from here, in bubblewrap's order: namespaces, a new root from nothing, then no rights, no way to new ones, and a filter.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import fnmatch
import os
import platform
import resource
import shutil
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

libc = ctypes.CDLL(None, use_errno=True)

HOME = "/home/student"
NEVER_COPIED = ("rubric*", "verdicts.json", ".verdicts.json*", "*.db", "nbgrader_config.py", "__pycache__", ".ipynb_checkpoints")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
          "/etc/localtime", "/etc/timezone", "/etc/fonts", "/etc/mime.types", "/etc/alternatives", "/etc/nsswitch.conf", "/etc/magic")
DEVICES = ("null", "zero", "full", "random", "urandom")

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, NEWCGROUP = (
    0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000, 0x2000000)
RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND, REC, PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
PDEATHSIG, DUMPABLE, SECCOMP, CAPBSET_DROP, NO_NEW_PRIVS, CAP_AMBIENT = 1, 4, 22, 24, 38, 47
NUMBERS = {
    "x86_64": {"arch": 0xC000003E, "pivot_root": 155, "capset": 126, "clone": 56, "socket": 41, "denied": (
        101, 135, 154, 155, 161, 163, 165, 166, 167, 168, 169, 175, 176, 179, 246, 248, 249, 250, 272, 298, 303, 304, 308, 310, 311,
        313, 320, 321, 323)},
    "aarch64": {"arch": 0xC00000B7, "pivot_root": 41, "capset": 91, "clone": 220, "socket": 198, "denied": (
        117, 92, 41, 51, 89, 40, 39, 224, 225, 142, 105, 106, 60, 104, 217, 218, 219, 97, 241, 264, 265, 268, 270, 271, 273, 294, 280,
        282)},
}
DENIED_EVERYWHERE = (425, 426, 427, 428, 429, 430, 431, 432, 433, 442)  # io_uring, and the newer calls that mount
MOUNT_SETATTR, CLONE3 = 442, 435


class JailError(Exception):
    """This machine cannot jail a process; the message says why."""


@dataclass(frozen=True)
class Limits:
    """What one notebook may use. Memory counts for all its processes together; its files live in memory too, under `scratch`."""

    memory: int = 2 << 30
    scratch: int = 256 << 20
    file_size: int = 128 << 20
    processes: int = 128
    seconds: int = 900


def may_use_root() -> bool:
    """Whether this process has root's rights over mounts, so that no user namespace is needed."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    effective = int(next(line for line in status.splitlines() if line.startswith("CapEff")).split()[1], 16)
    return os.geteuid() == 0 and bool(effective & 1 << 21)


def system_call(result: int, what: str) -> int:
    """Raise JailError with the system's own words when a call failed."""
    if result < 0:
        number = ctypes.get_errno()
        hint = ""
        if number in (errno.EPERM, errno.ENOSPC) and os.geteuid():
            hint = (" (does this system let users make user namespaces? See the sysctls user.max_user_namespaces,"
                    " kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns)")
        elif number == errno.EPERM:
            hint = " (a container without the right CAP_SYS_ADMIN cannot)"
        raise JailError(f"{what}: {os.strerror(number)}{hint}")
    return result


def unshare(flags: int, what: str) -> None:
    """Leave namespaces of the rest of the machine."""
    system_call(libc.unshare(flags), f"cannot make {what}")


def new_process_space() -> None:
    """The next child of this process is number 1 of its own process namespace: when it ends, everything in it is killed."""
    if may_use_root():
        return unshare(NEWPID, "a process namespace")
    user, group = os.geteuid(), os.getegid()
    unshare(NEWUSER | NEWPID, "a user namespace")
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")


def mount(source: str, target: str, kind: str | None = None, flags: int = 0, data: str | None = None) -> None:
    result = libc.mount(source.encode(), target.encode(), kind.encode() if kind else None, ctypes.c_ulong(flags),
                        data.encode() if data else None)
    system_call(result, f"cannot mount {kind or source} on {target}")


def set_attributes(target: str, attributes: int) -> None:
    """Make a mount and all below it read-only, without set-uid programs or devices."""
    wanted = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)
    system_call(libc.syscall(MOUNT_SETATTR, -100, target.encode(), 0x8000, ctypes.byref(wanted), 32), f"cannot protect {target}")


def lock_in(folder: int | None, limits: Limits, visible: list[str], user: int | None) -> None:
    """Called in the child that `new_process_space` made number 1, with one thread: build the jail, enter it, and give up all rights.

    folder: a descriptor of the folder whose files the notebook may see (they are copied). visible: further folders to show
    read-only. user: the number to become, when started as root; None keeps the user's own.
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
    system_call(libc.syscall(NUMBERS[platform.machine()]["pivot_root"], b".", b"old"), "cannot change the root")
    os.chdir("/")
    below_tmp = [path for path in visible if path.startswith("/tmp/")]  # such a checkout: shown once /tmp is there
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
                    raise JailError("the notebook's folder holds more files than its scratch folder has room for")
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
    for name, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, limits.file_size), (resource.RLIMIT_NPROC, limits.processes),
                       (resource.RLIMIT_DATA, used + limits.memory), (resource.RLIMIT_CPU, limits.seconds),
                       (resource.RLIMIT_NOFILE, 1024), (resource.RLIMIT_MSGQUEUE, 0), (resource.RLIMIT_MEMLOCK, 1 << 16)):
        hard = resource.getrlimit(name)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(name, (most, most))


def give_up_rights(user: int | None) -> None:
    last = int(Path("/proc/sys/kernel/cap_last_cap").read_text(encoding="ascii"))
    for right in range(last + 1):
        system_call(libc.prctl(CAPBSET_DROP, right, 0, 0, 0), "cannot give up rights")
    libc.prctl(CAP_AMBIENT, 4, 0, 0, 0)
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    numbers = NUMBERS[platform.machine()]
    system_call(libc.syscall(numbers["capset"], ctypes.byref(header), ctypes.byref(none)), "cannot give up rights")
    libc.prctl(PDEATHSIG, 9, 0, 0, 0)  # changing the user cleared it
    libc.prctl(DUMPABLE, 1, 0, 0, 0)
    system_call(libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0), "cannot refuse new rights")
    install_filter(numbers)


def install_filter(numbers: dict) -> None:
    """Refuse the calls that make namespaces, mounts and kernel objects, and sockets of families that no namespace confines."""
    refuse, allow, kill = 0x50000 | errno.EPERM, 0x7FFF0000, 0x80000000
    load_number, load_arch, load_first = (0x20, 0, 0, 0), (0x20, 0, 0, 4), (0x20, 0, 0, 16)
    program = [load_arch, (0x15, 1, 0, numbers["arch"]), (0x06, 0, 0, kill), load_number]
    program += [(0x35, 0, 1, 0x40000000), (0x06, 0, 0, refuse)]
    for number in (*numbers["denied"], *DENIED_EVERYWHERE):
        program += [(0x15, 0, 1, number), (0x06, 0, 0, refuse)]
    program += [(0x15, 0, 1, CLONE3), (0x06, 0, 0, 0x50000 | errno.ENOSYS)]
    program += [(0x15, 0, 4, numbers["clone"]), load_first, (0x45, 0, 1, 0x7E020000), (0x06, 0, 0, refuse), (0x06, 0, 0, allow)]
    family, protocol = load_first, (0x20, 0, 0, 32)  # unix, internet, and netlink's plain questions: all of them within the namespaces
    program += [(0x15, 0, 8, numbers["socket"]), family, (0x15, 6, 0, 1), (0x15, 5, 0, 2), (0x15, 4, 0, 10), (0x15, 0, 2, 16), protocol,
                (0x15, 1, 0, 0), (0x06, 0, 0, 0x50000 | errno.EAFNOSUPPORT), (0x06, 0, 0, allow)]
    raw = (ctypes.c_char * (8 * len(program)))()
    for place, (code, yes, no, value) in enumerate(program):
        raw[8 * place:8 * place + 8] = (code.to_bytes(2, sys.byteorder) + bytes((yes, no)) + value.to_bytes(4, sys.byteorder))

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    filled = Program(len(program), ctypes.addressof(raw))
    system_call(libc.prctl(SECCOMP, 2, ctypes.byref(filled), 0, 0), "cannot filter system calls")


class ControlGroup:
    """A control group for one jail, where this user may make one; elsewhere `make` gives None and the supervisor watches instead."""

    def __init__(self, folders: list[Path]):
        self.folders = folders

    @classmethod
    def make(cls, limits: Limits, name: str) -> ControlGroup | None:
        group = cls([])
        try:
            for line in Path("/proc/self/cgroup").read_text(encoding="ascii").splitlines():
                _, kinds, path = line.split(":", 2)
                for kind, files in (("memory", {"memory.limit_in_bytes": limits.memory}), ("pids", {"pids.max": limits.processes})):
                    if kind in kinds.split(","):
                        group.add(Path(f"/sys/fs/cgroup/{kind}{path}") / name, files)
                if not kinds and (parent := Path(f"/sys/fs/cgroup{path}")).joinpath("cgroup.subtree_control").exists():
                    if {"memory", "pids"} <= set((parent / "cgroup.subtree_control").read_text(encoding="ascii").split()):
                        group.add(parent / name, {"memory.max": limits.memory, "memory.swap.max": 0, "pids.max": limits.processes})
        except OSError:
            group.remove()
            return None
        return group if any("memory" in str(folder) or (folder / "memory.max").exists() for folder in group.folders) else group.remove()

    def add(self, folder: Path, files: dict[str, int]) -> None:
        folder.mkdir()
        self.folders.append(folder)
        for name, value in files.items():
            if (folder / name).exists() or "swap" not in name:
                (folder / name).write_text(str(value), encoding="ascii")

    def join(self) -> None:
        for folder in self.folders:
            (folder / "cgroup.procs").write_text("0", encoding="ascii")

    def ran_out(self) -> bool:
        """Whether the system killed a process of the jail for its memory."""
        for folder in self.folders:
            for name in ("memory.oom_control", "memory.events"):
                try:
                    text = (folder / name).read_text(encoding="ascii")
                except OSError:
                    continue
                if any(line.split()[0] == "oom_kill" and line.split()[1] != "0" for line in text.splitlines()):
                    return True
        return False

    def remove(self) -> None:
        for folder in self.folders:
            try:
                folder.rmdir()
            except OSError:
                pass


def memory_used(first: int, enough: int) -> int:
    """Bytes that the processes of a jail use together; exact only where a quick estimate is over `enough`."""
    total, inside = 0, f"/proc/{first}/root/proc"
    try:
        numbers = [name for name in os.listdir(inside) if name.isdigit()]
    except OSError:
        return 0
    for exact in (False, True):
        total = 0
        for number in numbers:
            try:
                if exact:
                    with open(f"{inside}/{number}/smaps_rollup", encoding="ascii") as file:
                        total += next(int(line.split()[1]) for line in file if line.startswith("Pss:")) << 10
                else:
                    with open(f"{inside}/{number}/statm", encoding="ascii") as file:
                        total += int(file.read().split()[1]) * resource.getpagesize()
            except (OSError, StopIteration):
                continue
        if total <= enough:
            break
    return total


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
