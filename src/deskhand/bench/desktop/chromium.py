"""Tasks in the web browser, on pages that are served on this computer."""

from __future__ import annotations

import json
from typing import Any

from deskhand.bench.desktop.home import Home
from deskhand.bench.desktop.task import Task, differs, first, on

SHOP = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Mugs and more</title>
<style>body{font:16px sans-serif;margin:2em} label{display:block;margin:.6em 0} td{padding:.2em 1em}</style>
<h1>Mugs and more</h1>
<table><tr><th>Article<th>Price<tr><td>Mug<td>7.25<tr><td>Plate<td>11.50<tr><td>Bowl<td>9.80</table>
<p>Your order number is <b>MM-40917</b>. <a href="/prices.csv">Download the price list</a>
<form action="/order" method="post">
<h2>Order</h2>
<label>Your name <input name="name"></label>
<label>E-mail <input name="email" type="email"></label>
<label>Article <select name="article"><option>Mug<option>Plate<option>Bowl</select></label>
<label>How many <input name="count" type="number" value="1" min="1"></label>
<label><input name="gift" type="checkbox" value="yes"> Wrap it as a gift</label>
<button>Send the order</button>
</form></html>"""
PRICES = "article,price\nMug,7.25\nPlate,11.50\nBowl,9.80\n"
PAGES = {"/shop.html": SHOP, "/prices.csv": PRICES}
ORDER = {"name": "Anna Meyer", "email": "anna@example.org", "article": "Bowl", "count": "2", "gift": "yes"}


async def shop(home: Home) -> None:
    await home.open("chromium", f"{home.site}/shop.html")


def _profile(home: Home, name: str) -> Any:
    return json.loads((home.config / "chromium/Default" / name).read_text("utf-8"))


def _order_came(home: Home) -> str:
    return first(
        differs(len(home.received), 1, "the number of orders that came"),
        differs(home.received[0] if home.received else {}, ORDER, "the order"),
    )


def _bookmarked(home: Home) -> str:
    roots = _profile(home, "Bookmarks")["roots"]
    kept = [each.get("url") for root in roots.values() for each in root["children"]]
    return differs(kept, [f"{home.site}/shop.html"], "what is bookmarked")


def _home_button(home: Home) -> str:
    return differs(_profile(home, "Preferences")["browser"].get("show_home_button"), True, "show_home_button")


def _no_passwords(home: Home) -> str:
    return differs(_profile(home, "Preferences").get("credentials_enable_service"), False, "credentials_enable_service")


TASKS = (
    Task(
        "chromium-order",
        "Order two bowls on this page for Anna Meyer, anna@example.org, wrapped as a gift.",
        ("chromium",),
        shop,
        _order_came,
        (
            on(
                "Chromium",
                'write(message="Anna Meyer", element="Your name", replace=True)',
                'write(message="anna@example.org", element="E-mail", replace=True)',
                'select_option(element="Article combo box", value="Bowl")',
                'write(message="2", element="How many", replace=True)',
                'set_value(element="Wrap it as a gift", value="on")',
                'click(element="Send the order")',
            ),
        ),
        pages=PAGES,
        told='Type Anna Meyer into "Your name" and anna@example.org into "E-mail", choose Bowl as the '
        'article, set "How many" to 2, tick "Wrap it as a gift" and click "Send the order".',
    ),
    Task(
        "chromium-bookmark",
        "Bookmark this page.",
        ("chromium",),
        shop,
        _bookmarked,
        (on("Chromium", 'hotkey("ctrl", "d")', 'click(element="Done")'),),
        pages=PAGES,
        writes_late=True,
        told="Press Ctrl+D and click Done.",
    ),
    Task(
        "chromium-download",
        "Download the price list from the page.",
        ("chromium",),
        shop,
        lambda home: differs(home.text("Downloads/prices.csv"), PRICES, "the file"),
        (on("Chromium", 'click(element="Download the price list")'),),
        pages=PAGES,
        writes_late=True,
        told='Click the link "Download the price list".',
    ),
    Task(
        "chromium-home-button",
        "Show the home button in Chromium.",
        ("chromium",),
        shop,
        _home_button,
        (
            on(
                "Chromium",
                'write(message="chrome://settings/appearance", element="Address and search bar", replace=True)',
                'press("enter")',
                'set_value(element="Show home button", value="on")',
            ),
        ),
        pages=PAGES,
        ends_first="chromium",
        told='Go to chrome://settings/appearance and turn on "Show home button".',
    ),
    Task(
        "chromium-no-passwords",
        "Stop the browser from offering to save passwords.",
        ("chromium",),
        shop,
        _no_passwords,
        (
            on(
                "Chromium",
                'write(message="chrome://password-manager/settings", element="Address and search bar", replace=True)',
                'press("enter")',
                'set_value(element="Offer to save passwords", value="off")',
            ),
        ),
        pages=PAGES,
        ends_first="chromium",
        told='Go to chrome://password-manager/settings and turn off "Offer to save passwords and passkeys".',
    ),
)
