"""A small DINO on real digits: what a Vision Transformer learns from views of unlabelled images, and how it
collapses.

    python book/runs/vision_dino.py

writes vision_dino.json beside this file: for the whole recipe and for recipes with one part left out, as
training goes on, the loss, how unsure the teacher is about an image, how evenly it uses its outputs, and how
often the nearest neighbours of its class token name the right digit; for the whole recipe also the attention
of the class token on some unseen digits (whole numbers, 1/255 each). Needs about eight minutes on one core.
A run that is already in the file is not repeated, so the script may be stopped and started again. Chapter 8
draws it.
"""

import argparse
import json
import math
import time
from dataclasses import replace
from itertools import product
from pathlib import Path

import torch
import torch.nn.functional as F
from vision_data_size import has_ink, wider_start

from allyouneed.data import load_mnist
from allyouneed.models.dino import Dino, DinoConfig
from allyouneed.models.vit import VitConfig
from allyouneed.nn.maps import run_with_maps
from allyouneed.training import ExampleBatches, generator_for, muon, rate_share

VIT = VitConfig(28, 4, channels=1, d_model=64, n_layers=2, n_heads=4, d_ff=128, n_classes=64)
WHOLE = DinoConfig(VIT, momentum=0.98, student_temperature=0.1, teacher_temperature=0.03, center_momentum=0.9)
RECIPES = {
    "whole": WHOLE,
    "no centering": replace(WHOLE, center_momentum=1.0),  # the center stays 0
    "no sharpening": replace(WHOLE, teacher_temperature=1.0),
    "no slow teacher": replace(WHOLE, momentum=0.0),  # the teacher is the student of one step ago
}


def crops(images, smallest, largest, generator):
    """From each image one random square that shows `smallest` to `largest` of its area, slightly turned,
    drawn at full size."""
    n = len(images)
    low, high = math.sqrt(smallest), math.sqrt(largest)
    # side of the square, 1 = whole
    zoom = low + (high - low) * torch.rand(n, generator=generator)
    x, y = ((2 * torch.rand(n, generator=generator) - 1) * (1 - zoom) for _ in range(2))  # its middle
    turn = 0.3 * (2 * torch.rand(n, generator=generator) - 1)  # radians
    sine, cosine = zoom * turn.sin(), zoom * turn.cos()
    # (n, 2, 3)
    maps = torch.stack((torch.stack((cosine, -sine, x), -1), torch.stack((sine, cosine, y), -1)), dim=1)
    return F.grid_sample(images, F.affine_grid(maps, images.shape, align_corners=False), align_corners=False)


def views(images, generator, n_local=1):
    """Two large crops and `n_local` small ones, with random thickness, contrast and noise: (B, 1, 28, 28)
    each."""
    found = []
    for smallest, largest in [(0.7, 1.0)] * 2 + [(0.3, 0.6)] * n_local:
        view, kind = (
            crops(images, smallest, largest, generator),
            torch.rand(len(images), 1, 1, 1, generator=generator),
        )
        thick, thin = F.max_pool2d(view, 3, 1, 1), -F.max_pool2d(-view, 3, 1, 1)
        view = torch.where(kind < 0.25, thick, torch.where(kind < 0.5, (view + thin) / 2, view))
        contrast = 0.6 + 0.4 * torch.rand(len(view), 1, 1, 1, generator=generator)
        found.append(contrast * view + 0.1 * torch.randn(view.shape, generator=generator))
    return found


@torch.no_grad()
def class_tokens(vit, images):
    return torch.cat([vit.features(part)[:, 0] for part in images.split(250)])  # (N, D)


def nearest_neighbours(known, labels, asked, k=10):
    """For each asked vector the label that most of its k nearest known ones have, by cosine."""
    near = (F.normalize(asked, dim=-1) @ F.normalize(known, dim=-1).T).topk(k)
    votes = torch.zeros(len(asked), 10).scatter_add_(1, labels[near.indices], near.values.clamp(min=0))
    return votes.argmax(-1)


def neighbour_accuracy(encode, data):
    found = nearest_neighbours(encode(data.train.images), data.train.labels, encode(data.test.images))
    return (found == data.test.labels).float().mean().item()


def linear_accuracy(encode, data, n_steps=200):
    """A matrix trained on fixed vectors: the linear probe."""
    known, asked = encode(data.train.images), encode(data.test.images)
    mean, spread = known.mean(0), known.std(0) + 1e-6
    known, asked = (known - mean) / spread, (asked - mean) / spread
    weight, bias = torch.zeros(known.shape[1], 10, requires_grad=True), torch.zeros(10, requires_grad=True)
    optimizer = torch.optim.LBFGS([weight, bias], max_iter=n_steps)

    def closure():
        optimizer.zero_grad()
        value = F.cross_entropy(known @ weight + bias, data.train.labels) + 1e-3 * weight.square().sum()
        value.backward()
        return value

    optimizer.step(closure)
    return ((asked @ weight + bias).argmax(-1) == data.test.labels).float().mean().item()


@torch.no_grad()
def unsureness(dino, images):
    """The teacher's entropy about one image, and the entropy of its mean output over images, as shares of the
    most possible."""
    logits = torch.cat([dino.teacher(part) for part in images.split(250)])
    p = ((logits - dino.center) / dino.config.teacher_temperature).softmax(-1)  # (N, outputs)
    most = math.log(p.shape[-1])
    mean = p.mean(0)
    return (-(p * p.clamp(min=1e-12).log()).sum(-1).mean() / most).item(), (
        -(mean * mean.clamp(min=1e-12).log()).sum() / most
    ).item()


@torch.no_grad()
def class_attention(vit, images):
    """Attention of the class token on the patches in the last layer: (N, heads, patches), its look at itself
    left out."""
    maps = run_with_maps(vit, images)[1][-1, :, :, 0, 1:]
    return maps / maps.sum(-1, keepdim=True)


def share_on_ink(vit, images):
    """How much of the class token's attention lies on patches with ink, and how many of the patches these
    are."""
    ink = has_ink(images, VIT.patch)  # (N, patches)
    maps = class_attention(vit, images).mean(1)
    return (maps * ink).sum(-1).mean().item(), ink.float().mean().item()


def fresh_dino(config, seed):
    """A DINO with our start; the last matrix stays small, so that nobody is sure of anything at first."""
    dino = Dino(config, generator=generator_for(seed))
    wider_start(dino.student, leave=("head",))
    dino.teacher.load_state_dict(dino.student.state_dict())
    return dino


def train_dino(config, data, n_steps, batch=32, rate=1e-3, seed=0, every=None, look=None):
    """Train and return (dino, what `look(dino, step, loss)` returned, at the start and at every `every`
    steps)."""
    dino = fresh_dino(config, seed)
    if config.center_momentum < 1:  # the center starts where the teacher's outputs are
        with torch.no_grad():
            dino.center = torch.cat(
                [dino.teacher(view) for view in views(data.train.images[:250], generator_for(seed))]
            ).mean(0)
    optimizers = muon(dino.student, 10 * rate, rate)
    batches, found, losses = ExampleBatches([data.train.images], batch, seed=seed), [], []
    for step in range(n_steps + 1):
        if look and step % every == 0:
            found.append(look(dino, step, sum(losses) / max(1, len(losses))))
            losses = []
        if step == n_steps:
            break
        share = rate_share(step, n_steps, n_steps // 10, "cosine")
        for group in (group for optimizer in optimizers for group in optimizer.param_groups):
            group["lr"] = share * group.setdefault("initial_lr", group["lr"])
        value = dino(views(batches(step)[0], generator_for(seed, step, 1)))
        value.backward()
        torch.nn.utils.clip_grad_norm_(dino.student.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        dino.update()
        losses.append(value.item())
    return dino, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    data, before = load_mnist((0.7, 0.1, 0.2)), {"runs": [], "cpu_seconds": 0}
    if options.json.exists():
        before = json.loads(options.json.read_text())
    made = {
        "command": "python book/runs/vision_dino.py",
        "torch": torch.__version__,
        "steps": options.steps,
        "batch": 32,
        "runs": before["runs"],
    }
    seconds, done = before["cpu_seconds"], {(run["recipe"], run["seed"]) for run in before["runs"]}

    def look(dino, step, loss):
        about_one, overall = unsureness(dino, data.valid.images)
        row = {
            "step": step,
            "loss": loss,
            "about one": about_one,
            "overall": overall,
            "neighbours": neighbour_accuracy(lambda images: class_tokens(dino.teacher, images), data),
        }
        print("   ", {name: round(value, 3) for name, value in row.items()}, flush=True)
        return {name: round(value, 4) for name, value in row.items()}

    examples = torch.cat([(data.test.labels == label).nonzero()[:2, 0] for label in range(10)])
    made["examples"] = examples.tolist()
    made["pixels"] = before.get("pixels") or {
        name: round(measure(lambda images: images.flatten(1), data), 4)
        for name, measure in (("linear", linear_accuracy), ("neighbours", neighbour_accuracy))
    }
    for seed, (name, config) in product(options.seeds, RECIPES.items()):
        if (name, seed) in done:
            continue
        print(name, seed, flush=True)
        started, n_steps = time.process_time(), options.steps if name == "whole" else options.steps // 4
        dino, curve = train_dino(config, data, n_steps, seed=seed, every=options.steps // 12, look=look)
        found = {"recipe": name, "seed": seed, "curve": curve}
        if name == "whole":
            fresh = fresh_dino(config, seed).teacher
            for label, vit in (("trained", dino.teacher), ("fresh", fresh)):
                share, ink = share_on_ink(vit, data.test.images)
                found[label] = {
                    "linear": round(linear_accuracy(lambda images: class_tokens(vit, images), data), 4),
                    "neighbours": round(
                        neighbour_accuracy(lambda images: class_tokens(vit, images), data), 4
                    ),
                    "on ink": round(share, 4),
                    "ink": round(ink, 4),
                }
            if seed == options.seeds[0]:
                maps = class_attention(dino.teacher, data.test.images[examples])
                found["maps"] = (255 * maps / maps.amax(-1, keepdim=True)).round().int().tolist()
            print(name, {k: v for k, v in found.items() if k in ("trained", "fresh")}, flush=True)
        made["runs"].append(found)
        seconds += time.process_time() - started
        made["cpu_seconds"] = round(seconds)
        options.json.write_text(json.dumps(made) + "\n")


if __name__ == "__main__":
    main()
