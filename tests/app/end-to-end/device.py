#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A run on the emulated device with a real pointer: the set-up page names the device, the run shows its memory and its lane. When the device
is lost half-way, a banner reports it, the run continues on the processor, and no saved data is lost. Queued runs then start in child
processes, which can use the device again.

Run by tests/app/end-to-end/end-to-end.sh with the folder of the emulated module as the last argument.
"""
import os
import pathlib
import re
import subprocess
import sys

from window_driver import focus_of, go_through, label_of, say, scroll_to, wait, xdotool

# A training long enough to be observed.
SETTINGS = (("grid", "12"), ("times", "6"), ("family", "4"), ("sensors", "4"), ("engines", "pod,pinn"), ("width", "4"),
            ("depth", "2"), ("points", "64"), ("adam_steps", "100000"), ("quasi_steps", "0"), ("threads", "1"))
SENTENCE = r"The device failed \(the device stopped responding: cudaErrorLaunchFailure: [^)]*, in \w+\): from step (\d+) on, the run uses the processor"
BYTES = re.compile(r"[\d.]+\s[kMG]?B$")


def labels(window):
    return [node for node in window.find_all(lambda n: n.role == "label")]


def value_beside(window, name):
    """Returns the text of the label after the one with this name."""
    all_labels = labels(window)
    at = next((i for i, node in enumerate(all_labels) if node.name == name and i + 1 < len(all_labels)), None)
    return None if at is None else all_labels[at + 1].name


def words_of_place(window, name, *parts):
    """Returns the text below a place where the run can be computed, which contains all @parts."""
    def told():
        row = row_of_place(window, name)
        return next((node.name for node in row.all() if node.role == "label" and node.name != name and all(part in node.name for part in parts)), None)
    return wait(told, f"{name} with {parts}")


def row_of_place(window, name):
    label = next(node for node in labels(window) if node.name == name)
    return next(node for node in label.above() if node.role == "list item")


def contains(window, words):
    return wait(lambda: next((node.name for node in labels(window) if words in node.name and node.box), None), f"“{words}”", 30)


def last_run(window):
    return max(pathlib.Path(window.scratch, "data", "lacuna", "runs").glob("*.lacuna"), key=lambda run: run.stat().st_ctime)


def see_what_stays(window):
    """The solver of a small system has no work for a device."""
    window.actions.activate("configure", "lorenz96")
    window.actions.set("observations", "20000")
    say(words_of_place(window, "This machine", "on the processor: enkf"), "the place says which method stays on the processor")
    window.actions.set("engines", "enkf")
    scroll_to(window, "label", "This machine, GPU")
    window.click("label", "This machine, GPU")
    words_of_place(window, "This machine, GPU", "None of the methods has a GPU version")
    say(wait(lambda: window.actions.enabled("launch"), "a form that can be launched"), "what has nothing to do for a device may be asked of it: the place says that it will not be used")
    window.picture("0-not-used")


def set_up(window):
    window.actions.activate("configure", "taylor-green")
    for key, value in SETTINGS:
        window.actions.set(key, value)
    window.actions.set("width", "64")
    say(words_of_place(window, "This machine", "A timed step decides between GPU and processor when the run starts"), "auto leaves it to a measured step")
    window.actions.set("width", "4")
    say(words_of_place(window, "This machine", "Processor: the run is too short to time a step on the GPU"), "but not for a run that is over sooner")
    scroll_to(window, "label", "This machine, GPU")
    window.click("label", "This machine, GPU")
    wait(lambda: window.actions.enabled("launch"), "a run for the device")
    contains(window, "On the GPU of this machine")
    words = words_of_place(window, "This machine, GPU", "emulated device: ")
    say(re.search(r"[\d.]+\sGB of memory, [\d.]+\sGB free, compute capability \d\.\d", words), f"the place says which device it is: {words}")
    say(contains(window, "MB memory"), "the memory that the run takes stands below, beside Start")
    window.picture("1-set-up")


def look(window):
    window.click("push button", "Start")
    window.wait_state("run-state", "running", 120)
    wait(lambda: window.actions.state("run-step") > 100, "steps", 120)
    say(wait(lambda: value_beside(window, "Computes on") == "emulated device", "the name of the device"), "the live page says what computes")
    for name in ("Device memory", "Reserved", "Peak"):
        wait(lambda: BYTES.match(value_beside(window, name) or ""), f"bytes beside {name}")
    say(True, "its memory is shown: used, reserved, most")
    window.picture("3-live")
    window.click("push button", "Pause")
    window.wait_state("run-state", "paused")
    window.open_tab("Time")
    timeline, _ = window.seen("Timeline; the tables below contain the same data")
    window.picture("4-timeline")
    xdotool("key", "ctrl+f")
    wait(lambda: "Search spans by name" in (focus_of(window) or ""), "the search to have the focus")
    xdotool("type", "--delay", "15", "--", "mean_square")
    wait(lambda: any(n.name.endswith(" matches") for n in labels(window)), "matches")
    window.click_seen("Next match", "button")
    words = wait(lambda: timeline.description, "an operation that is selected, in words", 30)
    say(words.startswith("mean_square") and words.endswith(" · GPU"), "the device has its lane in the timeline")
    window.picture("4-operation")


def lose(window):
    pathlib.Path(os.environ["LACUNA_EMULATED_LOST_WITH"]).touch()
    window.open_tab("Fields")
    window.click("push button", "Resume")
    match = re.fullmatch(SENTENCE, label_of(window, "The device failed", 60))
    say(match, "a lost device is told in one sentence")
    lost_at = int(match[1])
    wait(lambda: window.actions.state("run-step") > lost_at, "a step on the processor", 120)
    say(wait(lambda: re.match(r"\d+ threads?, f\d\d$", value_beside(window, "Computes on") or ""), "the processor"), "the run goes on on the processor")
    window.picture("5-lost")
    if window.actions.state("run-state") == "running":  # the processor may have finished it already
        window.actions.activate("stop")
    window.wait_state("run-state", "ended", 120)
    said = subprocess.run([sys.argv[1], "info", str(last_run(window))], capture_output=True, text=True).stdout
    journal = pathlib.Path(last_run(window), "journal").read_bytes()
    say(("stopped" in said or "finished" in said) and b"The device failed" in journal, "its journal has the sentence and a good end")


def leave(window):
    window.click_seen("Dismiss", "button")
    wait(lambda: not any(window.is_shown(node) for node in window.find_all(lambda n: n.name == "Dismiss")), "the banner to go", 30)
    say(True, "the banner is put away")
    window.actions.activate("configure", "taylor-green")
    contains(window, "The GPU no longer responds")
    say(True, "the set-up says that the device is gone")
    window.picture("6-set-up-without")


def runs(window):
    return sorted(pathlib.Path(window.scratch, "data", "lacuna", "runs").glob("*.lacuna"), key=lambda run: run.stat().st_ctime)


def queue(window):
    """This process has lost the device for good; child processes can use it."""
    pathlib.Path(os.environ["LACUNA_EMULATED_LOST_WITH"]).unlink()
    before = runs(window)
    for key, value in SETTINGS + (("adam_steps", "3000"), ("backend", "cuda")):
        window.actions.set(key, value)
    wait(lambda: window.actions.enabled("queue-add"), "a form that can wait its turn")
    window.actions.activate("queue-add")
    label_of(window, "This process can no longer use the GPU")
    say(True, "that runs have processes of their own is told")
    window.actions.activate("queue-add")
    window.wait_state("run-state", "running", 120)
    say(wait(lambda: window.actions.state("run-step") > 0, "steps of a run in a process of its own", 60), "such a run is followed while it goes on")
    window.click_row("In progress", "Taylor-Green vortices")
    window.seen("Fields of truth and reconstructions", "image")
    say(wait(lambda: value_beside(window, "Computes on") == "emulated device", "the name of the device"), "a process of its own computes on the device")
    window.picture("7-child")
    wait(lambda: len(runs(window)) == len(before) + 2 and window.actions.state("queue-length") == 0 and
         window.actions.state("run-state") == "ended", "two runs", 240)
    news = [run for run in runs(window) if run not in before]
    said = [subprocess.run([sys.argv[1], "info", str(run)], capture_output=True, text=True).stdout for run in news]
    say(all("backend cuda" in words and "finished" in words for words in said), "what waited in the queue is finished on the device")
    window.actions.set("adam_steps", "100000")
    wait(lambda: window.actions.enabled("launch"), "a form that can be launched")
    window.actions.activate("launch")
    window.wait_state("run-state", "running", 120)
    window.click_seen("Stop", "button")
    window.wait_state("run-state", "ended", 120)
    say("stopped" in subprocess.run([sys.argv[1], "info", str(last_run(window))], capture_output=True, text=True).stdout,
        "such a run can be stopped")


def main():
    os.environ["LACUNA_MODULE_DIR"] = sys.argv[3]
    os.environ["LACUNA_EMULATED_LOST_WITH"] = str(pathlib.Path(sys.argv[2], "lost"))
    if not pathlib.Path(sys.argv[3], "liblac-cuda.so").exists():
        print("1..0 # SKIP there is no C++ compiler: the emulated device was not built")
        return 0
    return go_through(sys.argv[1], sys.argv[2], [see_what_stays, set_up, look, lose, leave, queue])


if __name__ == "__main__":
    sys.exit(main())
