"""Pictures and captions in one space: a small contrastive model on generated shapes, and what it says of
unseen combinations.

    python book/runs/beyond_pairs.py

writes beyond_pairs.json beside this file: for each kind of logit scale, seed and number of steps the curve of
the loss, the scale, and the share of pictures whose class (colour and shape, 48 of them) is named without a
label. Needs about six minutes of one core.
A run that is already in the file is not repeated, so the script may be stopped and started again.
"""

import argparse
import json
import math
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F

from allyouneed.data import make_captioned_shapes
from allyouneed.data.shapes import COLORS, HELD_OUT, PLACES, SHAPES, SIZES
from allyouneed.models.clip import Clip, ClipConfig, contrastive_loss
from allyouneed.models.gpt import GPTConfig
from allyouneed.models.vit import VitConfig
from allyouneed.text.tokenizers import WordTokenizer
from allyouneed.training import ExampleBatches, TrainingConfig, generator_for, muon, train

# 48, held-out ones among them
CLASSES = [(color, shape) for color in COLORS for shape in SHAPES]
BATCH, MAX_LEN = 64, 9


def make_data(n_train=4000):
    """(parts, tokenizer): pictures with captions; the test part holds the combinations that training never
    sees."""
    parts = make_captioned_shapes(n_train, 600, 600, generator=generator_for(9))
    return parts, WordTokenizer.train(sorted(parts.train.captions))


def as_tensors(part, tokenizer):
    """Images in [-1, 1] (N, 3, 32, 32), captions (N, T) and classes (N,)."""
    ids = torch.tensor([tokenizer.encode(caption) for caption in part.captions])
    words = [caption.split() for caption in part.captions]
    return (
        part.images.float() / 127.5 - 1,
        ids,
        torch.tensor([CLASSES.index((word[2], word[3])) for word in words]),
    )


def build(tokenizer, generator, d_model=64, n_layers=2):
    """Two towers of 64 numbers a token and two layers each, and a shared space of 32
    dimensions."""
    image = VitConfig(
        32, 8, channels=3, d_model=d_model, n_layers=n_layers, n_heads=4, d_ff=2 * d_model, n_classes=32
    )
    text = GPTConfig(len(tokenizer), MAX_LEN, d_model=d_model, n_layers=n_layers, n_heads=4, d_ff=2 * d_model)
    model = Clip(ClipConfig(image, text), generator=generator)
    with torch.no_grad():
        # few examples: begin milder than the paper
        model.logit_scale.fill_(math.log(10))
    return model


def prompts(tokenizer, many=True):
    """Word ids (48, P, T): for each class all eight sizes and places, or one of them."""
    sentences = [
        [f"a {size} {color} {shape} at the {place}" for size in SIZES for place in PLACES]
        for color, shape in CLASSES
    ]
    ids = torch.tensor([[tokenizer.encode(sentence) for sentence in group] for group in sentences])
    return ids if many else ids[:, :1]


@torch.no_grad()
def class_vectors(model, ids):
    """Prompts (C, P, T) to one unit vector a class, (C, 32): the mean of unit vectors, made a
    unit vector again."""
    vectors = model.encode_text(ids.flatten(0, 1)).unflatten(0, ids.shape[:2])  # (C, P, 32)
    return F.normalize(vectors.mean(dim=1), dim=-1)


@torch.no_grad()
def scores(model, images, ids, labels):
    """Shares that are right: the class among all 48, the class among the held-out eight, the colour, the
    shape."""
    similarity = (
        torch.cat([model.encode_image(part) for part in images.split(200)]) @ class_vectors(model, ids).T
    )
    guess = similarity.argmax(-1)
    held = torch.tensor([CLASSES.index(pair) for pair in HELD_OUT])
    among_held = held[similarity[:, held].argmax(-1)]
    names = {
        "class": guess == labels,
        "among_held": among_held == labels,
        "color": guess // 6 == labels // 6,
        "shape": guess % 6 == labels % 6,
        "says_held": torch.isin(guess, held),
    }
    return {name: round(right.float().mean().item(), 4) for name, right in names.items()}


def run(kind, seed, n_steps, parts, tokenizer):
    """Train with a learned scale ("learned") or a fixed one (a number), and measure."""
    data = {name: as_tensors(getattr(parts, name), tokenizer) for name in ("train", "valid", "test")}
    model = build(tokenizer, generator_for(seed))
    if kind != "learned":
        model.logit_scale.requires_grad_(False).fill_(math.log(float(kind)))
    curve = []

    def loss(model, batch):
        value = contrastive_loss(
            model.encode_image(batch[0]),
            model.encode_text(batch[1]),
            model.logit_scale.clamp(max=math.log(100)),
        )
        curve.append((value.item(), model.logit_scale.exp().item()))
        return value

    started = time.process_time()
    batches = ExampleBatches(data["train"][:2], batch_size=BATCH, seed=seed)
    train(
        model,
        loss,
        batches,
        muon(model, 0.01, 2e-3),
        TrainingConfig(n_steps, warmup_steps=min(20, n_steps), seed=seed),
        progress=False,
    )
    seconds = time.process_time() - started
    model.eval()
    every = max(1, n_steps // 40)
    result = {
        "steps": n_steps,
        "cpu_seconds": round(seconds, 1),
        "curve": [
            [i, round(sum(v for v, _ in curve[i : i + every]) / every, 4), round(curve[i][1], 2)]
            for i in range(0, n_steps - every + 1, every)
        ],
    }
    for name in ("valid", "test"):
        images, _, labels = data[name]
        result[name] = scores(model, images, prompts(tokenizer), labels)
        result[name + "_one_prompt"] = scores(model, images, prompts(tokenizer, many=False), labels)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    parts, tokenizer = make_data()
    made = {
        "command": "python book/runs/beyond_pairs.py",
        "torch": torch.__version__,
        "threads": 1,
        "machine": platform.machine(),
        "train": 4000,
        "valid": 600,
        "test": 600,
        "batch": BATCH,
    }
    done = json.loads(options.json.read_text())["runs"] if options.json.exists() else []
    for kind, seed, n_steps in (
        *((kind, seed, 800) for seed in (0, 1, 2) for kind in ("learned", "1", "100")),
        *(("learned", seed, 2500) for seed in (0, 1, 2)),
    ):
        key = {"scale": kind, "seed": seed, "steps": n_steps}
        if any(key.items() <= entry.items() for entry in done):
            continue
        done.append(key | run(kind, seed, n_steps, parts, tokenizer))
        options.json.write_text(json.dumps(made | {"runs": done}, separators=(",", ":")) + "\n")
        print(
            key, {name: value for name, value in done[-1].items() if name not in ("curve", *key)}, flush=True
        )


if __name__ == "__main__":
    main()
