#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The imaging laboratory with a real pointer: a picture dropped from another window becomes the object, an aperture is added and dragged in
the k-plane, three methods process exposures one by one, a figure and a film are exported.
Run by tests/app/end-to-end/end-to-end.sh with the program drag-source.
"""
import pathlib
import re
import struct
import subprocess
import sys
import zlib

from window_driver import SLOWNESS, go_through, label_of, pause, say, wait, xdotool

WIDE, HIGH = 96, 80


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def write_picture(path):
    """Writes an 8-bit grey PNG, not square: a bright disc and stripes."""
    rows = b"".join(
        b"\0" + bytes(255 if (x - 40) ** 2 + (y - 38) ** 2 < 500 else 90 + 60 * (x // 8 % 2) for x in range(WIDE)) for y in range(HIGH))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDE, HIGH, 8, 0, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def output(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def carry(window):
    """Returns True if the window reports the drop; a drag too quick for either program has no effect and can be repeated."""
    xdotool("mousemove", 1150, 725, "mousedown", 1)
    for i in range(1, 13):
        xdotool("mousemove", 1150 - 50 * i, 725 - 30 * i)
        pause(0.05)  # human speed: both programs notice the start of the drag
    window.picture("1-dragged")
    pause(0.3)
    xdotool("mouseup", 1)
    return wait(lambda: window.find_named("label", "Possible Uses"), "what it can be used for", 10, SLOWNESS)


def drag(window, path):
    """Drags the file from another program's window, which is moved aside: there is no window manager."""
    window.seen("Set up Kolmogorov flow")
    source = subprocess.Popen([sys.argv[3], str(path)])
    try:
        other = wait(lambda: output("xdotool", "search", "--name", "Lacuna's drag source").split(), "the other window")[-1]
        xdotool("windowmove", "--sync", other, 1100, 700)
        wait(lambda: carry(window), "what is carried over to be told of")
    finally:
        source.kill()
        source.wait()


def drop_picture(window):
    path = pathlib.Path(window.scratch, "disc.png")
    write_picture(path)
    drag(window, path)
    label_of(window, f"PNG picture, {WIDE} x {HIGH} pixels")
    say(True, "a picture that is dropped is told of")
    window.click("list item", "Picture")  # the dialog opens at 0, 0 too
    wait(lambda: window.actions.enabled("launch"), "Start")
    window.node("push button", "Reset Picture")
    label_of(window, "Object, 64 × 64")
    say(True, "it becomes the object of the set-up, and is drawn there")
    for key, value in (("size", "32"), ("grid", "64"), ("diameter", "14"), ("roi", "40"), ("apertures", "12"), ("solver", "decoder,pie,ml"),
                       ("decoder_steps", "4000"), ("decoder_together", "10"), ("decoder_finish", "5"), ("decoder_retries", "0"),
                       ("stop_at_noise", "no")):
        window.actions.set(key, value)
    label_of(window, "Object, 32 × 32")
    say(True, "its picture follows the size that is chosen")
    say(wait(lambda: window.actions.enabled("launch"), "Start") and window.actions.state("launch-reason") == "",
        "three image solvers are chosen")
    window.picture("2-set-up")


def place(window):
    window.actions.activate("place-sensors")
    label_of(window, "12 apertures", 60)
    field = window.find(lambda node: node.role == "image" and "Page Down" in node.name)
    box = wait(lambda: field.box, "the k-plane")
    x, y = box.x + box.width // 2 + 90, box.y + box.height // 2 - 80
    xdotool("mousemove", x, y, "click", "--repeat", 2, "--delay", 60, 1)
    before = label_of(window, "Aperture 13 of 13 at")
    say(True, "a double click puts an aperture on the k-plane")
    xdotool("mousemove", x, y, "mousedown", 1, "mousemove", x - 10, y + 5, "mousemove", x - 30, y + 20, "mouseup", 1)
    wait(lambda: label_of(window, "Aperture 13 of 13 at") != before, "an aperture that moves")
    say(True, "the pointer drags it")
    window.picture("3-placed")


def seen(field):
    """Returns the number of exposures the first method has processed, from the field description updated once a second."""
    return int(re.search(r", (\d+) of 13 apertures", field.description)[1])


def run(window):
    window.click("push button", "Start")
    wait(lambda: window.actions.state("frames-shown") > 0, "the first frame", 120)
    field = window.seen("Fields of truth and reconstructions", "image")[0]
    window.actions.activate("quantity", "k_plane")
    first = wait(lambda: seen(field), "an aperture on the k-plane", 60)
    window.picture("4-first")
    later = wait(lambda: seen(field) > first and seen(field), "more apertures", 120)
    say(0 < first < later <= 13, "exposures arrive one after the other, and their apertures appear on the k-plane")
    window.picture("5-arriving")
    window.actions.activate("quantity", "amplitude")
    window.actions.activate("stop")
    window.wait_state("run-state", "ended", 60)
    field, box = window.seen("Fields of truth and reconstructions", "image")
    xdotool("mousemove", box.x + box.width // 20, box.y + box.height // 4, "click", 1, "key", "ctrl+Right")
    names = ("Decoder", "PIE", "Maximum likelihood")
    wait(lambda: field.description.startswith("x ") and all(name in field.description for name in names), "a reading of all three")
    say(True, "one place is read in all three solvers side by side")
    window.picture("6-three-solvers")


def count_blocks(data):
    """Counts the frames of a WebM file: simple blocks and blocks, element by element."""
    inside, count, at = {0x18538067, 0x1F43B675, 0xA0}, 0, 0  # segment, cluster, block group
    while at < len(data):
        width = next(i for i in range(1, 9) if data[at] & (0x80 >> (i - 1)))
        name, at = int.from_bytes(data[at:at + width], "big"), at + width
        width = next(i for i in range(1, 9) if data[at] & (0x80 >> (i - 1)))
        size = int.from_bytes(data[at:at + width], "big") & ((1 << (7 * width)) - 1)
        at += width
        if name in inside:
            continue
        count += name in (0xA3, 0xA1)
        at += size
    return count


def export(window, kind, name):
    path = pathlib.Path(window.scratch, name)
    window.actions.activate(f"export-{kind}-to", str(path))
    wait(lambda: window.actions.state("exported") == str(path) and path.stat().st_size > 500, name, 120)
    return path


def take_along(window):
    figure = export(window, "figure", "figure.pdf")
    words = output("pdftotext", "-layout", figure, "-")
    say("Pages:           1\n" in output("pdfinfo", figure) and all(name in words for name in ("Truth", "Decoder", "PIE")),
        "the figure as PDF has a page that names truth and solvers")
    picture = export(window, "figure", "figure.png").read_bytes()
    wide, high = struct.unpack(">II", picture[16:24])
    say(picture.startswith(b"\x89PNG") and picture.endswith(chunk(b"IEND", b"")) and min(wide, high) > 300,
        "the figure as PNG is whole")
    film = export(window, "film", "film.webm").read_bytes()
    folder = next(pathlib.Path(window.scratch, "data", "lacuna", "runs").iterdir())
    output(sys.argv[1], "export", folder, "-o", f"{window.scratch}/film/")
    pictures = list(pathlib.Path(window.scratch, "film").glob("*.png"))
    say(count_blocks(film) == len(pictures) > 10, "the film has as many pictures as the run has frames")


if __name__ == "__main__":
    sys.exit(go_through(sys.argv[1], sys.argv[2], [drop_picture, place, run, take_along]))
