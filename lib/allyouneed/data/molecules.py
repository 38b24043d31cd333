"""Molecules as text (SMILES), and the files of a real language model trained on chemical reactions."""

import json
import re
from typing import Any, NamedTuple

import torch

from .packages import package_file

# Well-known substances, to try things on: what everybody can check in a chemistry book.
EXAMPLES = {
    "ethanol": "CCO",
    "acetic acid": "CC(=O)O",
    "benzene": "c1ccccc1",
    "aspirin": "CC(=O)Oc1ccccc1C(=O)O",
    "paracetamol": "CC(=O)Nc1ccc(O)cc1",
    "caffeine": "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
    "ibuprofen": "CC(C)Cc1ccc(C(C)C(=O)O)cc1",
}

# An atom in brackets; a two-letter atom; one letter; a bond, branch, ring number, dot or arrow.
_TOKEN = re.compile(r"\[[^\]]+\]|Br|Cl|>>|%\d\d|[BCNOSPFIbcnosp]|[=#$:/\\~\-+.()*?>@]|\d")


class MoleculeModel(NamedTuple):
    """A pretrained masked-language model's parts: `config`, a dict; `tokens`, V strings in the order of their
    ids;
    `weights`, a dict of tensors by their published names."""

    config: dict[str, Any]
    tokens: list[str]
    weights: dict[str, torch.Tensor]


def smiles_tokens(smiles) -> list[str]:
    """Cut a SMILES string into atoms, bonds, branches and ring numbers: a list of strings that join to it.

    Raises `ValueError` that shows the first character which belongs to no token.

    >>> smiles_tokens("C[C@H](N)Cl")
    ['C', '[C@H]', '(', 'N', ')', 'Cl']
    """
    tokens, place = [], 0
    while place < len(smiles):
        match = _TOKEN.match(smiles, place)
        if match is None:
            raise ValueError(f"no SMILES token at position {place} of {smiles!r}: {smiles[place:]!r}")
        tokens.append(match.group())
        place = match.end()
    return tokens


def load_molecule_model() -> MoleculeModel:
    """Return RXNMapper's ALBERT: 12 layers that share one set of weights, with its masked-language head,
    trained on the reactions in United States patents. 801,359 parameters; the file holds 877,598 numbers,
    because the output layer's matrix, which is the embedding, and its bias are stored under two names each.

    Only files are read (`torch.load` with `weights_only=True`): none of the package's code runs.
    Returns `MoleculeModel`. Raises `MissingPackage`. Source: Schwaller and others 2021, rxnmapper 0.4.3
    (MIT).
    """
    folder = package_file("rxnmapper", "models", "transformers", "albert_heads_8_uspto_all_1310k")
    return MoleculeModel(
        json.loads((folder / "config.json").read_text()),
        (folder / "vocab.txt").read_text().split("\n")[:-1],
        torch.load(folder / "pytorch_model.bin", map_location="cpu", weights_only=True),
    )
