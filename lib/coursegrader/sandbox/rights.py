"""Give up every right, and the ways to new ones: capabilities, user, and a filter over system calls."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys
from pathlib import Path

from coursegrader.sandbox.system_calls import (
    CAP_AMBIENT,
    CAPBSET_DROP,
    CLONE3,
    DENIED_EVERYWHERE,
    DUMPABLE,
    NO_NEW_PRIVS,
    NUMBERS,
    PDEATHSIG,
    SECCOMP,
    libc,
    system_call,
)


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
    system_call(
        libc.syscall(numbers["capset"], ctypes.byref(header), ctypes.byref(none)), "cannot give up rights"
    )
    libc.prctl(PDEATHSIG, 9, 0, 0, 0)  # changing the user cleared it
    libc.prctl(DUMPABLE, 1, 0, 0, 0)
    system_call(libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0), "cannot refuse new rights")
    install_filter(numbers)


def install_filter(numbers: dict) -> None:
    """Refuse calls that make namespaces, mounts, kernel objects, or sockets of unconfined families."""
    refuse, allow, kill = 0x50000 | errno.EPERM, 0x7FFF0000, 0x80000000
    load_number, load_arch, load_first = (0x20, 0, 0, 0), (0x20, 0, 0, 4), (0x20, 0, 0, 16)
    program = [load_arch, (0x15, 1, 0, numbers["arch"]), (0x06, 0, 0, kill), load_number]
    program += [(0x35, 0, 1, 0x40000000), (0x06, 0, 0, refuse)]
    for number in (*numbers["denied"], *DENIED_EVERYWHERE):
        program += [(0x15, 0, 1, number), (0x06, 0, 0, refuse)]
    program += [(0x15, 0, 1, CLONE3), (0x06, 0, 0, 0x50000 | errno.ENOSYS)]
    program += [
        (0x15, 0, 4, numbers["clone"]),
        load_first,
        (0x45, 0, 1, 0x7E020000),
        (0x06, 0, 0, refuse),
        (0x06, 0, 0, allow),
    ]
    # of a network interface: the kernel's own listening sockets belong to the machine's network
    request = (0x20, 0, 0, 24)
    program += [
        (0x15, 0, 5, numbers["ioctl"]),
        request,
        (0x54, 0, 0, 0xFF00),
        (0x15, 0, 1, 0x8900),
        (0x06, 0, 0, refuse),
        (0x06, 0, 0, allow),
    ]
    # unix, internet, and netlink's plain questions: all of them within the namespaces
    family, protocol = load_first, (0x20, 0, 0, 32)
    program += [
        (0x15, 0, 8, numbers["socket"]),
        family,
        (0x15, 6, 0, 1),
        (0x15, 5, 0, 2),
        (0x15, 4, 0, 10),
        (0x15, 0, 2, 16),
        protocol,
        (0x15, 1, 0, 0),
        (0x06, 0, 0, 0x50000 | errno.EAFNOSUPPORT),
        (0x06, 0, 0, allow),
    ]
    raw = (ctypes.c_char * (8 * len(program)))()
    for place, (code, yes, no, value) in enumerate(program):
        raw[8 * place : 8 * place + 8] = (
            code.to_bytes(2, sys.byteorder) + bytes((yes, no)) + value.to_bytes(4, sys.byteorder)
        )

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

    filled = Program(len(program), ctypes.addressof(raw))
    system_call(libc.prctl(SECCOMP, 2, ctypes.byref(filled), 0, 0), "cannot filter system calls")
