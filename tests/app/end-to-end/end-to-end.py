#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The main workflow with a real pointer: gallery, set-up, another K, sensors by hand, start, pause, step, resume, an earlier frame, a change
while running, another run meanwhile, timeline, export, a volume.
Run by tests/app/end-to-end/end-to-end.sh.
"""
import pathlib
import re
import subprocess
import sys

from accessible import PRESSED
from window_driver import go_through, label_of, place_of, popover_box, popover_closes, say, type_into, wait, xdotool


def set_up(window):
    window.picture("1-experiments")
    say(True, "the gallery shows the default experiment")
    window.click("push button", "Set up Kolmogorov flow")
    window.node("push button", "Start")
    type_into(window, "Sensors K", "-3")
    wait(lambda: "-3" in window.actions.state("launch-reason"), "a reason that names -3")
    say(not window.actions.enabled("launch"), "a negative K disables Launch with the reason")
    window.picture("2-invalid")
    type_into(window, "Sensors K", "10")
    wait(lambda: window.actions.enabled("launch"), "Start")
    say(window.actions.state("launch-reason") == "", "K = 10 is taken")
    window.picture("3-set-up")


def place(window):
    """Sensors by hand, on a field that stands beside the form."""
    window.actions.set("spin_up", "4")  # keeps the set-up short, which the sensor plan computes too
    window.actions.activate("place-sensors")
    field = window.node("image", "Sensors: Page Down selects, arrows move, Insert adds, Delete removes", 120)
    wait(lambda: window.is_shown(field), "the field", 120)
    label_of(window, "10 sensors")
    label_of(window, "as Pivoted QR")
    window.picture("3-sensors")
    box = place_of(field)
    say(window.seen("Sensors K", "text")[1].x < box.x, "the field to place sensors on stands beside the form")
    x, y = box.x + box.width // 2 + 40, box.y + box.height // 2
    xdotool("mousemove", x, y, "click", "--repeat", 2, "--delay", 60, 1)
    before = label_of(window, "Sensor 11 of 11 at")
    wait(lambda: window.find(lambda n: n.role == "label" and re.search(r"% (worse|better) than Pivoted QR$", n.name)), "the error to expect of it")
    say(True, "a double click puts a sensor on the field, and the error to expect is told beside it")
    xdotool("mousemove", x, y, "mousedown", 1, "mousemove", x + 20, y - 10, "mousemove", x + 60, y - 40, "mouseup", 1)
    wait(lambda: label_of(window, "Sensor 11 of 11 at") != before, "a sensor that moves")
    say(True, "the pointer drags it")
    window.picture("3-sensors-dragged")
    xdotool("key", "ctrl+z")
    wait(lambda: label_of(window, "Sensor 11 of 11 at") == before, "the move undone")
    say(True, "undo takes a drag back in one step")
    xdotool("mousemove", x, y, "click", 3)
    window.node("menu item", "Add Sensor Here")
    xdotool("key", "Escape")
    popover_closes()
    say(True, "a menu opens where the pointer is")
    xdotool("mousemove", x, y, "click", 1, "key", "Delete")
    label_of(window, "Sensor 10 of 10 at")
    say(True, "Delete removes it")
    xdotool("key", "ctrl+z")
    label_of(window, "Sensor 10 of 11 at")
    window.click("push button", "Reset")
    label_of(window, "10 sensors")
    window.actions.set("spin_up", "60")
    window.actions.set("snapshots", "2000")
    window.actions.set("observations", "800")
    wait(lambda: window.actions.enabled("launch"), "a form that can be started")


def is_at(window, start):
    """Returns True if the title of the page, or what is below it, begins with @start."""
    return any(node.box.y < 47 < 265 < node.box.x for node in window.find_all(lambda n: n.role == "label" and n.name.startswith(start)) if node.box)


def steer(window):
    window.click("push button", "Start")
    wait(lambda: window.actions.state("frames-shown") > 0, "the first frame", 180)
    window.wait_state("run-state", "running")
    window.sidebar_row("In progress", "Kolmogorov flow")
    say(True, "the run shows frames, and stands in progress")
    window.picture("4-running")
    window.click("push button", "Pause")
    window.wait_state("run-state", "paused")
    before = window.actions.state("run-step")
    say(True, "Pause pauses")
    window.click("push button", "Step")
    wait(lambda: window.actions.state("run-step") == before + 1 and window.actions.state("run-state") == "paused",
         "one step", 60)
    say(True, "Step does one step and waits")
    window.picture("5-paused")
    window.click("push button", "Resume")
    wait(lambda: window.actions.state("run-step") > before + 1, "a step after Resume")
    say(True, "Resume goes on")


def shown_step(window):
    """Returns the step of the bar below the fields."""
    label = wait(lambda: next((n for n in window.find_all(lambda n: n.role == "label" and re.fullmatch(r"step \d+ of \d+", n.name)) if n.box), None),
                 "the step shown")
    return int(re.search(r"\d+", label.name).group())


def watch(window):
    """An earlier frame is watched while the run computes on; Live goes back to the newest one."""
    window.insist(lambda: window.click("push button", "Previous stored frame (,)"),
                  lambda: not window.node("push button", "Live").has(PRESSED), "a frame that stays")  # there may be none yet
    held, computed = shown_step(window), window.actions.state("run-step")
    wait(lambda: window.actions.state("run-step") > computed + 1, "steps that are computed meanwhile")
    say(shown_step(window) == held < computed, "an earlier frame stays on display while the run computes on")
    window.picture("5-earlier")
    window.press("Live")
    wait(lambda: shown_step(window) > held, "the newest frame")
    say(True, "Live shows the newest frame again")


def enter(window, label, text):
    window.click("text", label)
    xdotool("key", "ctrl+a")
    xdotool("type", "--delay", "15", "--", text)
    xdotool("key", "Return")


def change(window):
    """A setting is changed while the run computes, and put back."""
    enter(window, "Inflation", "1.06")
    label_of(window, "Inflation 1.05 → 1.06")
    window.picture("5-changed")
    window.click("push button", "Undo: Inflation 1.05 → 1.06")
    label_of(window, "Inflation 1.06 → 1.05")
    say(window.seen("Inflation", "text")[0].text == "1.05", "a setting is changed while the run computes, and put back by its undo")


def leave_and_return(window):
    """A finished run is opened while one computes."""
    window.click_row("Runs", "Heat in a rod")
    wait(lambda: is_at(window, "Heat in a rod"), "the finished run")
    wait(lambda: window.seen("Set Up a Copy", "button"), "the buttons of a finished run")
    say(window.actions.state("run-state") in ("running", "setting-up"), "a finished run is opened while another computes")
    window.picture("5-other-run")
    window.click_row("In progress", "Kolmogorov flow")
    wait(lambda: is_at(window, "Kolmogorov flow"), "the run that computes")
    window.seen("Pause", "button")
    window.seen("Inflation 1.06 → 1.05", "label")
    before = shown_step(window)
    wait(lambda: shown_step(window) > before, "the next frame")
    say(True, "one click goes back to the run that computes, which is shown as it goes, with its changes")


def read_at(window, x, y, word):
    """Points at a field and moves the probe on by a key, which tells the values in words. Returns them."""
    field = window.seen("Fields of truth and reconstructions", "image")[0]
    xdotool("mousemove", x, y, "mousemove", x + 3, y + 3, "click", 1, "key", "ctrl+Right")
    return wait(lambda: field.description.startswith("x ") and word in field.description and field.description, f"a reading of {word}")


def probe(window):
    """Reads values while the run pauses: while it computes, the description of the picture follows its steps."""
    window.click("push button", "Pause")
    window.wait_state("run-state", "paused")
    box = place_of(window.seen("Fields of truth and reconstructions", "image")[0])
    x, y = box.x + box.width // 12, box.y + box.height // 4
    reading = read_at(window, x, y, "Truth")
    beside = read_at(window, x + 40, y, "Truth")
    at = [float(re.match(r"x ([\d.−-]+)", words).group(1).replace("−", "-")) for words in (reading, beside)]
    say("Ensemble Kalman filter" in reading and at[0] < at[1], "the probe reads every field where the pointer is")
    window.press("Errors")
    read_at(window, x, y, "Ensemble Kalman filter − truth")
    say(True, "the errors stand in place of the fields")
    window.picture("6-errors")
    window.press("Fields")
    xdotool("mousemove", x, y)
    for _ in range(3):
        xdotool("click", 4)
    window.picture("6-zoomed")
    xdotool("mousedown", 1, "mousemove", x + 40, y + 30, "mouseup", 1)
    xdotool("key", "0")
    window.click("push button", "Resume")
    window.wait_state("run-state", "running")


def choose_range(window):
    timeline = wait(lambda: window.find(lambda n: n.name.startswith("Timeline; ")), "the timeline")
    box = wait(lambda: timeline.box, "the place of the timeline")
    y = box.y + 10  # thumbnails, or the ruler
    xdotool("mousemove", box.x + 300, y, "mousedown", 1, "mousemove", box.x + 330, y,
            "mousemove", box.x + 700, y, "mouseup", 1)
    answer = label_of(window, "In steps ")
    say(" of the time" in answer, f"a drag on the timeline chooses a range, which the answer is about: {answer}")
    window.picture("7-range")
    xdotool("mousemove", box.x + 400, box.y + 80, "click", 1, "key", "period")
    wait(lambda: " · " in (timeline.description or ""), "a span that is selected, in words")  # name, duration, lane
    say(True, "keys go from span to span, and say which")
    xdotool("key", "Escape")
    window.picture("7-cleared")


def look_and_leave(window):
    window.open_tab("Time")
    # a sanitizer slows some operations more than others, and the table shows the first few
    operations = ("inverse transform", "forward transform", "velocity and gradient spectra", "Runge-Kutta stage", "ensemble analysis")
    wait(lambda: any(window.is_shown(node) for node in window.find_all(lambda n: n.role == "label" and n.name in operations)), "an operation in the table")
    say(True, "the timeline's table names the operations")
    window.picture("7-timeline")
    choose_range(window)
    window.click("push button", "Stop")
    window.wait_state("run-state", "ended", 60)
    for kind, name in (("figure", "figure.pdf"), ("report", "report.pdf"), ("trace", "trace.json"), ("data", "data.h5")):
        path = pathlib.Path(window.scratch, name)
        window.actions.activate(f"export-{kind}-to", str(path))
        wait(lambda: window.actions.state("exported") == str(path) and path.stat().st_size > 500, f"{name}", 60)
        say(True, f"{name} is written")
    window.picture("8-exported")
    window.actions.activate("export-figure-to", str(pathlib.Path(window.scratch, "no-such-folder", "figure.pdf")))
    wait(lambda: window.process.poll() is None and window.actions.enabled("export-figure"), "a window that goes on")
    say(True, "a folder that is not there leaves the window usable")


def limit(window):
    """Drags the handles of the histogram, initially near its ends; it is near the top of the popover and as wide."""
    window.open_tab("Fields")
    window.click_seen("Picture", "button")
    x, y, width, _ = popover_box()
    low, high, middle, row = x + 58, x + width - 57, x + width // 2, y + 110

    def beyond():
        below, above = re.match(r"Below ([\d\u2009\s]*) · above ([\d\u2009\s]*) ·", label_of(window, "Below ")).groups()
        return [int(re.sub(r"\D", "", text)) for text in (below, above)]

    wait(lambda: beyond(), "how many values are beyond the limits")
    first = beyond()
    xdotool("mousemove", low, row, "mousedown", 1, "mousemove", low + 12, row, "mousemove", middle - 30, row, "mouseup", 1)
    wait(lambda: beyond()[0] > first[0] and beyond()[1] == first[1], "values below the limit that is dragged")
    xdotool("mousemove", high, row, "mousedown", 1, "mousemove", high - 12, row, "mousemove", middle + 30, row, "mouseup", 1)
    wait(lambda: beyond()[1] > first[1], "values above the other limit")
    say(True, "both handles of the histogram are dragged, and what is beyond them is counted")
    window.picture("8-limits")
    held = beyond()
    xdotool("key", "Left")
    wait(lambda: beyond()[0] < held[0] and beyond()[1] == held[1], "a lower limit that a key has moved")
    say(True, "the arrows move them too")
    xdotool("key", "Escape")


def turn(window):
    window.actions.activate("start", "h2")
    window.wait_state("run-state", "running", 60)
    wait(lambda: window.actions.state("frames-shown") > 0, "a frame of the molecule", 60)
    window.actions.activate("view", "volume")
    volume = window.node("image", "Volume in 3D")
    box = wait(lambda: volume.box, "the volume")
    x, y = box.x + box.width // 2, box.y + box.height // 2
    before = wait(lambda: volume.description, "where the volume is seen from")
    xdotool("mousemove", x, y, "mousedown", 1, "mousemove", x + 20, y + 8, "mousemove", x + 90, y + 30, "mouseup", 1)
    turned = wait(lambda: volume.description != before and volume.description, "another side of it")
    say("zoomed 1.00" in turned, "dragging turns the volume")
    xdotool("click", 4, "click", 4)
    wait(lambda: "zoomed 1.44" in volume.description, "a larger volume")
    say(True, "the wheel enlarges it")
    xdotool("key", "Left")
    wait(lambda: "zoomed 1.44" in volume.description and volume.description.split(",")[0] != turned.split(",")[0],
         "the volume turned by a key")
    window.picture("9-volume")
    xdotool("key", "0")
    wait(lambda: volume.description == before, "the volume as it was seen at first")
    say(True, "0 shows it as at first")
    path = pathlib.Path(window.scratch, "volume.pdf")
    window.actions.activate("stop")
    window.wait_state("run-state", "ended", 60)
    window.actions.activate("export-figure-to", str(path))
    wait(lambda: window.actions.state("exported") == str(path) and path.stat().st_size > 500, "volume.pdf", 60)
    say(True, "the volume is written as a figure")


if __name__ == "__main__":
    subprocess.run([sys.argv[1], "run", "heat1d", "--set", "engines=pod", "--quiet"], check=True, capture_output=True)
    sys.exit(go_through(sys.argv[1], sys.argv[2], [set_up, place, steer, watch, change, leave_and_return, probe, look_and_leave, limit, turn]))
