"""The filter over system calls (seccomp): what a jailed process may not ask of the kernel, by name."""

from __future__ import annotations

import ctypes
import errno
import platform
import sys

from coursegrader.sandbox.system_calls import NUMBERS, SECCOMP, libc, system_call

CLONE3 = 435
DENIED = {  # name: its number on x86_64 and on aarch64
    # what mounts, or leaves the namespaces
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # what looks into other processes, or at the whole machine
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "modify_ldt": (154, None),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "quotactl": (179, 60),
    # what loads code into the kernel
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    # keys
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # another processor than the one given
    "sched_setaffinity": (203, 122),
    # memory that is nobody's (memfd, System V): no count of processes finds it
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    # what mounts, and asks about mounts, in the newer calls
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "statmount": (457, 457),
    "listmount": (458, 458),
    # queues of calls that no filter sees
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # another process's files; disk quotas; memory that is nobody's
    "pidfd_getfd": (438, 438),
    "quotactl_fd": (443, 443),
    "memfd_secret": (447, 447),
}


def install_filter() -> None:
    """Refuse calls that make namespaces, mounts, kernel objects, or sockets of unconfined families."""
    machine = platform.machine()
    numbers, column = NUMBERS[machine], list(NUMBERS).index(machine)
    refuse, allow, kill = 0x50000 | errno.EPERM, 0x7FFF0000, 0x80000000
    load_number, load_arch, load_first = (0x20, 0, 0, 0), (0x20, 0, 0, 4), (0x20, 0, 0, 16)
    program = [load_arch, (0x15, 1, 0, numbers["arch"]), (0x06, 0, 0, kill), load_number]
    program += [(0x35, 0, 1, 0x40000000), (0x06, 0, 0, refuse)]
    for number in filter(None, (on[column] for on in DENIED.values())):
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
