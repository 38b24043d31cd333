"""The driver of a teacher and its student: two modules made of data, and what an update did, as data."""

import copy

import pytest
import torch
from torch import nn

from allyouneed.check.drivers import ask, shown_call
from allyouneed.check.drivers.teacher_student import KINDS, sizes
from allyouneed.check.wire import decode, encode
from allyouneed.models.dino import teacher_update

LAYERS = [["linear", 3, 2], ["block", ["norm", 2], ["shift", 2]]]


def numbers(layers, seed):
    generator = torch.Generator().manual_seed(seed)
    return [
        torch.randint(5, 9, shape, generator=generator) if whole else torch.rand(*shape, generator=generator)
        for shape, whole in sizes(layers)
    ]


def put(candidate, look, *arguments, layers=LAYERS, **spec):
    spec = {
        "layers": layers,
        "teacher": numbers(layers, 0),
        "student": numbers(layers, 1),
        "ask": look,
    } | spec
    return ask(
        candidate,
        "teacher_student",
        {"name": "p", "args": [encode(spec), *map(encode, arguments)], "kwargs": encode({})},
    )


def told(*arguments, **keywords):
    answer = put(*arguments, **keywords)
    assert "error" not in answer, answer
    return decode(answer["output"])


def test_the_teacher_moves_and_nothing_else_does():
    old, new = numbers(LAYERS, 0), numbers(LAYERS, 1)
    # of the linear layer, the norm's two and the shift's; their buffers
    parameters, buffers = [0, 1, 2, 3, 7], [4, 5, 6, 8]
    for found, place in zip(told(teacher_update, "teacher", 0.75), parameters):
        torch.testing.assert_close(found, 0.75 * old[place] + 0.25 * new[place])
    found = told(teacher_update, "buffers", 0.75)
    assert all(torch.equal(value, old[place]) for value, place in zip(found["teacher"], buffers))
    assert all(torch.equal(value, new[place]) for value, place in zip(found["student"], buffers))
    student = told(teacher_update, "student", 0.75)
    assert all(torch.equal(value, new[place]) for value, place in zip(student["parameters"], parameters))
    assert student["all of them train"] and student["in training mode"]


def test_every_kind_of_layer_takes_its_numbers_in_either_dtype():
    layers = [["linear", 3, 2], ["conv", 2, 3, 2], ["embedding", 4, 3], ["norm", 2], ["shift", 5]]
    assert {kind for kind, *_ in layers} == set(KINDS)
    for dtype in (torch.float32, torch.float64):
        given = {
            name: [value.to(dtype) if value.is_floating_point() else value for value in numbers(layers, seed)]
            for seed, name in enumerate(("teacher", "student"))
        }
        found = told(teacher_update, "teacher", 0.0, layers=layers, **given)
        assert {value.dtype for value in found} == {dtype} and len(found) == 8
        assert torch.equal(found[0], given["student"][0])


def test_a_single_layer_is_the_module_itself():
    kinds = []
    told(
        lambda *modules: kinds.extend(type(module) for module in modules[:2]),
        "returned",
        0.5,
        layers=LAYERS[:1],
        teacher=numbers(LAYERS[:1], 0),
        student=numbers(LAYERS[:1], 1),
    )
    assert kinds == [nn.Linear, nn.Linear]


def test_the_student_trains_unless_it_rests():
    for rests in (False, True):
        assert told(teacher_update, "student", 0.75, rests=rests)["all of them train"] != rests


def test_several_calls_are_made():
    once, thrice = (told(teacher_update, "teacher", 0.5, times=times)[0] for times in (1, 3))
    target = numbers(LAYERS, 1)[0]
    torch.testing.assert_close(thrice - target, (once - target) / 4)


RIGHT = {
    "the teacher has its old parameters": True,
    "the teacher is free of any graph": True,
    "the teacher trains, and did not before": False,
    "teacher and student share memory": False,
    "torch follows gradients after the call": True,
}


def replaces(teacher, student, momentum):
    teacher[0].weight = nn.Parameter(teacher[0].weight.detach().clone(), requires_grad=False)


def follows(teacher, student, momentum):
    teacher[0].weight.mul_(momentum).add_(student[0].weight)


def unfreezes(teacher, student, momentum):
    teacher.requires_grad_(True)


def shares(teacher, student, momentum):
    teacher[0].weight.data = student[0].weight.data


def switches_off(teacher, student, momentum):
    torch.set_grad_enabled(False)


@pytest.mark.parametrize(
    "candidate, place",
    [(teacher_update, None), (replaces, 0), (follows, 1), (unfreezes, 2), (shares, 3), (switches_off, 4)],
)
def test_where_the_teachers_parameters_come_from_is_told(candidate, place):
    expected = {key: value != (number == place) for number, (key, value) in enumerate(RIGHT.items())}
    assert told(candidate, "gradient", 0.9) == expected
    assert torch.is_grad_enabled()


def test_a_teacher_that_trains_may_be_changed_without_a_gradient_only():
    assert told(teacher_update, "gradient", 0.9, trains=True) == RIGHT
    assert put(follows, "teacher", 0.9, trains=True) == {
        "error": "RuntimeError",
        "text": "torch refuses to change a parameter in place while it follows its gradient",
    }


@pytest.mark.parametrize(
    "candidate, word",
    [
        (teacher_update, "the teacher"),
        (lambda teacher, student, momentum: student, "the student"),
        (lambda *modules: copy.deepcopy(modules[0]), "another module"),
        (lambda *modules: None, None),
        (lambda teacher, *others: teacher.state_dict(), "tensors by name"),
        (lambda *modules: modules, "several things"),
        (lambda *modules: 3, "something else"),
    ],
)
def test_what_comes_back_is_told_in_a_word(candidate, word):
    assert told(candidate, "returned", 0.9) == word


def test_a_message_shows_what_the_modules_are_made_of():
    probe = {
        "args": [encode({"layers": LAYERS, "trains": True, "ask": "buffers"}), encode(0.9)],
        "kwargs": encode({}),
    }
    assert shown_call("teacher_student", "teacher_update", probe) == (
        "teacher_update(teacher, student, 0.9) on two modules [linear 3 x 2, [norm 2, shift 2]], of which "
        "the teacher trains, and a look at the buffers"
    )
