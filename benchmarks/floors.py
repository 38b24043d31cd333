"""What no program can save: the products of matrices of a piece of work (and attention's exponentials),
recorded as torch runs it, and run again alone on the same tensors.
"""

import torch
from torch.utils._python_dispatch import TorchDispatchMode

ALONE = "our products of matrices alone"
INFERENCE = ("linear", "matmul")  # in inference mode, torch shows these, not what they are made of
KEPT = ("mm", "addmm", "bmm", "baddbmm", "convolution", "convolution_backward", "exp", "exp_", *INFERENCE)


class _Recorder(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.calls = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name, kwargs = func.overloadpacket.__name__, kwargs or {}
        if name in ("exp", "exp_"):  # into another tensor: not the exponential of exponentials
            self.calls.append((torch.ops.aten.exp.out, args, {"out": torch.empty_like(args[0])}))
        elif name in KEPT or name.lstrip("_").startswith("scaled_dot_product"):
            self.calls.append((func, args, kwargs))
        return func(*args, **kwargs)


def products_of(work):
    """Run `work` once; returns a function that runs its products of matrices alone, and returns what `work`
    did."""
    with _Recorder() as recorder:
        result = work()

    @torch.no_grad()
    def alone():
        for func, args, kwargs in recorder.calls:
            func(*args, **kwargs)
        return result

    return alone
