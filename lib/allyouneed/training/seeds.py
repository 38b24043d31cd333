"""Randomness as a function of (seed, step, process): nothing to save or to lose when a run is killed."""

import hashlib
import random

import numpy as np
import torch


def mix_seed(*numbers) -> int:
    """Turn whole numbers into a seed of 32 bits (as torch's generator uses), unrelated for neighbours.

    >>> mix_seed(0, 1) == mix_seed(0, 1), mix_seed(0, 1) == mix_seed(1, 0)
    (True, False)
    """
    text = " ".join(str(int(number)) for number in numbers)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big")


def generator_for(*numbers) -> torch.Generator:
    """Return a CPU `torch.Generator` seeded from whole numbers, for example (seed, step)."""
    return torch.Generator().manual_seed(mix_seed(*numbers))


def set_seeds(*numbers) -> None:
    """Seed the global generators of Python, numpy and torch (all devices) from whole numbers."""
    seed = mix_seed(*numbers)
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
