"""Replies that nobody would write: reading them ends in a decision or a correction, and nothing is made up."""

from __future__ import annotations

import time
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.fuzz import OWN, READERS, SCREEN, fault, mutated, replies, seeds
from deskhand.core.errors import UnreadableReply
from deskhand.dialects.native import NativeReply
from deskhand.dialects.plan import PlanReply

SHORT = 1_500
"""Replies a dialect, and a fourth for each list of words; `make fuzz` tries a hundred thousand."""


@pytest.mark.parametrize("dialect", READERS)
def test_mutated_replies_raise_nothing_but_corrections_and_yield_only_what_they_hold(dialect: str) -> None:
    count = SHORT // 4 if dialect in OWN else SHORT
    faults = [(reply, problem) for reply in replies(dialect, count, seed=7) if (problem := fault(dialect, reply))]

    assert faults == []


@pytest.mark.parametrize("dialect", READERS)
@settings(max_examples=150, deadline=None, database=None, derandomize=True)
@given(text=st.text(max_size=300))
def test_any_text_at_all_is_a_decision_or_a_correction(dialect: str, text: str) -> None:
    assert fault(dialect, text) == ""


@settings(max_examples=200, deadline=None, database=None, derandomize=True)
@given(choose=st.randoms(use_true_random=False))
def test_nothing_that_stands_in_thinking_is_done(choose: Random) -> None:
    known = [seed for seed in seeds("native") if "<think" not in seed.lower()]
    thought = mutated(choose.choice(known), choose, known)
    if "think" in thought.lower():
        return
    native = NativeReply().read(f"<think>{thought}</think><action>wait(seconds=7)</action>", SCREEN)
    plan = PlanReply().read(f"<think>{thought}</think>\n# Wait\nwait(seconds=7)", SCREEN)

    assert [one.params for one in (*native.bound, *plan.bound)] == [{"seconds": 7}, {"seconds": 7}]


@pytest.mark.parametrize("dialect", READERS)
@pytest.mark.parametrize(
    "flood",
    [
        "(",
        "[",
        "{",
        "<think>",
        "</think>",
        "<action>",
        "click(",
        "click (",
        "wait()\n",
        "'",
        '"""',
        "\\",
        "x=",
        "(1, 2) ",
        "{}",
    ],
)
def test_a_flood_of_one_sign_is_read_in_no_time(dialect: str, flood: str) -> None:
    began = time.process_time()
    with suppress(UnreadableReply):
        READERS[dialect](flood * 20_000 + "!")

    assert time.process_time() - began < 2
