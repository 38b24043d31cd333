"""One process or many, CPU or GPU, one script: `python run.py` or `torchrun --nproc_per_node 2 run.py`."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


@dataclass(frozen=True)
class Process:
    """Which process this is: `rank` from 0 to `count` − 1, and the `device` it computes on."""

    rank: int = 0
    count: int = 1
    device: torch.device = torch.device("cpu")

    @property
    def is_first(self):
        """True in the one process that evaluates, saves and shows progress."""
        return self.rank == 0


@contextmanager
def joined_processes(device=None) -> Iterator[Process]:
    """Join the processes that torchrun started, for the time of a `with` block; alone, there is none to join.

    Arguments: `device`, "cpu" or "cuda" (a GPU if there is one, if None). Yields a `Process`. With several
    processes on GPUs each takes its own and they talk through NCCL; on CPUs through gloo.
    """
    rank, count = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
        torch.cuda.set_device(device)
    joins = count > 1 and not dist.is_initialized()
    if joins:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield Process(rank, count, device)
    finally:
        if joins:
            dist.destroy_process_group()


def share_gradients(model: nn.Module, process: Process) -> nn.Module:
    """Return the model, or with several processes a wrapper that averages gradients during `backward()`.

    All start from the first process's weights. Mean of equal shares = mean of the batch: the
    run equals a single one. Paper: Li and others 2020, PyTorch Distributed.
    """
    if process.count == 1:
        return model
    devices = [process.device] if process.device.type == "cuda" else None
    return DistributedDataParallel(model, device_ids=devices)
