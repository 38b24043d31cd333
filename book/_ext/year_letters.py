"""Works that would print alike, such as two of "Wei et al., 2022", get a letter too: 2022a and 2022b.

The letter goes into the year of the entry, before citations and bibliography are formatted, so both show it.
Letters follow the order of the titles, which is the order of the bibliography. Works that no page cites take
none.
"""

from collections import defaultdict
from string import ascii_lowercase


def printed_names(entry, style):
    """The names as a citation prints them: "Wei et al."."""
    return str(
        style.person.author_or_editor_or_title(full=False).format_data({"entry": entry, "style": style})
    )


def add_letters(entries, style):
    """Give entries with equal printed names and year a letter each, once an earlier build's are gone."""
    alike = defaultdict(list)
    for entry in entries:
        year = entry.fields.get("year", "").rstrip(ascii_lowercase)
        if year:
            entry.fields["year"] = year
            alike[printed_names(entry, style), year].append(entry)
    for (_, year), group in alike.items():
        for letter, entry in zip(
            ascii_lowercase, sorted(group, key=lambda entry: entry.fields["title"].strip("{"))
        ):
            if len(group) > 1:
                entry.fields["year"] = year + letter


def before_formatting(app, env):
    domain = env.get_domain("cite")
    cited = {target.key for reference in domain.citation_refs for target in reference.targets}
    add_letters(
        [entry for key, entry in domain.bibdata.data.entries.items() if key in cited], domain.reference_style
    )
    return []


def setup(app):
    app.connect("env-updated", before_formatting, priority=400)  # sphinxcontrib.bibtex formats at 500
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
