"""Kernels that begin as copies of one process, which has imported what the pages import.

Each page has a kernel of its own. A new process takes about 3 s of processor time until torch, matplotlib and
IPython are there, which is a quarter of all that building the book takes. Linux copies a process in
milliseconds; elsewhere kernels start as usual.
"""

import multiprocessing
import os
import signal
import sys
from threading import Lock

from jupyter_client.provisioning import local_provisioner

# Not pyplot: it looks for IPython when it is imported.
IMPORTED = ["ipykernel.kernelapp", "matplotlib.backends.backend_agg", "matplotlib.figure", "myst_nb", "torch"]
IMPORTED += ["allyouneed.models", "allyouneed.training"]
BACKEND = "module://matplotlib_inline.backend_inline"  # which a kernel names before matplotlib is imported

_fork = multiprocessing.get_context("forkserver") if sys.platform == "linux" else None
_one_at_a_time = Lock()


class Kernel:
    """A copied process with the part of `subprocess.Popen` that jupyter_client uses."""

    stdin = stdout = stderr = None

    def __init__(self, command, cwd, env):
        begun, begins = _fork.Pipe(duplex=False)
        self.process = _fork.Process(target=run, args=(command, cwd, env, begins))
        main = sys.modules["__main__"]
        with _one_at_a_time:  # without a main file, which each copy would run once more
            kept = main.__spec__, main.__file__
            main.__spec__ = main.__file__ = None
            self.process.start()
            main.__spec__, main.__file__ = kept
        begins.close()
        begun.recv()  # from here on it has a process group of its own, to which signals go
        self.pid = self.process.pid

    def poll(self):
        return self.process.exitcode

    def wait(self):
        self.process.join()
        return self.process.exitcode

    def send_signal(self, number):
        os.kill(self.pid, number)

    def kill(self):
        self.send_signal(signal.SIGKILL)

    def terminate(self):
        self.send_signal(signal.SIGTERM)


def run(command, cwd, env, begins):
    """Be the kernel that `command`, as in ``python -m ipykernel_launcher -f FILE``, would start."""
    os.setsid()
    begins.send(True)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.path[0:0] = [""]
    from ipykernel.kernelapp import launch_new_instance

    # when the process that it is a copy of ends, it ends
    launch_new_instance(argv=[*command[command.index("-f") :], f"--IPKernelApp.parent_handle={os.getppid()}"])


def launch(command, cwd=None, env=None, **_):
    return Kernel(command, cwd or os.getcwd(), dict(env or os.environ))


def setup(app):
    if _fork:
        os.environ["MPLBACKEND"] = BACKEND
        _fork.set_forkserver_preload(IMPORTED)
        local_provisioner.launch_kernel = launch
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
