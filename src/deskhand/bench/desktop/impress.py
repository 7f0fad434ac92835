"""Tasks in the program for presentations."""

from __future__ import annotations

from deskhand.bench.desktop.home import Home
from deskhand.bench.desktop.office import documents, open_document, stored
from deskhand.bench.desktop.task import Task, differs, on

SLIDES = (("Plans", "for the spring"), ("Costs", "low"), ("Thanks", "to all"))
FILE = "Documents/plans.pptx"


async def _plans(home: Home) -> None:
    made = documents("pptx").Presentation()
    for title, text in SLIDES:
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, text
    made.save(str(home.path / FILE))
    await open_document(home, "impress", home.path / FILE)


def _titles(home: Home) -> list[str]:
    slides = documents("pptx").Presentation(stored(home, FILE)).slides
    return [slide.shapes.title.text if slide.shapes.title else "" for slide in slides]


TASKS = (
    Task(
        "impress-title",
        'Change the title of the first slide to "Plans for 2027" and save the presentation.',
        ("impress",),
        _plans,
        lambda home: differs(_titles(home), ["Plans for 2027", "Costs", "Thanks"], "the titles"),
        (
            on(
                "Impress",
                'press("tab")',
                'press("enter")',
                'hotkey("ctrl", "a")',
                'write(message="Plans for 2027")',
                'press("escape")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told='Double-click the title "Plans", press Ctrl+A, type "Plans for 2027", press Escape and save the '
        "presentation.",
    ),
    Task(
        "impress-delete-slide",
        "Delete the second slide and save.",
        ("impress",),
        _plans,
        lambda home: differs(_titles(home), ["Plans", "Thanks"], "the titles"),
        (
            on(
                "Impress",
                'press("pagedown")',
                'click(element="Delete Slide")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told="Press Page Down, choose Slide > Delete Slide and save the presentation.",
    ),
    Task(
        "impress-duplicate-slide",
        "Make a copy of the first slide right behind it, and save the presentation.",
        ("impress",),
        _plans,
        lambda home: differs(_titles(home), ["Plans", "Plans", "Costs", "Thanks"], "the titles"),
        (
            on(
                "Impress",
                'click(element="Duplicate Slide")',
                'hotkey("ctrl", "s")',
            ),
        ),
        told="Choose Slide > Duplicate Slide and save the presentation.",
    ),
)
