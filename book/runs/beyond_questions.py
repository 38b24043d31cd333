"""Questions about pictures: cross-attention from the question's words to the patches, and what a blind model
reaches.

    python book/runs/beyond_questions.py

writes beyond_questions.json beside this file: test accuracy by kind of question, for a model that sees and
for one whose pictures are replaced by their mean, with attention maps of a few test questions. Needs about
five minutes of one core.
A run that is already in the file is not repeated, so the script may be stopped and started again.
"""

import argparse
import json
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F

from allyouneed.data import load_visual_questions
from allyouneed.models.vit import VitConfig
from allyouneed.models.vqa import VisualQuestionAnswerer, VqaConfig
from allyouneed.nn.maps import record_maps
from allyouneed.text.padding import pad_batch
from allyouneed.text.tokenizers import WordTokenizer
from allyouneed.training import ExampleBatches, TrainingConfig, generator_for, muon, train

BATCH, MAX_LEN = 64, 10
SHAPES, SAYS = ("circle", "rectangle", "triangle"), ("yes", "no")


def as_tensors(part, tokenizer):
    """Question ids (Q, T), which are words (Q, T), the picture of each (Q,), its answer (Q,)."""
    ids, lengths = pad_batch([tokenizer.encode(question) for question in part.questions])
    ids = F.pad(ids, (0, MAX_LEN - ids.shape[1]))
    return ids, torch.arange(MAX_LEN) < lengths[:, None], part.image_of, part.answers


def pictures(part, blind=False):
    """Images in [-1, 1], (N, 3, 64, 64); blind: each of them is their mean."""
    images = part.images.float() / 127.5 - 1
    return images.mean(dim=0, keepdim=True).expand_as(images) if blind else images


def build(tokenizer, n_answers, generator, patch=8, d_model=64):
    image = VitConfig(
        64, patch, channels=3, d_model=d_model, n_layers=2, n_heads=4, d_ff=2 * d_model, n_classes=1
    )
    return VisualQuestionAnswerer(
        VqaConfig(image, len(tokenizer), MAX_LEN, n_layers=2, n_answers=n_answers), generator=generator
    )


def kind_of(answer):
    return "yes or no" if answer in SAYS else "shape" if answer in SHAPES else "colour"


@torch.no_grad()
def guesses(model, images, ids, real, image_of):
    """The best answer to each question, (Q,)."""
    model.eval()
    return torch.cat(
        [
            model(images[i], q, r).argmax(-1)
            for i, q, r in zip(image_of.split(256), ids.split(256), real.split(256))
        ]
    )


def by_kind(guess, answers, names):
    """{kind: share right}, and "all"."""
    kinds = [kind_of(names[a]) for a in answers.tolist()]
    right = (guess == answers).float()
    found = {"all": round(right.mean().item(), 4)}
    for kind in ("yes or no", "shape", "colour"):
        found[kind] = round(right[torch.tensor([k == kind for k in kinds])].mean().item(), 4)
    return found


def fit(parts, tokenizer, n_steps, blind=False, patch=8, d_model=64, seed=0):
    """Train; returns the model, the curve of the loss and the processor seconds."""
    model = build(tokenizer, len(parts.train.answer_names), generator_for(seed), patch, d_model)
    ids, real, image_of, answers = as_tensors(parts.train, tokenizer)
    images, curve = pictures(parts.train, blind), []

    def loss(model, batch):
        q, r, i, a = batch
        value = F.cross_entropy(model(images[i], q, r), a)
        curve.append(value.item())
        return value

    started = time.process_time()
    batches = ExampleBatches([ids, real, image_of, answers], batch_size=BATCH, seed=seed)
    train(
        model,
        loss,
        batches,
        muon(model, 0.01, 2e-3),
        TrainingConfig(n_steps, warmup_steps=min(20, n_steps), seed=seed),
        progress=False,
    )
    return model.eval(), curve, time.process_time() - started


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    parser.add_argument("--steps", type=int, default=1000)
    options = parser.parse_args()
    torch.set_num_threads(1)
    parts = load_visual_questions()
    tokenizer = WordTokenizer.train(sorted(set(parts.train.questions)), specials=("<pad>",))
    names = parts.train.answer_names
    made = {
        "command": "python book/runs/beyond_questions.py",
        "torch": torch.__version__,
        "threads": 1,
        "machine": platform.machine(),
        "train": len(parts.train.questions),
        "test": len(parts.test.questions),
        "batch": BATCH,
    }
    done = json.loads(options.json.read_text())["runs"] if options.json.exists() else []
    ids, real, image_of, answers = as_tensors(parts.test, tokenizer)
    for blind, n_steps in ((False, options.steps), (True, options.steps // 5)):
        key = {"blind": blind, "steps": n_steps, "seed": 0}
        if any(key.items() <= entry.items() for entry in done):
            continue
        model, curve, seconds = fit(parts, tokenizer, n_steps, blind, key["seed"])
        images = pictures(parts.test, blind)
        guess = guesses(model, images, ids, real, image_of)
        every = max(1, n_steps // 40)
        entry = key | {
            "cpu_seconds": round(seconds, 1),
            "test": by_kind(guess, answers, names),
            "curve": [
                [i, round(sum(curve[i : i + every]) / every, 4)] for i in range(0, n_steps - every + 1, every)
            ],
        }
        # one question of each kind about four pictures
        if not blind:
            entry["maps"] = []
            for picture in (3, 10, 21, 40):
                rows = (image_of == picture).nonzero()[:, 0]
                kinds = [kind_of(names[a]) for a in answers[rows].tolist()]
                for kind in ("shape", "colour", "yes or no"):
                    if kind not in kinds:
                        continue
                    row = rows[kinds.index(kind)].item()
                    one = slice(row, row + 1)
                    with torch.no_grad(), record_maps(model, "cross_attention") as maps:
                        model(images[image_of[one]], ids[one], real[one])
                    weights = maps[-1]  # of the last layer
                    n = int(real[row].sum())
                    entry["maps"].append(
                        {
                            "question": parts.test.questions[row],
                            "picture": picture,
                            "answer": names[answers[row]],
                            "guess": names[guess[row]],
                            "weights": [
                                [round(w, 3) for w in line] for line in weights[0, :, :n].mean(0).tolist()
                            ],
                        }
                    )
        done.append(entry)
        options.json.write_text(json.dumps(made | {"runs": done}, separators=(",", ":")) + "\n")
        print(key, entry["test"], entry["cpu_seconds"], flush=True)


if __name__ == "__main__":
    main()
