"""All attention weights of two real models on six short texts, one byte a weight, and the heads that chapters
3 and 4 point at."""

import base64
import functools

import torch

from allyouneed.nn.head_scores import induction_score, previous_token_score, weight_on
from allyouneed.nn.maps import run_with_maps
from allyouneed.pretrained.loading import load_minilm, load_smollm2, minilm_tokenizer, smollm2_tokenizer

ENCODER = (
    "The cat drank the milk because it was thirsty.",
    "The cat drank the milk because it was fresh.",
    "The boy told the teacher that the book was her favourite.",
    "A new bridge across the river will be finished before the end of summer.",
)
DECODER = (
    "The wizard Zorvex Plimtrac bought a loaf of bread. Later, Zorvex Plim",
    "Red, blue, green, gold. Red, blue, green,",
)
STEPS, PERIOD = 255, 24


def packed(maps, causal):
    """Weights (L, H, n, n) as base64, one byte a weight; of a causal map only the lower triangle, row by
    row."""
    steps = (maps * STEPS).round().to(torch.uint8)
    if causal:
        rows, columns = torch.tril_indices(*maps.shape[-2:])
        steps = steps[..., rows, columns]
    return base64.b64encode(steps.contiguous().numpy().tobytes()).decode()


def best(scores):
    """Layer and head of the highest score."""
    return divmod(scores.argmax().item(), scores.shape[1])


@functools.cache
def read():
    """The texts with their tokens and maps, and the pointed-out heads."""
    with torch.no_grad():
        encoder, words, decoder, pieces = (
            load_minilm(),
            minilm_tokenizer(),
            load_smollm2(),
            smollm2_tokenizer(),
        )
        texts = []
        for text in ENCODER:
            encoded = words.encode(text)
            texts.append(
                {
                    "model": 0,
                    "text": text,
                    "tokens": encoded.tokens,
                    "maps": run_with_maps(encoder, torch.tensor([encoded.ids]))[1][:, 0],
                }
            )
        for text in DECODER:
            ids = pieces.encode(text)
            texts.append(
                {
                    "model": 1,
                    "text": text,
                    "tokens": [pieces.decode([token]).strip() or "␣" for token in ids],
                    "maps": run_with_maps(decoder, torch.tensor([ids]))[1][:, 0],
                }
            )
        # chapter 4's search texts
        half = torch.randint(1000, 40_000, (4, PERIOD), generator=torch.Generator().manual_seed(0))
        repeated = run_with_maps(decoder, torch.cat([half, half], dim=1))[1]
    maps = [item["maps"][:, None] for item in texts[:4]]
    on_start = sum(weight_on(part, torch.arange(part.shape[-1])[None] == 0) for part in maps)
    back = sum(previous_token_score(part) for part in maps)

    def pointed(name, place, text, token, words):
        return {
            "name": name,
            "layer": place[0],
            "head": place[1],
            "text": text,
            "query": len(texts[text]["tokens"]) - 1 - texts[text]["tokens"][::-1].index(token),
            "words": words,
        }

    heads = [
        pointed(
            "what “it” stands for",
            (3, 1),
            0,
            "it",
            (
                "Chapter 3 found this head by its swing between "
                "two endings. Compare the sentence that ends "
                "with fresh."
            ),
        ),
        pointed("punctuation", (3, 11), 3, "be", "Chapter 4's separator head: words look at the full stop."),
        pointed(
            "the start marker",
            best(on_start),
            3,
            "river",
            "The head with the most weight on [CLS], which passes little on.",
        ),
        pointed(
            "one back, encoder",
            best(back),
            3,
            "river",
            ("The highest previous-token score among the encoder's heads in these four sentences."),
        ),
        pointed(
            "one back, decoder",
            best(previous_token_score(repeated)),
            4,
            "or",
            "The highest previous-token score in chapter 4, measured on random tokens.",
        ),
        pointed(
            "induction",
            best(induction_score(repeated, PERIOD)),
            4,
            "im",
            (
                "The highest induction score in chapter 4: it looks at what came next, last time. Walk back "
                "through the name with the arrow keys."
            ),
        ),
        pointed(
            "attention sink",
            best(repeated[..., 1:, 0].mean((1, 3))),
            5,
            "gold",
            "The head with the most weight on the first token, whatever it is.",
        ),
    ]
    return texts, heads


def data():
    texts, heads = read()
    models = [
        {"name": name, "layers": text["maps"].shape[0], "heads": text["maps"].shape[1], "causal": causal}
        for name, text, causal in (("MiniLM", texts[0], False), ("SmolLM2", texts[-1], True))
    ]
    return {
        "models": models,
        "pointed": heads,
        "steps": STEPS,
        "texts": [{**item, "maps": packed(item["maps"], models[item["model"]]["causal"])} for item in texts],
    }


def fallback():
    """For each pointed-out head, the three largest weights of one token."""
    texts, heads = read()
    rows = ["| head | of | token that looks | looks at (weight) |", "|---|---|---|---|"]
    for head in heads:
        item = texts[head["text"]]
        largest = item["maps"][head["layer"], head["head"], head["query"]].topk(3)
        seen = ", ".join(
            f"`{item['tokens'][key]}` {weight:.2f}"
            for key, weight in zip(largest.indices.tolist(), largest.values.tolist())
        )
        rows.append(
            f"| {head['name']} | {('MiniLM', 'SmolLM2')[item['model']]}, layer {head['layer']}, "
            f"head {head['head']} | `{item['tokens'][head['query']]}` | {seen} |"
        )
    return "\n".join(rows)
