"""Chat with SmolLM2-135M in the terminal: `python -m allyouneed.chat`. It runs here and sends nothing."""

import argparse
import sys

import torch

from allyouneed.generation.sampling import check_sampling, column_major, stream
from allyouneed.nn.fused import fuse_projections
from allyouneed.pretrained.loading import load_smollm2, smollm2_tokenizer
from allyouneed.validate import check_integers

__all__ = ["main", "reply"]

SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"


def reply(model, tokenizer, messages, max_new_tokens=512, generator=None, **sampling):
    """Yield the assistant's answer to a conversation in pieces of text, as they are drawn.

    messages: dicts with "role" and "content", the last one the user's. sampling: temperature, top_k and top_p
    of `generate`.
    A character may take several tokens: a piece is held back until it is whole.
    Raises ValueError at once where the conversation leaves no room for an answer, and as `stream` does.
    """
    prompt, stop_id = tokenizer.encode_chat(messages), tokenizer.id("<|im_end|>")
    room = model.config.max_len - len(prompt)
    if room < 1:
        raise ValueError(
            f"the conversation has {len(prompt)} tokens, but the model reads "
            f"{model.config.max_len}: start a new one."
        )
    tokens = stream(
        model, [prompt], min(max_new_tokens, room), stop_id=stop_id, generator=generator, **sampling
    )

    def pieces():
        ids, shown = [], ""
        for token in tokens:
            ids.append(token.item())
            text = tokenizer.decode(ids)
            if not text.endswith("\N{REPLACEMENT CHARACTER}"):
                yield text[len(shown) :]
                shown = text

    return pieces()


def main(arguments=None):
    """Run the command line, with `arguments` in place of the program's own if given; returns the exit status.

    Wrong options end the program, as argparse does, with a line that says what is wrong.
    """
    parser = argparse.ArgumentParser(
        prog="python -m allyouneed.chat", description="Chat with SmolLM2-135M, offline."
    )
    parser.add_argument("--prompt", help="answer this once and end, instead of a conversation")
    parser.add_argument(
        "--temperature",
        type=float,
        default=0.7,
        help="0 takes the best token each time (default: %(default)s)",
    )
    parser.add_argument(
        "--top-p",
        type=float,
        default=0.9,
        help="draw from the best tokens that reach this probability (default: %(default)s)",
    )
    parser.add_argument(
        "--max-new-tokens", type=int, default=512, help="longest answer (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, help="makes the draws repeatable")
    parser.add_argument("--model", help="a GGUF file or its folder (default: the installed package)")
    options = parser.parse_args(arguments)
    sampling = {"temperature": options.temperature, "top_p": options.top_p}
    try:
        check_sampling(**sampling)
        check_integers(max_new_tokens=options.max_new_tokens)
        model, tokenizer = (
            column_major(fuse_projections(load_smollm2(options.model))),
            smollm2_tokenizer(options.model),
        )
    except (ValueError, FileNotFoundError, ModuleNotFoundError) as error:
        parser.error(str(error))
    generator = torch.Generator()
    generator.seed() if options.seed is None else generator.manual_seed(options.seed)

    messages = [{"role": "system", "content": SYSTEM}]
    while (text := options.prompt or _ask()) is not None:
        messages.append({"role": "user", "content": text})
        pieces = []
        try:
            for piece in reply(model, tokenizer, messages, options.max_new_tokens, generator, **sampling):
                print(piece, end="", flush=True)
                pieces.append(piece)
        except KeyboardInterrupt:  # stops this answer, not the conversation
            pass
        except ValueError as error:
            print(error, file=sys.stderr)
            return 1
        print()
        messages.append({"role": "assistant", "content": "".join(pieces)})
        if options.prompt:
            break
    return 0


def _ask():
    """The user's next line, or None at the end of the input."""
    try:
        text = input("> " if sys.stdin.isatty() else "").strip()
    except (EOFError, KeyboardInterrupt):
        return None
    return text or _ask()


if __name__ == "__main__":
    sys.exit(main())
