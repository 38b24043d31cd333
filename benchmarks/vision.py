"""One training step (forward, loss, backward, fused AdamW) of our Vision Transformer and of its peers, at
equal work.

    python benchmarks/vision.py [--threads 1] [--rounds 7] [--json FILE]

All have the same layers, heads, widths, patches, batch, exact GELU and optimizer, and no dropout. vit-pytorch
normalizes patches before and after their projection and has no bias in its queries, keys and values: the
count of parameters shows it.
"""

import importlib.util
from pathlib import Path

import torch
import torch.nn.functional as F
from floors import ALONE, products_of
from rounds import compare, machine, options, report, take_turns

from allyouneed.models.vit import Vit, VitConfig
from allyouneed.training import adamw

SIZES = {
    "28 pixels, patches of 4": (
        VitConfig(28, 4, channels=1, d_model=64, n_layers=4, n_heads=4, d_ff=256, n_classes=10),
        64,
        2,
    ),
    "96 pixels, patches of 8": (
        VitConfig(96, 8, channels=3, d_model=192, n_layers=6, n_heads=3, d_ff=768, n_classes=10),
        8,
        1,
    ),
}


def vit_pytorch_module():
    """vit-pytorch's `vit.py` by itself: the package's other modules need torchvision, which this one does
    not."""
    package = importlib.util.find_spec("vit_pytorch")
    if package is None:
        return None
    spec = importlib.util.spec_from_file_location("vit_pytorch_vit", Path(package.origin).with_name("vit.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def models(config):
    """Return a dict from name to `(module, function from images to logits)`."""
    ours = Vit(config)
    found = {"allyouneed Vit": (ours, ours)}
    peer = vit_pytorch_module()
    if peer is None:
        print("vit-pytorch is not installed: left out")
    else:
        theirs = peer.ViT(
            image_size=config.image_size, patch_size=config.patch, channels=config.channels,
            num_classes=config.n_classes, dim=config.d_model, depth=config.n_layers, heads=config.n_heads,
            dim_head=config.d_model // config.n_heads, mlp_dim=config.d_ff,
        )  # fmt: skip
        found["vit-pytorch"] = (theirs, theirs)
    try:
        from transformers import ViTConfig, ViTForImageClassification

        hugging = ViTForImageClassification(ViTConfig(
            hidden_size=config.d_model, num_hidden_layers=config.n_layers, num_attention_heads=config.n_heads,
            intermediate_size=config.d_ff, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
            image_size=config.image_size, patch_size=config.patch, num_channels=config.channels,
            num_labels=config.n_classes,
        ))  # fmt: skip
        found["transformers ViT"] = (hugging, lambda images: hugging(images).logits)
    except ImportError:
        print("transformers is not installed: left out")
    return found


def step_of(model, logits_of, images, labels, steps):
    """Return a function that makes `steps` training steps on `images` `(B, C, H, W)` and `labels` `(B,)`."""
    optimizers = adamw(model)
    model.train()

    def work():
        for _ in range(steps):
            F.cross_entropy(logits_of(images), labels).backward()
            for optimizer in optimizers:
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)

    return work


def main():
    chosen, results = options(__doc__), {}
    print(machine())
    for name, (config, batch, steps) in SIZES.items():
        torch.manual_seed(0)
        images = torch.rand(batch, config.channels, config.height, config.width)
        labels = torch.randint(config.n_classes, (batch,))
        found = models(config)
        work = {peer: step_of(*pair, images, labels, steps) for peer, pair in found.items()}
        work[ALONE] = products_of(work["allyouneed Vit"])
        rows = compare(take_turns(work, chosen.rounds), ours="allyouneed Vit")
        for row in rows:
            row["ms"] /= steps
            if row["name"] != ALONE:
                row["parameters"] = f"{sum(p.numel() for p in found[row['name']][0].parameters()):,}"
        report(f"Vision Transformer training step, {name}, batch {batch}", rows, chosen, results)


if __name__ == "__main__":
    main()
