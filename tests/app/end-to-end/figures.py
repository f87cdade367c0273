#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Export of a figure and of a report with a real pointer: selects rows, types text, saves both through the file chooser. Then checks the
files: size in millimetres, fonts, images, text, and byte-identical output from the command line.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

from gi.repository import GLib

import sidebar
from window_driver import choose_by_keys, go_through, label_of, pause, say, scroll_to, type_path, wait, xdotool


def output(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def make_run(folder, *settings):
    subprocess.run([sys.argv[1], "run", "kolmogorov", "--set", "engines=pod", "--set", "grid=32", "--set", "spin_up=4", "--set", "snapshots=20",
                    "--set", "observations=6", *settings, "--out", str(folder), "--quiet"], check=True, capture_output=True)


def open_run(window):
    folder = pathlib.Path(window.scratch, "data", "lacuna", "runs")
    make_run(folder)
    opened = next(folder.iterdir())
    make_run(folder, "--set", "sensors=6")
    window.actions.activate("open-path", str(opened))
    wait(lambda: window.actions.enabled("export-figure"), "a run that is opened", 60)
    say(True, "a run is opened")


def save(window, name, button):
    """Saves through the file chooser that the button opens."""
    return type_path(window, pathlib.Path(window.scratch, name), lambda: window.click("push button", button))


def type_number(window, name, text):
    window.click("spin button", name)
    xdotool("key", "ctrl+a")
    xdotool("type", "--delay", "15", "--", text)
    xdotool("key", "Tab")


def open_menu(window, downs):
    """Opens the menu by pointer and selects by keys, since GTK does not report the positions of its items."""
    window.click("push button", "Export")
    choose_by_keys(*["Down"] * downs, "Return")


def figure(window):
    open_menu(window, 0)
    label_of(window, "183.0 ×", 60)
    say(True, "the figure is shown with its size in millimetres")
    window.picture("1-figure")
    pause(0.5)
    type_number(window, "Width in mm", "120")
    label_of(window, "120.0 ×", 60)
    say(True, "the preview follows the width that is typed")
    window.picture("2-width")
    path = save(window, "figure.pdf", "Save…")
    info, fonts = output("pdfinfo", path), output("pdffonts", path).splitlines()[2:]
    width = float(re.search(r"Page size: +([\d.]+)", info)[1]) * 25.4 / 72
    say(abs(width - 120) < 0.1 and "Pages:           1\n" in info, f"the page is 120 mm wide ({width:.3f})")
    say(fonts and all(" yes yes " in line for line in fonts), "every font is embedded")
    images = [line.split() for line in output("pdfimages", "-list", path).splitlines()[2:]]
    say(sum(int(row[3]) % 32 == 0 and row[3] == row[4] for row in images) == 3, "truth, reconstruction and error are images of whole cells")
    words = output("pdftotext", path, "-")
    say(all(text in words for text in ("(a)", "(c)", "Truth", "Gappy POD", "vorticity", "Kolmogorov flow")), "its words can be searched")
    again = pathlib.Path(window.scratch, "again.pdf")
    output(sys.argv[1], "figure", f"{path}.json", "-o", again)
    say(again.read_bytes() == path.read_bytes(), "the command line draws the same bytes from the side file")
    window.click("push button", "Copy")
    wrapped = wait(lambda: {path.suffix: path for path in pathlib.Path(window.scratch).glob("lacuna-figure-*/*")
                            if path.suffix in (".pdf", ".svg", ".png")}, "what is copied", 60)
    wait(lambda: len(list(wrapped[".pdf"].parent.iterdir())) == 6, "every format of it", 60)
    say("<svg" in wrapped[".pdf"].with_suffix(".svg").read_text(), "the figure is copied as a file, as vectors and as a picture")
    xdotool("key", "Escape")
    wait(lambda: window.find_named("push button", "Copy") is None, "the figure window closes")


def n_pages(window):
    """Returns the number of pages of the report, from the words below them."""
    return int(wait(lambda: next((n.name for n in window.find_all(lambda n: n.role == "label" and re.fullmatch(r"1 of \d+", n.name))
                                  if window.is_shown(n)), None), "the pages", 60).split()[-1])


def part_of(window, role, start):
    return wait(lambda: next((n for n in window.find_all(lambda n: n.role == role and n.name.startswith(start)) if window.is_shown(n)), None),
                f"{role} {start}", 20)


def report(window):
    window.open_tab("Report")
    n_pages(window)
    window.picture("3-report-whole")
    for name in ("Curves", "Machine and versions"):
        window.click_on(part_of(window, "check box", name))
    window.click_on(part_of(window, "push button", "Move Up: Fields"))
    pause(3)  # the page count is that of the report without them
    pages = n_pages(window)
    window.click_on(part_of(window, "check box", "All settings"))
    wait(lambda: n_pages(window) > pages, "more pages", 60)
    window.click_on(part_of(window, "check box", "All settings"))
    wait(lambda: n_pages(window) <= pages, "fewer pages", 60)
    scroll_to(window, "push button", "Add Text")
    window.click("push button", "Add Text")
    pause(0.5)
    xdotool("type", "--delay", "12", "--", "Words of this test.")
    wait(lambda: "Words of this test." in window.actions.state("report"), "the words")
    say(True, "the preview follows what is added and left out")
    window.picture("3-report")
    path = save(window, "report.pdf", "Export Report…")
    words = output("pdftotext", "-layout", path, "-")
    say("Words of this test." in words and "Machine and versions" not in words, "the report has the words, and not what was left out")
    say(words.index("Words of this test.") < words.index("Fields") < words.index("Methods"), "its parts are in the order that was chosen")
    fonts = output("pdffonts", path).splitlines()[2:]
    say("Page size:       595.28 x 841.89 pts (A4)" in output("pdfinfo", path) and all(" yes yes " in line for line in fonts) and
        len(output("pdfimages", "-list", path).splitlines()) > 4, "it is on A4, with its fonts and pictures")
    html = pathlib.Path(window.scratch, "again.html")
    output(sys.argv[1], "report", f"{path}.json", "-o", html)
    say("Words of this test." in html.read_text() and "src=\"data:" in html.read_text(), "the same plan makes one file of HTML with everything in it")
    plan = json.loads(pathlib.Path(f"{path}.json").read_text())
    say(plan["parts"][0] == {"part": "text", "text": "Words of this test."}, "the words are kept with the plan")
    formats(window)


def formats(window):
    """Exports the same report in every format."""
    begins = {"HTML": ("html", "<!DOCTYPE html"), "Text": ("txt", ""), "JSON": ("json", "{")}
    for name, (ending, begin) in begins.items():
        window.press(name)
        window.seen(name, "push button")
        text = save(window, f"report.{ending}", "Export Report…").read_text()
        say(text.lower().startswith(begin.lower()) and "Words of this test." in text, f"it is exported as {name}")
    window.press("PDF")


def reopen(window):
    window.actions.activate("show-page", "experiments")
    window.actions.activate("open-path", f"{window.scratch}/report.pdf.json")
    window.seen("Sections", "label")
    wait(lambda: "Words of this test." in window.actions.state("report"), "the plan")
    n_pages(window)
    say(True, "the plan opens again in the editor")
    window.picture("4-again")


def cut_out(window):
    path = type_path(window, pathlib.Path(window.scratch, "cutout.h5"), lambda: open_menu(window, 6))
    told = subprocess.run([sys.argv[1], "info", str(path)], check=True, capture_output=True, text=True).stdout
    say("JHTDB cut-out" in told and path.with_suffix(".xmf").exists(), "all saved steps are exported as a cut-out that opens again")


def all_times(window):
    path = type_path(window, pathlib.Path(window.scratch, "times.h5"), lambda: open_menu(window, 7))
    say(path.read_bytes().startswith(b"\x89HDF"), "the last estimates are exported at all their times")


def measurements(window):
    path = type_path(window, pathlib.Path(window.scratch, "measurements.csv"), lambda: open_menu(window, 3))
    say(path.read_text().startswith("x,y,t,"), "the measurements are exported for another run")


def order_of(window):
    """Returns the specification of the figure being edited, or None."""
    return json.loads(window.actions.state("figure") or "null")


def compose(window, wanted, name=None):
    """Opens the figure of the page shown by keys, and closes it again."""
    xdotool("key", "ctrl+e")
    order = wait(lambda: order_of(window) if window.find_named("push button", "Copy") else None, "the figure of the view", 30)
    wait(lambda: {key: order_of(window).get(key) for key in wanted} == wanted, f"a figure of {wanted}", 30)
    label_of(window, "183.0 ×", 60)
    if name:
        window.picture(name)
    xdotool("key", "Escape")
    wait(lambda: order_of(window) is None, "the figure window closes")
    return order


def as_seen(window):
    window.actions.activate("quantity", "speed")
    compose(window, {"kind": "fields", "channel": "speed.pod"})
    say(True, "a figure of the view is of the quantity that it shows, even a derived one")
    window.actions.set_state("field-scale", GLib.Variant("(ddss)", (0.25, 1.75, "asinh", "dusk")))
    window.actions.set_state("field-error-scale", GLib.Variant("(ddss)", (-0.5, 0.5, "linear", "whirl")))
    for lines in ("isolines", "arrows", "streamlines"):
        window.actions.set_state(lines, GLib.Variant("b", True))
    order = compose(window, {"channel": "speed.pod", "colour_map": "dusk", "transfer": "asinh", "limits": [0.25, 1.75],
                             "error_colour_map": "whirl", "error_limits": [-0.5, 0.5], "isolines": True, "arrows": True,
                             "streamlines": True}, "5-look")
    say(order["panels"] == "all", "it has the colours, the limits, the scale, the isolines and the flow of the view")
    path = pathlib.Path(window.scratch, "seen.png")
    window.actions.activate("export-figure-to", str(path))
    wait(lambda: window.actions.state("exported") == str(path), "the figure of the view", 60)
    again = pathlib.Path(window.scratch, "seen-again.png")
    output(sys.argv[1], "figure", f"{path}.json", "-o", again)
    by_hand = pathlib.Path(window.scratch, "by-hand.png")
    output(sys.argv[1], "figure", json.loads(pathlib.Path(f"{path}.json").read_text())["run"], "-c", "speed.pod", "--colour-map", "dusk",
           "--scale", "asinh", "--limits=0.25,1.75", "--error-colour-map", "whirl", "--error-limits=-0.5,0.5", "--isolines",
           "--arrows", "--streamlines", "-o", by_hand)
    say(again.read_bytes() == by_hand.read_bytes() == path.read_bytes(), "the command line draws it too, from its side file and by options")


def as_timed(window):
    xdotool("key", "ctrl+4")
    window.actions.set_state("timeline-view", GLib.Variant("(dd)", (0.0005, 0.001)))
    wait(lambda: abs(window.actions.state("timeline-view")[1] - 0.001) < 1e-7, "half a millisecond")
    order = compose(window, {"kind": "timeline"})
    say(max(abs(a - b) for a, b in zip(order["between_s"], (0.0005, 0.001))) < 1e-7, "a figure of the timeline is of the time that is on screen")


def as_compared(window):
    window.click_on(window.sidebar("Runs")[1][1], "ctrl")  # the newest, below its day
    wait(lambda: window.actions.state("compare-verdict"), "a comparison", 60)
    window.seen("Fields of the two runs", "image")
    window.actions.set_state("compared-frame", GLib.Variant("(uu)", (3, 0)))
    wait(lambda: window.actions.state("compared-frame") == (3, 0), "another field of the first frame")
    window.actions.set_state("compare-link", GLib.Variant("s", "time"))

    order = compose(window, {"kind": "comparison", "channel": "u.pod", "against_seconds": True})
    say(len(order["others"]) == 1 and 0 <= order["step"] < 6, "a figure of a comparison has its field, its frame and its link")
    window.actions.activate("open-path", order["run"])
    window.seen("Fields of truth and reconstructions", "image")


if __name__ == "__main__":
    os.environ["TMPDIR"] = sys.argv[2]
    sys.exit(go_through(sys.argv[1], sys.argv[2], [open_run, measurements, cut_out, all_times, figure, as_seen, as_timed, as_compared, report, reopen]))
