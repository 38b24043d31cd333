"""Numbers in words, from German into French: an encoder–decoder that reads letters and writes words.

    python book/runs/number_words.py

writes number_words.json beside this file: the share of unseen numbers written without a mistake during
training and after it, greedy and with beams of several widths, the mistakes, the same beams on the
half-trained model, and one cross-attention map. Needs about four minutes on one core. Chapter 6 shows it.
"""

import argparse
import copy
import json
import time
from pathlib import Path

import torch
import torch.nn.functional as F

from allyouneed.data import load_number_words, spell
from allyouneed.generation.beam import beam_search
from allyouneed.generation.sampling import generate
from allyouneed.models import Seq2Seq, Seq2SeqConfig, parameter_count
from allyouneed.nn.maps import record_maps
from allyouneed.text.padding import pad_batch
from allyouneed.text.tokenizers import CharTokenizer, WordTokenizer
from allyouneed.training import ExampleBatches, TrainingConfig, adamw, generator_for, train

PAD, START, STOP = 0, 1, 2
BEAMS = (1, 2, 4, 8)
SHOWN = 87_391  # siebenundachtzigtausenddreihunderteinundneunzig


def build(pairs, seed):
    """The tokenizers of letters and of words, and the model."""
    letters = CharTokenizer.train([pair.source for pair in pairs], specials=["<pad>"], unknown="<unk>")
    words = WordTokenizer.train([pair.target for pair in pairs], specials=["<pad>", "<start>", "<stop>"])
    sizes = dict(d_model=96, n_layers=2, n_heads=4, source_vocab_size=len(letters), max_len=64)
    return letters, words, Seq2Seq(Seq2SeqConfig(len(words), **sizes), generator=generator_for(seed))


def encode(pairs, letters, words):
    source, _ = pad_batch([letters.encode(pair.source) for pair in pairs])
    target, _ = pad_batch([[START, *words.encode(pair.target), STOP] for pair in pairs])
    return source, target


def loss(model, batch):
    source, target = (part[:, : (part != PAD).sum(1).max()] for part in batch)
    logits = model(source, target[:, :-1], source != PAD)
    return F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=PAD)


def right(written, target):
    """Which rows (B,) are written without a mistake; after the stop token nothing counts."""
    target = target[:, 1:]
    written = F.pad(written, (0, max(0, target.shape[1] - written.shape[1])), value=STOP)[
        :, : target.shape[1]
    ]
    return ((written == target) | (target == PAD)).all(dim=1)


def write(model, source, n_beams=1, length_penalty=1.0):
    options = dict(max_new_tokens=24, stop_id=STOP)
    given, starts = model.given(source, source != PAD), [[START]] * len(source)
    if n_beams == 1:
        return generate(given, starts, temperature=0, **options)
    return beam_search(given, starts, n_beams=n_beams, length_penalty=length_penalty, **options)[0]


def search(model, test):
    """What the model writes with each number of beams, and which rows are right."""
    written = {beams: write(model, test[0], beams) for beams in BEAMS}
    return written, {beams: right(ids, test[1]) for beams, ids in written.items()}


def shares(marks):
    return {beams: round(mark.float().mean().item(), 4) for beams, mark in marks.items()}


def changes(marks):
    """For each number of beams: how many texts are right that greedy had wrong, and the other way round."""
    return {
        beams: [int((mark & ~marks[1]).sum()), int((~mark & marks[1]).sum())] for beams, mark in marks.items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--pairs", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    started, pairs = time.process_time(), load_number_words(options.pairs)
    letters, words, model = build(pairs.train, options.seed)
    training, valid, test = (encode(part, letters, words) for part in pairs)

    early = []

    def evaluate(model):
        early or early.append(copy.deepcopy(model))  # as it was at the first evaluation
        return right(write(model, valid[0][:300]), valid[1][:300]).float().mean()

    config = TrainingConfig(
        options.steps, warmup_steps=100, decay="linear", evaluate_every=options.steps // 12, seed=options.seed
    )
    history = train(
        model,
        loss,
        ExampleBatches(training, 64, seed=options.seed),
        adamw(model, 3e-3),
        config,
        evaluate,
        progress=False,
    )
    print(
        f"{time.process_time() - started:.0f} s", [round(value, 3) for _, value in history.valid], flush=True
    )
    model.eval()
    written, marks = search(model, test)
    _, early_marks = search(early[0].eval(), test)
    wrong = (~marks[1]).nonzero()[:, 0].tolist()
    mistakes = [
        {
            "source": pairs.test[row].source,
            "target": pairs.test[row].target,
            "number": pairs.test[row].number,
            "written": words.decode(written[1][row].tolist()).replace(" - ", "-"),
        }
        for row in wrong
    ]
    shown = spell(SHOWN)
    source, target = encode([shown], letters, words)
    with torch.no_grad():
        with record_maps(model.decoder, "cross_attention") as maps:
            model(source, target[:, :-1])
    cross = torch.stack(maps)  # (L, 1, H, T, S)
    made = {
        "command": "python book/runs/number_words.py",
        "torch": torch.__version__,
        "seconds": round(time.process_time() - started),
    }
    found = {
        "parameters": parameter_count(model),
        "steps": options.steps,
        "seed": options.seed,
        "trained_on": len(pairs.train),
        "tested": len(pairs.test),
        "loss": round(history.train[-1][1], 4),
        "valid": [[step, round(float(value), 3)] for step, value in history.valid],
        "exact": shares(marks),
        "changed": changes(marks),
        "early": {
            "steps": history.valid[0][0],
            "exact": shares(early_marks),
            "changed": changes(early_marks),
        },
        "mistakes": mistakes,
        "shown": {
            "source": list(shown.source),
            "target": words.split(shown.target) + ["<stop>"],
            "weights": [[round(value, 3) for value in row] for row in cross[-1, 0].mean(0).tolist()],
        },
    }
    print(
        {key: value for key, value in found.items() if key not in ("shown", "mistakes")},
        *mistakes[:10],
        sep="\n",
    )
    options.json.write_text(json.dumps({**made, **found}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
