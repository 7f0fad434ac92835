"""A page as full of text as a screen of 1920 x 1080 gets: 330 lines in six columns, and what it says."""

from __future__ import annotations

import random

from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
VOCABULARY = [
    "alpha",
    "account",
    "backup",
    "beta",
    "cancel",
    "close",
    "columns",
    "copy",
    "customer",
    "delete",
    "delivery",
    "document",
    "edit",
    "export",
    "file",
    "filter",
    "format",
    "gamma",
    "header",
    "help",
    "import",
    "insert",
    "invoice",
    "language",
    "layout",
    "margin",
    "message",
    "number",
    "open",
    "order",
    "paragraph",
    "print",
    "properties",
    "quantity",
    "ready",
    "recent",
    "report",
    "save",
    "search",
    "select",
    "settings",
    "size",
    "table",
    "template",
    "tools",
    "update",
    "view",
    "window",
]
COLUMNS, ROWS = 6, 55


def dense_page() -> tuple[PillowImage.Image, list[str]]:
    """Draw the page, always the same; give it with its lines."""
    choose = random.Random(8)
    image = PillowImage.new("RGB", (1920, 1080), "white")
    draw, font = ImageDraw.Draw(image), ImageFont.truetype(FONT, 13)
    lines = []
    for column in range(COLUMNS):
        for row in range(ROWS):
            lines.append(" ".join(choose.choices(VOCABULARY, k=choose.choice((1, 2, 2, 3)))))
            draw.text((12 + column * 318, 7 + row * 19.4), lines[-1], fill=(34, 34, 34), font=font)
    return image, lines
