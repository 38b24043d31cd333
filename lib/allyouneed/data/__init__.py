"""The course's data: real sources inside installed packages, divided without leakage, nothing downloaded.

Each loader returns `Split(train, valid, test)`, takes a `torch.Generator` where it draws, and raises
`MissingPackage` with the command that installs what it needs. A package is looked for when its loader is
called, not before.
"""

from .cells import Cells, load_cells
from .dates import DatePair, load_dates, write_date
from .digits import LabelledImages, load_fashion_mnist, load_mnist, load_small_digits
from .glove import WordVectors, load_glove
from .molecules import MoleculeModel, load_molecule_model, smiles_tokens
from .names import NamePair, load_names
from .number_words import NumberPair, load_number_words, spell
from .packages import MissingPackage
from .peptides import Peptides, distinct_peptides, load_peptides
from .questions import VisualQuestions, load_visual_questions
from .recall import make_recall
from .shapes import CaptionedShapes, draw_shape, make_captioned_shapes
from .splits import Split, split_groups, split_stratified
from .text import Verse, load_modern_english, load_shakespeare, modern_verses, shakespeare_works, split_text

__all__ = [
    "CaptionedShapes", "Cells", "DatePair", "LabelledImages", "MissingPackage", "MoleculeModel", "NamePair",
    "NumberPair", "Peptides", "Split", "Verse", "VisualQuestions", "WordVectors", "distinct_peptides",
    "draw_shape", "load_cells", "load_dates", "load_fashion_mnist", "load_glove", "load_mnist",
    "load_modern_english", "load_molecule_model", "load_names", "load_number_words", "load_peptides",
    "load_shakespeare", "load_small_digits", "load_visual_questions", "make_captioned_shapes", "make_recall",
    "modern_verses", "shakespeare_works", "smiles_tokens", "spell", "split_groups", "split_stratified",
    "split_text", "write_date",
]  # fmt: skip
