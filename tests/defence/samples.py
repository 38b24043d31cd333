"""Small papers, as the forms get them."""

from allyouneed.check.questions.question import Question
from coursegrader.defence.paper import Key, Paper

SOFTMAX = """def softmax(x, dim=-1):
    shifted = x - x.max(dim=dim, keepdim=True).values
    weights = shifted.exp()
    return weights / weights.sum(dim=dim, keepdim=True)"""
HOSTILE = (
    '# </pre><script>alert(1)</script> \u202egnp "><img src=//evil.example/x onerror=alert(1)> \U0001f600'
)


def sample_paper(student: str, extra: str = "", kinds: int = 6) -> Paper:
    """A paper of all kinds; `extra` is a line of the student's own."""
    code = SOFTMAX + ("\n" + extra if extra else "")
    questions = (
        Question(
            "what-if",
            "softmax",
            "In line 4, dim becomes 0. What comes out for x = [[0, 0], [0, 0]]?",
            code,
            (4,),
            (
                "[[0.5, 0.5],\n [0.5, 0.5]]",
                "[[1, 1],\n [1, 1]]",
                "[[0.25, 0.25],\n [0.25, 0.25]]",
                "[[2, 2]]",
            ),
            1.0,
        ),
        Question(
            "trace",
            "softmax",
            "x is [[1, 2], [3, 4]]. Which shape has shifted?",
            code,
            (2,),
            ("(2, 2)", "(2, 1)", "(1, 2)", "(4,)"),
            1.0,
        ),
        Question(
            "mend",
            "softmax",
            "One line was changed, so that the results are wrong. Which?",
            code.replace("x - x", "x + x"),
            (1, 2, 3, 4),
            ("1", "2", "3", "4"),
            2.0,
        ),
        Question(
            "does-it-matter",
            "causal_mask",
            "Which of these changes leaves every result the same?",
            code,
            (),
            (
                "line 2: keepdim=False, and then .unsqueeze(dim) at the end, as the next line needs",
                "line 3: shifted * 2",
                "line 4: weights.sum()",
            ),
            2.0,
        ),
        Question(
            "which-change",
            "causal_mask",
            "Yours gives [1, 2], another [3, 4]. Which line?",
            code,
            (2, 3),
            ("x + x", "x * 2", "x - 1", "x / 2"),
            2.0,
        ),
        Question("why", "softmax", "Why does line 2 take the maximum away?", code, (2,), (), 3.0),
    )
    return Paper(student, "03-attention", f"seed of {student}", questions[:kinds] if kinds < 6 else questions)


def sample_key() -> Key:
    return Key((1, 0, 1, 2, 3, None), ("Each column sums to 1.", "As x.", "Plus.", "Same.", "Half.", ""))
