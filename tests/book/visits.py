"""One visit to a page in the browser, of which several tests ask: what it loaded, what it reported, how wide
it is, and what axe-core finds.

axe-core is asked for everything but colours in a wide window and in a narrow one, and in each mode, that is
theme and width, for the colours of one of all texts that show alike and did not show so before.
"""

import functools
import gzip
import re
from dataclasses import dataclass, field

from axe_playwright_python.base import AXE_SCRIPT
from book.pages import CONTENT, SITE, read
from playwright.sync_api import TimeoutError

WIDE, NARROW = 1280, 390
WIDTHS = (640, NARROW)  # 1280 pixels enlarged to 200 %; a phone
# of a table or a list, for axe: a certified page has hundreds of entries that one line of code writes
ROWS = 30
# the rules of colours look at what MARK marks, and at all in it: a link may be told apart in one text alone
COLOURS = {
    "color-contrast": "[data-look], [data-look] *",
    "link-in-text-block": "a[href][data-look], [data-look] a[href]",
}
CODE = [".highlight", "math"]  # left to a test of their own
READABLE = (".html", ".css", ".js", ".json", ".svg", "/")
# a picture, or what a figure loads once it comes near: before the `load` of its page or after it
FIGURE = re.compile(r"_images/|figures/.*\.json$")
SETTLE = 15_000  # ms at most
# and let what fades in be there
OPEN = """document.querySelectorAll('details').forEach(d => d.open = true);
document.getAnimations().filter(one => Number.isFinite(one.effect.getComputedTiming().endTime))
    .forEach(one => one.finish())"""
TRIM = """rows => {
    document.querySelectorAll('tbody, dl')
        .forEach(body => [...body.children].slice(rows).forEach(row => row.remove()));
    document.querySelectorAll('.highlight pre').forEach(code => { code.textContent = code.textContent; });
}"""
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
# The theme lets the keyboard reach what scrolls, 300 ms after the page has another width.
SETTLED = """() => [...document.querySelectorAll(
        'pre, .nboutput > .output_area, .cell_output > .output, .pst-scrollable-table-container')]
    .every(part => part.tabIndex
        === (part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight ? 0 : -1))"""
# Mark one of all texts, inside or outside of `code`, that show alike now and did not in this theme before;
# return how many that are.
# How a text shows: its colour, size and weight, and what its elements have as background. Texts that lie on
# top of others are all marked.
MARK = """([theme, code, inside]) => {
    const backdrops = new Map();
    const backdrop = node => {
        if (!node) return "";
        if (!backdrops.has(node)) {
            const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(node);
            const clear = /^rgba\\(.*, 0\\)$/.test(backgroundColor) && backgroundImage === "none"
                && opacity === "1";
            const own = (clear ? "" : [backgroundColor, backgroundImage, opacity].join())
                + (/absolute|fixed|sticky/.test(position) ? `on top ${backdrops.size}` : "");
            backdrops.set(node, backdrop(node.parentElement) + own);
        }
        return backdrops.get(node);
    };
    const looks = new Map([...document.body.querySelectorAll("*")].filter(node =>
        inside === Boolean(node.closest(code))
        && [...node.childNodes].some(child => child.nodeType === Node.TEXT_NODE && child.data.trim())
        && node.checkVisibility({ visibilityProperty: true })
    ).map(node => {
        const { color, fontSize, fontWeight } = getComputedStyle(node);
        return [node, [color, fontSize, fontWeight, backdrop(node)].join()];
    }));
    const before = (window.seen ??= {})[theme] ?? new Map(), kinds = new Map();
    for (const [node, look] of looks)
        if (before.get(node)?.replace(/on top \\d+/g, "") !== look.replace(/on top \\d+/g, ""))
            kinds.set(look, node);
    window.seen[theme] = new Map([...before, ...looks]);
    document.querySelectorAll("[data-look]").forEach(node => node.removeAttribute("data-look"));
    kinds.forEach(node => node.setAttribute("data-look", ""));
    return kinds.size;
}"""


@dataclass
class Visit:
    """What one page did, by kind; `wide` are the pixels beyond a window, by its width, `sizes` the compressed
    bytes of each file that is no picture and no figure's data."""

    outside: list[str] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)
    wide: dict[int, int] = field(default_factory=dict)
    violations: list[str] = field(default_factory=list)


@functools.cache
def compressed(path):
    data = (SITE / path).read_bytes()
    return len(gzip.compress(data)) if path.endswith(READABLE) else len(data)


def load_axe(tab):
    if not tab.evaluate("() => 'axe' in window"):
        tab.evaluate(AXE_SCRIPT)


def violations(tab, include=("html",), exclude=(), rules=()):
    """What axe-core finds on the page, inside or outside of what the selectors name, by all of its rules or
    by those of `rules`."""
    load_axe(tab)
    context = {
        "include": [[selector] for selector in include],
        "exclude": [[selector] for selector in exclude],
    }
    options = {"resultTypes": ["violations"], "preload": {"assets": ["media"]}}
    found = tab.evaluate(
        "([context, options]) => axe.run(context, options).then(results => results.violations)",
        [context, options | ({"runOnly": list(rules)} if rules else {})],
    )
    return [f"{item['id']} at {item['nodes'][0]['target']} ({len(item['nodes'])} places)" for item in found]


def resize(tab, width):
    tab.set_viewport_size({"width": width, "height": 900})
    tab.evaluate(DRAWN)


def turn(tab, theme):
    """Show the page in this theme, as its switch does."""
    tab.evaluate(
        (
            "theme => { document.documentElement.dataset.theme = "
            "document.documentElement.dataset.mode = theme; }"
        ),
        theme,
    )
    tab.evaluate(DRAWN)


def look(tab, mode, code=False, rules=()):
    """What axe-core finds in this mode, a theme and perhaps a width, in code and formulas or in all else, by
    all rules or by `rules`: those of colours only in what shows now as it did not before in this theme."""
    new = tab.evaluate(MARK, [mode.split()[0], ", ".join(CODE), code])
    assert new or not code, "nothing of the page's code or formulas shows, or nothing as it did not before"
    if rules and not new:
        return []
    load_axe(tab)
    marked = [{"id": rule, "selector": selector} for rule, selector in COLOURS.items()]
    tab.evaluate("rules => axe.configure({ rules })", marked)
    where = {"include" if code else "exclude": CODE}
    return [f"{mode}: {item}" for item in violations(tab, **where, rules=rules)]


def violations_in_all_modes(tab):
    tab.evaluate(TRIM, ROWS)
    settle(tab)
    assert tab.evaluate("document.documentElement.dataset.theme") == "light"
    found = look(tab, f"light {WIDE}")
    turn(tab, "dark")
    found += look(tab, f"dark {WIDE}", rules=COLOURS)
    resize(tab, NARROW)
    found += look(tab, f"dark {NARROW}", rules=COLOURS)
    turn(tab, "light")
    settle(tab)
    return found + look(tab, f"light {NARROW}")


def violations_in_code(tab):
    """What axe-core finds in coloured code and formulas: everything but colours once, and in each theme the
    colours of one of all words that look alike."""
    found = look(tab, "light", code=True)
    turn(tab, "dark")
    return found + look(tab, "dark", code=True, rules=COLOURS)


def settle(tab):
    try:
        tab.wait_for_function(SETTLED, timeout=SETTLE)
    except TimeoutError:
        pass  # then axe finds what the keyboard does not reach


def visit(browser, address, page):
    """Open the page as a reader of the light theme does, scroll to its end, see it in every mode, leave."""
    read(page)  # or say that it is not there
    seen, asked = Visit(), []
    with browser.new_context(
        viewport={"width": WIDE, "height": 900}, color_scheme="light", reduced_motion="reduce"
    ) as context:
        context.set_default_timeout(120_000)
        tab = context.new_page()
        tab.on("request", lambda request: asked.append(request.url))
        tab.on(
            "console",
            lambda message: (
                message.type == "error"
                # the root page only leads on and names no icon: a slow browser asks for the usual one
                and not message.location["url"].endswith("/favicon.ico")
                and seen.trouble.append(f"console: {message.text}")
            ),
        )
        tab.on("pageerror", lambda error: seen.trouble.append(f"script: {error}"))
        tab.on("requestfailed", lambda request: seen.trouble.append(f"failed: {request.url}"))
        tab.on(
            "response",
            lambda answer: answer.status >= 400 and seen.trouble.append(f"{answer.status}: {answer.url}"),
        )
        tab.goto(address + page, wait_until="load")
        files = {url.split("?")[0].removeprefix(address) for url in asked if url.startswith(address)}
        seen.sizes = {
            file: compressed(file) for file in files if not FIGURE.match(file) and (SITE / file).is_file()
        }
        if page == "index.html":  # sends the reader on
            tab.wait_for_url("**/book/index.html")
        tab.evaluate(f"{OPEN}; window.scrollTo(0, document.body.scrollHeight)")
        tab.wait_for_function(
            "[...document.images].every(image => image.complete || image.loading == 'lazy')"
        )
        if page in CONTENT:
            for width in WIDTHS:
                resize(tab, width)
                seen.wide[width] = tab.evaluate(
                    "document.documentElement.scrollWidth - document.documentElement.clientWidth"
                )
            tab.evaluate("window.scrollTo(0, 0)")
            resize(tab, WIDE)
            tab.mouse.move(WIDE - 1, 450)  # over nothing that would change its colour
            seen.violations = violations_in_all_modes(tab)
        seen.outside = [url for url in asked if not url.startswith((address, "data:", "blob:"))]
    return seen
