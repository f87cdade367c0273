#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of the timeline page with a real pointer: its tabs from their upper edge to their lower one, and durations
that are brushed. Run by tests/app/end-to-end.sh.
"""
import pathlib
import subprocess
import sys

from window_driver import go_through, label_of, say, wait, xdotool

SHADOW = 5  # of the window, which AT-SPI leaves out of its places


def open_run(window):
    subprocess.run([window.process.args[0], "run", "heat1d", "--set", "engines=pod", "--quiet"], check=True, capture_output=True)
    run = next(pathlib.Path(window.scratch, "data").rglob("heat1d-*.lacuna"))
    window.actions.activate("open-path", str(run))
    window.actions.activate("show-page", "timeline")
    window.wait_state("timeline-tab", "operations")
    return run


def click_tab(window, name, share, tab):
    _, box = window.seen(name, "page tab")
    y = box.y + SHADOW + 1 + int(share * (box.height - 2))
    xdotool("mousemove", box.x + SHADOW + box.width // 2, y, "click", 1)
    window.wait_state("timeline-tab", tab, 20)


def change_tabs(window):
    window.run = open_run(window)
    for share, words in ((0, "upper edge"), (0.5, "middle"), (1, "lower edge")):
        click_tab(window, "Spans", share, "spans")
        click_tab(window, "Durations", share, "durations")
        say(True, f"a click at the {words} of a tab opens its table")
    window.picture("1-durations")


def brush(window):
    _, box = window.seen("How long calls took; arrows choose up to a duration, with Shift from one on")
    y, left, right = box.y + box.height // 2, box.x + box.width // 4, box.x + 3 * box.width // 4
    xdotool("mousemove", left, y, "mousedown", 1, "mousemove", left + 20, y, "mousemove", right, y, "mouseup", 1)
    name, low, high = wait(lambda: window.actions.state("timeline-durations")[2] > 0 and window.actions.state("timeline-durations"), "a brush")
    words = label_of(window, name + " · ")
    say(0 < low < high and " · chosen " in words, f"a drag over the histogram chooses durations: {words}")
    window.picture("2-brushed")
    xdotool("key", "Right")
    wait(lambda: window.actions.state("timeline-durations")[2] > high, "an end that a key has moved")
    say(window.actions.state("timeline-durations")[1] == low, "the arrows move its end, and nothing else")
    xdotool("mousemove", left, y, "click", 1)
    wait(lambda: window.actions.state("timeline-durations")[2] == 0, "no brush")
    say(True, "a click lets go of them")


if __name__ == "__main__":
    sys.exit(go_through(sys.argv[1], sys.argv[2], [change_tabs, brush]))
