"""A browser from its start to its end: by command, in a session, killed, shared with a person, headed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

import deskhand
from deskhand.core.action import OpenApp, OpenUrl
from deskhand.core.errors import DeviceError, SettingsError
from deskhand.core.status import RunOutcome
from deskhand.devices.browser.device import open_browser
from deskhand.devices.browser.sites import refusal, rules
from deskhand.devices.browser.spec import BrowserSpec, parse_browser
from deskhand.devices.linux.processes import running
from deskhand.perception.options import Perception
from deskhand.settings import load
from deskhand.testing import ScriptedUser
from tests.browser.site import Site, Visitor, visiting
from tests.command import deskhand as command
from tests.running import commands, until

pytestmark = pytest.mark.device

FORM = """<title>Order</title><form onsubmit="out.textContent='thanks '+[n.value,c.value,k.checked];return false">
<label>Name <input id=n></label> <label><input type=checkbox id=k> Agree</label>
<label>Colour <select id=c><option>Red<option>Green</select></label> <button>Save</button></form><p id=out></p>"""


def test_look_and_act_by_command(site: Site, tmp_path: Path) -> None:
    spec = f"browser:size=800x600,url={site.page(FORM)}"

    looked = command("look", "--device", spec, "--json", "--picture", "p.png", home=tmp_path)
    acted = command("act", "--device", spec, "write('Ann', element='e1')", "press('enter')", home=tmp_path)

    seen = json.loads(looked.stdout)
    assert seen["screen"]["size"] == [800, 600]
    assert [e["name"] for e in seen["elements"]] == ["Name", "Agree", "Colour", "Red", "Green", "Save"]
    assert (tmp_path / "p.png").stat().st_size > 1000
    assert acted.stdout.count("done:") == 2, acted.stdout + acted.stderr
    assert '"thanks Ann,Red,false" is shown' in acted.stdout


@pytest.mark.anyio
async def test_the_built_in_model_fills_a_form_in_the_tab_the_host_assigns(site: Site, tmp_path: Path) -> None:
    settings = load([f"device=browser:url={site.page(FORM)}", "yes=true"], {}, tmp_path)
    request = "type Ann into Name, choose Green in Colour, tick Agree and click Save"

    run = await deskhand.run(request, settings=settings, user=ScriptedUser(), run_dir=tmp_path / "run")

    assert run.outcome is RunOutcome.FINISHED
    assert "thanks Ann,Green,true" in (tmp_path / "run" / "events.jsonl").read_text()


def test_a_spec_says_what_is_wrong_with_it() -> None:
    assert parse_browser("browser") == BrowserSpec()
    assert parse_browser("browser:https://example.org/a,b?c=d").url == "https://example.org/a,b?c=d"
    assert parse_browser("browser:headed,scale=2,allow=a.org+b.org,url=file:///x").allow == ("a.org", "b.org")
    for wrong in ("browser:hedaed", "browser:size=1", "browser:url=ftp://x", "browser:scale=9", "browser:wait=0",
                  "browser:allow=a/b", "browser:deny=a:80", "browser:deny=[::1]:80", "browser:allow=::1%eth0",
                  "browser:deny=[a", "browser:cdp=http://x,headed", "browser:cdp=http://x,allow=a"):  # fmt: skip
        with pytest.raises(SettingsError):
            parse_browser(wrong)


def test_addresses_of_ipv6_are_hosts_however_they_are_written() -> None:
    allowed, denied = parse_browser("browser:allow=[2001:DB8::0:1]+a.org"), parse_browser("browser:deny=[0:0::1]")

    assert allowed.allow == ("2001:db8::1", "a.org")
    assert "EXCLUDE 2001:db8::1," in next(rules(allowed))  # as Chromium wants it: in brackets, it heeds none
    assert "MAP ::1 ~NOTFOUND" in next(rules(denied))
    assert refusal(denied, "http://[::0001]:8000/x") == "::1 may not be visited: deny=::1"
    assert (refusal(denied, "http://[::2]/"), refusal(allowed, "http://[2001:db8:0::1]/")) == ("", "")


def test_nothing_of_a_browser_outlives_us_when_we_are_killed(site: Site, tmp_path: Path) -> None:
    url = site.page(FORM)
    # A short one: Chromium makes a socket in there, whose whole path holds no more than 107 bytes.
    with commands(tmp_path) as begin, tempfile.TemporaryDirectory(prefix="t-", dir="/tmp") as short:
        runs = begin("act", "--device", f"browser:{url}", "wait(60)", TMPDIR=short)
        until(lambda: len(site.asked) > 0 and runs.children() > 5)
        runs.ends(signal.SIGKILL)
        until(lambda: not any(running(pid) for pid in runs.seen))
        until(lambda: not list(Path(short).glob("playwright*")))


@pytest.mark.anyio
async def test_a_profile_is_kept_and_a_lock_that_was_left_is_no_obstacle(site: Site, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    url = site.page("<p id=p></p><script>p.textContent='seen '+localStorage.n;localStorage.n=1</script>")
    async with visiting(url, f"profile={profile}"):
        with pytest.raises(DeviceError, match="uses the profile"):
            async with visiting(url, f"profile={profile}"):
                pass
    (profile / "SingletonLock").unlink(missing_ok=True)
    (profile / "SingletonLock").symlink_to("elsewhere-999999")
    async with visiting(url, f"profile={profile}") as visitor:
        visitor.element("seen 1")


@pytest.mark.anyio
async def test_in_a_browser_that_runs_only_tabs_of_our_own_are_touched(site: Site, tmp_path: Path) -> None:
    theirs = site.page("<title>Theirs</title><script>setTimeout(()=>window.open('/'),99999)</script>")
    site.page("<title>Ours</title><a target=_blank href=/>Pop</a>", "/ours")
    profile, port = tmp_path / "profile", tmp_path / "profile" / "DevToolsActivePort"
    words = ["chromium", "--headless", "--remote-debugging-port=0", "--no-sandbox", f"--user-data-dir={profile}"]
    async with await anyio.open_process([*words, theirs], stdout=None, stderr=subprocess.DEVNULL) as browser:
        try:
            await anyio.to_thread.run_sync(until, lambda: port.exists() and bool(site.asked))
            spec = f"browser:cdp=http://127.0.0.1:{port.read_text().split()[0]},url={site.url('/ours')}"
            async with open_browser(spec, dict(os.environ), Perception()) as device:
                visitor = Visitor(device)
                seen = await visitor.look()
                assert [w.title.partition(" - ")[0] for w in seen.windows] == ["Ours"]
                assert "new tab" in (await visitor.click("Pop")).text
                assert len((await visitor.look()).windows) == 2
            async with open_browser(spec, dict(os.environ), Perception()) as device:
                assert len((await Visitor(device).look()).windows) == 1
            assert browser.returncode is None
        finally:
            browser.terminate()


@pytest.mark.anyio
async def test_a_headed_browser_works_on_a_desktop_of_its_own(site: Site) -> None:
    async with visiting(site.page(FORM), "headed", "size=900x600") as visitor:
        assert visitor.seen.screen.size == (900, 600)
        assert (await visitor.click("Agree")).text == "it is now checked"
        assert (await visitor.do(OpenApp(app_name="browser"))).outcome == "done"
        assert (await visitor.do(OpenUrl(url=site.url()))).outcome == "done"
