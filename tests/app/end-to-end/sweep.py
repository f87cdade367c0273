#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A sweep built with a real pointer, and by keyboard alone: parameters with values as steps, lists and ticks; an error is shown in its row;
the line of text is equivalent, and typing there fills the rows; the sweep is queued, runs, and leaves one folder per run.

Run by tests/app/end-to-end/end-to-end.sh.
"""
import pathlib
import sys

import sidebar
from window_driver import choose_by_keys, focus_of, go_through, label_of, popover_box, popover_closes, say, type_into, type_path, wait, xdotool

SEARCH, FIRST = 51, 97  # list with search field: y of the field and of the first result, below the edge of the shadow


def choose(window, drop, text):
    window.click_seen(drop)
    x, y, _, _ = popover_box()
    xdotool("mousemove", x + 150, y + SEARCH, "click", 1)
    xdotool("type", "--delay", "15", "--", text)
    wait(lambda: popover_box()[3] < 200, "one line that is found")
    xdotool("mousemove", x + 150, y + FIRST, "click", 1)
    popover_closes()


def type_number(window, name, text):
    window.click_seen(name)
    xdotool("key", "ctrl+a")
    xdotool("type", "--delay", "15", "--", text)
    xdotool("key", "Tab")  # a spin button applies typed text when it loses the focus


def line(window):
    return window.find_named("text", "The sweep as text").text


def says(window, text):
    return wait(lambda: line(window) == text, f"the line {text}; it is {line(window)}", 20)


def is_said(window, words):
    """Finds a label, which may be scrolled out of view: those of removed rows have no position."""
    wait(lambda: any(n.box for n in window.find_all(lambda n: n.name == words and n.role == "label")), f"the words “{words}”", 20)
    return True


def build(window):
    window.actions.activate("configure", "heat1d")
    window.click("push button", "Sweep…")
    is_said(window, "1 run")
    window.picture("1-nothing")
    window.click_seen("Add Parameter", "button")
    choose(window, "Parameter 1", "Sensors K")
    says(window, "sensors=4")
    window.click_seen("Form of the values, Sensors K")
    choose_by_keys("Down", "Return")
    says(window, "sensors=4..8 in 5")
    type_into(window, "To, Sensors K", "x")
    is_said(window, "sensors: x is not a number; use a decimal point, as in 0.5")
    say(not window.actions.enabled("launch") and not window.actions.enabled("queue-add"), "what is wrong is said in its row, and cannot be launched")
    window.picture("2-wrong")
    type_into(window, "To, Sensors K", "6")
    type_number(window, "Number of values, Sensors K", "3")
    says(window, "sensors=4..6 in 3")
    say(is_said(window, "3 values: 4, 5, 6") and is_said(window, "3 runs"), "steps between two ends are counted and named")


def combine(window):
    window.click_seen("Add Parameter", "button")
    choose(window, "Parameter 2", "Placement")
    window.click_seen("D-optimal (determinant), greedy", "check")
    wait(lambda: line(window).startswith("sensors=4..6 in 3; placement=qr, a-optimal, "), "what is ticked")
    say(is_said(window, "33 runs"), "every combination is one run")
    window.picture("3-grid")
    window.click_seen("Combination of values")
    choose_by_keys("Down", "Return")
    is_said(window, "sensors has 3 values and placement has 11: parameters varied together need the same number of values")
    say(line(window).startswith("together; "), "values that go together are as many, or it is said where they are not")
    window.click_seen("Combination of values")
    choose_by_keys("End", "Return")  # in GTK 4.18 Down would start above the selected item
    window.click_seen("Do not sweep Placement")
    says(window, "random 20; sensors=4..6")
    type_number(window, "Number of runs", "4")
    type_into(window, "Random seed", "7")
    says(window, "random 4 seed 7; sensors=4..6")
    say(is_said(window, "4 runs"), "so many are drawn as are asked for")
    window.picture("4-random")


def type_line(window):
    """The line fills the rows, and converting them back loses nothing."""
    type_into(window, "The sweep as text", "sensors=3,4; noise=1..4 log in 3")
    is_said(window, "2 values: 3, 4")
    is_said(window, "3 values: 1, 2, 4")
    say(line(window) == "sensors=3,4; noise=1..4 log in 3" and is_said(window, "6 runs"), "what is typed fills the rows")
    type_into(window, "The sweep as text", "sensors")
    is_said(window, "sweep sensors: write it as KEY=A,B,C")
    say(not window.actions.enabled("launch"), "what cannot be read says why")
    type_into(window, "The sweep as text", "sensors=3,4")
    is_said(window, "2 runs")


def by_keys(window):
    """Enters the values of the second parameter by keyboard alone, starting at the first row."""
    before = focus_of(window)
    window.actions.activate("build-sweep")
    wait(lambda: focus_of(window) not in (None, before), "the focus to be in the first row")
    xdotool("key", "Tab", "Tab", "Tab", "Tab", "space")
    says(window, "sensors=3,4; diffusivity=0.1")
    xdotool("key", "Tab", "Tab", "Tab", "ctrl+a")
    xdotool("type", "--delay", "15", "--", "0.1, 0.2")
    says(window, "sensors=3,4; diffusivity=0.1, 0.2")
    say(is_said(window, "4 runs"), "a parameter is added and given values by the keyboard alone")


def run(window):
    runs = pathlib.Path(window.scratch, "data", "lacuna", "runs")
    before = len(list(runs.glob("*.lacuna")))
    window.click("push button", "Add to Queue")
    wait(lambda: len(list(runs.glob("*.lacuna"))) == before + 4 and window.actions.state("run-state") == "ended", "four runs", 120)
    window.picture("5-done")
    say(True, "the queue runs the sweep")
    window.actions.activate("build-sweep")
    type_into(window, "The sweep as text", "sensors=3,5")
    is_said(window, "2 runs")
    window.click("push button", "Start")
    wait(lambda: len(list(runs.glob("*.lacuna"))) == before + 6 and window.actions.state("run-state") == "ended", "two more runs", 120)
    say(True, "and it is launched at once where it is asked for")


def n_runs(window):
    return len(list(pathlib.Path(window.scratch, "data", "lacuna", "runs").glob("*.lacuna")))


def look_at_folder(window):
    """The sweep is a folder in the sidebar: unfolded it shows its runs, chosen it shows chart and table."""
    window.picture("6-runs")
    sidebar.choose(window, "Sensors K, 2 runs")
    chart, box = window.seen("Results against the swept parameter; the table below has the values", "image")
    window.seen("2 of 2 finished", "label")
    window.picture("6-folder")
    say(box.width > 400 and box.height > 100, "a sweep chosen in the sidebar shows its chart above its table")


def add_values(window):
    before = n_runs(window)
    window.click_seen("Add Values…", "button")
    wait(lambda: len(window.windows()) > 1, "the dialog")
    window.seen("Add Values", "label")
    window.picture("7-dialog")
    xdotool("type", "--delay", "15", "--", "x")
    label_of(window, "sensors = x is not a number")
    xdotool("key", "BackSpace")
    xdotool("type", "--delay", "15", "--", "7")
    label_of(window, "1 run")
    xdotool("key", "Return")
    wait(lambda: n_runs(window) == before + 1 and window.actions.state("run-state") == "ended", "one more run", 120)
    window.seen("3 of 3 finished", "label")
    sidebar.row(window, "Sensors K, 3 runs")
    say(True, "a value that is added is computed, and belongs to the sweep")
    window.picture("7-added")


def repeat(window):
    """Seeds are swept like a parameter; the folder says the median and the worst of them."""
    before = n_runs(window)
    window.actions.activate("configure", "heat2d")
    window.click("push button", "Sweep…")
    window.click_seen("Add Parameter", "button")
    choose(window, "Parameter 1", "Seed")
    says(window, "seed=0, 1, 2, 3, 4")
    type_into(window, "The sweep as text", "seed=5,6,7")
    is_said(window, "3 runs")
    window.picture("9-seeds")
    window.click("push button", "Start")
    wait(lambda: n_runs(window) == before + 3 and window.actions.state("run-state") == "ended", "three seeds", 120)
    sidebar.choose(window, "Seed, 3 runs")
    label_of(window, "Over 3 seeds: median ")
    window.picture("9-repeated")
    say(True, "an experiment is repeated with other seeds, and the folder says the median and the worst")


def export(window):
    path = type_path(window, pathlib.Path(window.scratch, "chart.svg"), lambda: window.click_seen("Figure…", "button"))
    say("<svg" in path.read_text() and "Sensors" in path.read_text(), "the chart is saved as a figure with the name of its axis")
    path = type_path(window, pathlib.Path(window.scratch, "sweep.html"), lambda: window.click_seen("Export Report…", "button"))
    say(path.read_text().count("<table") > 0, "and the runs as a report")


if __name__ == "__main__":
    sys.exit(go_through(sys.argv[1], sys.argv[2], [build, combine, type_line, by_keys, run, look_at_folder, add_values, export, repeat]))
