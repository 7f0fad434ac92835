"""The built-in grounder: the one element that is meant, or why there is none. It never guesses."""

from __future__ import annotations

import time

import anyio
import pytest

from deskhand.core.action import OnElement
from deskhand.core.errors import TargetNotFound
from deskhand.core.geometry import Box, Size
from deskhand.core.observation import Element, Image, Observation
from deskhand.perception.description import read_description
from deskhand.perception.ground import LexiconGrounder, choose
from deskhand.perception.naming import NO_MATCH, distance
from deskhand.perception.quoting import mask, quote


def element(spec: str, x: int = 0, y: int = 0, **more: object) -> Element:
    """Make an element of "id role name", its box 80 by 20 at a place."""
    number, role, name = (*spec.split(" ", 2), "")[:3]
    return Element(id=number, role=role, name=name, box=Box.at(x, y, 80, 20), **more)  # type: ignore[arg-type]  # what a test says


FORM = (
    element("e1 window Order Form", window="w"),
    element("e2 label Name:", 0, 0, window="w"),
    element("e3 textbox", 100, 0, window="w", states=("editable",)),
    element("e4 label E-mail address", 0, 30, window="w"),
    element("e5 textbox", 100, 30, window="w", states=("editable",)),
    element("e6 button Delete", 200, 0, window="w", actions=("press",)),
    element("e7 button Delete", 200, 30, window="w", actions=("press",)),
    element("e8 checkbox Wrap long lines", 0, 60, window="w"),
    element("e9 button Speichern", 0, 90, window="w"),
    element("e10 button Speichern unter…", 100, 90, window="w"),
    element("e11 combobox Colour", 0, 120, window="w", value="Dark Blue"),
    element("e12 group Billing", 0, 150, window="w"),
    element("e13 button Edit", 0, 152, parent="e12", window="w"),
    element("e14 group Delivery", 200, 150, window="w"),
    element("e15 button Edit", 200, 152, parent="e14", window="w"),
    element("e16 tab General", 0, 200, window="w"),
    element("e17 label Save", 0, 230, window="w"),
    element("e18 button Word Count", 0, 260, window="w", states=("disabled",)),
    element("e19 listbox Fruits", 0, 300, window="w"),
    element("e20 listitem Apple", 0, 300, parent="e19", window="w"),
    element("e21 listitem Pear", 0, 320, parent="e19", window="w"),
    element("e22 listitem Plum", 0, 340, parent="e19", window="w"),
)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("Save", "e9"),
        ("the Save button", "e9"),
        ("save as", "e10"),
        ("“Speichern”", "e9"),
        ("floppy disk", "e9"),
        ("保存按钮", "e9"),
        ("name", "e3"),
        ("the Name field", "e3"),
        ("text field labelled “Name”", "e3"),
        ("email", "e5"),
        ("the field below Name", "e5"),
        ("word wrap", "e8"),
        ("checkbox for wrapping long lines", "e8"),
        ("the wrap lines option", "e8"),
        ("second Delete button", "e7"),
        ("the last Delete button", "e7"),
        ("the Delete button next to E-mail address", "e7"),
        ("button to the right of Name", "e6"),
        ("Edit in the Delivery section", "e15"),
        ("the Edit button of the Billing group", "e13"),
        ("colour", "e11"),
        ("Color drop-down list", "e11"),
        ("General tab", "e16"),
        ("tab 'General'", "e16"),
        ("the Genral tab", "e16"),
        ("Word Count", "e18"),
        ("the second item in the Fruits list", "e21"),
        ("last item in the list", "e22"),
        ("third list item", "e22"),
        ("Pear", "e21"),
    ],
)
def test_words_are_grounded(words: str, found: str) -> None:
    assert choose(words, FORM).id == found


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("Frobnicate", "nothing here fits"),
        ("Delete", "2 things fit 'Delete' equally: button 'Delete' (e6); button 'Delete' (e7)"),
        ("Edit", "button 'Edit' in group 'Delivery' (e15)"),
        ("the fifth Delete button", "nothing here fits"),
        ("Delete account", "the nearest are"),
        ("“Genral”", "nothing here fits"),
        ("Save in the Settings dialog", "nothing here fits"),
        ("don't save", "nothing here fits"),
        ("Xyzzy tab", "nothing here fits"),
    ],
)
def test_what_fits_nothing_or_several_things_is_said_instead_of_guessed(words: str, says: str) -> None:
    with pytest.raises(TargetNotFound) as caught:
        choose(words, FORM)

    assert says in str(caught.value)


def test_what_lies_under_a_modal_dialog_is_not_meant() -> None:
    dialog = (
        element("e30 dialog Save changes?", window="d", states=("modal", "active")),
        element("e31 button Delete", parent="e30", window="d"),
    )

    assert choose("Delete", (*FORM, *dialog)).id == "e31"
    with pytest.raises(TargetNotFound):
        choose("Name", (*FORM, *dialog))


def test_an_open_menu_comes_before_what_is_under_it() -> None:
    menu = (
        element("e40 menubar", window="w"),
        element("e41 menu Edit", parent="e40", window="w"),
        element("e42 menuitem Delete", parent="e41", window="w"),
    )

    assert choose("Delete", (*FORM, *menu)).id == "e42"


def test_what_can_be_used_comes_before_what_is_greyed_out() -> None:
    two = (element("e1 button OK", states=("disabled",)), element("e2 button OK", 100))

    assert choose("OK", two).id == "e2"


def test_a_text_inside_a_control_of_the_same_name_is_that_control() -> None:
    nested = (element("e1 button OK"), element("e2 label OK", parent="e1"))

    assert choose("OK", nested).id == "e1"


def test_the_grounder_gives_the_element() -> None:
    seen = Observation(screen=Image(sha256="0" * 64, size=Size(800, 600)), elements=FORM)

    assert anyio.run(LexiconGrounder().locate, "Word Count", seen) == OnElement(id="e18")


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("Save", "_Save"),
        ("settings", "Preferences"),
        ("close without saving", "不保存"),
        ("Speichern unter", "Save As..."),
        ("line numbers", "Show line numbers"),
        ("delete row", "Remove Row"),
        ("Preferneces", "Preferences"),
        ("undo\tCtrl+Z", "Undo"),
    ],
)
def test_names_of_the_same_thing_are_near(wanted: str, name: str) -> None:
    assert distance(wanted, name) < NO_MATCH


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("Save", "Save As…"),
        ("Save", "Don't Save"),
        ("Select", "Select All"),
        ("Account", "Delete Account Now And For Ever"),
        ("Delete account", "Account"),
        ("close", "Quit"),
        ("7", "8"),
        ("On", "OK"),
    ],
)
def test_names_of_other_things_are_not(wanted: str, name: str) -> None:
    assert distance(wanted, name) == NO_MATCH


@pytest.mark.parametrize(
    "text", ["plain", "a “b” c", 'a "b" “c”', '⟧⟧ “ ” " « »', '‹›«»“”"「」', "back\\", "", "a\nb", "it's"]
)
def test_a_text_in_quotes_is_read_back_exactly(text: str) -> None:
    phrase = mask(f"write {quote(text)} there")

    assert phrase.quotes == (text,)
    assert mask(phrase.spelled) == phrase


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("type 'don't' here", ("don't",)),
        ("the dog's bowl and the cat's", ()),
        (r'say "a \"b\" c"', ('a "b" c',)),
        ("„so“ und »so«", ("so",)),
        ("`x` and ```y\nz```", ("x", "y\nz")),
        ("an open “ quote", ()),
    ],
)
def test_quotes_of_every_make_are_found(text: str, quotes: tuple[str, ...]) -> None:
    assert mask(text).quotes == quotes


def test_a_description_is_read_in_every_sensible_way() -> None:
    ways = read_description("the second Save button in the “Find” dialog")

    assert any((w.name, w.kind, w.ordinal, w.scope) == ("Save", "button", 2, "the “Find” dialog") for w in ways)


def test_three_hundred_elements_take_a_few_milliseconds() -> None:
    many = tuple(element(f"e{n} button Item number {n}", 0, n) for n in range(300))
    choose("Item number 7", many)

    started = time.perf_counter()
    found = choose("the Item number 299 button", many)

    assert found.id == "e299"
    assert time.perf_counter() - started < 0.05
