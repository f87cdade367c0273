#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The library of runs with a real pointer: in the sidebar and in the list of all runs: open, compare, search, group, tag, pin, delete and
undo, run again exactly.

Run by tests/app/end-to-end/end-to-end.sh, using its window driver.
"""
import re
import subprocess
import sys

from window_driver import choose_by_keys, go_through, prefer, say, wait, xdotool


def make_runs(program):
    for sensors in (4, 6, 8):
        subprocess.run([program, "run", "heat1d", "--set", f"sensors={sensors}", "--set", "engines=pod", "--quiet"],
                       check=True, capture_output=True)


def named(window, name):
    """Returns a widget that is on display."""
    return window.seen(name)[0]


def of_run(label):
    """Returns True for a label in the row of a run in the table, not of a group."""
    row = next((above for above in label.above() if above.role == "table row"), None)
    return row is not None and not any(re.search(r", \d+ runs$", node.name) for node in row.all())


def run_labels(window):
    """Returns the best results of the runs in list order, which differ, from the page shown: the sidebar shows them too."""
    labels = window.find_all(lambda n: n.role == "label" and re.fullmatch(r"[0-9.,]+ %", n.name) and of_run(n))
    placed = [(label.box, label.name) for label in labels if window.is_shown(label)]
    return sorted(((box.y, box.x, name) for box, name in placed), key=lambda row: row[0])


def rows(window):
    return wait(lambda: run_labels(window), "rows of runs")


def click_row(window, index):
    y, x, _ = rows(window)[index]
    xdotool("mousemove", x + 10, y + 4, "click", 1)


def side_runs(window):
    return [name for name, _ in window.sidebar("Runs") if name.startswith("Heat in a rod, ") and not name.endswith(" runs")]


def title(window, words):
    """Waits for the title in the header."""
    return wait(lambda: window.find(lambda n: n.role == "label" and n.name == words and n.box and n.box.y < 47 and n.box.x > 280), f"the title {words}")


def choose(window):
    """In the sidebar a click opens a run, and Ctrl with a click or Space adds another one to be compared with it."""
    wait(lambda: len(side_runs(window)) == 3, "three runs in the sidebar")
    title(window, "Experiments")
    window.click_on(window.sidebar("Runs")[1][1])
    title(window, "Heat in a rod")
    window.seen("Run Again", "button")
    say(True, "a click on a run in the sidebar opens it")
    window.click_on(window.sidebar("Runs")[2][1], "ctrl")
    title(window, "2 runs compared")
    verdict = wait(lambda: window.actions.state("compare-verdict"), "the verdict")
    say(True, f"Ctrl+click compares two runs: {verdict}")
    window.picture("0-compared")
    window.click_on(window.sidebar("Runs")[3][1])
    title(window, "Heat in a rod")
    xdotool("key", "ctrl+Up", "key", "ctrl+space")
    title(window, "2 runs compared")
    wait(lambda: window.actions.state("compare-verdict") not in ("", verdict), "another verdict")
    say(True, "Ctrl+Space compares it with another one")


def search_side(window):
    window.click("push button", "Find")
    named(window, "Search runs")
    xdotool("type", "--delay", "15", "--", "sensors>5")
    wait(lambda: len(side_runs(window)) == 2, "two runs in the sidebar")
    window.picture("0-searched")
    xdotool("key", "Escape")
    wait(lambda: len(side_runs(window)) == 3, "three runs in the sidebar")
    say(True, "the sidebar shows the runs that fit the words of its search")


def group_side(window):
    window.click("push button", "Group runs")
    choose_by_keys("Down", "Return")
    window.wait_state("side-group", "experiment", 20)
    window.sidebar_row("Runs", "Heat in a rod, 3 runs")
    wait(lambda: len(side_runs(window)) == 3, "the runs of the group")
    window.picture("0-grouped")
    window.click("push button", "Expand")
    wait(lambda: not side_runs(window), "a folded group")
    window.click_row("Runs", "Heat in a rod, 3 runs")
    title(window, "Heat in a rod")
    wait(lambda: window.actions.state("runs-shown") == 3, "the runs of the group as a table")
    xdotool("key", "Return")
    wait(lambda: len(side_runs(window)) == 3, "an unfolded group")
    say(True, "the groups of the sidebar fold, and a click on one shows its runs in a table")
    window.actions.activate("side-group", "day")


def delete_side(window):
    names = side_runs(window)
    window.click_on(window.sidebar("Runs")[1][1])
    title(window, "Heat in a rod")
    xdotool("key", "Delete")
    wait(lambda: side_runs(window) == names[1:], "the run gone")
    window.picture("0-deleted")
    window.undo(lambda: side_runs(window) == names, "the run in its place")
    say(True, "Delete takes a run off the sidebar, and the Undo of the message brings it back")


def search(window):
    window.click("push button", "All Runs")
    window.wait_state("runs-shown", 3, 30)
    say(True, "the runs of the folder are listed")
    window.click_seen("Search runs", "entry")
    xdotool("type", "--delay", "15", "--", "sensors>5 heat")
    window.wait_state("runs-shown", 2, 20)
    window.picture("1-searched")
    xdotool("key", "ctrl+a", "key", "Delete")
    window.wait_state("runs-shown", 3, 20)
    say(True, "a condition and a word narrow the list")


def search_for(window, text, n):
    window.click_seen("Search runs", "entry")
    xdotool("key", "ctrl+a", "key", "Delete")
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
    window.click("push button", "All Runs")
    search_for(window, "experiment=h", 1)

    def energy(unit):
        label = wait(lambda: next(n for n in window.find_all(lambda n: n.role == "label" and n.name.endswith(" " + unit)) if n.box), f"an energy in {unit}")
        return float(label.name.split()[0])
    hartree = energy("mHa") / 1000
    prefer(window, "Molecular energies", "Down", "Return")
    volts = energy("eV")
    say(abs(volts / hartree - 27.2114) < 0.05, "an energy is shown in the unit of the preferences, at once")
    window.picture("6-units")


def delete(window):
    names = [name for _, _, name in rows(window)]
    click_row(window, 0)
    wait(lambda: window.actions.enabled("runs-delete"), "a chosen run")
    window.click_seen("Delete", "button")
    window.wait_state("runs-shown", 2, 20)
    xdotool("key", "ctrl+shift+p")
    named(window, "Search commands")
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
    return go_through(program, scratch, [choose, search_side, group_side, delete_side, search, group, tag, pin, delete, again, units])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
