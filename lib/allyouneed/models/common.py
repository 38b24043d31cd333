"""What every model of this folder shares: checks of sizes, initialisation, running a stack of layers, counting."""

import torch
from torch import nn

__all__ = ["check_ids", "check_images", "check_sizes", "initialize", "parameter_count", "run_layers"]


def check_sizes(config, *names):
    """Raise ValueError unless each named field of `config` is an integer of at least 1 and the heads divide the width."""
    for name in names:
        value = getattr(config, name)
        if not isinstance(value, int) or value < 1:
            raise ValueError(f"{type(config).__name__}: {name} must be an integer of at least 1, got {value!r}.")
    if "n_heads" in names and config.d_model % config.n_heads:
        raise ValueError(
            f"{type(config).__name__}: d_model={config.d_model} is not a multiple of n_heads={config.n_heads}: change one of them."
        )


def check_share(config, name):
    """Raise ValueError unless the named field is a probability in [0, 1)."""
    value = getattr(config, name)
    if not 0 <= value < 1:
        raise ValueError(f"{type(config).__name__}: {name} must be in [0, 1), got {value!r}.")


def check_ids(ids, name="ids"):
    """Raise unless `ids` are integer token ids of shape (B, T)."""
    if ids.dim() != 2:
        raise ValueError(f"{name} must be (batch, tokens), but they are {tuple(ids.shape)}.")
    if ids.is_floating_point() or ids.dtype == torch.bool:
        raise TypeError(f"{name} must be integers, but their dtype is {ids.dtype}.")


def check_images(images, channels, height, width):
    """Raise ValueError unless `images` are (B, channels, height, width)."""
    if images.dim() != 4 or images.shape[1:] != (channels, height, width):
        raise ValueError(f"images must be (batch, {channels}, {height}, {width}), but they are {tuple(images.shape)}.")


def initialize(model, generator=None, std=0.02, n_residual=None):
    """Draw every matrix from N(0, std²) and set biases to 0; embeddings and single learned vectors are drawn as well.

    n_residual: how many branches add to the residual stream. The matrices that end a branch (`o_proj`, `down_proj`) then
    get std / sqrt(n_residual), so that the stream's variance does not grow with depth (Radford and others 2019).
    Vectors called `weight` (norms) stay as they are. Returns the model.
    """
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(parameter)
        elif parameter.dim() > 1:
            ends_branch = n_residual and name.split(".")[-2] in ("o_proj", "down_proj")
            scale = std / n_residual**0.5 if ends_branch else std
            if parameter.is_meta:  # counted, never filled
                continue
            with torch.no_grad():
                parameter.normal_(0.0, scale, generator=generator)
    return model


def run_layers(layers, x, cache=None, need_weights=False, **arguments):
    """Send x through the layers one after the other; layer i gets `cache[i]`.

    Returns (x, maps): maps are the attention weights (L, B, H, T, S), first layer first, or None without `need_weights`.
    """
    maps = []
    for index, layer in enumerate(layers):
        x = layer(x, need_weights=need_weights, cache=None if cache is None else cache[index], **arguments)
        if need_weights:
            x, weights = x
            maps.append(weights)
    return x, torch.stack(maps) if need_weights else None


def parameter_count(model, *arguments, **keywords):
    """How many numbers training can change; a parameter used twice (a tied embedding) counts once.

    `model` is a module, or what makes one, followed by its arguments: then it is built on the meta device, where tensors have
    shapes but no memory, so that GPT-3 is counted on a laptop.

    >>> parameter_count(nn.Linear, 4, 3)
    15
    """
    if not isinstance(model, nn.Module):
        with torch.device("meta"):
            model = model(*arguments, **keywords)
    return sum(parameter.numel() for parameter in model.parameters())
