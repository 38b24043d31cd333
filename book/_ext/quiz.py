"""A quiz at the end of a chapter: questions whose every choice explains itself when it is chosen. No script:
the style sheet shows it.

    ```{quiz} 03-attention
    ```

reads book/quizzes/03-attention.yml, a list of questions; see `read`.
"""

import html
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective


def read(path):
    """A file's questions: each has `question` and `choices` of `text` and `why`, exactly one `right: true`.

    Raises ValueError that names the file, the question and what is wrong.
    """
    try:
        questions = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise ValueError(f"{path} is not YAML: {error}") from error
    if not isinstance(questions, list) or not questions:
        raise ValueError(f"{path}: a list of questions was expected.")
    for number, item in enumerate(questions, 1):
        where = f"{path}, question {number}"
        if (
            not isinstance(item, dict)
            or set(item) != {"question", "choices"}
            or not isinstance(item["choices"], list)
        ):
            raise ValueError(f"{where}: it needs `question` and a list of `choices`, and nothing else.")
        for choice in item["choices"]:
            if not isinstance(choice, dict) or not {"text", "why"} <= set(choice) <= {"text", "why", "right"}:
                raise ValueError(
                    f"{where}: a choice needs `text` and `why`, and one of them `right: "
                    f"true`; got {choice!r}."
                )
        if [choice.get("right", False) for choice in item["choices"]].count(True) != 1:
            raise ValueError(f"{where}: exactly one choice must be right.")
    return questions


class Quiz(SphinxDirective):
    """The questions of book/quizzes/NAME.yml as radio buttons, each with its explanation."""

    required_arguments = 1

    def run(self):
        path = Path(self.env.srcdir) / "book" / "quizzes" / f"{self.arguments[0]}.yml"
        self.env.note_dependency(str(path))
        try:
            questions = read(path)
        except (OSError, ValueError) as error:
            raise self.error(str(error)) from error
        quiz = nodes.container(classes=["quiz"])
        for number, item in enumerate(questions, 1):
            quiz += self.raw(f'<fieldset><legend><span class="quiz-number">{number}.</span> ')
            quiz += self.inline(item["question"])
            quiz += self.raw("</legend>")
            for place, choice in enumerate(item["choices"]):
                name = f"quiz-{number}-{place}"
                verdict = "right" if choice.get("right") else "wrong"
                quiz += self.raw(
                    f'<div class="quiz-choice"><input type="radio" name="quiz-{number}" '
                    f'id="{name}"><label for="{name}">'
                )
                quiz += self.inline(choice["text"])
                quiz += self.raw(
                    f'</label><div class="quiz-why {verdict}" '
                    f'aria-live="polite"><strong>{"Yes." if choice.get("right") else "No."}</strong> '
                )
                quiz += self.inline(choice["why"])
                quiz += self.raw("</div></div>")
            quiz += self.raw("</fieldset>")
        return [quiz]

    @staticmethod
    def raw(text):
        return nodes.raw("", text, format="html")

    def inline(self, text):
        """Markdown of one paragraph as what stands inside it."""
        parsed = self.parse_text_to_nodes(str(text))
        if len(parsed) != 1 or not isinstance(parsed[0], nodes.paragraph):
            raise self.error(f"A quiz's text must be one paragraph: {html.escape(str(text))!r}")
        return nodes.inline("", "", *parsed[0].children)


def setup(app):
    app.add_directive("quiz", Quiz)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
