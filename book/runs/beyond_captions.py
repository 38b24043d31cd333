"""Captions that look before each word: a recurrent decoder with additive attention over a small network's
features.

    python book/runs/beyond_captions.py

writes beyond_captions.json beside this file: the share of right words and captions on known and on unseen
combinations, how much weight falls on the shape when a word is right and when it is wrong, and the maps of
some pictures. About five minutes of one core.
A run that is already in the file is not repeated, so the script may be stopped and started again.
"""

import argparse
import json
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from allyouneed.data import make_captioned_shapes
from allyouneed.data.shapes import HELD_OUT
from allyouneed.nn.recurrent import AdditiveAttention
from allyouneed.text.tokenizers import WordTokenizer
from allyouneed.training import ExampleBatches, TrainingConfig, adamw, generator_for, train

# "a small red circle at the top left"
SLOTS = {"size": 1, "colour": 2, "shape": 3, "height": 6, "side": 7}
BATCH = 64


class LookAndTell(nn.Module):
    """Features of 64 places, and a GRU that looks at them before it says each word (after Xu and others
    2015)."""

    def __init__(self, n_words, width=64):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 32, 3, stride=2, padding=1),
            nn.ReLU(),
            # 32 x 32 pixels to 8 x 8 places
            nn.Conv2d(32, width, 3, stride=2, padding=1),
            nn.ReLU(),
        )
        # else no word could say where
        self.places = nn.Parameter(torch.randn(64, width) * 0.1)
        self.words = nn.Embedding(n_words, width)
        self.look = AdditiveAttention(d_state=width, d_memory=width, d_hidden=width)
        self.step = nn.GRUCell(2 * width, width)
        self.say = nn.Linear(2 * width, n_words)

    def forward(self, images, captions=None, n_words=8, start=0):
        """Logits (B, T, V) and where it looked (B, T, 64). With captions: each word is given
        the true one before it."""
        memory = self.features(images).flatten(2).transpose(1, 2) + self.places  # (B, 64, D)
        state, word = memory.mean(dim=1), torch.full((len(images),), start)
        logits, looked = [], []
        for t in range(n_words if captions is None else captions.shape[1]):
            context, weights = self.look(state, memory)  # (B, D), (B, 64)
            state = self.step(torch.cat((self.words(word), context), dim=-1), state)
            logits.append(self.say(torch.cat((state, context), dim=-1)))
            looked.append(weights)
            word = logits[-1].argmax(-1) if captions is None else captions[:, t]
        return torch.stack(logits, dim=1), torch.stack(looked, dim=1)


def make_data(n_train=4000):
    """(parts, tokenizer): generated pictures; the test part shows combinations of colour and shape that
    training never has."""
    parts = make_captioned_shapes(n_train, 600, 600, generator=generator_for(9))
    return parts, WordTokenizer.train(sorted(parts.train.captions), specials=("<start>",))


def as_tensors(part, tokenizer):
    """Images in [-1, 1] and captions (N, 8)."""
    return part.images.float() / 127.5 - 1, torch.tensor(
        [tokenizer.encode(caption) for caption in part.captions]
    )


def on_shape(part):
    """Which of the 8 x 8 places hold some of the shape, boolean (N, 64). The ground is a grey of 225 or more
    in all channels."""
    differs = part.images.amin(dim=1) < 225  # (N, 32, 32)
    return differs.unflatten(2, (8, 4)).unflatten(1, (8, 4)).any(dim=4).any(dim=2).flatten(1)


def fit(parts, tokenizer, n_steps, seed=0):
    """Train; returns the model, the curve of the loss and the processor seconds."""
    torch.manual_seed(seed)
    model, curve = LookAndTell(len(tokenizer)), []

    def loss(model, batch):
        value = F.cross_entropy(model(*batch)[0].flatten(0, 1), batch[1].flatten())
        curve.append(value.item())
        return value

    started = time.process_time()
    batches = ExampleBatches(as_tensors(parts.train, tokenizer), batch_size=BATCH, seed=seed)
    train(
        model,
        loss,
        batches,
        adamw(model, 3e-3, weight_decay=0.0),
        TrainingConfig(n_steps, warmup_steps=min(20, n_steps), seed=seed),
        progress=False,
    )
    return model.eval(), curve, time.process_time() - started


@torch.no_grad()
def tell(model, images):
    """Greedy captions (N, 8) and where it looked (N, 8, 64)."""
    found = [model(part) for part in images.split(200)]
    return torch.cat([logits.argmax(-1) for logits, _ in found]), torch.cat([looked for _, looked in found])


def measure(model, part, tokenizer):
    """Shares of right captions and words, and the mean weight on the shape for right and for wrong words of
    each slot."""
    images, captions = as_tensors(part, tokenizer)
    said, looked = tell(model, images)
    weight = (looked * on_shape(part)[:, None]).sum(-1)  # (N, 8)
    right = said == captions
    found = {
        "captions": round(right.all(-1).float().mean().item(), 4),
        "shape_covers": round(on_shape(part).float().mean().item(), 4),
    }
    for name, t in SLOTS.items():
        hit = right[:, t]
        found[name] = {
            "right": round(hit.float().mean().item(), 4),
            "n_wrong": int((~hit).sum()),
            "weight_if_right": round(weight[hit, t].mean().item(), 4) if hit.any() else None,
            "weight_if_wrong": round(weight[~hit, t].mean().item(), 4) if (~hit).any() else None,
        }
    colour, shape = SLOTS["colour"], SLOTS["shape"]
    held = {(tokenizer.id(a), tokenizer.id(b)) for a, b in HELD_OUT}
    found["says_held"] = round(
        sum((a, b) in held for a, b in said[:, [colour, shape]].tolist()) / len(said), 4
    )
    # tell it a colour that it knows with this shape
    swapped = captions.clone()
    blue, green, triangle = tokenizer.id("blue"), tokenizer.id("green"), tokenizer.id("triangle")
    swapped[:, colour] = torch.where(captions[:, shape] == triangle, green, blue)
    for name, given in (("shape_after_true_colour", captions), ("shape_after_other_colour", swapped)):
        with torch.no_grad():
            guess = torch.cat(
                [model(x, y)[0][:, shape].argmax(-1) for x, y in zip(images.split(200), given.split(200))]
            )
        found[name] = round((guess == captions[:, shape]).float().mean().item(), 4)
    return found, said, looked


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    parser.add_argument("--steps", type=int, default=1000)
    options = parser.parse_args()
    torch.set_num_threads(1)
    parts, tokenizer = make_data()
    made = {
        "command": "python book/runs/beyond_captions.py",
        "torch": torch.__version__,
        "threads": 1,
        "machine": platform.machine(),
        "train": 4000,
        "valid": 600,
        "test": 600,
        "batch": BATCH,
    }
    done = json.loads(options.json.read_text())["runs"] if options.json.exists() else []
    for seed in (0, 1, 2):
        key = {"seed": seed, "steps": options.steps}
        if any(key.items() <= entry.items() for entry in done):
            continue
        model, curve, seconds = fit(parts, tokenizer, options.steps, seed)
        every = max(1, options.steps // 40)
        entry = key | {
            "cpu_seconds": round(seconds, 1),
            "curve": [
                [i, round(sum(curve[i : i + every]) / every, 4)]
                for i in range(0, options.steps - every + 1, every)
            ],
        }
        for name in ("valid", "test"):
            entry[name], said, looked = measure(model, getattr(parts, name), tokenizer)
            if seed == 0:
                captions = as_tensors(getattr(parts, name), tokenizer)[1]
                right = (said == captions).all(-1)
                chosen = right.nonzero()[:4, 0].tolist() + (~right).nonzero()[:6, 0].tolist()
                entry["maps_" + name] = [
                    {
                        "picture": i,
                        "true": tokenizer.decode(captions[i]),
                        "said": tokenizer.decode(said[i]),
                        "weights": [[round(w, 3) for w in line] for line in looked[i].tolist()],
                    }
                    for i in chosen
                ]
        done.append(entry)
        options.json.write_text(json.dumps(made | {"runs": done}, separators=(",", ":")) + "\n")
        print(key, entry["valid"], entry["test"], entry["cpu_seconds"], flush=True)


if __name__ == "__main__":
    main()
