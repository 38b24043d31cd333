"""Save a run so that a kill at any moment leaves a whole file, and continue it as if nothing had happened."""

import os
from pathlib import Path

import torch

NAME = "checkpoint.pt"


def save_checkpoint(folder, state):
    """Write `state` to `folder/checkpoint.pt` in one step: either the old file is there or the new one, never half.

    Arguments: `folder`, made if absent; `state`, a dict of tensors, numbers, strings, lists and dicts.
    Returns the path. The bytes go to a temporary file and to the disk before it takes the name.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path, temporary = folder / NAME, folder / f".{NAME}.{os.getpid()}"
    with temporary.open("wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
    for leftover in folder.glob(f".{NAME}.*"):  # of earlier processes that were killed while writing
        leftover.unlink(missing_ok=True)
    return path


def load_checkpoint(folder, device="cpu"):
    """Return the dict that `save_checkpoint` wrote into `folder`, or None if there is none.

    Nothing in the file is run (`weights_only=True`), so a checkpoint from somebody else is safe to open.
    Raises `ValueError` that names a file which is no checkpoint.
    """
    path = Path(folder) / NAME
    if not path.exists():
        return None
    try:
        return torch.load(path, map_location=device, weights_only=True)
    except Exception as error:
        raise ValueError(f"{path} is not a checkpoint that can be read: {error}") from error
