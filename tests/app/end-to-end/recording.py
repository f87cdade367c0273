#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""UI recording of actions by a real pointer and keys, and its replay in other windows: shown as recorded, only with the runs saved in it;
recomputed; truncated; without its run. Each ends in the same state. Run by tests/app/end-to-end/end-to-end.sh.
"""
import json
import pathlib
import subprocess
import sys

from gi.repository import GLib

from window_driver import STEPS, Window, say, type_into, wait, xdotool

SHORT = {"grid": "48", "spin_up": "10", "snapshots": "300", "observations": "120", "members": "16"}  # long enough to look elsewhere


STATES = ("run-state", "run-step", "view", "smooth", "isolines", "errors-as", "field-camera", "timeline-range", "timeline-tab", "timeline-selected",
          "timeline-search", "timeline-durations", "timeline-marks")
BY_THE_CLOCK = ("read memory",)


def end_state(window):
    return {name: window.actions.state(name) for name in STATES}


def operate(window):
    window.click("push button", "Set up Kolmogorov flow")
    window.seen("Start", "push button")
    for key, text in SHORT.items():
        window.actions.set(key, text)
    type_into(window, "Sensors K", "9")
    wait(lambda: window.actions.enabled("launch"), "Start")
    window.click("push button", "Start")
    wander(window)
    window.wait_state("run-state", "ended", 120)
    for name in ("Errors", "Spectrum"):
        window.seen(name, "push button")
        window.press(name)
    xdotool("key", "ctrl+m")
    wait(lambda: window.actions.state("smooth"), "smooth fields")
    wait(lambda: window.actions.state("view") == "errors", "the errors")
    window.actions.activate("errors-as", "log")
    window.wait_state("errors-as", "log")
    look_closer(window)
    read_timeline(window)
    compose(window)
    window.picture("1-recorded")


def wander(window):
    """Leaves the run that computes and goes back to it; then looks at the draft, and at the run among the others."""
    window.seen("Fields of truth and reconstructions", "image")
    window.click_row("Places", "Experiments")
    window.seen("Choose an Experiment", "label")
    window.click_row("In progress", "Kolmogorov flow")
    window.seen("Fields of truth and reconstructions", "image")
    window.wait_state("run-state", "ended", 120)
    window.click_row("In progress", "Kolmogorov flow")  # the draft: nothing computes any more
    window.seen("Sensors K", "text")
    window.click_row("Runs", "Today")
    window.wait_state("runs-shown", 1)
    window.seen("Search runs")
    window.click_row("Runs", "Kolmogorov flow")
    window.seen("Fields of truth and reconstructions", "image")


def look_closer(window):
    _, box = window.seen("Fields of truth and reconstructions", "image")
    xdotool("mousemove", box.x + box.width // 6, box.y + box.height // 2)
    for _ in range(4):
        xdotool("click", 4)
    wait(lambda: window.actions.state("field-camera")[2] > 1.5, "the fields from closer")


def read_timeline(window):
    xdotool("key", "ctrl+4")
    window.seen("Timeline; the tables below contain the same data")

    def selected():  # the timeline has the focus once it is shown; purely timed changes are not replayed
        xdotool("key", "period")
        name, step, _ = window.actions.state("timeline-selected")
        return step >= 0 and name not in BY_THE_CLOCK
    wait(selected, "a span that is selected")
    xdotool("key", "r")
    wait(lambda: window.actions.state("timeline-range")[1] > 0, "a range")
    xdotool("key", "m")
    wait(lambda: window.actions.state("timeline-marks"), "a mark")
    xdotool("key", "ctrl+f")
    xdotool("type", "--delay", "20", "step")
    wait(lambda: window.actions.state("timeline-search") == "step", "a search")


def compose(window):
    window.actions.activate("export-figure")
    order = json.loads(wait(lambda: window.actions.state("figure"), "a figure that is composed"))
    order["kind"], order["caption"] = "timeline", "of a recording"
    window.actions.set_state("figure", GLib.Variant("s", json.dumps(order)))
    path = pathlib.Path(window.scratch, "figure.svg")
    path.unlink(missing_ok=True)
    window.actions.activate("figure-save-to", str(path))
    wait(lambda: window.actions.state("exported") == str(path) and path.exists(), "the figure")
    window.actions.set_state("figure", GLib.Variant("s", ""))
    wait(lambda: window.actions.state("figure") == "", "no figure any more")


def results(program, scratch, run):
    path = pathlib.Path(scratch, "results.json")
    subprocess.run([program, "report", run, "-o", path], check=True, capture_output=True)
    return json.loads(path.read_text())["runs"][0]["metrics"]


def close(window):
    window.actions.activate("close")
    wait(lambda: window.process.poll() is not None, "the end of the program", 20)
    if window.process.returncode != 0:
        print("# it ended with", window.process.returncode)
    say(window.process.returncode == 0, "the window closes and the program ends well")


def kept_runs(folder):
    return sorted(path for path in folder.rglob("*.lacuna") if path.is_dir())


def record(program, scratch, folder, runs):
    window = Window(program, scratch, "--record", str(folder))
    say(window.actions.state("recording") == "recording", "the recording is recorded from the beginning")
    operate(window)
    state = end_state(window)
    window.actions.activate("record")
    window.wait_state("recording", "recorded")
    close(window)
    text = (folder / "recording.txt").read_text()
    wanted = ["recording.format(3)", "win.configure::kolmogorov", f"win.set-parameter(('grid', '{SHORT['grid']}'))", "win.set-parameter(('sensors', '9'))",
              "win.launch\n", "recording.run::kolmogorov-", "win.show-page::experiments", "win.show-active\n",
              "win.show-draft\n", "win.show-folder(('day', ", "win.open-path('recording:kolmogorov-", "recording.ended::kolmogorov-",
              "win.view = 'errors'", "win.curves::spectrum", "win.smooth = true",
              "win.field-camera = (", "win.show-page::timeline", "win.timeline-selected = (", "win.timeline-range = (",
              "win.timeline-marks = [(", 'win.figure = \'{"lacuna_figure": 1, "kind": "timeline", "run": "recording:kolmogorov-', "win.figure-save-to", "win.timeline-search = 'step'", "recording.end"]
    for line in wanted:
        if line not in text:
            print("#", text.replace("\n", "\n# "))
        say(line in text, f"what the pointer did is the line {line.strip()}")
    say(text.count("'sensors'") == 1, "what is typed key by key is one command")
    kept, made = kept_runs(folder), kept_runs(runs)
    say([run.name for run in kept] == [run.name for run in made] and len(made) == 1, "the run is kept with the recording")
    sizes = [{path.name: path.stat().st_size for path in run.iterdir()} for run in (kept[0], made[0])]
    say(all(sizes[1].get(name) == size for name, size in sizes[0].items()) and any(map(lambda n: "records" in n or "h5" in n, sizes[0])),
        f"with its records and frames: {', '.join(sorted(sizes[0]))}")
    return state


def replay(program, scratch, folder, *arguments, seconds=180):
    window = Window(program, scratch, "--replay", str(folder), *arguments)
    window.wait_state("recording", "replayed", seconds)
    return window


def same(window, before, without=()):
    """Waits until the frames were played to their end."""
    def differing():
        after = end_state(window)
        return [name for name in STATES if name not in without and after[name] != before[name]]
    try:
        wait(lambda: not differing(), "the same state", 20)
    except TimeoutError:
        now = end_state(window)
        print("#", [(name, before[name], now[name]) for name in differing()])
        return False
    return True


def main(program, scratch):
    folder = pathlib.Path(scratch, "work.recording")
    runs, away = pathlib.Path(scratch, "data"), pathlib.Path(scratch, "away")
    window = None
    try:
        before = record(program, scratch, folder, runs)

        runs.rename(away)  # as on another machine
        pathlib.Path(scratch, "figure.svg").unlink()
        window = replay(program, scratch, folder)
        window.picture("2-shown")
        say(same(window, before), "shown as it was recorded it ends where the recording ended")
        written = pathlib.Path(scratch, "figure.svg")  # its last command, which the window may still be executing
        figure = wait(lambda: written.exists() and written.read_text(), "the figure", 60)
        say("of a recording" in figure, "with the figure that was composed")
        say(not kept_runs(runs), "and nothing was computed")
        close(window)

        window = replay(program, scratch, folder, "--compute-again", "--speed", "4")
        window.picture("3-computed")
        times = [name for name in STATES if name.startswith("timeline-") and name not in ("timeline-tab", "timeline-search")]
        say(same(window, before, times), "computed again it ends there too")
        say(window.actions.state("timeline-selected")[:2] == before["timeline-selected"][:2], "with the same operation of the same step selected")
        again = kept_runs(runs)
        say(len(again) == 1 and again[0].name != kept_runs(folder)[0].name, "in a run of its own")
        say(results(program, scratch, kept_runs(away)[0]) == results(program, scratch, again[0]), "whose results are the same numbers")

        lines = (folder / "recording.txt").read_text().splitlines(keepends=True)
        lame = pathlib.Path(scratch, "lame.recording")  # without its run, and truncated within a line
        lame.mkdir()
        end = next(i for i, line in enumerate(lines) if "win.field-camera" in line)
        (lame / "recording.txt").write_text("".join(lines[:end]) + lines[end][:12])
        window.actions.replay(str(lame), False, 0.0)
        window.wait_state("recording", "replayed", 120)
        told = window.actions.state("recording-answer")
        say("is missing from this recording" in told and "its end is missing" in told, f"a missing run and a missing end are said: {told}")
        say(len(kept_runs(runs)) == 2, "and what is not kept is computed")
        window.wait_state("run-state", "ended", 120)

        after = pathlib.Path(scratch, "after.txt")  # hand-written: a command right after the end of a slow run
        after.write_text("0.0 win.launch\n0.0 recording.run::r.lacuna\n0.0 recording.ended::r.lacuna\n0.0 win.show-page::runs\n")
        window.actions.activate("replay-from", str(after))
        window.wait_state("recording", "replaying")
        window.wait_state("recording", "replayed", 120)
        say(window.actions.state("run-state") == "ended" and len(kept_runs(runs)) == 3, "what was done once a run had ended waits for its end")

        for form in (1, 2):  # as earlier versions wrote them
            old = pathlib.Path(scratch, f"old-{form}.txt")
            view = ("errors", "fields")[form - 1]
            old.write_text(f"0.0 sitting.format({form})\n0.0 win.show-page::live\n0.1 win.view = '{view}'\n0.2 sitting.end\n")
            window.actions.activate("replay-from", str(old))
            window.wait_state("view", view)
            window.wait_state("recording", "replayed", 60)
        say("skipped" not in window.actions.state("recording-answer"), "recordings of earlier formats are replayed")

        later = pathlib.Path(scratch, "later.txt")
        later.write_text("0.0 recording.format(99)\n0.0 win.show-page::runs\n")
        window.actions.activate("replay-from", str(later))
        window.wait_state("recording", "unreadable")
        say("newer" in window.actions.state("recording-answer"), "what a newer version recorded is refused in a sentence")

        bad = pathlib.Path(scratch, "bad.txt")
        bad.write_text("# by hand\n0.0 win.show-page::runs\n0.1 win.no-such-thing\n0.2 win.show-page(7)\n0.3 win.smooth = false\n")
        window.actions.activate("replay-from", str(bad))
        window.wait_state("recording", "replayed", 60)
        say(window.actions.state("smooth") is False, "what does not fit is left out, and the rest is done")
        bad.write_text("0.0 win.show-page::runs\nsoon win.launch\n")
        window.actions.activate("replay-from", str(bad))
        window.wait_state("recording", "unreadable")
        say(True, "a line that is none is refused")
        close(window)
    except (TimeoutError, subprocess.CalledProcessError) as problem:
        text = folder / "recording.txt"
        print("#", text.read_text().replace("\n", "\n# ") if text.exists() else "no recording")
        say(False, str(problem))
    finally:
        if window is not None and window.process.poll() is None:
            window.process.kill()
    print(f"1..{len(STEPS)}")
    return 0 if all(STEPS) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
