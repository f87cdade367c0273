#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparison of runs with a real pointer and keys: runs chosen in the sidebar, the tabs of a comparison, swiping by drag, difference,
verdict, export; three runs, and runs of different experiments.

Run by tests/app/end-to-end/end-to-end.sh, using its window driver.
"""
import json
import pathlib
import subprocess
import sys

from gi.repository import GLib

import sidebar
from window_driver import choose_by_keys as keys_in_popover, go_through, label_of, popover_box, popover_closes, say, wait, xdotool

MODES = ["fields", "swipe", "fade", "flicker", "difference", "large"]  # as in the menu


def make_runs(program):
    for sensors in (6, 12, 9):
        subprocess.run([program, "run", "heat2d", "--set", f"sensors={sensors}", "--set", "engines=pod", "--quiet"],
                       check=True, capture_output=True)


def verdict(window, other_than=""):
    def of_the_moment():
        sentence = window.actions.state("compare-verdict")
        return sentence if sentence != other_than else None
    return wait(of_the_moment, "a verdict", 60)


def shown(window, name, role=""):
    """Returns the visible nodes whose name begins with @name."""
    return [n for n in window.find_all(lambda n: n.name.startswith(name) and role in n.role) if window.is_shown(n)]


def lettered(window, sensors):
    """Waits until the rows of the sidebar have these letters. @sensors: {letter: number of sensors}"""
    def told():
        names = sidebar.letters(window)
        return names.keys() == sensors.keys() and all(f"K {number} " in names[letter] for letter, number in sensors.items())
    return wait(told, f"the letters {sensors}", 20)


def choose_run(window):
    sidebar.choose(window, "K 6 ")
    window.wait_state("run-state", "ended")
    window.seen("Fields of truth and reconstructions", "image")
    sidebar.choose(window, "K 12 ", key="ctrl")
    first = verdict(window)
    label_of(window, first[:20])
    window.seen("2 runs compared", "label")
    say(lettered(window, {"a": 6, "b": 12}), "Ctrl+click adds a run: the two are compared in a sentence, and their rows have letters")
    window.picture("1-compared")
    window.click_seen("Swap", "button")
    swapped = verdict(window, first)
    say(lettered(window, {"a": 12, "b": 6}), "the runs are swapped, and the sentence is another")
    window.picture("2-another")
    sidebar.choose(window, "K 12 ")
    sidebar.choose(window, "K 9 ", key="ctrl")
    say(verdict(window, swapped) != first and lettered(window, {"a": 12, "b": 9}), "other runs are compared at once")


def choose_by_keys(window):
    """Arrows move in the list, Ctrl+Space adds to the selection; the newest run is first."""
    sidebar.choose(window, "K 9 ")
    window.seen("Fields of truth and reconstructions", "image")
    before = window.actions.state("compare-verdict")
    xdotool("key", "ctrl+Down", "ctrl+Down", "ctrl+space")
    verdict(window, before)
    say(lettered(window, {"a": 6, "b": 9}), "keys alone add a run")


def three(window):
    before = window.actions.state("compare-verdict")
    sidebar.choose(window, "K 12 ", key="ctrl")
    before = verdict(window, before)
    window.seen("3 runs compared", "label")
    lettered(window, {"a": 6, "b": 12, "c": 9})
    wait(lambda: not shown(window, "Fields of the two runs") and not shown(window, "Stored frame"), "no pictures of two runs")
    badges = [node for node in window.find_all(lambda n: n.role == "label" and n.name == "c") if window.is_shown(node)]
    say(len(badges) >= 3, "three runs stand beside each other in table and settings")
    window.picture("3-three")
    sidebar.choose(window, "K 12 ", key="ctrl")
    verdict(window, before)
    lettered(window, {"a": 6, "b": 9})
    window.seen("Fields of the two runs", "image")
    say(True, "another Ctrl+click takes one away")
    sidebar.choose(window, "K 6 ")
    sidebar.choose(window, "K 12 ", key="ctrl")
    lettered(window, {"a": 6, "b": 12})
    window.seen("Fields of the two runs", "image")


def show_tab(window, name, mark, role=""):
    """Clicks a tab. @mark: the beginning of the name of something on its page"""
    window.click_seen(name, "page tab")
    return wait(lambda: shown(window, mark, role), f"{mark} on the tab {name}", 30)


def tabs(window):
    show_tab(window, "Set-up", "Settings that differ", "label")
    say(all(shown(window, text, "label") for text in ("Sensors", "6", "12")), "the tab Set-up says which settings differ")
    window.picture("3-differences")
    bars = show_tab(window, "Time", "Time of both runs", "image")
    said = wait(lambda: bars[0].description, "the times in words")
    say("(a) " in said and "; (b) " in said, f"the tab Time has the phases of both: {said}")
    flame = wait(lambda: shown(window, "Change of the time by operation"), "the differential flame graph")[0]
    say(flame.box.width > 400 and flame.box.height > 40 and "%" in flame.description, f"a flame graph shows what became slower: {flame.description}")
    window.picture("3-times")
    show_tab(window, "Report", "1 of ", "label")
    plan = wait(lambda: json.loads(window.actions.state("report") or "null"), "the plan of the report")
    say(len(plan["runs"]) == 2, "the tab Report is of both runs")
    window.picture("3-report")
    show_tab(window, "Fields", "Fields of the two runs", "image")
    say(True, "and Fields shows both again")


def durations(window):
    window.click_seen("Durations", "button")
    window.wait_state("compare-tab", "durations")
    wait(lambda: window.find(lambda n: n.role == "label" and "median" in n.name and "(b)" in n.name), "the ratio of medians in words")
    picture = window.node("image", "Durations of the calls in both runs")
    box = wait(lambda: picture.box, "the histograms")
    say(box.width > 200 and box.height > 60, "durations of an operation lie over each other, and the ratio of medians is said")
    window.picture("2-durations")
    window.actions.activate("compare-tab", "curves")
    before = window.actions.state("compare-metric")
    window.actions.activate("compare-next-metric")
    wait(lambda: window.actions.state("compare-metric") not in ("", before), "another metric")
    window.actions.set_state("compare-metric", GLib.Variant("s", before))
    window.wait_state("compare-metric", before)
    say(True, "tab, metric and operation are commands with a state")


def frames(window):
    def steps():
        return wait(lambda: next((n.name for n in window.find_all(lambda n: n.role == "label" and n.name.endswith(", both")) if n.box), None), "the step of both")
    _, box = window.seen("Stored frame of the first run", "slider")
    before = steps()
    xdotool("mousemove", box.x + 20, box.y + box.height // 2, "click", 1)
    wait(lambda: steps() != before, "another frame")
    say(True, "the slider shows an earlier frame of both")
    xdotool("mousemove", box.x + box.width - 12, box.y + box.height // 2, "click", 1)


def show_as(window, mode):
    window.click_seen("View mode of the fields")
    keys_in_popover(*["Down"] * MODES.index(mode), "Return")
    window.wait_state("compare-view", mode)


def read_by_keys(window):
    def readings():
        return [n.name for n in window.find_all(lambda n: n.role == "label" and n.name.startswith("x ") and "(b)" in n.name)]

    box = wait(lambda: window.node("image", "Fields of the two runs").box, "the field")
    xdotool("mousemove", box.x + 60, box.y + box.height // 2, "click", 1)
    wait(readings, "what is under the pointer")
    xdotool("mousemove", box.x + box.width // 2, box.y - 60)
    wait(lambda: not readings(), "nothing under the pointer")
    xdotool("key", "ctrl+Right")
    before = wait(readings, "the cell in the middle")[0]
    xdotool("key", "ctrl+Up")
    wait(lambda: readings() and readings()[0] != before, "the cell above")
    xdotool("key", "Escape")
    wait(lambda: not readings(), "no cell any more")
    say("(a)" in before and "(b)" in before, "keys read both fields cell by cell")


def swipe(window):
    show_as(window, "swipe")
    handle, _ = window.seen("Position of the divider")
    wait(lambda: abs(handle.value - 0.5) < 0.01, "the handle in the middle")
    box = wait(lambda: window.node("image", "Fields of the two runs").box, "the field")
    x, y = box.x + box.width // 2, box.y + box.height // 2
    window.picture("3-swipe")
    xdotool("mousemove", x, y, "mousedown", 1, "sleep", 0.1, "mousemove", x + 40, y, "sleep", 0.1, "mousemove", x + 120, y, "mouseup", 1)
    wait(lambda: handle.value > 0.55, "a handle that has moved")
    say(True, "the pointer drags the handle of the swipe")
    window.picture("4-swiped")


def subtract(window):
    show_as(window, "difference")
    box = wait(lambda: window.node("image", "Fields of the two runs").box, "the field")
    xdotool("mousemove", box.x + box.width // 2, box.y + box.height // 2)
    say(True, "their difference is shown alone")
    window.picture("5-difference")


def of_the_picture(window):
    """The picture menu and its commands apply to the page shown."""
    window.actions.activate("compare-view", "fields")
    scales = [window.actions.state(name) for name in ("compared-scale", "field-scale")]
    window.click_seen("Picture", "button")
    x, y, _, height = popover_box()
    xdotool("mousemove", x + 60, y + height - 82, "click", 1)  # the first check button, above those that need a velocity
    window.wait_state("smooth", True)
    xdotool("key", "Escape")
    popover_closes()
    window.actions.set_state("isolines", GLib.Variant("b", True))
    window.actions.activate("limits", "all")
    wait(lambda: window.actions.state("compared-scale") != scales[0], "limits that are locked")
    low, high, _, _ = window.actions.state("compared-scale")
    say(low < high and window.actions.state("field-scale") == scales[1], "limits are locked for both runs, and for no other page")
    window.actions.activate("transfer", "asinh")
    signed = window.actions.state("compared-error-scale")
    window.actions.activate("errors-as", "relative")
    wait(lambda: window.actions.state("compared-error-scale") != signed, "another scale")
    say(signed[0] == -signed[1] != 0, "errors in another form have a scale of their own")
    for page, shown in (("live", False), ("compare", True)):
        window.actions.activate("show-page", page)
        for name in ("smooth", "isolines"):
            window.wait_state(name, shown)
        window.wait_state("errors-as", "relative" if shown else "signed")
    say(True, "what is on is what the page that is shown has")
    window.actions.activate("compare-swap")
    wait(lambda: window.actions.state("compared-scale") == (low, high, "asinh", ""), "the same scale")
    say(True, "another run is looked at on the scale that was locked")
    window.actions.activate("line")
    window.wait_state("compare-tab", "profile")
    wait(lambda: window.actions.state("compared-line") != (0, 0, 0, 0), "a line")
    say(True, "the fields of both are read along a line")
    window.picture("6-picture")


def export(window):
    path = pathlib.Path(window.scratch, "comparison.html")
    window.actions.activate("compare-export-to", str(path))
    wait(lambda: path.exists() and "</html>" in path.read_text(), "the report of the comparison", 60)
    text = path.read_text()
    say("sensors" in text.lower() and "heat" in text.lower(), "a report of the comparison names what was set otherwise")


def different(window):
    """Compares a run with one of another experiment, by the pointer."""
    subprocess.run([window.process.args[0], "run", "heat1d", "--set", "engines=pod", "--quiet"], check=True, capture_output=True)
    before = window.actions.state("compare-verdict")
    sidebar.choose(window, "Heat in a plate", "K 9 ")
    sidebar.choose(window, "Heat in a rod", key="ctrl")
    said = verdict(window, before)
    _, box = window.seen("Fields of the two runs", "image")
    xdotool("mousemove", box.x + 60, box.y + box.height // 4)
    reading = wait(lambda: shown(window, "x ", "label"), "a reading of the first")[0].name
    window.picture("8-different")
    say("(a)" in reading and "(b)" not in reading and "(error" not in reading, f"their fields are read without a difference: {reading}")
    say("experiment" in said, f"runs of different experiments stand side by side, and the sentence says so: {said}")


def speed_ups(window):
    """Creates three runs with different numbers of points: the second has a quarter of the first, the third four times as many."""
    for points in (1000, 250, 4000):
        settings = ("engines=pinn", f"points={points}", "adam_steps=60", "quasi_steps=1")
        subprocess.run([window.process.args[0], "run", "burgers", *(word for setting in settings for word in ("--set", setting)), "--quiet"],
                       check=True, capture_output=True)
    runs = map(str, pathlib.Path(window.scratch, "data").rglob("burgers-*.lacuna"))
    before = verdict(window)
    paths = GLib.Variant("as", sorted(runs))
    window.actions.call("Activate", GLib.Variant("(sava{sv})", ("compare-runs", [paths], {})), "()")
    verdict(window, before)
    window.click_seen("Time", "page tab")

    def said(start):
        return window.find_all(lambda n: n.role == "label" and n.name.startswith(start))
    wait(lambda: said("▲ faster, ") and said("▼ slower, "), "what is faster, and what slower")
    window.picture("9-speed-ups")
    factors = [float(label.name.removesuffix("×")) for label in window.find_all(lambda n: n.role == "label" and n.name.endswith("×") and n.name[0].isdigit())]
    say(max(factors) > 1.2 and min(factors) < 0.9, f"operations of every run are set against the first, with an interval: {said('▲ faster, ')[0].name}")


def main(program, scratch):
    make_runs(program)
    return go_through(program, scratch, [choose_run, choose_by_keys, three, tabs, durations, frames, read_by_keys, swipe, subtract, of_the_picture, export, different,
                                          speed_ups])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
