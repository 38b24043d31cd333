"""Chapter 3's three fruits: their keys (round, citrus skin), their values (sweet, sour), and queries for the
table."""

import torch

from allyouneed.nn.attention import softmax

FRUITS = {
    "apple": ((2.0, 0.0), (8.0, 4.0)),
    "banana": ((0.0, 0.0), (7.0, 0.0)),
    "lemon": ((1.0, 2.0), (1.0, 9.0)),
}
QUERIES = {
    "orange": (1.0, 1.0),
    "lemon's own key": (1.0, 2.0),
    "apple's own key": (2.0, 0.0),
    "banana's own key": (0.0, 0.0),
}


def data():
    keys, values = zip(*FRUITS.values())
    return {"names": list(FRUITS), "keys": keys, "values": values, "query": QUERIES["orange"]}


def look_up(query, factor=1.0):
    """Scores, weights and the mixed value of one query."""
    keys, values = (torch.tensor(part) for part in zip(*FRUITS.values()))
    scores = factor * keys @ torch.tensor(query)
    weights = softmax(scores, dim=-1)
    return scores, weights, weights @ values


def fallback():
    """What four queries get from the soft look-up and from the dictionary."""
    rows = [
        (
            f"| query | scores of {', '.join(FRUITS)} | weights | soft answer (sweet, sour) | the "
            "dictionary's answer |"
        ),
        "|---|---|---|---|---|",
    ]
    for name, query in QUERIES.items():
        scores, weights, answer = look_up(query)
        hard = next(
            (str(tuple(map(int, value))) for key, value in FRUITS.values() if key == query), "no such key"
        )
        shown = [
            ", ".join(f"{number:.{digits}f}" for number in part.tolist())
            for part, digits in ((scores, 0), (weights, 2), (answer, 1))
        ]
        rows.append(
            f"| {name} ({query[0]:g}, {query[1]:g}) | {shown[0]} | {shown[1]} | ({shown[2]}) | {hard} |"
        )
    return "\n".join(rows)
