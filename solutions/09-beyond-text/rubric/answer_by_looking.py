"""answer_by_looking: probes, right versions, and each mistake with its message and its evidence."""

import torch

from coursegrader.rubric import Exercise, edit, full

exercise = Exercise(
    "answer_by_looking",
    points={"answers": 3, "unusual questions": 1},
    section="attention-across-modalities",
    driver="made_arguments",
)


@exercise.probes
def probes(make):
    def probe(name, batch, n_words, n_patches, lengths, d_model=4, n_heads=2, classes=3, dtype=torch.float32,
              group="answers", ragged=False, **marks):
        def weight(*shape):
            return make.randn(*shape, dtype=dtype, scale=1.2 / shape[-1] ** 0.5)

        weights = {f"{part}_proj.{kind}": weight(*((d_model, d_model) if kind == "weight" else (d_model,)))
                   for part in "qkvo" for kind in ("weight", "bias")}
        attention = {"made": "attention", "n_heads": n_heads, "weights": weights}
        head = {"made": "head", "first": 1.5 * weight(d_model, 6),
                "second": make.randn(6, classes, dtype=dtype)}
        question = make.randn(batch, n_words, d_model, dtype=dtype) + 0.5
        patches = make.randn(batch, n_patches, d_model, dtype=dtype)
        mask = torch.arange(n_words) < torch.tensor(lengths)[:, None]
        if ragged:  # a gap among the words, and the first one is none
            mask = torch.stack([row.roll(place + 1) for place, row in enumerate(mask)])
        return make.probe(name, question, patches, mask, attention, head, group=group, **marks)

    yield probe("one question of two words", 1, 2, 3, [2], gradient=True)
    yield probe("two questions, one is padded", 2, *make.pick((4, 3), (5, 4), (3, 5)), [2, 3], gradient=True)
    yield probe("all sizes different", 3, *make.pick((5, 7), (4, 6), (6, 8)), [1, 4, 2], 6, 3, 5,
                gradient=True)
    yield probe("more words than patches", 2, *make.pick((6, 2), (7, 3), (5, 2)), [5, 2], classes=2)
    yield probe("as many words as patches", 2, *make.pick((4, 4), (5, 5), (3, 3)), [3, 1])
    yield probe("as many questions as words", 3, 3, 5, [1, 2, 3])
    yield probe("words that do not stand first", 3, 5, 4, make.pick([3, 2, 1], [2, 3, 2], [1, 2, 3]),
                ragged=True)
    edge = {"group": "unusual questions", "edge": True}
    yield probe("no padding", 2, 3, 4, [3, 3], **edge)
    yield probe("one word each", 2, 1, 4, [1, 1], **edge)
    yield probe("one patch", 2, 3, 1, [2, 3], **edge)
    yield probe("one head, one question", 1, 4, 3, [2], 5, 1, 2, **edge)
    yield probe("one answer", 2, 3, 4, [3, 1], classes=1, **edge)
    yield probe("float64", 2, 4, 3, [3, 2], dtype=torch.float64, gradient=True, **edge)
    yield probe("not contiguous", 2, 4, 3, [2, 3], strided=True, **edge)
    yield probe("196 patches", 2, 12, 196, [12, 5], 8, 2, group="unusual questions", long=True)


@exercise.right
def reference(question, patches, mask, attention, head):
    looked, _ = attention(question, patches)
    looked = looked * mask.unsqueeze(-1)
    mean = looked.sum(dim=1) / mask.sum(dim=1, keepdim=True)
    return head(mean)


@exercise.right("shares of the words, a product of matrices")
def by_shares(question, patches, mask, attention, head):
    words = attention(question, memory=patches)[0]
    share = mask.to(words.dtype)
    share = share / share.sum(-1, keepdim=True)
    return head(torch.einsum("bt,btd->bd", share, words))


@exercise.right("question by question, without the padding")
def one_by_one(question, patches, mask, attention, head):
    answers = []
    for words, places, real in zip(question, patches, mask):
        output = attention(words[real][None], places[None])[0]
        answers.append(head(output.mean(dim=1)))
    return torch.cat(answers)


@exercise.right("nan for pads, nanmean")
def by_nan(question, patches, mask, attention, head):
    output, weights = attention(x=question, memory=patches, mask=None)
    return head(output.masked_fill(~mask[..., None], float("nan")).nanmean(dim=1))


exercise.also_right(
    full("output = attention(question, patches)[0]\n"
         "return head(torch.stack([row[real].mean(0) for row, real in zip(output, mask)]))", "rows picked"),
    full("seen = torch.ones(mask.shape[1], patches.shape[1], dtype=torch.bool)\n"
         "output = attention(question, patches, seen)[0]\n"
         "share = (mask / mask.sum(-1, keepdim=True)).to(output.dtype)\n"
         "return head((share[:, None] @ output)[:, 0])", "a mask that hides nothing"))


exercise.mistake("image-asks", "attention-across-modalities",
    "The patches ask, and the question is looked at. Queries come from the question, keys and values from "
    "the patches.",
    full("looked, _ = attention(patches, question)\nreturn head(looked.mean(dim=1))"),
    full("looked, _ = attention(patches, question, mask[:, None, None])\nreturn head(looked.mean(dim=1))",
         "pads hidden from them"))

exercise.mistake("nobody-looks", "attention-across-modalities",
    "The patches are not used: the question looks at itself, or at nothing. Give attention the patches as "
    "its memory.",
    edit(reference, {"(question, patches)": "(question)"}),
    edit(reference, {"looked, _ = attention(question, patches)": "looked = question"}, "no attention"),
    edit(reference, {"(question, patches)": "(question, torch.cat([question, patches], dim=1))"},
         "both are looked at"))

exercise.mistake("image-alone", "attention-across-modalities",
    "The question is not used: the patches look at themselves, or their mean is read. Queries come from the "
    "question.",
    full("looked, _ = attention(patches)\nreturn head(looked.mean(dim=1))"),
    full("return head(patches.mean(dim=1))", "no attention"))

exercise.mistake("pads-in-the-mean", "answer-from-real-words",
    "Pads count in the mean. Leave them out of the sum and of the number that it is divided by.",
    full("looked, _ = attention(question, patches)\nreturn head(looked.mean(dim=1))"),
    full("looked, _ = attention(question * mask.unsqueeze(-1), patches)\nreturn head(looked.mean(dim=1))",
         "set to 0 before they look"))

exercise.mistake("pads-in-the-count", "answer-from-real-words",
    "Pads are out of the sum, but it is divided by another number than that of its question's real words.",
    edit(reference, {"mask.sum(dim=1, keepdim=True)": "mask.shape[1]"}),
    edit(reference, {"mask.sum(dim=1, keepdim=True)": "mask.sum(dim=1).max()"}, "the longest question"),
    edit(reference, {"mask.sum(dim=1, keepdim=True)": "mask.sum()"}, "all questions together"),
    edit(reference, {"mask.sum(dim=1, keepdim=True)": "mask.sum(dim=1).float().mean().to(looked.dtype)"},
         "the mean length"))

exercise.mistake("summed", "answer-from-real-words",
    "The words are added up. Take their mean: a long question has no more to say.",
    edit(reference, {" / mask.sum(dim=1, keepdim=True)": ""}))

exercise.mistake("mask-inverted", "answer-from-real-words",
    "The mean runs over the pads. True in the mask means a real word.",
    edit(by_nan, {"~mask": "mask"}),
    edit(reference, {"looked * mask": "looked * ~mask"}, "in the sum alone"),
    edit(reference, {"looked * mask": "looked * ~mask", "mask.sum(dim=1, keepdim=True)":
                     "(~mask).sum(dim=1, keepdim=True).clamp(min=1)"}, "in both"))

exercise.mistake("mask-for-patches", "answer-from-real-words",
    "The mask goes to the attention, where it would hide patches. It says which words are real: use it in "
    "the mean, after the look.",
    edit(reference, {"question, patches)": "question, patches, mask)"}),
    edit(reference, {"question, patches)": "question, patches, mask[:, None, None])"}, "with axes of size 1"),
    edit(reference, {"question, patches)": "question, patches, mask[:, None, None])",
                     "looked * mask.unsqueeze(-1)": "looked",
                     "mask.sum(dim=1, keepdim=True)": "mask.shape[1]"},
         "and not in the mean"))

exercise.mistake("queries-masked", "answer-from-real-words",
    "The mask keeps pads from looking, and they stay in the mean. An attention without weights still gives "
    "its bias: leave them out of the mean.",
    full("looked, _ = attention(question, patches, mask[:, None, :, None])\nreturn head(looked.mean(dim=1))"))

exercise.mistake("head-first", "answer-from-real-words",
    "The head answers for each word, and the answers are averaged. First the mean over the words, then one "
    "answer: a head need not be linear.",
    edit(reference, {"looked * mask": "head(looked) * mask", "head(mean)": "mean"}),
    full("return head(attention(question, patches)[0]).mean(dim=1)", "over pads, too"))

exercise.mistake("mean-first", "answer-from-real-words",
    "The question is averaged before it looks. Each word looks by itself; the mean comes afterwards.",
    full("mean = (question * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)\n"
         "return head(attention(mean[:, None], patches)[0][:, 0])"),
    full("return head(attention(question.mean(dim=1, keepdim=True), patches)[0][:, 0])", "over pads, too"))

exercise.mistake("one-word", "answer-from-real-words",
    "One word's look is read, or the largest of all. Take the mean over all real words.",
    full("return head(attention(question, patches)[0][:, 0])", "the first"),
    full("return head(attention(question, patches)[0][:, -1])", "the last, a pad perhaps"),
    full("looked = attention(question, patches)[0]\n"
         "return head(looked[torch.arange(len(mask)), mask.sum(1) - 1])", "the last real one"),
    full("looked = attention(question, patches)[0].masked_fill(~mask[..., None], -torch.inf)\n"
         "return head(looked.amax(dim=1))", "the largest"))

exercise.mistake("question-added", "attention-across-modalities",
    "The question is added to what it saw. Here the answer rests on the look alone: no residual connection.",
    edit(reference, {"looked * mask": "(looked + question) * mask"}))

exercise.mistake("questions-mixed", "answer-from-real-words",
    "The words of all questions are averaged together. Each question has a mean of its own.",
    full("looked = attention(question, patches)[0]\n"
         "return head(looked[mask].mean(dim=0)).expand(len(mask), -1)"),
    full("looked = attention(question, patches)[0]\nreturn head(looked[mask].mean(dim=0))",
         "one answer for all"))

exercise.mistake("changed-answers", "attention-across-modalities",
    "What the head says is changed. Return its numbers as they are: no softmax, no choice.",
    edit(reference, {"head(mean)": "head(mean).softmax(dim=-1)"}),
    edit(reference, {"head(mean)": "head(mean).argmax(dim=-1)"}, "the best answer's number"),
    edit(reference, {"return head(mean)": "return mean"}, "no head"))

exercise.mistake("output-and-weights", "attention-across-modalities",
    "The attention returns two things, the output and its weights. Take the output, and return the answers "
    "alone.",
    edit(reference, {"looked, _ =": "looked ="}),
    edit(reference, {"looked, _ =": "_, looked ="}, "the weights"),
    edit(reference, {"looked, _": "looked, weights", "head(mean)": "head(mean), weights"}, "both returned"))

exercise.mistake("axis-of-the-mean", "answer-from-real-words",
    "The mean runs over another axis than that of the words, or the count lines up with another. The looks "
    "are (B, T, D); each question is divided by its own number of words.",
    edit(reference, {"looked.sum(dim=1)": "looked.sum(dim=-1)"}),
    edit(reference, {"mask.sum(dim=1, keepdim=True)": "mask.sum(dim=1)"}, "the count without its axis"),
    edit(reference, {"mask.unsqueeze(-1)": "mask"}, "the mask without its axis"))

exercise.mistake("squeezed", "attention-across-modalities",
    "Axes of size 1 are squeezed away. One question or one answer keeps its axis: (B, C).",
    edit(reference, {"head(mean)": "head(mean).squeeze()"}))

exercise.built_in("no-gradient",
    edit(reference, {"head(mean)": "head(mean.detach())"}),
    edit(reference, {"(question, patches)": "(question, patches.detach())"}, "none to the patches"))

exercise.built_in("changes-input",
    edit(by_shares, {"return": "mask.fill_(True)\nreturn"}))

exercise.built_in("returns-nothing", edit(reference, {"return head": "head"}))

exercise.equal("the looks have three axes, one of them 1 long after a product, the mask two", {
    "dim=1": ("dim=-2", "dim=-1"), "sum(-1,": "sum(1,", "mean(0)": "mean(-2)",
    "mask.shape[1]": "mask.shape[-1]",
    "patches.shape[1]": "patches.shape[-2]", "[:, 0]": "[:, (-1)]"})
exercise.equal("there is no mask unless one is given", {", mask=None": ""})
