"""Give up every right: capabilities, the user, and what the filter over system calls refuses."""

from __future__ import annotations

import ctypes
import os
import platform
from pathlib import Path

from coursegrader.sandbox.call_filter import install_filter
from coursegrader.sandbox.system_calls import (
    CAP_AMBIENT,
    CAPBSET_DROP,
    DUMPABLE,
    NO_NEW_PRIVS,
    NUMBERS,
    PDEATHSIG,
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
    system_call(
        libc.syscall(NUMBERS[platform.machine()]["capset"], ctypes.byref(header), ctypes.byref(none)),
        "cannot give up rights",
    )
    libc.prctl(PDEATHSIG, 9, 0, 0, 0)  # changing the user cleared it
    libc.prctl(DUMPABLE, 1, 0, 0, 0)
    system_call(libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0), "cannot refuse new rights")
    install_filter()
