# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar of the window, with a real pointer."""
from window_driver import place_of, wait, xdotool

WIDTH = 264


def find_row(window, *parts):
    """Returns the visible row of the sidebar whose name contains all @parts, or None."""
    found = window.find_all(lambda n: n.role in ("panel", "list item") and n.name and all(part in n.name for part in parts))
    return next((node for node in found if (box := node.box) and box.x + box.width <= WIDTH), None)


def row(window, *parts):
    return wait(lambda: find_row(window, *parts), f"a row of the sidebar with {', '.join(parts)}", 20)


def choose(window, *parts, key=None):
    """Clicks the row whose name contains all @parts. @key: held meanwhile."""
    box = place_of(row(window, *parts))
    held = (["keydown", key], ["keyup", key]) if key else ([], [])
    xdotool(*held[0], "mousemove", box.x + box.width // 2, box.y + box.height // 2, "click", 1, *held[1])


def letters(window):
    """Returns {letter: name of its row} of the runs compared."""
    found = window.find_all(lambda n: n.role == "label" and len(n.name) == 1 and n.name.isalpha())
    marked = {}
    for label in found:
        box, node = label.box, label
        while node is not None and ", " not in node.name:
            node = node.parent
        if box and node is not None and box.x < WIDTH:
            marked[label.name] = node.name
    return marked
