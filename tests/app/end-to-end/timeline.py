#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of the timeline page with a real pointer: tabs clickable from their upper edge to the lower one, brushing of
durations, and findings that lead to their time. Run by tests/app/end-to-end/end-to-end.sh.
"""
import json
import pathlib
import subprocess
import sys

from window_driver import SLOWNESS, go_through, label_of, pause, place_of, say, wait, xdotool

SHADOW = 5  # of the window; AT-SPI positions exclude it


def open_run(window, experiment, title, *settings):
    subprocess.run([window.process.args[0], "run", experiment, *settings, "--quiet"], check=True, capture_output=True)
    run = next(pathlib.Path(window.scratch, "data").rglob(f"{experiment}-*.lacuna"))
    window.actions.activate("open-path", str(run))  # a worker reads it
    wait(lambda: window.actions.state("run-state") == "ended", "the run")
    label_of(window, title)
    window.actions.activate("show-page", "timeline")
    window.seen("Timeline; the tables below contain the same data")
    return run


def click_tab(window, name, share, tab):
    _, box = window.seen(name, "page tab")
    y = box.y + SHADOW + 1 + int(share * (box.height - 2))
    xdotool("mousemove", box.x + SHADOW + box.width // 2, y, "click", 1)
    window.wait_state("timeline-tab", tab, 20)


def change_tabs(window):
    window.run = open_run(window, "heat1d", "Heat", "--set", "engines=pod")
    window.wait_state("timeline-tab", "operations")
    for share, words in ((0, "upper edge"), (0.5, "middle"), (1, "lower edge")):
        click_tab(window, "Spans", share, "spans")
        click_tab(window, "Durations", share, "durations")
        say(True, f"a click at the {words} of a tab opens its table")
    window.picture("1-durations")


def brush(window):
    _, box = window.seen("Duration histogram; arrow keys move the upper limit, with Shift the lower one")
    y, left, right = box.y + box.height // 2, box.x + box.width // 4, box.x + 3 * box.width // 4
    xdotool("mousemove", left, y, "mousedown", 1, "mousemove", left + 20, y, "mousemove", right, y, "mouseup", 1)
    name, low, high = wait(lambda: window.actions.state("timeline-durations")[2] > 0 and window.actions.state("timeline-durations"), "a brush")
    words = label_of(window, name + " · ")
    say(0 < low < high and " · selected " in words, f"a drag over the histogram chooses durations: {words}")
    window.picture("2-brushed")
    xdotool("key", "Right")
    wait(lambda: window.actions.state("timeline-durations")[2] > high, "an end that a key has moved")
    say(window.actions.state("timeline-durations")[1] == low, "the arrows move its end, and nothing else")
    xdotool("mousemove", left, y, "click", 1)
    wait(lambda: window.actions.state("timeline-durations")[2] == 0, "no brush")
    say(True, "a click lets go of them")


def look_at_roofs(window, words):
    click_tab(window, "Roofline", 0.5, "roofline")
    said = label_of(window, words)
    window.picture("roofs")
    return said


def roofs(window):
    open_run(window, "burgers", "Burgers shock", "--set", "engines=pinn", "--set", "points=1000", "--set", "adam_steps=80", "--set", "quasi_steps=1")
    look_at_roofs(window, "The roofline shows the peak rates of one thread")
    say(True, "a run's operations are shown below the roofs of the machine")


def choose(window):
    """Clicks a phase in the first bar and lets go of it again."""
    _, box = window.seen("Phases, by the clock")
    xdotool("mousemove", box.x + box.width // 2, box.y + SHADOW + 32, "click", 1)
    name, path = wait(lambda: window.actions.state("timeline-chosen")[0] and window.actions.state("timeline-chosen"), "a chosen phase")
    say(path == [], f"a click on a phase chooses it: {name}")
    window.picture("2-chosen")
    xdotool("key", "Escape")
    wait(lambda: window.actions.state("timeline-chosen")[0] == "", "no choice")
    say(True, "Escape lets go")


def pictures(window):
    """Thumbnails of the same run are drawn meanwhile, at most two widths apart. They need room: the divider above the tabs is moved."""
    def gives_way():  # the page may still be laid out when the divider is dragged first
        _, tab = window.seen("Spans", "page tab")
        x, y = tab.x + SHADOW + 300, tab.y + SHADOW - 7
        xdotool("mousemove", x, y, "mousedown", 1, "mousemove", x, y + 20, "mousemove", x, y + 90, "mouseup", 1)
        pause(1)
        strip = window.find_named("image", "Saved frames along the timeline")
        return strip and window.is_shown(strip) and strip.box
    box = wait(gives_way, "pictures along the timeline")

    def shown():
        return window.find(lambda n: n.role == "label" and n.name.startswith("Fields of step "))

    def later():
        words = shown().name
        return words if int(words.split()[3].rstrip(",")) > 0 else None
    say(not shown() and 20 < box.height < 60, "kept frames lie along the timeline as pictures")
    for x in range(box.x + 20, box.x + box.width, 40):  # a slow machine saves few frames; a thumbnail is wider than the step
        xdotool("mousemove", x, box.y + box.height // 2, "click", 1)
        try:
            words = wait(later, "the fields of a later step", 1, SLOWNESS)
            break
        except TimeoutError:
            continue
    else:
        raise TimeoutError("no picture was hit")
    say(True, f"a click on one shows its frame: {words}")
    window.picture("2-pictures")


def write_trace(path):
    """Writes ninety steps of two operations; in step 41 one takes thirty times as long as usual, in step 70 the other."""
    events, at = [], 0
    for step in range(90):
        parts = [("forward", 1000 + 29000 * (step == 70)), ("reverse", 1200 + 30000 * (step == 41))]
        events.append({"ph": "X", "pid": 1, "tid": 1, "name": f"ProfilerStep#{step}", "ts": at, "dur": sum(took for _, took in parts) + 20})
        for name, took in parts:
            events.append({"ph": "X", "pid": 1, "tid": 1, "name": name, "ts": at + 5, "dur": took})
            at += took
        at += 50
    path.write_text(json.dumps({"traceEvents": events}))


def reading(window):
    return wait(lambda: window.find(lambda n: n.role == "label" and " · step " in n.name and " longer" in n.name), "a reading with its cause").name


def row_of(window, start):
    return wait(lambda: window.find(lambda n: n.role == "list item" and n.name.startswith(start) and n.box), f"the finding {start}")


def find(window):
    trace = pathlib.Path(window.scratch, "planted.json")
    write_trace(trace)
    window.actions.activate("open-path", str(trace))
    window.wait_state("timeline-selected", ("", -1, 0.0))
    say("other program" in look_at_roofs(window, "No roofline"), "of a trace it is said why there are no roofs")
    click_tab(window, "Findings", 0.5, "findings")
    box = place_of(row_of(window, "Iteration 41 took"))
    xdotool("mousemove", box.x + 40, box.y + box.height // 2, "click", 1)
    wait(lambda: window.actions.state("timeline-selected")[1] == 41, "the iteration of the finding")
    begin, end = window.actions.state("timeline-view")
    words = reading(window)
    say(0 < end - begin < 0.3 and " reverse took 30" in words, f"a click on a finding shows its iteration: {words}")
    window.picture("3-findings")
    window.click_seen("Next outlier or iteration over the target", "button")
    wait(lambda: window.actions.state("timeline-selected")[1] == 70, "the next outlier")
    wait(lambda: " forward took 29" in reading(window), "what grew in it")
    say(True, "the next outlier says what grew in it")
    choose_range(window)


def choose_range(window):
    """Selects a range without step 41 by a drag on the ruler, at the top of the timeline."""
    _, box = window.seen("Timeline; the tables below contain the same data")
    y, left, right = box.y + 10, box.x + box.width // 5, box.x + box.width // 2
    xdotool("mousemove", left, y, "mousedown", 1, "mousemove", left + 20, y, "mousemove", right, y, "mouseup", 1)
    wait(lambda: window.actions.state("timeline-range")[1] > 0, "a range")
    wait(lambda: not window.find(lambda n: n.role == "list item" and n.name.startswith("Iteration 41")), "findings of the range alone")
    say(True, "a range limits what is found")
    window.picture("4-range")


def apply(window):
    """Opens the set-up with a setting that would have made the run shorter."""
    open_run(window, "h2", "Hydrogen", "--set", "walkers=64", "--set", "iterations=20", "--set", "evaluation=20", "--set", "pretraining=5")
    click_tab(window, "Findings", 0.5, "findings")
    row_of(window, "Walkers = 32 (now 64) would save about")
    window.picture("5-advice")
    window.click("push button", "Apply Walkers = 32")
    wait(lambda: window.find(lambda n: n.role == "text" and n.name == "Walkers" and n.text == "32"), "the setting in the set-up")
    say(window.find(lambda n: n.role == "text" and n.name == "Iterations" and n.text == "20"), "a click on what would save time opens the set-up with it, other settings as they were")


if __name__ == "__main__":
    sys.exit(go_through(sys.argv[1], sys.argv[2], [change_tabs, brush, roofs, choose, pictures, find, apply]))
