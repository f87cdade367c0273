#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The library of runs with a real pointer: list, search, group, tag, pin, delete and undo, run again exactly.

Run by tests/app/end-to-end/end-to-end.sh, using its window driver.
"""
import re
import subprocess
import sys

from window_driver import choose_by_keys, go_through, pause, say, wait, xdotool


SIDEBAR = 280  # its width, and some


def make_runs(program):
    for sensors in (4, 6, 8):
        subprocess.run([program, "run", "heat1d", "--set", f"sensors={sensors}", "--set", "engines=pod", "--quiet"],
                       check=True, capture_output=True)


def named(window, name):
    """Returns a widget that is on display."""
    return wait(lambda: next((n for n in window.find_all(lambda n: n.name == name) if n.box), None), f"something named {name}")


def run_labels(window):
    """Returns the best results of the runs in list order, which differ, from the page shown: the sidebar shows them too."""
    labels = window.find_all(lambda n: n.role == "label" and re.fullmatch(r"[0-9.,]+ %", n.name))
    placed = [(label.box, label.name) for label in labels]
    return sorted(((box.y, box.x, name) for box, name in placed if box and box.x > SIDEBAR), key=lambda row: row[0])


def rows(window):
    return wait(lambda: run_labels(window), "rows of runs")


def click_row(window, index):
    y, x, _ = rows(window)[index]
    xdotool("mousemove", x + 10, y + 4, "click", 1)


def search(window):
    window.actions.activate("show-page", "runs")
    window.wait_state("runs-shown", 3, 30)
    say(True, "the runs of the folder are listed")
    entry = named(window, "Search runs")
    box = wait(lambda: entry.box, "the search")
    xdotool("mousemove", box.x + 80, box.y + box.height // 2, "click", 1)
    xdotool("type", "--delay", "15", "--", "sensors>5 heat")
    window.wait_state("runs-shown", 2, 20)
    window.picture("1-searched")
    xdotool("key", "ctrl+a", "key", "Delete")
    window.wait_state("runs-shown", 3, 20)
    say(True, "a condition and a word narrow the list")


def search_for(window, text, n):
    box = wait(lambda: named(window, "Search runs").box, "the search")
    xdotool("mousemove", box.x + 80, box.y + box.height // 2, "click", 1, "key", "ctrl+a", "key", "Delete")
    if text:
        xdotool("type", "--delay", "15", "--", text)
    window.wait_state("runs-shown", n, 20)


def group_row(window, name):
    """Returns the cell or expander of a group, and its position: the arrow is at its left."""
    def leftmost():
        placed = [(node, node.box) for node in window.find_all(lambda n: n.name == name)]
        return min((pair for pair in placed if pair[1]), key=lambda pair: pair[1].x, default=None)
    return wait(leftmost, f"the group {name}")


def group(window):
    window.click_seen("Group")
    choose_by_keys("Down", "Return")
    window.wait_state("runs-group", "experiment", 20)
    _, box = group_row(window, "Heat in a rod, 3 runs")
    rows(window)
    say(True, "runs stand under their experiment, with their number")
    window.picture("2-grouped")
    xdotool("mousemove", box.x + 12, box.y + box.height // 2, "click", 1)
    wait(lambda: not run_labels(window), "a folded group")
    say(window.actions.state("runs-shown") == 3, "a click folds the group away, and its runs still count")
    xdotool("mousemove", box.x + 60, box.y + 12, "click", 1, "key", "Right")
    wait(lambda: len(rows(window)) == 3, "an unfolded group")
    xdotool("key", "Left")
    wait(lambda: not run_labels(window), "a folded group")
    xdotool("key", "Return")
    wait(lambda: len(rows(window)) == 3, "an unfolded group")
    say(not window.actions.enabled("runs-delete"), "keys fold and unfold it, and it is no run that could be deleted")
    search_for(window, "sensors>5", 2)
    group_row(window, "Heat in a rod, 2 runs")
    search_for(window, "", 3)
    say(True, "a group counts what the search leaves")
    window.actions.activate("runs-group", "none")
    wait(lambda: len(rows(window)) == 3, "the list")


def tag(window):
    click_row(window, 1)
    wait(lambda: window.actions.enabled("runs-pin"), "a chosen run")
    window.click("text", "Tags")
    xdotool("type", "--delay", "15", "--", "paper")
    xdotool("key", "Return")
    search_for(window, "tag=paper", 1)
    say(True, "a tag that is typed is found by the search")
    window.picture("3-tagged")
    search_for(window, "", 3)


def pin(window):
    click_row(window, 2)
    wait(lambda: window.actions.enabled("runs-pin"), "a chosen run")
    window.click_seen("Baseline", "button")
    search_for(window, "baseline=yes", 1)
    say(True, "a run is pinned as the baseline of its experiment")
    window.picture("4-pinned")
    search_for(window, "", 3)


def units(window):
    """Shows the energy of a hydrogen atom in hartree and in electronvolt."""
    subprocess.run([sys.argv[1], "run", "h", "--set", "iterations=2", "--set", "walkers=64", "--quiet"], check=True, capture_output=True)
    window.actions.activate("show-page", "runs")
    pause(0.5)
    search_for(window, "experiment=h", 1)

    def energy(unit):
        label = wait(lambda: next(n for n in window.find_all(lambda n: n.role == "label" and n.name.endswith(" " + unit)) if n.box), f"an energy in {unit}")
        return float(label.name.split()[0])
    hartree = energy("mHa") / 1000
    xdotool("key", "ctrl+comma")
    window.seen("Molecular energies")
    xdotool("mousemove", 300, 480, *["click", "5"] * 20)  # scroll to the end
    pause(0.5)
    window.click_seen("Molecular energies")
    pause(0.5)
    xdotool("key", "Down", "Return")
    pause(0.5)
    xdotool("key", "Escape")
    volts = energy("eV")
    say(abs(volts / hartree - 27.2114) < 0.05, "an energy is shown in the unit of the preferences, at once")
    window.picture("6-units")


def delete(window):
    names = [name for _, _, name in rows(window)]
    click_row(window, 0)
    wait(lambda: window.actions.enabled("runs-delete"), "a chosen run")
    window.click_seen("Delete", "button")
    window.wait_state("runs-shown", 2, 20)
    xdotool("key", "ctrl+shift+p")  # the message with its button is not on the accessibility bus
    named(window, "Search commands")
    pause(0.5)
    xdotool("type", "--delay", "15", "--", "undo the del")
    xdotool("key", "Return")
    window.wait_state("runs-shown", 3, 20)
    say([name for _, _, name in rows(window)] == names, "Delete takes the chosen run off the list, and Undo brings it back to its place")


def again(window):
    click_row(window, 0)
    wait(lambda: window.actions.enabled("runs-again"), "a chosen run")
    window.picture("2-chosen")
    window.click("push button", "Run Again")
    wait(lambda: "Bitwise identical" in window.actions.state("runs-answer"), "the answer of the comparison", 90)
    say(True, "a run that is done again is the same to the bit")
    window.wait_state("runs-shown", 4, 20)
    say(True, "the new run is in the list")


def main(program, scratch):
    make_runs(program)
    return go_through(program, scratch, [search, group, tag, pin, delete, again, units])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
