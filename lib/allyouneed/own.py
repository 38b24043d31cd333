"""Your own parts inside our models: a part of a model is an attribute, and yours takes its place.

Whatever is called as the library's part is fits as it is: `attend` in the constructors, your multi-head
attention as a block's `attention`, your encoder layer in `Seq2Seq.encoder`. What is left is here: a layer
that must be told not to look ahead, a step with a cache of its own, a recurrent step that is a function, and
the way to your notebooks.
"""

import ast
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from torch import nn

from allyouneed.nn.attention import causal_mask
from allyouneed.nn.grouped import expand_kv
from allyouneed.nn.multihead import merge_heads, split_heads
from allyouneed.nn.recurrent import State
from allyouneed.nn.replaced import replaced
from allyouneed.tensors import Float, Ids, Logits, Mask, Tensor, Tokens

__all__ = ["CausalLayer", "StepCell", "StepwiseModel", "from_notebook"]


def from_notebook(path, name: str, using: dict | None = None) -> Callable:
    """The function or class `name` that your notebook defines, with what it needs of that notebook.

    path: the notebook. Its imports, functions and classes are run, nothing else of it. using: names to your
    own parts, each of which stands in for what the notebook imports or defines under this name. It runs the
    notebook's code here: for your own notebooks only.
    Raises OSError where there is no such file, ValueError where it is no notebook or does not define the
    name.
    """
    try:
        cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path} is not a notebook: save it in JupyterLab again. ({type(error).__name__})"
        ) from error
    namespace: dict[str, Any] = {"__name__": Path(path).stem}
    for source in sources:
        try:
            nodes = ast.parse(source).body
        except SyntaxError:
            # a cell with a magic, or one that is not finished
            continue
        wanted: list[ast.stmt] = [
            node
            for node in nodes
            if isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef))
        ]
        exec(compile(ast.Module(wanted, type_ignores=[]), str(path), "exec"), namespace)
        namespace |= using or {}
    if name not in namespace:
        raise ValueError(f"{path} defines no {name}.")
    return namespace[name]


class CausalLayer(nn.Module):
    """Your own layer where the library's is causal by itself: its mask forbids to look ahead.

    layer: called with (x, mask), as in a `GPT`, or (x, memory, target_mask, memory_mask), as in a decoder.

    >>> from allyouneed.nn.layers import Block, FeedForward, LayerNorm
    >>> from allyouneed.nn.multihead import MultiHeadAttention
    >>> layer = Block(MultiHeadAttention(8, 2), FeedForward(8, 32), LayerNorm(8))
    >>> CausalLayer(layer)(torch.zeros(3, 5, 8)).shape
    torch.Size([3, 5, 8])
    """

    reads_whole_texts = True  # the mask that it makes is of what it is given: it can have no cache

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x: Tokens, *others) -> Tokens:
        inputs = list(others) or [None]
        mask = 1 if len(inputs) > 1 else 0  # (mask) or (memory, target_mask, memory_mask)
        seen = causal_mask(x.shape[-2]).to(x.device)
        inputs[mask] = seen if inputs[mask] is None else seen & inputs[mask]
        return self.layer(x, *inputs)


class StepAttention(nn.Module):
    """Stands for a multi-head attention, and answers with `step(attention, x_new, cache) -> (output, cache)`.

    The step sees plain heads: rotary positions and keys that are shared by a group of heads are part of the
    projections here. An attention of your own needs only the four projections; n_heads is told.
    """

    def __init__(self, attention, step, n_heads):
        super().__init__()
        self.inner, self.step, self.n_heads, self.cache = attention, step, n_heads, None
        self.attend = getattr(attention, "attend", None)

    def forward(self, x: Tokens, memory: None = None, mask: Mask = None) -> tuple[Tokens, None]:
        inner, n_heads = self.inner, self.n_heads
        n_kv_heads, rotary = getattr(inner, "n_kv_heads", n_heads), getattr(self.attend, "rotary", None)

        def project(layer, n_heads, turn):
            def projected(tokens):
                heads = split_heads(layer(tokens), n_heads)
                if turn and rotary is not None:
                    heads = rotary(heads, self.attend.positions)
                return merge_heads(expand_kv(heads, self.n_heads))

            return projected

        plain = SimpleNamespace(
            d_model=x.shape[-1],
            n_heads=n_heads,
            d_head=inner.o_proj.in_features // n_heads,
            o_proj=inner.o_proj,
            q_proj=project(inner.q_proj, n_heads, True),
            k_proj=project(inner.k_proj, n_kv_heads, True),
            v_proj=project(inner.v_proj, n_kv_heads, False),
        )
        output, self.cache = self.step(plain, x, self.cache)
        return output, None


class StepwiseModel:
    """Read a text in pieces, as `CachedModel` does, with your own step in place of each attention.

    model: a `Llama` or a `GPT`; it is as it was between the calls. In each layer, the module that owns
    q_proj, k_proj, v_proj and o_proj is replaced, so the layers may be your own as well; ValueError where a
    layer has no such part, or two. step: `(attention, x_new, cache) -> (output, cache)`, where attention has
    n_heads, d_head and the callables q_proj, k_proj, v_proj and o_proj.

    >>> from allyouneed.models import GPT, GPTConfig
    >>> model = GPT(GPTConfig(9, 8, d_model=4, n_layers=1, n_heads=1))
    >>> reader = StepwiseModel(model, lambda attention, x, cache: (x, None))
    >>> reader(torch.tensor([[1, 2, 3]])).shape
    torch.Size([1, 3, 9])
    """

    def __init__(self, model, step):
        self.model, self.length, self.parts = model, 0, []
        for layer in model.layers:
            owner, name = _attention_of(layer)
            own = StepAttention(getattr(owner, name), step, model.config.n_heads)
            self.parts.append((owner, name, own))

    @torch.no_grad()
    def __call__(self, ids: Ids) -> Logits:
        """ids (B, t), the tokens that are new since the last call; returns their logits (B, t, V)."""
        positions = torch.arange(self.length, self.length + ids.shape[1], device=ids.device)
        before = [own.cache for _, _, own in self.parts]
        try:
            with replaced(self.parts):
                logits = self.model(ids, positions=positions)
        except BaseException:  # of a call that stopped halfway no layer knows anything
            for (_, _, own), cache in zip(self.parts, before):
                own.cache = cache
            raise
        self.length += ids.shape[1]
        return logits

    def restart(self) -> None:
        """Forget the text."""
        self.length = 0
        for _, _, own in self.parts:
            own.cache = None


def _attention_of(layer):
    """Where a layer keeps its attention: (the module that owns it, its name there)."""
    found = [
        (owner, name)
        for owner in layer.modules()
        if not isinstance(owner, CausalLayer)
        for name, part in owner.named_children()
        if all(hasattr(part, projection) for projection in ("q_proj", "k_proj", "v_proj", "o_proj"))
    ]
    if len(found) != 1:
        raise ValueError(
            f"{type(layer).__name__} has {len(found)} parts that own q_proj, k_proj, v_proj "
            "and o_proj: one is needed, to put your step in its place."
        )
    return found[0]


class StepCell(nn.Module):
    """A cell whose step is a function that reads its weights from a dict, such as one of a problem set.

    step: `(x, h, params) -> h`, or with `cell_state` `(x, h, c, params) -> (h, c)`; x (B, D), h and c (B, H).
    gates: for each letter g, params holds W_g (D, H), U_g (H, H) and b_g (H,): "zrh": a GRU, "fioc": an LSTM.
    Weights start uniform in ±1/√H, drawn from `generator`. It stands wherever a cell of
    `allyouneed.nn.recurrent` stands.
    Raises ValueError where a width is not at least 1, gates are empty, or x is not (B, D).

    >>> cell = StepCell(lambda x, h, p: torch.tanh(x @ p["W_h"] + h @ p["U_h"] + p["b_h"]), 3, 4, "h")
    >>> cell(torch.zeros(2, 3)).shape
    torch.Size([2, 4])
    """

    def __init__(self, step, d_input, d_hidden, gates, cell_state=False, generator=None):
        super().__init__()
        if d_input < 1 or d_hidden < 1 or not gates:
            raise ValueError(
                "d_input and d_hidden must be at least 1 and gates not empty, got "
                f"{d_input}, {d_hidden} and {gates!r}."
            )
        self.step_function, self.d_input, self.d_hidden, self.cell_state = step, d_input, d_hidden, cell_state
        shapes = {"W": (d_input, d_hidden), "U": (d_hidden, d_hidden), "b": (d_hidden,)}
        self.params = nn.ParameterDict(
            {
                f"{kind}_{gate}": nn.Parameter(torch.empty(shape))
                for gate in gates
                for kind, shape in shapes.items()
            }
        )
        self.from_input = nn.Identity()  # the function sees the input itself
        bound = d_hidden**-0.5
        for parameter in self.params.values():
            nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def start(self, x):
        """The state before the first token: zeros (B, H), two of them with `cell_state`."""
        zeros = x.new_zeros(x.shape[0], self.d_hidden)
        return (zeros, zeros) if self.cell_state else zeros

    def step(self, x, state):
        """One call of the function: x (B, D) and the last state to the new one."""
        params = dict(self.params.items())
        return (
            tuple(self.step_function(x, *state, params))
            if self.cell_state
            else self.step_function(x, state, params)
        )

    def forward(self, x: Float[Tensor, "B D"], state: State | None = None) -> State:
        """x (B, D) and the last state to the new state; without one, from zeros."""
        if x.dim() != 2 or x.shape[-1] != self.d_input:
            raise ValueError(
                f"x must be one token a row, (batch, {self.d_input}), but it is {tuple(x.shape)}."
            )
        return self.step(x, self.start(x) if state is None else state)
