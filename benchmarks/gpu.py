"""All that has to be seen on a GPU, in under nine minutes: devices, training, generation, GPT-2.

    python benchmarks/gpu.py [--json FILE] [--device cuda] [--quick]

Each step says "right" or what is wrong, and what it measured; one that fails stops no other. A step for which
no time is left is left out, and named. `--device cpu --quick` tries every step, in small, without a GPU: its
times mean nothing then.
"""

import argparse
import copy
import importlib.util
import json
import os
import subprocess
import sys
import time
import traceback
from dataclasses import replace
from pathlib import Path

import torch
import torch.nn.functional as F

from allyouneed.generation.sampling import generate
from allyouneed.models import GPT, GPT_CONFIGS, GPTConfig, parameter_count
from allyouneed.nn.attention import Causal, fused_attention, scaled_dot_product_attention
from allyouneed.nn.blockwise import blockwise_attention
from allyouneed.nn.fused import fuse_projections
from allyouneed.training import TextBatches, TrainingConfig, adamw, muon, orthogonalize, train

ROOT = Path(__file__).resolve().parents[1]
STARTED, LIMIT = time.perf_counter(), 9 * 60
NO_GPU = "There is no GPU that torch can use here. To try each step without one: make bench-gpu DEVICE=cpu"


def timed(work, device, rounds):
    """The least seconds of a call, after one that does not count, and all of the device's work included."""
    wait = torch.cuda.synchronize if device.type == "cuda" else lambda: None
    work(), wait()
    seconds = []
    for _ in range(rounds):
        started = time.perf_counter()
        work(), wait()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def peak_mebibytes(work, device):
    """How much memory a call takes on the device beyond what was taken before; None where none is counted."""
    if device.type != "cuda":
        return None
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    work()
    torch.cuda.synchronize()
    return (torch.cuda.max_memory_allocated() - before) / 2**20


def demand(holds, message):
    if not holds:
        raise AssertionError(message)


def devices(device, quick):
    """Every model, layer and cache there once: the library's own tests of devices."""
    alone = ("--noconftest", "-p", "no:cacheprovider")  # where the grader is not installed, too
    tests = [sys.executable, "-m", "pytest", "-q", *alone, "tests/library/test_devices.py"]
    path = os.pathsep.join(filter(None, [str(ROOT / "lib"), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"ALLYOUNEED_DEVICE": str(device), "PYTHONPATH": path}
    done = subprocess.run(tests, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=180)
    last = (done.stdout.strip().splitlines() or ["no output"])[-1]
    demand(done.returncode == 0, f"{last}\n{done.stdout[-3000:]}")
    return {"tests": last}


def attention(device, quick):
    """The fused kernel and the blockwise form against the formula, in both precisions; time and memory."""
    length, found = 128 if quick else 4096, {}
    shape = (1, 2, length, 32) if quick else (2, 12, length, 64)
    for dtype, within in ((torch.float32, 2e-3), (torch.bfloat16, 2e-2)):
        q, k, v = (torch.randn(shape, device=device, dtype=dtype) for _ in range(3))
        ways = {
            "formula": lambda: Causal(scaled_dot_product_attention)(q, k, v)[0],
            "fused": lambda: Causal(fused_attention)(q, k, v)[0],
            "blockwise": lambda: blockwise_attention(q, k, v, is_causal=True),
        }
        right = ways["formula"]().float()
        for name, way in ways.items():
            apart = (way().float() - right).abs().max().item()
            demand(apart < within, f"{name} in {dtype} is {apart:.2g} from the formula, more than {within}")
            found[f"{name}, {str(dtype)[6:]}"] = {
                "largest_difference": apart,
                "ms": 1000 * timed(way, device, 3),
                "peak_mib": peak_mebibytes(way, device),
            }
    return found


def small_gpt(quick):
    size = (
        {"d_model": 32, "n_layers": 2, "n_heads": 2}
        if quick
        else {"d_model": 384, "n_layers": 6, "n_heads": 6}
    )
    return GPT(GPTConfig(256, 32 if quick else 256, **size), generator=torch.Generator().manual_seed(0))


def next_token_loss(model, batch):
    inputs, targets = batch
    return F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())


def training(device, quick):
    """A small GPT learns the book's bytes, in float32 and with mixed precision: nearly the same loss."""
    text = b"".join(path.read_bytes() for path in sorted((ROOT / "book").rglob("*.md")))
    text = torch.frombuffer(bytearray(text), dtype=torch.uint8).long()
    n_steps, batch_size = (12, 4) if quick else (300, 64)
    found = {}
    for name, make in (("AdamW", adamw), ("Muon", muon)):
        for bf16 in (False, True):
            model = small_gpt(quick).to(device)
            batches = TextBatches(text, batch_size, model.config.max_len)
            config = TrainingConfig(n_steps, warmup_steps=n_steps // 10, bf16=bf16, log_every=n_steps // 4)
            history = train(model, next_token_loss, batches, make(model), config, progress=False)
            first, last = history.train[0][1], history.train[-1][1]
            demand(last < first, f"{name}, bf16={bf16}: the loss went from {first:.3f} to {last:.3f}")
            kinds = {parameter.dtype for parameter in model.parameters()}
            demand(
                kinds == {torch.float32}, f"mixed precision must leave the weights in float32, not {kinds}"
            )
            found[f"{name}, {'bfloat16' if bf16 else 'float32'}"] = {
                "losses": [loss for _, loss in history.train],
                "tokens_a_second": n_steps * batch_size * model.config.max_len / history.seconds,
            }
        wide, mixed = (found[f"{name}, {kind}"]["losses"][-1] for kind in ("float32", "bfloat16"))
        demand(abs(wide - mixed) < 0.1 * wide, f"{name}: {mixed:.3f} in bfloat16, {wide:.3f} in float32")
    return found


def muon_rounds(device, quick):
    """Muon's rounds in bfloat16: the singular values they end with, against float32's, and the time."""
    found = {}
    for size in ((16, 24), (48, 16)) if quick else ((768, 768), (3072, 768), (768, 3072)):
        matrix = torch.randn(size, device=device)
        for dtype in (torch.float32, torch.bfloat16):
            work = lambda: orthogonalize(matrix.to(dtype))  # noqa: E731
            values = torch.linalg.svdvals(work().float())
            low, high = values.quantile(0.05).item(), values.max().item()
            demand(0.3 < low and high < 1.5, f"{size} in {dtype}: singular values {low:.2f} to {high:.2f}")
            found[f"{size[0]} x {size[1]}, {str(dtype)[6:]}"] = {
                "singular_values": [low, high],
                "ms": 1000 * timed(work, device, 3),
            }
    return found


@torch.no_grad()
def generation(device, quick):
    """Greedy tokens with and without a cache are the same; tokens a second, one text and many."""
    model = small_gpt(quick).to(device).eval()
    prompt = torch.tensor([[1, 2, 3], [4, 5, 6]], device=device)
    n_tokens = model.config.max_len - 3
    cached, whole = (generate(model, prompt, n_tokens, temperature=0, use_cache=use) for use in (True, False))
    same = (cached == whole).float().mean().item()
    demand(cached.device.type == device.type, f"tokens came on {cached.device}")
    demand(same > 0.9, f"only {same:.0%} of the tokens are the same with a cache")  # near ties may differ
    drawn = generate(model, prompt, 8, top_k=5, generator=torch.Generator(device).manual_seed(0))
    demand(drawn.shape == (2, 8), f"sampling gave {tuple(drawn.shape)}")
    found = {"same_tokens_with_cache": same}
    large = model if quick else GPT(GPT_CONFIGS["gpt2"]).to(device).eval()
    n_tokens = 8 if quick else 128
    for name, ready in (("plain", large), ("fused projections", fuse_projections(copy.deepcopy(large)))):
        for dtype in (torch.float32, torch.bfloat16):
            ready = ready.to(dtype)
            for n_texts in (1, 32):
                prompt = torch.ones(n_texts, 4, dtype=torch.long, device=device)
                work = lambda: generate(ready, prompt, n_tokens, temperature=0)  # noqa: E731
                seconds = timed(work, device, 1 if quick else 2)
                found[f"{name}, {str(dtype)[6:]}, {n_texts} texts"] = {
                    "tokens_a_second": n_texts * n_tokens / seconds
                }
    return found


def gpt2(device, quick):
    """GPT-2 with 124M parameters, from the start: training tokens a second with mixed precision, beside
    transformers' where that is installed."""
    config = small_gpt(quick).config if quick else GPT_CONFIGS["gpt2"]
    length, n_steps = (32, 1) if quick else (1024, 10)
    models = {
        "": GPT(config),
        "vocabulary padded": GPT(replace(config, vocab_size=padded(config.vocab_size))),
    }
    if importlib.util.find_spec("transformers"):
        models["transformers"] = theirs(config, length)
    n_parameters = parameter_count(models[""])
    demand(quick or n_parameters == 124_439_808, f"{n_parameters} parameters")
    # 6 operations a weight and token, and attention's
    operations = 6 * n_parameters + 12 * config.n_layers * config.d_model * length
    found = {"parameters": n_parameters}
    for name, model in models.items():
        model.to(device).train()
        for compiled in (False,) if quick else (False, True):
            if compiled and time.perf_counter() - STARTED > LIMIT - 120:
                continue  # compiling takes a minute, and a C compiler
            forward = torch.compile(model, dynamic=False) if compiled else model
            for batch_size in (
                (2,) if quick else (8, 32, 64) if compiled and name == "vocabulary padded" else (8, 32)
            ):
                batch = torch.randint(config.vocab_size, (batch_size, length + 1), device=device)
                work = steps_of(model, forward, batch, n_steps)
                tokens_a_second = n_steps * batch_size * length / timed(work, device, 2)
                title = ", ".join(
                    filter(None, [name, "compiled" if compiled else "eager", f"batch {batch_size}"])
                )
                found[title] = {
                    "tokens_a_second": tokens_a_second,
                    "teraflops": tokens_a_second * operations / 1e12,
                    "peak_mib": peak_mebibytes(work, device),
                }
        model.to("cpu")
    for title in [title for title in found if f"transformers, {title}" in found]:
        row, their_row = found[title], found[f"transformers, {title}"]
        row["times_transformers"] = row["tokens_a_second"] / their_row["tokens_a_second"]
    return found


def padded(size):
    """The next multiple of 64, which the products' kernels like."""
    return -(-size // 64) * 64


def theirs(config, length):
    """transformers' GPT-2 of the same size, with torch's attention, as ids to logits."""
    from transformers import GPT2Config, GPT2LMHeadModel

    class Theirs(torch.nn.Module):
        def __init__(self):
            super().__init__()
            theirs = GPT2Config(
                vocab_size=config.vocab_size,
                n_positions=length,
                n_embd=config.d_model,
                n_layer=config.n_layers,
                n_head=config.n_heads,
                use_cache=False,
                attn_implementation="sdpa",
                **dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), 0.0),
            )
            self.model = GPT2LMHeadModel(theirs)

        def forward(self, ids):
            return self.model(ids).logits

    return Theirs()


def steps_of(model, forward, batch, n_steps):
    """So many updates on a batch, as a piece of work."""
    optimizers = adamw(model)

    def work():
        for _ in range(n_steps):
            with torch.autocast(batch.device.type, torch.bfloat16):
                next_token_loss(forward, (batch[:, :-1], batch[:, 1:])).backward()
            for optimizer in optimizers:
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)

    return work


STEPS = devices, attention, muon_rounds, generation, training, gpt2


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, help="write the results to this file, after each step")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--quick", action="store_true", help="small sizes: to try the steps, not to measure")
    chosen = parser.parse_args()
    if chosen.device.startswith("cuda") and not torch.cuda.is_available():
        print(NO_GPU)
        return 0
    device = torch.device(chosen.device)
    results = {"torch": torch.__version__, "device": str(device), "quick": chosen.quick, "steps": {}}
    if device.type == "cuda":
        properties = torch.cuda.get_device_properties(device)
        results |= {"gpu": properties.name, "memory_gib": properties.total_memory / 2**30}
    print(*(f"{key}: {value}" for key, value in results.items() if key != "steps"), sep="\n")
    for step in STEPS:
        torch.manual_seed(0)
        begun = time.perf_counter()
        if begun - STARTED > LIMIT - 60:
            said = {"result": "left out: the time was up"}
        else:
            try:
                said = {"result": "right", "found": step(device, chosen.quick)}
            except Exception as error:
                lines = traceback.format_exc().splitlines()
                said = {"result": f"{type(error).__name__}: {error}", "traceback": lines}
        said["seconds"] = time.perf_counter() - begun
        results["steps"][step.__name__] = said
        print(f"\n{step.__name__} ({said['seconds']:.0f} s): {said['result']}")
        for name, value in said.get("found", {}).items():
            print(f"  {name}: {shown(value)}", flush=True)
        if chosen.json:
            chosen.json.parent.mkdir(parents=True, exist_ok=True)
            chosen.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return int(any(said["result"] != "right" for said in results["steps"].values()))


def shown(value):
    if isinstance(value, dict):
        return ", ".join(f"{name} {shown(part)}" for name, part in value.items())
    if isinstance(value, list):
        return " ".join(map(shown, value))
    return f"{value:,.3g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.exit(main())
