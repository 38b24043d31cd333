"""Save a run so that a kill at any moment leaves a whole file, and continue it as if nothing had happened."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import torch

NAME = "checkpoint.pt"
REPORTING = ("evaluate_every", "save_every", "log_every")  # may change between the parts of one run
# lr is the schedule's; initial_lr is compared
IMPLEMENTATION = ("lr", "foreach", "fused", "capturable", "differentiable")


def save_checkpoint(folder, state) -> Path:
    """Write `state` to `folder/checkpoint.pt` in one step: the old file is there or the new one, never half.

    Arguments: `folder`, made if absent; `state`, a dict of tensors, numbers, strings, lists and dicts.
    Returns the path. The bytes go to a temporary file and to the disk before it takes the name.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path, temporary = folder / NAME, folder / f".{NAME}.{os.getpid()}"
    try:
        with temporary.open("wb") as file:
            torch.save(state, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)  # still there only if writing failed, as on a full disk
    for leftover in folder.glob(f".{NAME}.*"):  # of earlier processes that were killed while writing
        leftover.unlink(missing_ok=True)
    return path


def load_checkpoint(folder, device="cpu") -> Any:
    """Return what `save_checkpoint` wrote into `folder`, a dict if it is a run, or None if there is none.

    Nothing in the file is run (`weights_only=True`), so a checkpoint from somebody else is safe to open.
    Raises `ValueError` that names a file which is no checkpoint.
    """
    path = Path(folder) / NAME
    if not path.exists():
        return None
    try:
        return torch.load(path, map_location=device, weights_only=True)
    except Exception as error:
        raise ValueError(
            f"{path} is not a checkpoint that can be read: put a whole copy back, or move it away to "
            f"start anew. ({error})"
        ) from error


def check_same_run(folder, there, here):
    """Raise `ValueError` unless the checkpoint `there`, read from `folder`, is of the run that is `here`.

    Both are states as `train` saves them. Compared are the config (but not how often to report), the shapes
    of the model's weights, and what the optimizers were made with. Nothing is changed.
    """
    lacking = [part for part in here if not isinstance(there, dict) or part not in there]
    if lacking:
        raise ValueError(
            f"{Path(folder) / NAME} is no checkpoint of train, it lacks {', '.join(lacking)}: use another "
            "folder."
        )
    there, here = _settings(there), _settings(here)
    names = [name for name in here | there if there.get(name, "absent") != here.get(name, "absent")]
    if names:
        other = {name: (there.get(name, "absent"), here.get(name, "absent")) for name in names[:4]}
        raise ValueError(
            f"the checkpoint in {folder} is of another run, (there, here): "
            f"{other}{' and more' * (len(names) > 4)}. Use another folder, or give what the first part of "
            "the run was given."
        )


def plain(state):
    """`state` with Python's own numbers in the place of NumPy's, which a checkpoint cannot hold."""
    if isinstance(state, dict):
        return {name: plain(value) for name, value in state.items()}
    if isinstance(state, (list, tuple)):
        return type(state)(map(plain, state))
    return state.item() if isinstance(state, np.generic) else state


def _settings(state):
    """What decides a run's numbers, apart from its batches and its loss, by name."""
    found = {name: value for name, value in state["config"].items() if name not in REPORTING}
    found |= {f"model.{name}": tuple(tensor.shape) for name, tensor in state["model"].items()}
    for i, optimizer in enumerate(state["optimizers"]):
        for j, group in enumerate(optimizer["param_groups"]):
            given = {name: value for name, value in group.items() if name not in IMPLEMENTATION}
            given["params"] = len(group["params"])
            found |= {f"optimizers[{i}].groups[{j}].{name}": value for name, value in given.items()}
    return found
