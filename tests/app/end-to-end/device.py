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

from window_driver import go_through, label_of, say, wait, xdotool

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


def words_of_backend(window, end):
    """Returns the text below the backend row, which ends with @end."""
    lines = lambda: (node.name for node in labels(window) if node.name.startswith("emulated device: ") and node.name.endswith(end))
    return wait(lambda: next(lines(), None), f"a line that ends in {end}")


def last_run(window):
    return max(pathlib.Path(window.scratch, "data", "lacuna", "runs").glob("*.lacuna"), key=lambda run: run.stat().st_ctime)


def set_up(window):
    window.actions.activate("configure", "taylor-green")
    for key, value in SETTINGS:
        window.actions.set(key, value)
    window.actions.set("width", "64")
    say(words_of_backend(window, "A timed step decides between GPU and processor when the run starts"), "auto leaves it to a measured step")
    window.actions.set("width", "4")
    say(words_of_backend(window, "Processor: the run is too short to time a step on the GPU"), "but not for a run that is over sooner")
    window.actions.set("backend", "cuda")
    words = words_of_backend(window, "pod")
    say(re.search(r"[\d.]+\sGB of memory, [\d.]+\sGB free, compute capability \d\.\d", words) and words.endswith("on the processor: pod"),
        "the row of the backend says which device it is, and what stays on the processor")
    say(wait(lambda: re.fullmatch(r"[\d.]+\sGB free", value_beside(window, "Device") or ""), "what is free"), "the estimate stands beside what is free")
    window.picture("1-set-up")
    window.actions.set("backend", "cpu")
    say(wait(lambda: not any(n.name.startswith("emulated device: ") for n in labels(window)), "a row without a device"),
        "a run for the processor does not speak of it")
    window.actions.set("engines", "pod")
    window.actions.set("backend", "cuda")
    reason = label_of(window, "No GPU version of pod")
    say("choose auto or cpu" in reason and not window.actions.enabled("launch"), "what has nothing to do for a device cannot be asked of it")
    window.picture("2-refused")
    window.actions.set("engines", "pod,pinn")
    wait(lambda: window.actions.enabled("launch"), "a form that can be launched")


def look(window):
    window.click("push button", "Start")
    window.wait_state("run-state", "running", 120)
    wait(lambda: window.actions.state("run-step") > 100, "steps", 120)
    say(wait(lambda: value_beside(window, "Computes on") == "emulated device", "the name of the device"), "the live page says what computes")
    say(label_of(window, "emulated device · "), "beside what it has of its memory")
    for name in ("Device memory", "Reserved", "Peak"):
        wait(lambda: BYTES.match(value_beside(window, name) or ""), f"bytes beside {name}")
    say(True, "its memory is shown: used, reserved, most")
    window.picture("3-live")
    window.click("push button", "Pause")
    window.wait_state("run-state", "paused")
    window.open_tab("Time")
    timeline = wait(lambda: window.find(lambda n: n.name.startswith("Timeline; ")), "the timeline")
    box = wait(lambda: timeline.box, "the place of the timeline")
    window.picture("4-timeline")
    xdotool("mousemove", box.x + 100, box.y - 16, "click", 1)  # the search entry above it
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
    say(wait(lambda: value_beside(window, "Computes on") == "processor", "the processor"), "the run goes on on the processor")
    window.picture("5-lost")
    if window.actions.state("run-state") == "running":  # the processor may have finished it already
        window.actions.activate("stop")
    window.wait_state("run-state", "ended", 120)
    said = subprocess.run([sys.argv[1], "info", str(last_run(window))], capture_output=True, text=True).stdout
    journal = pathlib.Path(last_run(window), "journal").read_bytes()
    say(("stopped" in said or "finished" in said) and b"The device failed" in journal, "its journal has the sentence and a good end")


def leave(window):
    field = window.node("image", "Fields of truth and reconstructions")
    below = wait(lambda: field.box, "the fields").y
    window.click_seen("Dismiss", "button")
    wait(lambda: field.box.y < below - 20, "the banner to go", 30)
    say(True, "the banner is put away")
    window.actions.activate("configure", "taylor-green")
    label_of(window, "The GPU no longer responds")
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
    window.open_tab("Fields")
    say(wait(lambda: value_beside(window, "Computes on") == "emulated device", "the name of the device"), "a process of its own computes on the device")
    window.picture("7-child")
    wait(lambda: len(runs(window)) == len(before) + 2 and window.actions.state("queue-length") == 0 and
         window.actions.state("run-state") == "ended", "two runs", 240)
    news = [run for run in runs(window) if run not in before]
    said = [subprocess.run([sys.argv[1], "info", str(run)], capture_output=True, text=True).stdout for run in news]
    say(all("backend cuda" in words and "finished" in words for words in said), "what waited in the queue is finished on the device")
    window.actions.set("adam_steps", "100000")
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
    return go_through(sys.argv[1], sys.argv[2], [set_up, look, lose, leave, queue])


if __name__ == "__main__":
    sys.exit(main())
