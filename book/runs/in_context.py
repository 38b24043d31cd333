"""Examples in the prompt instead of training: how often is SmolLM2-135M right after 0, 1, 2, 4 and 8 worked
examples?

    python book/runs/in_context.py

writes in_context.json beside this file: for each task and number of examples the share of 24 questions whose
answer is the most likely next tokens, with true examples and with examples whose answers were shuffled. Needs
about a minute of one core. What is already in the file is not asked again, so the script may be stopped and
started again.
No weight changes: the prompt is all that differs.
"""

import argparse
import json
import platform
import time
from itertools import product
from pathlib import Path

import torch

from allyouneed.pretrained.loading import load_smollm2, smollm2_tokenizer
from allyouneed.training import generator_for

TASKS = {
    "country to capital": """France Paris, Italy Rome, Spain Madrid, Germany Berlin, Japan Tokyo, China Beijing, Egypt Cairo, Russia Moscow,
        Greece Athens, Poland Warsaw, Austria Vienna, Hungary Budapest, Portugal Lisbon, Norway Oslo, Sweden Stockholm, Denmark Copenhagen,
        Finland Helsinki, Ireland Dublin, Belgium Brussels, Turkey Ankara, Iran Tehran, Iraq Baghdad, Cuba Havana, Peru Lima, Chile Santiago,
        Kenya Nairobi, Thailand Bangkok, Vietnam Hanoi, Canada Ottawa, Australia Canberra, Ukraine Kyiv, Syria Damascus, Lebanon Beirut,
        Bulgaria Sofia, Romania Bucharest, Serbia Belgrade, Croatia Zagreb, Nepal Kathmandu""",
    "word to opposite": """hot cold, big small, up down, left right, good bad, fast slow, old new, high low, black white, day night, open closed,
        happy sad, rich poor, strong weak, light dark, hard soft, long short, early late, full empty, wet dry, clean dirty, deep shallow,
        near far, inside outside, love hate, war peace, life death, true false, right wrong, buy sell, win lose, begin end, north south,
        east west, male female, push pull, summer winter, first last""",
    "verb to past": """go went, see saw, take took, come came, give gave, run ran, eat ate, write wrote, speak spoke, drink drank, sing sang,
        know knew, grow grew, fly flew, buy bought, think thought, bring brought, catch caught, teach taught, find found, hold held,
        leave left, lose lost, make made, say said, sell sold, send sent, sit sat, stand stood, tell told, win won, break broke,
        choose chose, drive drove, fall fell, forget forgot, ride rode, wear wore""",
}
SHOTS, N_QUESTIONS = (0, 1, 2, 4, 8), 24


def pairs_of(task):
    return [tuple(pair.split()) for pair in TASKS[task].split(",")]


def prompt(examples, question):
    """A line for each example, then the question's line without its answer."""
    return "".join(f"{left} -> {right}\n" for left, right in examples) + f"{question} ->"


@torch.no_grad()
def is_right(model, tokenizer, text, answer):
    """Whether the answer's tokens are each the most likely one (all looked at in one pass)."""
    start, tokens = tokenizer.encode(text), tokenizer.encode(" " + answer)
    logits = model(torch.tensor([start + tokens[:-1]]))[0, len(start) - 1 :]  # (tokens, V)
    return logits.argmax(-1).tolist() == tokens


def run(model, tokenizer, task, n_shots, shuffled):
    pairs, right = pairs_of(task), 0
    for number in range(N_QUESTIONS):
        question, answer = pairs[number]
        others = pairs[:number] + pairs[number + 1 :]
        chosen = [
            others[i] for i in torch.randperm(len(others), generator=generator_for(number)).tolist()[:n_shots]
        ]
        # each example gets the next one's answer
        if shuffled:
            chosen = [(left, chosen[(i + 1) % n_shots][1]) for i, (left, _) in enumerate(chosen)]
        right += is_right(model, tokenizer, prompt(chosen, question), answer)
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--json", type=Path, default=Path(__file__).with_suffix(".json"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    before = {"cpu_seconds": 0, "runs": []}
    if options.json.exists():
        before = json.loads(options.json.read_text())
    runs, seconds = before["runs"], before["cpu_seconds"]
    model, tokenizer = load_smollm2(), smollm2_tokenizer()
    made = {
        "command": "python book/runs/in_context.py",
        "torch": torch.__version__,
        "threads": 1,
        "machine": platform.machine(),
        "model": "SmolLM2-135M-Instruct",
        "questions": N_QUESTIONS,
    }
    for task, (n_shots, shuffled) in product(TASKS, [*((shots, False) for shots in SHOTS), (8, True)]):
        key = {"task": task, "shots": n_shots, "shuffled": shuffled}
        if any(key.items() <= entry.items() for entry in runs):
            continue
        started = time.process_time()
        runs.append(key | {"right": run(model, tokenizer, task, n_shots, shuffled)})
        seconds += time.process_time() - started
        made["cpu_seconds"] = round(seconds)
        options.json.write_text(json.dumps(made | {"runs": runs}, indent=1) + "\n")
        print(*runs[-1].values(), f"of {N_QUESTIONS}", flush=True)


if __name__ == "__main__":
    main()
