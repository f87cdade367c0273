#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The set-up page and what is in progress, with a real pointer: fill the form, save it as a preset, write it as YAML and read it back with
its comments; the queue in its place in the sidebar, before and after a restart; resume a run whose program was killed; the settings of a run
and the command that does the same; explain a diverged run and retry it with one click.

Run by tests/app/end-to-end/end-to-end.sh.
"""
import json
import pathlib
import shlex
import subprocess
import sys

from window_driver import Window, choose_by_keys, focus_of, go_through, label_of, pause, popover_box, popover_closes, say, type_into, wait, xdotool


def folder(window, name):
    return pathlib.Path(window.scratch, "data", "lacuna", name)


def runs(window):
    return sorted(folder(window, "runs").glob("*.lacuna"))


def value(window):
    """Returns the value in the form of a new run, which precedes that of the run on display."""
    return window.find_named("text", "Sensors K").text


def click_entry():
    """Clicks the entry at the bottom left of the popover, above the shadow."""
    x, y, _, height = popover_box()
    xdotool("mousemove", x + 150, y + height - 51, "click", 1)


def keep(window):
    """Configures the form, saves it as a preset, resets all, and applies the preset."""
    window.actions.activate("configure", "heat1d")
    type_into(window, "Sensors K", "5")
    window.click("push button", "Presets")
    window.node("text", "Name of the preset")
    click_entry()
    xdotool("type", "--delay", "15", "--", "thin rod")
    xdotool("key", "Return")
    path = folder(window, "presets") / "heat1d" / "thin rod.yaml"
    wait(path.exists, "the file of the preset")
    say("sensors: 5" in path.read_text(), "a form is kept under a name, in a file of its own")
    xdotool("key", "Escape")
    popover_closes()
    window.click("push button", "Reset All")
    wait(lambda: value(window) == "4", "the default")
    window.actions.activate("preset-apply", "thin rod")
    say(wait(lambda: value(window) == "5", "the value of the preset"), "it fills the form again")
    window.picture("1-preset")


def write(window):
    """Edits one value of a hand-written file: its comments and order are preserved."""
    path = pathlib.Path(window.scratch, "mine.yaml")
    text = "# my rod\nexperiment: heat1d\nsettings:\n  noise: 1.0  # a guess\n  sensors: 6  # holes\n  engines: pod\nseed: 3\n"
    path.write_text(text)
    window.actions.activate("open-path", str(path))
    wait(lambda: value(window) == "6", "the form of the file")
    type_into(window, "Sensors K", "7")
    wait(lambda: window.actions.enabled("launch"), "a form that can be launched")
    window.actions.activate("export-plan-to", str(path))
    window.wait_state("exported", str(path))
    say(path.read_text() == text.replace("6", "7"), "an edit of one value changes one value of the file")


def choose_recent(window):
    """Selects the third item of the menu: a run, data, then the most recent file."""
    window.actions.activate("show-page", "experiments")
    window.click_seen("Open")
    choose_by_keys("Down", "Down", "Return")


def recent(window):
    """Opened files appear in the menu; a missing file is removed from it."""
    path = pathlib.Path(window.scratch, "mine.yaml")
    type_into(window, "Sensors K", "9")
    choose_recent(window)
    say(wait(lambda: value(window) == "7", "the form of the file"), "a set-up that was opened is opened again from the menu")
    text = path.read_text()
    path.unlink()
    choose_recent(window)
    wait(lambda: window.find_named("menu item", "mine.yaml") is None, "a menu without the file")
    say(True, "a file that is gone leaves the menu")
    window.picture("5-gone")
    path.write_text(text)
    window.actions.activate("open-path", str(path))


def queue(window):
    there = runs(window)
    before = len(there)
    wait(lambda: window.actions.enabled("queue-add"), "a form that can be queued")
    window.click("push button", "Add to Queue")
    wait(lambda: len(runs(window)) == before + 1, "the first run")
    type_into(window, "Sensors K", "8")
    wait(lambda: window.actions.enabled("queue-add"), "a form that can be queued")
    window.click("push button", "Add to Queue")
    wait(lambda: len(runs(window)) == before + 2, "the second run")
    wait(lambda: window.actions.state("run-state") == "ended" and window.actions.state("queue-length") == 0, "the end of the queue")
    said = [subprocess.run([sys.argv[1], "info", str(run)], capture_output=True, text=True).stdout for run in runs(window)
            if run not in there]
    say(len(said) == 2 and all("finished" in text for text in said), "two runs are queued, and both end well")


def queued(window):
    """Returns the changes of the runs that wait, as the sidebar shows them."""
    return [name.split(", ", 1)[1] for name, _ in window.sidebar("In progress") if name.startswith("Heat in a rod, ")]


def add_to_queue(window, n):
    wait(lambda: window.actions.enabled("queue-add"), "a form that can be queued")
    window.click("push button", "Add to Queue")
    window.wait_state("queue-length", n)


def hold(window):
    """A long run and queued ones, which the sidebar lists; after the user stops the first, they remain queued."""
    window.actions.activate("configure", "kolmogorov")
    for key, text in (("snapshots", "2000"), ("observations", "800")):
        window.actions.set(key, text)
    add_to_queue(window, 0)
    window.wait_state("run-state", "running", 120)
    window.actions.activate("configure", "heat1d")
    window.click("push button", "Reset All")
    wait(lambda: value(window) == "4", "the default")
    add_to_queue(window, 1)
    type_into(window, "Sensors K", "6")
    add_to_queue(window, 2)
    window.click_row("In progress", "2 in the queue")
    wait(lambda: len(queued(window)) == 2, "the runs that wait")
    before = queued(window)
    say(before[0] == "default settings" and "6" in before[1], "the sidebar lists the runs that wait in their order, with what they change")
    window.picture("2-queue")
    window.click("push button", "Move Up")
    wait(lambda: queued(window) == before[::-1], "the other order")
    say(True, "one is moved up")
    bin_box = min((node.box for node in window.find_all(lambda n: n.name == "Remove from the queue") if node.box), key=lambda box: box.y)
    xdotool("mousemove", bin_box.x + bin_box.width // 2, bin_box.y + bin_box.height // 2, "click", 1)
    wait(lambda: queued(window) == before[:1], "one run that waits")
    window.undo(lambda: queued(window) == before[::-1], "it again")
    say(True, "one is removed, and put back by Undo")
    window.click("push button", "Hold the Queue")
    window.seen("Start the Queue", "button")
    window.click("push button", "Start the Queue")
    window.seen("Hold the Queue", "button")
    say(True, "the queue is held, and goes on")
    xdotool("key", "ctrl+8")
    wait(lambda: not queued(window), "the queue folded away")
    say(True, "a click or Ctrl+8 opens the queue in place, and folds it away")
    window.click_row("In progress", "Kolmogorov flow")
    window.click("push button", "Stop")
    window.wait_state("run-state", "ended")
    say(window.actions.state("queue-length") == 2 and len(list(folder(window, "queue").glob("*.yaml"))) == 2,
        "what waits behind a run that was stopped goes on waiting")


def read_settings(window):
    """The settings of a finished run are read only; the command that does the same is copied."""
    subprocess.run([sys.argv[1], "run", "heat1d", "--set", "sensors=9", "--set", "engines=pod", "--seed", "5", "--quiet"], check=True, capture_output=True)
    model = max(runs(window), key=lambda run: run.stat().st_ctime)
    wait(lambda: any("K 9" in name for name, _ in window.sidebar("Runs")), "the run in the sidebar", 60)
    window.click_on(next(row for name, row in window.sidebar("Runs") if "K 9" in name))
    window.open_tab("Set-up")
    window.seen("Set Up a Copy", "button")

    def setting():
        return wait(lambda: next(n for n in window.find_all(lambda n: n.role == "text" and n.name == "Sensors K") if n.text == "9"), "its settings")

    window.click_on(setting())
    xdotool("type", "--delay", "15", "--", "77")
    say(setting().text == "9", "the set-up of a finished run shows its settings, and they cannot be changed")
    window.picture("6-settings")
    window.click("push button", "Set Up a Copy")
    wait(lambda: value(window) == "9", "a form with the settings of the run")
    window.seen("Start", "button")
    window.click("push button", "Copy as Command")
    window.click("push button", "Find")
    wait(lambda: window.seen("Search runs", "entry"), "the search of the sidebar")
    xdotool("key", "ctrl+v")
    line = wait(lambda: next(n.text for n in window.find_all(lambda n: n.role in ("text", "entry") and n.name == "Search runs") if n.text), "the command")
    xdotool("key", "Escape")
    words = shlex.split(line)
    say(words[:3] == ["lacuna", "run", "heat1d"] and "sensors=9" in words, "the command that does the same is copied: " + line)
    before = len(runs(window))
    subprocess.run([sys.argv[1], *words[1:], "--quiet"], check=True, capture_output=True)
    made = max(runs(window), key=lambda run: run.stat().st_ctime)
    told = json.loads(subprocess.run([sys.argv[1], "compare", "--json", str(model), str(made)], capture_output=True, text=True).stdout)
    say(len(runs(window)) == before + 1 and told["settings"] == [], "the command makes a run of the same settings")


def choose_columns(window):
    """Measurements in a table with names of its own: the columns are chosen in the set-up."""
    table = pathlib.Path(sys.argv[2], "stations.csv")
    table.write_text("station,easting (m),when (s),probe\n" + "".join(f"{x},{x / 5},{t / 4},{x * t / 40}\n" for t in range(4) for x in range(6)))
    window.actions.activate("configure", "heat1d")
    window.actions.activate("reset-parameters")
    window.seen("Start", "button")
    type_into(window, "User measurements", str(table))
    window.click_seen("Columns of the file", "button")
    popover_box()

    def pick(role, downs):
        wait(lambda: (focus_of(window) or "").endswith(f" {role}") or xdotool("key", "Tab"), f"columns for {role}", 20)
        xdotool("key", "space", "Home", *["Down"] * downs, "Return")
        pause(0.5)
    for role, column in (("x", "easting"), ("t", "when"), ("u", "probe")):
        pick(role, ["station", "easting", "when", "probe"].index(column) + 1)
    window.picture("8-columns")
    xdotool("key", "Escape")
    popover_closes()
    text = window.seen("User measurements", "text")[0].text
    say(text == f"{table}#x=easting,t=when,u=probe", "columns of a table with names of its own are chosen: " + text)


def resume(program, scratch):
    """The program is killed while it computes; the next window resumes the run from its last checkpoint."""
    window = Window(program, scratch)
    try:
        window.actions.activate("configure", "kolmogorov")
        for key, text in (("grid", "32"), ("members", "256"), ("spin_up", "4"), ("engines", "enkf"), ("observations", "320")):
            window.actions.set(key, text)
        wait(lambda: window.actions.enabled("launch"), "a form that can be started")
        window.click("push button", "Start")
        wait(lambda: window.actions.state("run-step") > 5, "some steps", 120)
        window.click("push button", "Checkpoint")
        saved = window.actions.state("run-step")
        run = max(runs(window), key=lambda run: run.stat().st_ctime)
        wait(lambda: window.actions.state("run-step") > saved + 2, "further steps")
    finally:
        window.process.kill()
        window.process.wait()
    window = Window(program, scratch)
    try:
        window.sidebar_row("In progress", "1 run interrupted")
        window.picture("7-interrupted")
        window.click("push button", "Resume")
        window.wait_state("run-state", "running", 120)
        first = wait(lambda: window.actions.state("run-step"), "a step")
        say(first >= saved and run == max(runs(window), key=lambda run: run.stat().st_ctime), "a run whose program was killed is resumed with one click")
        wait(lambda: not any("interrupted" in name for name, _ in window.sidebar("In progress")), "no run that is interrupted")
        window.picture("7-resumed")
        window.click("push button", "Stop")
        window.wait_state("run-state", "ended", 60)
    finally:
        window.process.kill()
        window.process.wait()


def follow(window):
    """A run of another program: its frames and values arrive; the window reports when it is killed."""
    place = pathlib.Path(window.scratch, "elsewhere")
    other = subprocess.Popen([sys.argv[1], "run", "kolmogorov", "--set", "grid=32", "--set", "members=256", "--set", "spin_up=4", "--set", "engines=enkf",
                              "--set", "observations=320", "--threads", "1", "--out", str(place), "--quiet"], stdout=subprocess.DEVNULL)
    try:
        run = wait(lambda: next(place.glob("*.lacuna/journal")).parent, "a run elsewhere")

        def step():  # a run without a header cannot be opened yet
            if window.actions.state("run-state") != "running":
                window.actions.activate("open-path", str(run))
                pause(1)
            return window.actions.state("run-state") == "running" and window.actions.state("run-step")
        first = wait(step, "a step", 60)
        wait(lambda: window.actions.state("run-step") > first, "another step")
        label_of(window, "watching another process, ")
        say(other.poll() is None, "a run of another program is followed")
        window.picture("4-followed")
        other.kill()
        text = label_of(window, "Interrupted after step", 60)
        say("ended unexpectedly" in text and window.actions.state("run-state") == "ended", "that its program is gone is said")
    finally:
        other.kill()
        other.wait()


def retry(window):
    """An ensemble that diverges because of its time step: the reason, and the button that retries with the suggestion."""
    window.actions.activate("configure", "kolmogorov")
    window.actions.activate("reset-parameters")
    for key, value in (("grid", "16"), ("spin_up", "2"), ("snapshots", "60"), ("observations", "24"), ("members", "8"), ("engines", "enkf"),
                       ("inflation", "2"), ("most_inflation", "10"), ("time_step", "0.1"), ("start_members", "0"), ("analysis", "stochastic"), ("localisation", "1.5")):
        window.actions.set(key, value)
    wait(lambda: window.actions.enabled("launch"), "a form that can be launched")
    before = len(runs(window))
    window.actions.activate("launch")
    text = label_of(window, "Diverged at step", 60)
    say("Likely cause: " in text and "Try Time step = 0.05 s; it was 0.1 s" in text, "a run that diverged says when, why and what to try")
    window.picture("3-diverged")
    window.click("push button", "Retry with Time step = 0.05 s")
    wait(lambda: len(runs(window)) == before + 2, "the run that is tried")
    window.wait_state("run-state", "ended")
    journal = subprocess.run([sys.argv[1], "info", str(max(runs(window), key=lambda run: run.stat().st_ctime))], capture_output=True, text=True).stdout
    say("0.05" in journal, "one click tries it")


def start_again(program, scratch):
    """The queue is restored after a restart, and starts on the user's request."""
    window = Window(program, scratch)
    try:
        window.wait_state("queue-length", 2)
        before = len(runs(window))
        window.click("push button", "Start the Queue")
        wait(lambda: len(runs(window)) == before + 2 and window.actions.state("queue-length") == 0, "the run that waited")
        window.wait_state("run-state", "ended")
        say(not list(folder(window, "queue").glob("*.yaml")), "a queue survives the program")
    finally:
        window.process.kill()
        window.process.wait()


def try_out(part, *arguments):
    try:
        part(*arguments)
    except Exception as problem:
        say(False, f"{type(problem).__name__}: {problem}")


def begin(program, scratch):
    first = Window(program, scratch)
    try:
        keep(first)
        hold(first)
        first.actions.activate("close")
        wait(lambda: first.process.poll() is not None, "the end of the program", 20)
        if first.process.returncode != 0:
            say(False, f"the program ended with status {first.process.returncode}")
    finally:
        if first.process.poll() is None:
            first.picture("failed-first")
            first.process.kill()
            first.process.wait()


def main():
    for part in (begin, start_again, resume):
        try_out(part, *sys.argv[1:3])
    return go_through(sys.argv[1], sys.argv[2], [write, recent, queue, read_settings, retry, follow, choose_columns])


if __name__ == "__main__":
    sys.exit(main())
