"""The system calls that the jail is made of, with errors that say what could not be done and why."""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

libc = ctypes.CDLL(None, use_errno=True)

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, NEWCGROUP = (
    0x20000,
    0x4000000,
    0x8000000,
    0x10000000,
    0x20000000,
    0x40000000,
    0x2000000,
)
RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, BIND, REC, PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
PDEATHSIG, DUMPABLE, SECCOMP, CAPBSET_DROP, NO_NEW_PRIVS, CAP_AMBIENT = 1, 4, 22, 24, 38, 47
NUMBERS = {
    "x86_64": {"arch": 0xC000003E, "pivot_root": 155, "capset": 126, "clone": 56, "socket": 41, "ioctl": 16},
    "aarch64": {"arch": 0xC00000B7, "pivot_root": 41, "capset": 91, "clone": 220, "socket": 198, "ioctl": 29},
}
MOUNT_SETATTR = 442


class JailError(Exception):
    """This machine cannot jail a process; the message says why."""


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
            hint = (
                " (does this system let users make user namespaces? See the sysctls "
                "user.max_user_namespaces, kernel.unprivileged_userns_clone and "
                "kernel.apparmor_restrict_unprivileged_userns)"
            )
        elif number == errno.EPERM:
            hint = " (a container without the right CAP_SYS_ADMIN cannot)"
        raise JailError(f"{what}: {os.strerror(number)}{hint}")
    return result


def unshare(flags: int, what: str) -> None:
    """Leave namespaces of the rest of the machine."""
    system_call(libc.unshare(flags), f"cannot make {what}")


def mount(source: str, target: str, kind: str | None = None, flags: int = 0, data: str | None = None) -> None:
    result = libc.mount(
        source.encode(),
        target.encode(),
        kind.encode() if kind else None,
        ctypes.c_ulong(flags),
        data.encode() if data else None,
    )
    system_call(result, f"cannot mount {kind or source} on {target}")


def set_attributes(target: str, attributes: int) -> None:
    """Make a mount and all below it read-only, without set-uid programs or devices."""
    wanted = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)
    system_call(
        libc.syscall(MOUNT_SETATTR, -100, target.encode(), 0x8000, ctypes.byref(wanted), 32),
        f"cannot protect {target}",
    )
