"""A function of a VitConfig gets the library's own config, and may build layers of any size to count."""

import pytest
import torch
from torch import nn

from allyouneed.check.drivers import ask, shown_call
from allyouneed.check.wire import decode, encode
from allyouneed.models import VIT_CONFIGS, VitConfig

SIZES = {"patch": 2, "channels": 1, "d_model": 6, "n_layers": 2, "n_heads": 3, "d_ff": 8, "n_classes": 3}


def put(candidate, image_size=4, **sizes):
    return ask(
        candidate,
        "vit_count",
        {"name": "p", "args": [encode({"image_size": image_size} | SIZES | sizes)], "kwargs": encode({})},
    )


@pytest.mark.parametrize("image_size", [4, (4, 6)])
def test_the_config_is_the_librarys_own(image_size):
    seen = []
    put(lambda config: seen.append(config), image_size)
    assert seen == [VitConfig(image_size=image_size, **SIZES)]


def test_an_answer_comes_back_as_data():
    assert decode(put(lambda config: config.d_model * config.n_classes)["output"]) == 18


def test_a_config_cannot_be_changed_by_what_it_is_given_to():
    def change(config):
        config.d_model = 7

    assert put(change)["error"] == "FrozenInstanceError"


def test_the_largest_published_model_can_be_built_and_counted():
    def count(config):
        layers = [
            nn.TransformerEncoderLayer(config.d_model, config.n_heads, config.d_ff)
            for _ in range(config.n_layers)
        ]
        return sum(parameter.numel() for layer in layers for parameter in layer.parameters())

    huge = VIT_CONFIGS["vit-h/14"]
    answer = put(count, **{name: getattr(huge, name) for name in ("image_size", *SIZES)})
    assert decode(answer["output"]) == 32 * (4 * 1280 * 1281 + 2 * 1280 * 5120 + 5120 + 1280 + 4 * 1280)


def test_small_tensors_with_numbers_in_them_keep_their_numbers():
    def add(config):
        import torch

        return torch.tensor([config.patch, config.channels]).sum() + torch.ones(2, dtype=torch.int64).sum()

    assert decode(put(add)["output"]).item() == 5


def test_a_message_shows_the_config():
    probe = {"name": "p", "args": [encode({"image_size": (4, 6)} | SIZES)], "kwargs": encode({})}
    assert shown_call("vit_count", "count", probe).startswith(
        "count(VitConfig(image_size=(4, 6), patch=2, channels=1, d_model=6"
    )


def counted(config):
    with torch.device("meta"):
        layers = torch.nn.Linear(config.d_model, 3) if size(config) else None
        return sum(parameter.numel() for parameter in layers.parameters()) + (torch.ones(3) * 2).numel()


def size(config):
    return len("meta") * config.d_model


def test_what_the_meta_device_loads_is_not_counted():
    probe = {"name": "p", "args": [encode({"image_size": (4, 6)} | SIZES)], "kwargs": encode({})}
    assert ask(counted, "vit_count", probe) == {"output": 3 * SIZES["d_model"] + 6}
