"""What the rubrics of this problem set share: versions told as changes of another one."""

import ast
import copy
import math
import random
import re

import numpy
import torch
import torch.nn.functional as F
from allyouneed.attention import causal_mask, scaled_dot_product_attention
from allyouneed.check.judge import BUILT_IN
from allyouneed.multihead import merge_heads, split_heads
from torch import nn

from coursegrader.rubric import RubricError, Version

NAMES = {"math": math, "re": re, "copy": copy, "torch": torch, "F": F, "nn": nn, "np": numpy, "random": random, "causal_mask": causal_mask,
         "scaled_dot_product_attention": scaled_dot_product_attention, "split_heads": split_heads, "merge_heads": merge_heads}


def vary(exercise, mistake, label, *changes, base=None):
    """Add the version that differs from the reference (or from the source `base`) by `changes`, pairs of old and new text.

    `mistake` is the wrong version's mistake, or None for a right one. Each old text must stand in the source exactly once.
    Without changes, `base` itself is the version.
    """
    if mistake is not None and mistake not in exercise.mistakes and mistake not in BUILT_IN and mistake != "raises":
        raise RubricError(f"{exercise.name}: the version {label!r} names the unknown mistake {mistake!r}.")
    source = base or exercise.reference.source
    for old, new in changes:
        if source.count(old) != 1:
            raise RubricError(f"{exercise.name}: {old!r} stands {source.count(old)} times in what the version {label!r} changes:\n{source}")
        source = source.replace(old, new)
    source = ast.unparse(ast.parse(source)) + "\n"
    names = dict(NAMES)
    exec(compile(source, f"<{exercise.name}: {label}>", "exec"), names)
    versions = exercise.alternatives if mistake is None else exercise.wrong_versions
    versions.append(Version(label or mistake, names[exercise.name], source, mistake))
