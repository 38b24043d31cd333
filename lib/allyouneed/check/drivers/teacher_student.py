"""Build two modules alike, hand both to a function that moves one towards the other, look at one thing.

The probe's first argument is a dict; the others, and the keywords, go to the call behind the two modules:

- ``layers``: what both are made of, in order: ``["linear", inputs, outputs]``, ``["conv", inputs, outputs,
  size]``, ``["embedding", rows, width]``,
  ``["norm", width]`` (a batch norm), ``["shift", width]`` (a parameter and a buffer of numbers), or
  ``["block", layers...]``, which nests;
- ``teacher`` and ``student``: the tensors of each, in the order of its state; they also decide the dtype;
- ``trains``: whether the teacher's parameters require a gradient; the student's do, unless ``rests`` says
  that they do not either;
- ``tied``: whether the last layer has the first one's weight, in both; its own tensor is left out then;
- ``times``: how often the function is called, once unless given;
- ``ask``: "teacher" (its parameters afterwards), "buffers" (of both), "student" (its parameters, and whether
  it still trains and has its gradients, which are all 1 before the call), "returned" (what came
  back, in a word) or "gradient" (whether the teacher's parameters are the same ones as before, and free of
  any graph).
"""

from __future__ import annotations

import torch
from torch import nn

from allyouneed.check.wire import decode, encode

REFUSAL = "leaf Variable that requires grad is being used in an in-place"
LOOKS = {
    "teacher": "the teacher's parameters",
    "buffers": "the buffers",
    "student": "the student",
    "returned": "what is returned",
    "gradient": "the teacher's parameters, and where they come from",
}


class Shift(nn.Module):
    """Adds a parameter, subtracts a buffer."""

    def __init__(self, width: int):
        super().__init__()
        self.gain = nn.Parameter(torch.zeros(width))
        self.register_buffer("center", torch.zeros(width))

    def forward(self, x):
        return x + self.gain - self.center


KINDS = {
    "linear": nn.Linear,
    "conv": nn.Conv1d,
    "embedding": nn.Embedding,
    "norm": nn.BatchNorm1d,
    "shift": Shift,
}


def put(candidate, probe: dict) -> dict:
    """Raises RuntimeError, in words of its own, where torch refuses to change a parameter that it follows."""
    spec, *arguments = decode(probe["args"])
    teacher, student = (
        _build(spec["layers"], spec[name], bool(spec.get("tied"))) for name in ("teacher", "student")
    )
    teacher.requires_grad_(bool(spec.get("trains")))
    student.requires_grad_(not spec.get("rests"))
    for value in student.parameters():
        value.grad = torch.ones_like(value)
    before = dict(teacher.named_parameters())
    torch.default_generator.manual_seed(0)
    try:
        for _ in range(spec.get("times", 1)):
            returned = candidate(teacher, student, *arguments, **decode(probe["kwargs"]))
        follows = torch.is_grad_enabled()
    except RuntimeError as error:
        if REFUSAL not in str(error):
            raise
        raise RuntimeError(
            "torch refuses to change a parameter in place while it follows its gradient"
        ) from None
    finally:
        torch.set_grad_enabled(True)
    return {
        "output": encode(
            _look(spec["ask"], teacher, student, before, returned, follows, bool(spec.get("trains")))
        )
    }


def _build(layers: list, tensors: list, tied: bool) -> nn.Module:
    module = _module(layers).to(next(value.dtype for value in tensors if value.is_floating_point()))
    with torch.no_grad():
        for place, value in zip(module.state_dict().values(), tensors, strict=True):
            place.copy_(value)
    if tied:
        module[-1].weight = module[0].weight
    return module


def _module(layers: list) -> nn.Module:
    """A single layer is the module itself, so that its parameters belong to no inner module."""
    stack = _stack(layers)
    return stack[0] if len(stack) == 1 else stack


def _stack(layers: list) -> nn.Module:
    return nn.Sequential(
        *[_stack(sizes) if kind == "block" else KINDS[kind](*sizes) for kind, *sizes in layers]
    )


def sizes(layers: list) -> list[tuple[list[int], bool]]:
    """Each tensor of such a module's state: its shape, and if it holds integers. For makers of probes."""
    return [
        (list(value.shape), not value.is_floating_point()) for value in _module(layers).state_dict().values()
    ]


def _look(what: str, teacher, student, before: dict, returned, follows: bool, trained: bool):
    if what == "teacher":
        return list(teacher.parameters())
    if what == "buffers":
        return {"teacher": list(teacher.buffers()), "student": list(student.buffers())}
    if what == "student":
        return {
            "parameters": list(student.parameters()),
            "all of them train": all(value.requires_grad for value in student.parameters()),
            "in training mode": student.training,
            "it has its gradients": all(
                value.grad is not None and bool((value.grad == 1).all()) for value in student.parameters()
            ),
        }
    if what == "returned":
        return _word(returned, teacher, student)
    now = dict(teacher.named_parameters())
    own = {value.untyped_storage().data_ptr() for value in student.parameters()}
    return {
        "the teacher has its old parameters": set(now) == set(before)
        and all(now[name] is before[name] for name in now),
        "the teacher is free of any graph": all(value.is_leaf for value in now.values()),
        "the teacher trains, and did not before": not trained
        and any(value.is_leaf and value.requires_grad for value in now.values()),
        "teacher and student share memory": any(
            value.untyped_storage().data_ptr() in own for value in now.values()
        ),
        "torch follows gradients after the call": follows,
    }


def _word(returned, teacher, student) -> str | None:
    known = {id(teacher): "the teacher", id(student): "the student"}
    if returned is None or id(returned) in known:
        return known.get(id(returned))
    if isinstance(returned, nn.Module):
        return "another module"
    return (
        "several things"
        if isinstance(returned, (tuple, list))
        else "tensors by name"
        if isinstance(returned, dict)
        else "something else"
    )


def shown_call(name: str, probe: dict) -> str:
    """The call, what the modules are made of, and what is looked at afterwards; the numbers are left out."""
    spec, *arguments = decode(probe["args"])
    given = [repr(value) for value in arguments] + [
        f"{key}={value!r}" for key, value in (decode(probe["kwargs"]) or {}).items()
    ]
    state = "trains" if spec.get("trains") else "does not train"
    shared = ", whose first and last layers share a weight" if spec.get("tied") else ""
    return (
        f"{name}({', '.join(['teacher', 'student', *given])}) on two modules {_shown(spec['layers'])}"
        f"{shared}, of which the teacher {state}, and a look at {LOOKS[spec['ask']]}"
    )


def _shown(layers: list) -> str:
    return (
        "["
        + ", ".join(
            _shown(numbers) if kind == "block" else f"{kind} {' x '.join(map(str, numbers))}"
            for kind, *numbers in layers
        )
        + "]"
    )
