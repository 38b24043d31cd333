"""What the rubrics of this problem set share: versions told as changes of another one."""

import ast
import copy
import math

import torch
import torch.nn.functional as F
from allyouneed.check.judge import BUILT_IN
from torch import nn

from coursegrader.rubric import RubricError, Version

NAMES = {"math": math, "copy": copy, "torch": torch, "F": F, "nn": nn}


def strided(probe):
    """The probe with its tensors made non-contiguous, except for those of a single number."""
    for item in probe["args"]:
        if isinstance(item, dict) and item.get("shape"):
            item["strided"] = True
    return probe


def writer(exercise):
    """Two functions for the exercise: `wrong(mistake, label, base, *changes)` and `right(label, base, *changes)` add a version.

    The version is the text `base` with each change, a pair of old and new text, made in it; the old text stands there exactly once.
    """
    def add(versions, mistake, label, base, changes):
        source = base
        for old, new in changes:
            if source.count(old) != 1:
                raise RubricError(f"{exercise.name}: {old!r} stands {source.count(old)} times in what the version {label!r} changes:\n{source}")
            source = source.replace(old, new)
        source = ast.unparse(ast.parse(source)) + "\n"
        names = dict(NAMES)
        exec(compile(source, f"<{exercise.name}: {label}>", "exec"), names)
        versions.append(Version(label or mistake, names[exercise.name], source, mistake))

    def wrong(mistake, label, base, *changes):
        if mistake not in exercise.mistakes and mistake not in BUILT_IN and mistake != "raises":
            raise RubricError(f"{exercise.name}: the version {label!r} names the unknown mistake {mistake!r}.")
        add(exercise.wrong_versions, mistake, label, base, changes)

    def right(label, base, *changes):
        add(exercise.alternatives, None, label, base, changes)

    return wrong, right
