#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""From time to space: a click on a bar, a curve or the spectrogram shows the fields of that step, a range shows the error reduction.
Run by tests/app/end-to-end/end-to-end.sh.
"""
import re
import subprocess
import sys

from window_driver import focus_of, go_through, label_of, place_of, say, wait, xdotool

SETTINGS = ("engines=pinn", "points=500", "width=12", "adam_steps=150", "quasi_steps=0", "judge=1")


def click_within(window, name, across, down=0.5, offset=None):
    """Clicks the named widget at shares of its width and height, or at pixels below its upper edge."""
    box = place_of(window.seen(name)[0])
    y = box.y + (offset if offset is not None else int(down * box.height))
    xdotool("mousemove", box.x + int(across * box.width), y, "click", 1)


def step_in(words):
    return int(re.search(r"step (\d+)", words).group(1))


def ask_for_it(window):
    """Presses Compute if necessary: slow recomputations, as on a slow machine, need a request."""
    button = window.find(lambda n: n.name == "Compute" and "button" in n.role and n.box)
    if button:
        window.click_seen("Compute", "button")


def shown(window, other):
    """Returns the description of the fields once it differs from @other: of a saved frame, or recomputed."""
    def words():
        ask_for_it(window)
        node = window.find(lambda n: n.role == "label" and re.fullmatch(r"Fields of step \d+(, recomputed)?", n.name)
                           and step_in(n.name) != other)
        return node and node.name
    return wait(words, f"the fields of another step than {other}", 60)


def kept_or_again(window, other):
    return step_in(shown(window, other))


def bar_step(window, other):
    """Returns the step that the bar below the fields shows, once it is another than @other."""
    def step():
        button = window.find(lambda n: n.name.startswith("Compute ") and "button" in n.role and n.box)
        if button:
            window.click_seen(button.name, "button")
        node = window.find(lambda n: n.role == "label" and re.fullmatch(r"step \d+ of \d+", n.name) and step_in(n.name) != other)
        return node and node.name
    return step_in(wait(step, f"the fields of another step than {other}", 60))


def open_run(window):
    words = [word for setting in SETTINGS for word in ("--set", setting)]
    subprocess.run([window.process.args[0], "run", "burgers", *words, "--quiet"], check=True, capture_output=True)
    window.click_row("Runs", "Burgers shock")
    wait(lambda: window.actions.state("run-state") == "ended", "the run")
    window.open_tab("Time")
    window.wait_state("timeline-tab", "operations")
    wait(lambda: window.find(lambda n: re.match(r"\d+ iterations · median", n.name)), "the iterations")


def click_bars(window):
    open_run(window)
    seen = set()
    for share in (0.35, 0.45, 0.55):  # the set-up begins the timeline, the assembly of the file ends it
        click_within(window, "Timeline; the tables below contain the same data", share, offset=56)
        before = max(seen, default=-1)
        step = kept_or_again(window, before)
        chosen = window.actions.state("timeline-selected")
        say(chosen[0] and step > before, f"a click on a bar shows the fields of its step {step}")
        seen.add(step)
    window.picture("1-bar")


def click_the_curve(window):
    before = kept_or_again(window, -1)
    window.open_tab("Fields")
    place_of(window.seen("Curves of the run")[0])
    share = 0.7 if before < 75 else 0.3  # on the other half of the run
    click_within(window, "Curves of the run", share)
    step = bar_step(window, before)
    say(0 < step < 150, f"a click on a curve shows the fields of its step {step}")
    window.picture("2-curve")
    click_within(window, "Curves of the run", share)  # a press on Compute took the focus
    wait(lambda: "Curves of the run" in (focus_of(window) or ""), "the focus on the curves")
    xdotool("key", "Right")
    spoken = wait(lambda: (focus_of(window) or "") and window.find(lambda n: n.name == "Curves of the run").description, "a step in words")
    say(re.match(r"Step \d+: .*\d", spoken), f"an arrow goes on by one value, which is said: {spoken}")


def see_where_it_fell(window):
    window.open_tab("Time")
    box = place_of(window.seen("Timeline; the tables below contain the same data")[0])
    y = box.y + 10
    xdotool("mousemove", box.x + int(0.2 * box.width), y, "mousedown", 1, "mousemove", box.x + int(0.25 * box.width), y,
            "mousemove", box.x + int(0.9 * box.width), y, "mouseup", 1)
    label_of(window, "In steps ")
    window.click_seen("Error reduction", "button")
    words = label_of(window, "From step ")
    begin, end = map(int, re.findall(r"step (\d+)", words))
    share = wait(lambda: window.find(lambda n: "the error fell in " in n.name), "how much of the field it fell in").name
    say(begin < end and 50 < float(re.search(r"fell in (\d+)", share).group(1)) <= 100, f"a range shows where the error fell: {share}")
    window.picture("3-fell")
    xdotool("key", "Escape", "key", "Escape")


def read_the_spectrogram(window):
    window.click_seen("Error by wavenumber", "page tab")
    name = "Error by wavenumber over time"
    place_of(window.seen(name)[0])
    before = window.find(lambda n: n.name.startswith("Fields of step "))
    click_within(window, name, 0.7, 0.6)  # well after the set-up, however fast the run
    step = kept_or_again(window, step_in(before.name) if before else -1)
    say(step > 0, f"a click on the spectrogram shows the kept frame of step {step}")
    xdotool("key", "Right")
    say(kept_or_again(window, step) > step, "an arrow goes on to the next kept frame")
    window.picture("4-spectrogram")


if __name__ == "__main__":
    sys.exit(go_through(sys.argv[1], sys.argv[2], [click_bars, click_the_curve, see_where_it_fell, read_the_spectrogram]))
