# SPDX-License-Identifier: GPL-3.0-or-later
"""The runs in the sidebar of the window, with a real pointer."""
from window_driver import wait


def row(window, *parts):
    """Returns the row of a run, a sweep or a group whose name contains all @parts."""
    return wait(lambda: next((row for name, row in window.sidebar("Runs") if all(part in name for part in parts)), None),
                f"a run with {', '.join(parts)} in the sidebar", 20)


def choose(window, *parts, key=None):
    """Clicks the row whose name contains all @parts. @key: held meanwhile."""
    window.click_on(row(window, *parts), *([key] if key else []))


def letters(window):
    """Returns {letter: name of its row} of the runs compared."""
    return {label.name: name for name, row in window.sidebar("Runs") for label in row.all()
            if label.role == "label" and len(label.name) == 1 and label.box}
