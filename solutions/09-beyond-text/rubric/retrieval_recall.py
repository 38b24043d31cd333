"""retrieval_recall: probes, right versions, and each mistake with its message and its evidence."""

import torch
import torch.nn.functional as F

from coursegrader.rubric import Exercise, edit, every, full

exercise = Exercise(
    "retrieval_recall",
    points={"one text for each": 2, "several": 2},
    section="retrieval",
    forbid=("RetrievalRecall", "RetrievalHitRate", "retrieval_recall", "retrieval_hit_rate"),
)


@exercise.probes
def probes(make):
    def probe(name, belongs, k, d_model=4, noise=1.3, group="one text for each", dtype=torch.float32,
              **marks):
        """A call in which neither all nor none are found, and the two directions differ."""
        belongs = belongs.bool()
        n_images, n_texts = belongs.shape
        while True:
            image = make.randn(n_images, d_model, dtype=dtype)
            text = F.normalize((belongs.T.to(dtype) @ image), dim=-1) * d_model**0.5
            text = text + noise * make.randn(n_texts, d_model, dtype=dtype)
            image = image * make.randn(n_images, 1, dtype=dtype).exp()
            text = text * make.randn(n_texts, 1, dtype=dtype).exp()
            cosines = F.normalize(image, dim=-1) @ F.normalize(text, dim=-1).T
            values = [(cosines.topk(k, axis).indices, axis) for axis in (1, 0)]
            found = [belongs.gather(axis, place).any(axis).double().mean().item() for place, axis in values]
            # for one text and one k, as many are found either way
            if marks.get("edge") or (found[0] != found[1] and all(0.1 < share < 0.95 for share in found)):
                return make.probe(name, image, text, belongs, k, group=group, **marks)

    def several(n_images, each):
        return torch.eye(n_images).repeat_interleave(each, dim=1)[:, make_order(n_images * each)]

    def make_order(n):
        return torch.randperm(n, generator=make.generator)

    yield probe("the nearest one", torch.eye(make.pick(7, 8, 9)), 1)
    yield probe("two nearest", torch.eye(make.pick(9, 10, 8)), 2)
    yield probe("three nearest of twelve, in another order", torch.eye(12)[:, make_order(12)], 3, noise=2.0)
    group = {"group": "several"}
    yield probe("two texts for each picture", several(make.pick(6, 5, 7), 2), 1, **group)
    yield probe("three texts for each picture, two nearest", several(make.pick(5, 6, 4), 3), 2, noise=2.0,
                **group)
    yield probe("several pictures share a text", several(make.pick(5, 4, 6), 2).T, 2, noise=2.0, **group)
    block = torch.block_diag(*[torch.ones(*size) for size in make.pick(((2, 1), (1, 3), (2, 2)),
                                                                     ((1, 2), (3, 1), (2, 2)),
                                                                     ((2, 3), (1, 1), (3, 2)))])
    yield probe("several and several", block, 1, noise=2.0, **group)
    yield probe("several and several, two nearest", block.flip(1), 2, noise=3.0, **group)
    yield probe("as many nearest as there are", torch.eye(4), 4, edge=True, **group)
    yield probe("one pair", torch.ones(1, 1), 1, edge=True, **group)
    yield probe("float64", torch.eye(8), 2, dtype=torch.float64, edge=True, **group)
    yield probe("not contiguous", several(6, 2), 2, strided=True, edge=True, **group)
    yield probe("300 pairs", torch.eye(300), 10, d_model=16, noise=2.0, long=True, edge=True, **group)
    yield probe("as many nearest as there are pictures, more texts", several(*make.pick((3, 3), (4, 2), (3, 4))),
                3, noise=3.0, edge=True, **group)


@exercise.right
def reference(image, text, belongs, k):
    cosines = F.normalize(image, dim=-1) @ F.normalize(text, dim=-1).T
    texts = cosines.topk(k, dim=1).indices
    images = cosines.topk(k, dim=0).indices
    of_images = belongs.gather(1, texts).any(dim=1)
    of_texts = belongs.gather(0, images).any(dim=0)
    return of_images.float().mean().item(), of_texts.float().mean().item()


@exercise.right("loops over rows, each sorted")
def loops(image, text, belongs, k):
    u = [row / row.norm() for row in image]
    v = [row / row.norm() for row in text]
    first = second = 0
    for i in range(len(u)):
        order = torch.tensor([float(u[i] @ row) for row in v]).argsort(descending=True)
        first += any(bool(belongs[i, j]) for j in order[:k])
    for j in range(len(v)):
        order = torch.tensor([float(row @ v[j]) for row in u]).argsort(descending=True)
        second += any(bool(belongs[i, j]) for i in order[:k])
    return first / len(u), second / len(v)


@exercise.right("the rank of the best own one")
def by_rank(image, text, belongs, k):
    table = torch.cosine_similarity(image[:, None], text[None], dim=-1)

    def share(table, own):
        best = table.masked_fill(~own, -2).max(dim=1, keepdim=True).values
        rank = (table > best).sum(dim=1)
        return (rank < k).to(torch.float64).mean()

    return share(table, belongs), share(table.T, belongs.T)


@exercise.right("one direction, twice")
def helper(image, text, belongs, k):
    def found(asking, asked, own):
        near = (asking / asking.norm(dim=1, keepdim=True)) @ (asked / asked.norm(dim=1, keepdim=True)).T
        nearest = near.argsort(dim=1, descending=True)[:, :k]
        hits = torch.zeros(len(asking), dtype=torch.bool)
        for place in range(k):
            hits |= own[torch.arange(len(asking)), nearest[:, place]]
        return hits.sum().item() / len(hits)

    return [found(image, text, belongs), found(text, image, belongs.mT)]


exercise.also_right(
    full("u, v = F.normalize(image), F.normalize(text)\n"
         "near = torch.cdist(u, v)\n"
         "one = torch.zeros_like(belongs).scatter(1, near.topk(k, 1, largest=False).indices, True)\n"
         "other = torch.zeros_like(belongs).scatter(0, near.topk(k, 0, largest=False).indices, True)\n"
         "return (one & belongs).any(1).double().mean(), (other & belongs).any(0).double().mean()",
         "distances on the sphere"),
    full("near = F.normalize(image, dim=1) @ F.normalize(text, dim=1).T\n"
         "line = near.sort(1, descending=True).values[:, k - 1:k]\n"
         "column = near.sort(0, descending=True).values[k - 1:k]\n"
         "found = ((near >= line) & belongs).sum(1) > 0, ((near >= column) & belongs).sum(0) > 0\n"
         "return [float(hits.sum()) / len(hits) for hits in found]", "above the k-th"))


exercise.mistake("dot-product", "retrieval",
    "The vectors' lengths count. Nearest means the largest cosine: bring pictures and texts to length 1.",
    edit(reference, {"F.normalize(image, dim=-1) @ F.normalize(text, dim=-1).T": "image @ text.T"}),
    edit(reference, {"F.normalize(text, dim=-1)": "text"}, "those of the texts"),
    edit(reference, {"F.normalize(image, dim=-1)": "image"}, "those of the pictures"),
    edit(reference, {"F.normalize(image, dim=-1) @ F.normalize(text, dim=-1).T": "-torch.cdist(image, text)"},
         "distances in the plane"))

exercise.mistake("normalized-over-batch", "retrieval",
    "The lengths are taken along the batch. Each vector is divided by its own length: the last axis.",
    edit(reference, {every("dim=-1"): "dim=0"}))

exercise.mistake("furthest", "retrieval",
    "The k furthest are looked at. The nearest have the largest cosine.",
    edit(reference, {"topk(k, dim=1)": "topk(k, dim=1, largest=False)",
                     "topk(k, dim=0)": "topk(k, dim=0, largest=False)"}),
    edit(helper, {", descending=True": ""}, "sorted upwards"))

exercise.mistake("directions-exchanged", "retrieval",
    "The two shares have changed places. First the pictures that find a text, then the texts that find a "
    "picture.",
    edit(reference, {"of_images.float().mean().item(), of_texts.float().mean().item()":
                     "of_texts.float().mean().item(), of_images.float().mean().item()"}),
    edit(reference, {"topk(k, dim=1)": "topk(k, dim=0)", "topk(k, dim=0)": "topk(k, dim=1)",
                     "(1, texts).any(dim=1)": "(0, texts).any(dim=0)",
                     "(0, images).any(dim=0)": "(1, images).any(dim=1)"}, "by their axes"))

exercise.mistake("one-direction", "retrieval",
    "Both numbers are of one direction. A column asks another question than a row: which pictures are "
    "nearest to this text?",
    edit(reference, {"item(), of_texts": "item(), of_images"}),
    edit(reference, {"return of_images": "return of_texts"}, "the texts'"))

exercise.mistake("marked-by-the-other", "retrieval",
    "For each text it is counted whether it is among the nearest of a picture, or the other way round. Each "
    "text has its own k nearest pictures.",
    full("near = F.normalize(image, dim=-1) @ F.normalize(text, dim=-1).T\n"
         "hit = torch.zeros_like(belongs).scatter(1, near.topk(k, 1).indices, True) & belongs\n"
         "return hit.any(1).float().mean().item(), hit.any(0).float().mean().item()"),
    full("near = F.normalize(image, dim=-1) @ F.normalize(text, dim=-1).T\n"
         "hit = torch.zeros_like(belongs).scatter(0, near.topk(k, 0).indices, True) & belongs\n"
         "return hit.any(1).float().mean().item(), hit.any(0).float().mean().item()", "by the columns"))

exercise.mistake("diagonal-alone", "retrieval",
    "Only picture i and text i count as a pair. The argument belongs says which text describes which picture: "
    "there may be several, in any order.",
    edit(reference, {"cosines = F": "belongs = torch.eye(*belongs.shape, dtype=torch.bool)\ncosines = F"}),
    full("near = F.normalize(image, dim=-1) @ F.normalize(text, dim=-1).T\n"
         "own = torch.arange(len(near))[:, None]\n"
         "return ((near.topk(k, 1).indices == own).any(1).float().mean().item(),\n"
         "        (near.topk(k, 0).indices == own.T[:, :near.shape[1]]).any(0).float().mean().item())",
         "with arange"))

exercise.mistake("first-own-alone", "retrieval",
    "Only one of the own ones counts, the first of its row or column. Any of them is a hit.",
    edit(reference, {"cosines = F": "rows = F.one_hot(belongs.int().argmax(1), belongs.shape[1]).bool()\n"
                     "columns = F.one_hot(belongs.int().argmax(0), belongs.shape[0]).bool().T\n"
                     "cosines = F", "belongs.gather(1": "rows.gather(1",
                     "belongs.gather(0": "columns.gather(0"}))

exercise.mistake("all-must-be-found", "retrieval",
    "Here all of the k nearest must belong, and one is enough.",
    edit(reference, {"any(dim=1)": "all(dim=1)", "any(dim=0)": "all(dim=0)"}),
    edit(reference, {"any(dim=1)": "sum(1) == belongs.sum(1)", "any(dim=0)": "sum(0) == belongs.sum(0)"},
         "all own ones among the nearest"))

exercise.mistake("shares-within", "retrieval",
    "For each picture or text a share is taken, of its own ones or of its k nearest. Here it is found or "
    "not: at least one own among the k nearest.",
    edit(reference, {"any(dim=1)": "sum(dim=1) / belongs.sum(dim=1)", "any(dim=0)":
                     "sum(dim=0) / belongs.sum(dim=0)"}, "of its own"),
    edit(reference, {"any(dim=1)": "float().mean(dim=1)", "any(dim=0)": "float().mean(dim=0)"},
         "of the nearest"),
    edit(reference, {"any(dim=1)": "sum(dim=1)", "any(dim=0)": "sum(dim=0)"}, "numbers"))

exercise.mistake("k-ignored", "retrieval",
    "The nearest alone is looked at, or one more or one fewer than k.",
    edit(reference, {"topk(k, dim=1)": "topk(1, dim=1)", "topk(k, dim=0)": "topk(1, dim=0)"}),
    edit(by_rank, {"rank < k": "rank <= k"}, "one more"),
    edit(by_rank, {"rank < k": "rank < k - 1"}, "one fewer"))

exercise.mistake("kind-of-result", "retrieval",
    "The result is not a pair of shares between 0 and 1: first that of the pictures, then that of the texts.",
    edit(reference, {"return of_images.float().mean().item(), of_texts.float().mean().item()":
                     "return (of_images.float().mean().item() + of_texts.float().mean().item()) / 2"},
         "their mean"),
    edit(reference, {"return of_images.float().mean().item(), of_texts.float().mean().item()":
                     "return of_images, of_texts"}, "for each"),
    edit(reference, {"return of_images.float().mean().item(), of_texts.float().mean().item()":
                     "return of_images.float().mean().item()"}, "one number"),
    edit(reference, {every("float().mean()"): "sum()"}, "counts"),
    edit(reference, {every(".mean().item()"): ".mean().item() * 100"}, "per cent"))

exercise.mistake("divided-by-the-other", "retrieval",
    "The count of one kind is divided by the number of the other. Divide the hits of the pictures by the "
    "number of pictures, and those of the texts by the number of texts.",
    edit(loops, {"first / len(u), second / len(v)": "first / len(v), second / len(u)"}),
    edit(loops, {"second / len(v)": "second / len(u)"}, "both by the pictures"))

exercise.built_in("changes-input",
    edit(reference, {"cosines = F": "image /= image.norm(dim=-1, keepdim=True)\ncosines = F"}))

exercise.built_in("returns-nothing", edit(reference, {"return of_images": "of_images"}))

exercise.equal("all tables have two axes, vectors the last of two", {
    ", dim=-1)": (")", ", dim=1)"), ", dim=1)": (")", ", dim=-1)"), "(dim=1)": "(dim=-1)",
    "(dim=0)": "(dim=-2)",
    ", dim=0)": ", dim=-2)", "gather(1": "gather(-1", "gather(0": "gather(-2",
    "(k, 1": "(k, -1", "(k, 0": "(k, -2", "scatter(1": "scatter(-1", "scatter(0": "scatter(-2",
    "any(1)": "any(-1)", "any(0)": "any(-2)", "sort(1": "sort(-1", "sort(0": "sort(-2",
    "sum(1)": "sum(-1)", "sum(0)": "sum(-2)",
    "(dim=1,": ("(dim=-1,", "("),
    "max(dim=1": "max(dim=-1", "dim=1, ": ""})
exercise.equal("a share or a number in a list may be a tensor", {
    ".item()": "", "float(hits.sum())": "hits.sum()", "float(u[i] @ row)": "(u[i] @ row)",
    "float(row @ v[j])": "(row @ v[j])"})
exercise.equal("a product or a cosine is the same the other way round", {
    "(u[i] @ row)": "(row @ u[i])", "(row @ v[j])": "(v[j] @ row)", "image[:, None], text[None]": "text[None], image[:, None]"})
exercise.equal("no cosine is below -1, and where -1 itself is an own one's it is the last in any case",
               {"-2": ("(-1)", "(-3)")})
exercise.equal("the length of the one that asks is the same in its whole row",
               {"asking / asking.norm(dim=1, keepdim=True)": (
                   "asking * asking.norm(dim=1, keepdim=True)", "asking",
                   "asking / asking.norm(keepdim=True)")})
exercise.equal("the same k places are looked at, whatever stands behind them or comes first",
               {"[:, :k]": ("[:, :]", "[:, :k + 1]"), "place]": "place - 1]"})
exercise.equal("there is a row for each that asks", {"len(asking)": "len(own)"})
