"""The course's optimizers: AdamW for everything, or Muon for the matrices inside, AdamW for the rest."""

import torch
from torch import nn

from allyouneed.training.orthogonal import Muon

OUTER_PARTS = ("embedding", "positions", "head")


def adamw(model, learning_rate=1e-3, weight_decay=0.1, betas=(0.9, 0.95)) -> list[torch.optim.Optimizer]:
    """Return `[AdamW]` in its fused form; weights of two or more axes decay, vectors (biases, norms) do not.

    Arguments: `model`; `learning_rate`, the full one (the schedule scales it); `weight_decay`; `betas`,
    memories of the gradient's mean and square. A list, because `train` takes a list of optimizers.
    Paper: Loshchilov and Hutter 2019.

    >>> [len(group["params"]) for group in adamw(nn.Linear(2, 3))[0].param_groups]
    [1, 1]
    """
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return [_adamw(trained, learning_rate, weight_decay, betas)]


def muon(
    model, learning_rate=0.02, adam_learning_rate=3e-3, weight_decay=0.0, betas=(0.9, 0.95), outer=OUTER_PARTS
) -> list[torch.optim.Optimizer]:
    """Return `[Muon, AdamW]`: Muon for matrices inside the layers, AdamW for embeddings, head and vectors.

    Muon replaces each matrix's momentum by its nearest orthogonal matrix, so that all directions learn
    equally fast.

    Arguments: `learning_rate`, of the matrices; `adam_learning_rate`, of the rest; `weight_decay`, of both;
    `outer`, names that, found in a parameter's path, give it to AdamW (as `nn.Embedding` does). Raises
    `ValueError` if the model has no matrix inside. Paper: Jordan and others 2024 (a report).

    >>> [type(optimizer).__name__ for optimizer in muon(nn.Linear(2, 3))]
    ['Muon', 'AdamW']
    """
    embeddings = {id(part.weight) for part in model.modules() if isinstance(part, nn.Embedding)}
    inner, rest = [], []
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            is_outer = (
                parameter.dim() != 2 or id(parameter) in embeddings or set(outer) & set(name.split("."))
            )
            (rest if is_outer else inner).append(parameter)
    if not inner:
        raise ValueError(f"no matrix outside {tuple(outer)} for Muon to train: use adamw(model)")
    matrices = Muon(inner, lr=learning_rate, weight_decay=weight_decay, momentum=0.95)
    return [matrices, _adamw(rest, adam_learning_rate, weight_decay, betas)] if rest else [matrices]


def _adamw(parameters, learning_rate, weight_decay, betas):
    groups = [
        {"params": [p for p in parameters if p.dim() >= 2], "weight_decay": weight_decay},
        {"params": [p for p in parameters if p.dim() < 2], "weight_decay": 0.0},
    ]
    groups = [group for group in groups if group["params"]]
    return torch.optim.AdamW(groups, lr=learning_rate, betas=betas, fused=True)
