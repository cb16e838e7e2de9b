"""The page in a real browser: nothing loaded, nothing broken, readable by everyone, on every screen."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from zeroin import report
from zeroin.session import Session

sync_api = pytest.importorskip("playwright.sync_api", reason="needs the extra: browser")
CHROMIUM = os.environ.get("ZEROIN_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium (or ZEROIN_CHROMIUM)")]

PHONE, WIDE = {"width": 360, "height": 740}, {"width": 1280, "height": 900}

# Every piece of text that can be seen, with its colour and the colours behind it, as contrast ratios (WCAG 2.2, 1.4.3).
CONTRAST = """() => {
  const rgb = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (a, b) => {
    const [x, y] = [light(a), light(b)].sort((m, n) => n - m);
    return (x + 0.05) / (y + 0.05);
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgb(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const bad = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let count = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const said = walker.currentNode.textContent.trim();
    if (!said || element.closest("script, style, .sr, title") || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const back = behind(element);
    const fore = rgb(style.color);
    count += 1;
    const found = ratio(fore, back);
    if (found < 4.5) bad.push([said.slice(0, 40), element.className.toString(), found.toFixed(2)]);
  }
  return { count, bad: bad.slice(0, 12) };
}"""

NAMES = """() => [...document.querySelectorAll("a, button, summary, pre[tabindex]")].filter((e) => !(
  (e.getAttribute("aria-label") || e.textContent).trim())).map((e) => e.outerHTML.slice(0, 80))"""

FOCUS = """() => {
  const e = document.activeElement, style = getComputedStyle(e);
  const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  const all = [...document.querySelectorAll("*")];
  return { tag: e.tagName.toLowerCase(), index: all.indexOf(e), seen: ring,
           said: (e.getAttribute("aria-label") || e.textContent).trim().slice(0, 60) };
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def pages(plain: Session, hostile: Session, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    files = {}
    for name, session in (("plain", plain), ("hostile", hostile)):
        files[name] = folder / f"{name}.html"
        files[name].write_text(report.render(session.context(), session.read), encoding="utf-8")
    return files


class Visit:
    """A page that was opened, and what went wrong on the way."""

    def __init__(self, browser: Any, file: Path, **settings: Any) -> None:
        self.context = browser.new_context(**{"viewport": WIDE, **settings})
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.trouble: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.trouble.append(message.text))
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("dialog", lambda dialog: self.trouble.append(dialog.message))
        self.page.goto(file.as_uri())

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()


@pytest.mark.parametrize("name", ["plain", "hostile"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [PHONE, WIDE], ids=["phone", "wide"])
def test_a_visit(browser: Any, pages: dict[str, Path], name: str, scheme: str, screen: dict[str, int]) -> None:
    """No error, no request but the page itself, nothing of a repository run, no sideways scrolling, enough contrast."""
    with Visit(browser, pages[name], viewport=screen, color_scheme=scheme) as visit:
        page = visit.page
        for summary in page.locator("summary:visible").all():
            summary.evaluate("(e) => { e.parentElement.open = true }")
        assert visit.requests == [pages[name].as_uri()]
        assert visit.trouble == []
        assert page.evaluate("typeof owned") == "undefined"
        assert page.evaluate("document.querySelectorAll('img, iframe, object, embed, link').length") == 0
        assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
        contrast = page.evaluate(CONTRAST)
        assert contrast["count"] > 200 and contrast["bad"] == []
        assert page.evaluate(NAMES) == []


def test_both_themes_differ_and_the_button_overrules_the_system(browser: Any, pages: dict[str, Path]) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    with Visit(browser, pages["plain"], color_scheme="dark") as visit:
        dark = visit.page.evaluate(ground)
        button = visit.page.get_by_role("button", name="Theme")
        assert button.text_content() == "Theme: auto"
        button.click()
        assert button.text_content() == "Theme: light"
        light = visit.page.evaluate(ground)
        assert light != dark
        visit.page.reload()
        assert visit.page.evaluate(ground) == light, "the choice is kept"
        button.click()
        assert visit.page.evaluate(ground) == dark


def test_it_works_without_script(browser: Any, pages: dict[str, Path]) -> None:
    with Visit(browser, pages["plain"], java_script_enabled=False) as visit:
        page = visit.page
        assert not page.locator(".filter").is_visible() and not page.locator("#theme").is_visible()
        for heading in ("Files that matter", "Still missing", "How it came about", "The code"):
            assert page.get_by_role("heading", name=heading).is_visible()
        folded = page.locator("article details:not([open])").first
        folded.locator("summary").click()
        assert page.locator("article details[open] pre").last.is_visible()


def test_one_cycle_can_be_shown_alone_and_folded_code_opened(browser: Any, pages: dict[str, Path]) -> None:
    with Visit(browser, pages["plain"]) as visit:
        page = visit.page
        blocks = page.locator(".asked")
        count = blocks.count()
        assert count > 1 and all(block.is_visible() for block in blocks.all())
        page.get_by_role("button", name="Cycle 2").click()
        assert [b.is_visible() for b in blocks.all()] == [n == 1 for n in range(count)]
        assert page.get_by_role("button", name="Cycle 2").get_attribute("aria-pressed") == "true"
        assert page.locator("#status").text_content() == "Showing cycle 2"
        page.get_by_role("button", name="All cycles").click()
        assert all(block.is_visible() for block in blocks.all())
        last = page.locator("article").last  # a link to folded code opens it
        anchor = last.get_attribute("id")
        assert not last.locator("details").first.evaluate("(e) => e.open")
        page.locator(f'a[href="#{anchor}"]').first.click()
        # No expression is waited for: the page's own policy forbids to evaluate one.
        page.locator(f"#{anchor} details[open]").first.wait_for(state="attached")


def test_everything_is_reached_by_tab_in_the_order_of_the_page(browser: Any, pages: dict[str, Path]) -> None:
    with Visit(browser, pages["plain"]) as visit:
        page = visit.page
        stops = []
        for _ in range(40):
            page.keyboard.press("Tab")
            stops.append(page.evaluate(FOCUS))
        assert stops[0]["said"] == "Skip to the answer"
        order = [stop["index"] for stop in stops]
        assert order == sorted(order) and len(set(order)) == len(order)
        assert [stop for stop in stops if not stop["seen"] or not stop["said"]] == []
        page.keyboard.press("Home")
        page.evaluate("document.activeElement.blur()")
        page.reload()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"


def test_landmarks_are_named_for_a_screen_reader(browser: Any, pages: dict[str, Path]) -> None:
    with Visit(browser, pages["plain"], viewport=PHONE) as visit:
        page = visit.page
        for role in ("banner", "navigation", "main", "contentinfo"):
            assert page.get_by_role(role).count() == 1
        for name in ("How it came about", "The code", "Besides"):
            assert page.get_by_role("region", name=name).count() == 1
