"""A trained model as one small file: matrices rounded to 8 bits, for the reader's browser
(book/figures/engine.js runs it)."""

import base64
import copy
import json
from dataclasses import asdict

import torch

from allyouneed.models.llama import Llama
from allyouneed.models.seq2seq import Seq2Seq
from allyouneed.tensors import Float, Int, Tensor

__all__ = ["Exported", "export_int8", "quantize_rows", "read_int8", "rounded_to_int8"]


def quantize_rows(weight: Float[Tensor, "R C"]) -> tuple[Int[Tensor, "R C"], Float[Tensor, " R"]]:
    """Round a matrix (R, C) to int8 with one scale a row: weight ≈ ints · scales, scales = max|row| / 127.

    Returns (ints int8 (R, C), scales float32 (R,)); no number moves by more than half its row's scale.

    >>> quantize_rows(torch.tensor([[0.3, -1.0], [0.0, 0.0]]))[0].tolist()
    [[38, -127], [0, 0]]
    """
    scales = weight.detach().float().abs().amax(dim=1) / 127  # (R,)
    # (R, C); a row of zeros stays one
    ints = (weight.detach() / scales.clamp(min=1e-30)[:, None]).round()
    return ints.clamp(-127, 127).to(torch.int8), scales


def rounded_to_int8(model: torch.nn.Module) -> torch.nn.Module:
    """A copy of the model with its exported file's weights: every matrix rounded, vectors as they are.

    >>> linear = torch.nn.Linear(2, 1)
    >>> torch.allclose(rounded_to_int8(linear).weight, linear.weight, atol=0.01)
    True
    """
    rounded = copy.deepcopy(model)
    for parameter in rounded.parameters():
        if parameter.dim() == 2:
            ints, scales = quantize_rows(parameter)
            parameter.data = (ints.float() * scales[:, None]).to(parameter.dtype)
    return rounded


class Exported(bytes):
    """A file's bytes that a notebook keeps in its outputs: `glue("name.bin", Exported(...), display=False)`.

    The book writes such a file beside the page that made it (book/_ext/glued_files.py).
    """

    def __repr__(self):
        return f"<{len(self):,} bytes>"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"application/octet-stream": base64.b64encode(self).decode(), "text/plain": repr(self)}


def export_int8(model, **tokenizers) -> Exported:
    """Write a `Llama` or a `Seq2Seq` of the library's own layers as one file.

    tokenizers: the `CharTokenizer`s that go with it, by name, such as text=tokenizer.
    Returns `Exported` bytes: the header's length (4 bytes, least significant first), the header, which is
    JSON, and the numbers, each tensor from a multiple of 4 on; a matrix's scales (float32) stand right before
    its ints.
    Raises TypeError for other models, ValueError for a `Seq2Seq` with the norm first.
    """
    if not isinstance(model, (Llama, Seq2Seq)):
        raise TypeError(f"only Llama and Seq2Seq can be exported, got {type(model).__name__}.")
    if getattr(model.config, "norm_first", False):
        raise ValueError("the browser's engine knows the Seq2Seq of 2017 only: norm_first must be False.")
    tensors = {}
    header = {
        "model": type(model).__name__,
        "config": asdict(model.config),
        "tokenizers": {
            name: {"tokens": t.tokens, "specials": list(t.specials), "unknown": t.unknown}
            for name, t in tokenizers.items()
        },
        "tensors": tensors,
    }
    body = bytearray()
    for name, parameter in model.named_parameters():  # a tied matrix comes once
        tensors[name] = {"shape": list(parameter.shape), "at": len(body)}
        if parameter.dim() == 2:
            ints, scales = quantize_rows(parameter.cpu())
            body += scales.numpy().astype("<f4").tobytes() + ints.numpy().tobytes()
        else:
            body += parameter.detach().float().cpu().numpy().astype("<f4").tobytes()
        body += bytes(-len(body) % 4)
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return Exported(len(text).to_bytes(4, "little") + text + bytes(body))


def read_int8(data) -> tuple[dict, dict[str, Tensor]]:
    """What an exported file holds: (header, a dict of float32 tensors by name), the matrices multiplied out.

    >>> from allyouneed.models.llama import LlamaConfig
    >>> model = Llama(LlamaConfig(9, 8, d_model=4, n_layers=1, n_heads=1, d_ff=8))
    >>> header, weights = read_int8(export_int8(model))
    >>> header["model"], weights["embedding.weight"].shape
    ('Llama', torch.Size([9, 4]))
    """
    start = 4 + int.from_bytes(data[:4], "little")
    header, weights = json.loads(data[4:start]), {}
    for name, tensor in header["tensors"].items():
        shape, at = tensor["shape"], start + tensor["at"]
        if len(shape) == 2:
            scales = torch.frombuffer(bytearray(data[at : at + 4 * shape[0]]), dtype=torch.float32)
            at += 4 * shape[0]
            ints = torch.frombuffer(bytearray(data[at : at + shape[0] * shape[1]]), dtype=torch.int8)
            weights[name] = ints.view(shape).float() * scales[:, None]
        else:
            weights[name] = torch.frombuffer(bytearray(data[at : at + 4 * shape[0]]), dtype=torch.float32)
    return header, weights
