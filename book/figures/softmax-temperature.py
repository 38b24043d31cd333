"""What SmolLM2 expects after a few words: its twelve largest logits one by one, all others in groups of
similar size."""

import functools
import math

import torch

from allyouneed.pretrained.loading import load_smollm2, smollm2_tokenizer

TEXTS = ("The capital of France is", "Once upon a time there was a", "I went to the bank to")
SHOWN, GROUPS = 12, 256


def groups(scores):
    """Scores from the largest on, one by one at first and then in ever larger groups: the mean of each, and
    how many it holds."""
    ends = torch.logspace(0, math.log10(len(scores)), GROUPS).round().long().unique().tolist()
    return [
        [part.mean().item(), len(part)]
        for part in scores.sort(descending=True).values.tensor_split(ends[:-1])
    ]


@functools.cache
def data():
    model, tokenizer = load_smollm2(), smollm2_tokenizer()
    texts = []
    with torch.no_grad():
        for text in TEXTS:
            scores = model(torch.tensor([tokenizer.encode(text)]))[0, -1]
            best = scores.topk(SHOWN)
            rest = torch.ones_like(scores, dtype=torch.bool).index_fill(0, best.indices, False)
            texts.append(
                {
                    "text": text,
                    "tokens": [tokenizer.decode([token]) for token in best.indices.tolist()],
                    "scores": best.values.tolist(),
                    "rest": groups(scores[rest]),
                }
            )
    return {"texts": texts, "vocabulary": len(scores)}


def fallback():
    """The shares of the three best tokens at three temperatures, as a table."""
    rows = ["| after | token | share at temperature 0.5 | at 1 | at 2 |", "|---|---|---|---|---|"]
    for item in data()["texts"]:
        scores = torch.tensor(item["scores"] + [score for score, _ in item["rest"]])
        counts = torch.tensor([1] * SHOWN + [count for _, count in item["rest"]])
        shares = {t: (counts * torch.exp((scores - scores.max()) / t)) for t in (0.5, 1, 2)}
        for place in range(3):
            cells = " | ".join(f"{100 * shares[t][place] / shares[t].sum():.1f} %" for t in shares)
            rows.append(f"| {item['text']} | `{item['tokens'][place].strip()}` | {cells} |")
    return "\n".join(rows)
