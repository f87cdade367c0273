#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Places of the window that the other tests pass by, with a real pointer and keys: the tour, the keys of the pages, the filter of the gallery, import
and export of a set-up, curves, columns, view modes, colour vision, notes, a trace of another program, the folder of runs, a report of two runs, help.

Run by tests/app/end-to-end/end-to-end.sh, using its window driver.
"""
import json
import pathlib
import subprocess
import sys

from gi.repository import GLib

from window_driver import (choose_by_keys, focus_of, go_through, label_of, pause, popover_box, popover_closes, say, scroll_to, type_into, type_path,
                           wait, xdotool)


def shown(window, name, role=""):
    return any(window.is_shown(node) for node in window.find_all(lambda n: n.name == name and role in n.role))


def labels(window):
    return {node.name for node in window.find_all(lambda n: n.role == "label") if window.is_shown(node)}


def title(window, words):
    """Waits for the title in the header."""
    wait(lambda: window.find(lambda n: n.role == "label" and n.name == words and n.box and n.box.y < 47 and n.box.x > 280), f"the title {words}")


def tour(window):
    """The first start offers the tour, which goes through the pages; there is no run yet."""
    window.click("push button", "Take the Tour")
    label_of(window, "Step 1 of 3")
    for step in (2, 3):
        window.click("push button", "Next")
        label_of(window, f"Step {step} of 3")
    window.picture("1-tour")
    window.click("push button", "Done")
    wait(lambda: window.find(lambda n: n.name == "Step 3 of 3") is None, "the end of the tour")
    title(window, "Experiments")
    say(True, "the tour is offered, and goes through the pages")
    xdotool("key", "ctrl+6")
    window.seen("No Runs Yet", "label")
    window.click("push button", "Choose an Experiment")
    title(window, "Experiments")
    say(True, "an empty folder of runs leads to the experiments")


def gallery(window):
    window.click("push button", "Imaging")
    wait(lambda: not shown(window, "Set up Kolmogorov flow") and shown(window, "Start Moon"), "the imaging laboratory alone")
    say(True, "a laboratory is chosen in the gallery")
    window.picture("2-imaging")
    window.click("push button", "All")
    xdotool("key", "ctrl+f")
    xdotool("type", "--delay", "15", "--", "zzz")
    window.seen("No Results Found", "label")
    say(True, "a search that fits no experiment says so")
    xdotool("key", "ctrl+a", "key", "Delete")
    window.seen("Set up Kolmogorov flow", "button")


def plans(window):
    """A set-up is exported and imported by its buttons."""
    window.click("push button", "Set up Kolmogorov flow")
    window.click_seen("About this experiment", "label")
    label_of(window, "A whole chaotic velocity field")
    window.picture("3-about")
    say(True, "what the experiment is stands above the form")
    window.click_seen("About this experiment", "label")
    type_into(window, "Sensors K", "9")
    wait(lambda: window.actions.enabled("launch"), "a form that can be started")
    path = pathlib.Path(window.scratch, "plan.yaml")
    choose_file(window, lambda: window.click("push button", "Export…"), path)
    wait(lambda: path.exists() and "sensors: 9" in path.read_text(), "the file of the set-up")
    window.insist(lambda: window.click("push button", "Reset All"), lambda: window.seen("Sensors K", "text")[0].text == "12", "the default")
    choose_file(window, lambda: window.click("push button", "Import…"), path)
    wait(lambda: window.seen("Sensors K", "text")[0].text == "9", "the set-up of the file")
    say(True, "a set-up is exported, and imported again")


def choose_file(window, ask, path):
    """Calls @ask, which opens a file chooser, types the path there and waits until the chooser has gone."""
    before = {node.path for node in window.windows()}

    def is_open():
        return any(node.path not in before for node in window.windows())
    window.insist(ask, is_open, "the chooser")
    pause(1)
    xdotool("key", "ctrl+a")
    xdotool("type", "--delay", "12", "--", str(path))
    pause(0.3)
    xdotool("key", "Return")
    wait(lambda: not is_open(), "the end of the chooser")


def keys(window):
    """Ctrl and a number go to the pages."""
    for experiment, settings in (("heat1d", ()), ("burgers", ("points=500", "width=12", "adam_steps=60", "quasi_steps=1"))):
        subprocess.run([window.process.args[0], "run", experiment, *(word for setting in settings for word in ("--set", setting)), "--quiet"],
                       check=True, capture_output=True)
    window.click_row("Runs", "Burgers shock")
    title(window, "Burgers shock")
    for key, mark, role in (("ctrl+2", "Set Up a Copy", "button"), ("ctrl+4", "Operations", "page tab"), ("ctrl+5", "Sections", "label"),
                            ("ctrl+3", "Fields of truth and reconstructions", "image")):
        xdotool("key", key)
        window.seen(mark, role)
        title(window, "Burgers shock")
    for key, words in (("ctrl+7", "Benchmarks"), ("ctrl+6", "All runs"), ("ctrl+1", "Experiments")):
        xdotool("key", key)
        title(window, words)
    say(True, "Ctrl and a number show the tabs of the run, the benchmarks, all runs and the experiments")
    xdotool("key", "ctrl+3")
    window.seen("Fields of truth and reconstructions", "image")
    wait(lambda: window.actions.enabled("runs-again"), "commands on the run")
    say(True, "commands apply to the run again")


def curves(window):
    for name in ("Curves of losses", "Spectrum", "Profile", "Curves of errors", "Curves against seconds", "Curves against the step"):
        window.press(name)
    window.picture("4-errors")
    say(True, "every tab of the curves opens, against steps and against seconds")


def columns(window):
    before = labels(window)
    window.click_seen("More Columns", "button")
    popover_box()
    xdotool("key", "Down", "space", "Escape")
    popover_closes()
    window.picture("4-columns")
    say(wait(lambda: labels(window) != before, "another column"), "the columns of the methods are chosen")


def modes(window):
    window.click_seen("View mode of the fields")
    choose_by_keys("Down", "Return")
    window.wait_state("view", "swipe")
    window.seen("Position of the divider")
    window.picture("4-swipe")
    window.click_seen("View mode of the fields")
    choose_by_keys("Up", "Return")
    wait(lambda: window.actions.state("view") != "swipe", "the fields side by side")
    say(True, "the view modes are in the tool row")


def limits(window):
    """A limit is typed under Picture."""
    before = window.actions.state("field-scale")
    window.click_seen("Picture", "button")
    popover_box()
    for _ in range(20):
        if (focus_of(window) or "").endswith("Upper limit"):
            break
        xdotool("key", "Tab")
        pause(0.2)
    xdotool("key", "ctrl+a")
    xdotool("type", "--delay", "15", "--", "0.5")
    xdotool("key", "Return")
    wait(lambda: window.actions.state("field-scale") != before and abs(window.actions.state("field-scale")[1] - 0.5) < 1e-6, "the limit that is typed")
    xdotool("key", "Escape")
    popover_closes()
    say(True, "a limit of the colours is typed as a number")


def fit(window):
    _, box = window.seen("Fields of truth and reconstructions", "image")
    before = window.actions.state("field-camera")
    xdotool("mousemove", box.x + box.width // 6, box.y + box.height // 4, "click", "--repeat", 3, "--delay", 60, 4)
    wait(lambda: window.actions.state("field-camera") != before, "the fields from closer")
    window.click_seen("Fit", "button")
    wait(lambda: window.actions.state("field-camera") == before, "the whole fields")
    say(True, "Fit shows the whole fields")


def note(window):
    window.click("push button", "Note")
    popover_box()
    xdotool("type", "--delay", "15", "--", "for the talk")
    xdotool("key", "Escape")
    popover_closes()
    said = subprocess.run([window.process.args[0], "runs", "talk"], capture_output=True, text=True).stdout
    say("burgers" in said, "a note is written beside the fields, and found by a search")


def vision(window):
    xdotool("key", "ctrl+shift+p")
    window.seen("Search commands")
    xdotool("type", "--delay", "15", "--", "deuteranopia")
    xdotool("key", "Return")
    window.wait_state("see-as", "deuteranopia")
    window.actions.activate("see-as", "all")
    say(True, "colours are shown as with another colour vision")


def trace(window):
    """A trace of another program has a place of its own in the sidebar, with its times alone."""
    path = pathlib.Path(window.scratch, "planted.json")
    path.write_text(json.dumps({"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "name": "forward", "ts": 1000 * i, "dur": 900} for i in range(50)]}))
    window.actions.activate("open-path", str(path))
    title(window, "Trace")
    label_of(window, "planted.json · Chrome trace")
    window.sidebar_row("In progress", "planted.json")
    window.picture("5-trace")
    say(not any(shown(window, name) for name in ("Report", "Run Again", "Next stored frame (.)")), "a trace of another program stands in the sidebar, with no frames of a run")
    window.click_row("Runs", "Burgers shock")
    window.open_tab("Time")
    title(window, "Burgers shock")
    wait(lambda: not window.find(lambda n: n.name.startswith("planted.json ·")), "the times of the run")
    window.click_row("In progress", "planted.json")
    title(window, "Trace")
    label_of(window, "planted.json · Chrome trace")
    say(True, "a click shows it again after the times of a run")
    window.click("push button", "Close the imported trace")
    title(window, "Burgers shock")
    wait(lambda: not any(name == "planted.json" for name, _ in window.sidebar("In progress")), "a sidebar without the trace")
    broken = pathlib.Path(window.scratch, "broken.json")
    broken.write_text('{"traceEvents": [{"ph": "X", ')
    window.actions.activate("open-path", str(broken))
    label_of(window, f"{broken} is a trace without a single event")
    title(window, "Burgers shock")
    window.picture("5-broken")
    say(True, "it is closed in the sidebar, and one that cannot be read leaves the run on display")


def report(window):
    window.click_row("Runs", "Heat in a rod")
    title(window, "Heat in a rod")
    window.open_tab("Report")
    window.seen("Sections", "label")
    wait(lambda: window.actions.state("report"), "the plan of the report")
    scroll_to(window, "label", "Add Run")

    def added():  # the form may still scroll under the pointer
        window.click_seen("Add Run", "label")
        choose_by_keys("Down", "Return")
        pause(1)
        return len(json.loads(window.actions.state("report"))["runs"]) == 2
    wait(added, "two runs in the report")
    window.picture("6-report")
    say(True, "a run is added to the report of another")


def nothing_in_common(window):
    subprocess.run([window.process.args[0], "run", "h", "--set", "iterations=2", "--set", "walkers=64", "--quiet"], check=True, capture_output=True)
    window.click_row("Runs", "Heat in a rod")
    title(window, "Heat in a rod")
    window.click_row("Runs", "Hydrogen", "ctrl")
    title(window, "2 runs compared")
    window.seen("Fields of the two runs", "image")
    window.picture("7-nothing-in-common")
    say(True, "runs without a field in common stand side by side")
    rod = next(pathlib.Path(window.scratch, "data").rglob("heat1d-*.lacuna"))
    both = GLib.Variant("as", [str(rod), str(rod.parent)])
    window.actions.call("Activate", GLib.Variant("(sava{sv})", ("compare-runs", [both], {})), "()")
    window.seen("These Runs Cannot Be Compared", "label")
    say(True, "and what is no run cannot be compared")


def energy(window):
    """A molecule shows its energy first."""
    window.click_row("Runs", "Hydrogen")
    title(window, "Hydrogen atom")
    said = wait(lambda: next((n.name for n in window.find_all(lambda n: n.role == "label" and " ± " in n.name and "Ha" in n.name) if window.is_shown(n)), None),
                "the energy")
    window.picture("7-energy")
    say(True, f"the energy of a molecule stands above its density, with its error bar: {said}")


def folder(window):
    """Columns, a search without a result, the details of a run, and another folder."""
    window.click("push button", "All Runs")
    window.wait_state("runs-shown", 3)
    window.click_seen("Search runs", "entry")
    xdotool("type", "--delay", "15", "--", "zzz")
    window.seen("No Matching Runs", "label")
    window.click("push button", "Clear Search")
    window.wait_state("runs-shown", 3)
    say(True, "a search that fits no run says so, and is cleared")
    before = labels(window)
    window.click_seen("Columns", "button")
    popover_box()
    xdotool("key", "Down", "space", "Escape")
    popover_closes()
    window.picture("8-columns")
    say(wait(lambda: labels(window) != before, "other columns"), "the columns of the runs are chosen")
    row = wait(lambda: next((n for n in window.find_all(lambda n: n.role == "label" and n.name == "Burgers shock" and n.box and n.box.x > 280)
                             if window.is_shown(n)), None), "a row")
    window.click_on(row)
    wait(lambda: window.actions.enabled("runs-open"), "a chosen run")
    window.seen("Fields of the last frame", "image")
    label_of(window, "Differs from the default")
    window.click_seen("Open", "button")
    title(window, "Burgers shock")
    window.seen("Fields of truth and reconstructions", "image")
    say(True, "a run in the table has its picture and its changes beside it, and is opened")
    window.click("push button", "All Runs")
    title(window, "All runs")
    empty = pathlib.Path(window.scratch, "elsewhere")
    empty.mkdir()
    choose_file(window, lambda: window.click_seen("Another Folder…", "button"), empty)
    window.seen("No Runs Yet", "label")
    window.picture("8-elsewhere")
    say(True, "another folder of runs is chosen")


def preparing(window):
    """While a run prepares, its pages say so; when it was stopped, it can be resumed from its bar."""
    window.actions.activate("configure", "kolmogorov")
    for key, text in (("spin_up", "300"), ("snapshots", "100"), ("observations", "40"), ("engines", "enkf"), ("members", "256")):
        window.actions.set(key, text)
    wait(lambda: window.actions.enabled("launch"), "a form that can be started")
    window.click("push button", "Start")
    window.seen("Preparing", "label")
    window.open_tab("Time")
    window.seen("Nothing Recorded", "label")
    say(True, "a run that prepares says so in the place of its fields and of its times")
    window.open_tab("Fields")
    wait(lambda: window.actions.state("run-step") > 0, "a step", 60)
    window.click("push button", "Stop")
    window.wait_state("run-state", "ended")
    window.click("push button", "Resume")
    window.wait_state("run-state", "running")
    window.click("push button", "Stop")
    window.wait_state("run-state", "ended")
    say(True, "a stopped run is resumed from its bar")


def help_of_page(window):
    before = len(window.windows())
    xdotool("key", "F1")
    wait(lambda: len(window.windows()) > before, "the help")
    window.picture("9-help")
    say(wait(lambda: window.find(lambda n: n.role == "label" and "Every run is saved with its settings" in n.name), "the help of this page"),
        "F1 shows the help of the page")
    xdotool("key", "Escape")


if __name__ == "__main__":
    sys.exit(go_through(sys.argv[1], sys.argv[2], [tour, gallery, plans, keys, curves, columns, modes, limits, fit, note, vision, trace, report,
                                                   nothing_in_common, energy, folder, help_of_page, preparing]))
