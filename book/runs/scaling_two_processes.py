"""The same training run in one process or in several, which share each batch: chapter 10 starts it both ways
and compares.

    python book/runs/scaling_two_processes.py FILE
    torchrun --standalone --nproc_per_node 2 book/runs/scaling_two_processes.py FILE

Trains once with plain gradient descent and once with AdamW; writes the weights, and how many rows a process
had, to FILE.
"""

import sys

import torch
import torch.nn.functional as F

from allyouneed.data import load_shakespeare
from allyouneed.models.llama import Llama, LlamaConfig
from allyouneed.text.tokenizers import CharTokenizer
from allyouneed.training import TextBatches, TrainingConfig, adamw, generator_for, joined_processes, train


def loss(model, batch):
    inputs, targets = batch
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())


def main(file):
    torch.set_num_threads(1)
    text = load_shakespeare(100_000).train
    tokenizer, found, rows = CharTokenizer.train(text), {}, []
    windows = TextBatches(torch.tensor(tokenizer.encode(text)), batch_size=12, length=64)

    def batches(step, rank, count):
        batch = windows(step, rank, count)  # this process's equal share of the 12 windows
        rows.append(len(batch[0]))
        return batch

    with joined_processes("cpu") as process:
        for name in ("sgd", "adamw"):
            model = Llama(
                LlamaConfig(len(tokenizer), 64, d_model=64, n_layers=2, n_heads=4, d_ff=176),
                generator=generator_for(0),
            )
            optimizers = adamw(model) if name == "adamw" else [torch.optim.SGD(model.parameters(), lr=0.1)]
            config = TrainingConfig(n_steps=20, log_every=20)
            train(model, loss, batches, optimizers, config, process=process, progress=False)
            found[name] = model.state_dict()
        if process.is_first:
            torch.save({"weights": found, "processes": process.count, "rows": rows[0]}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
