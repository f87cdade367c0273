# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs that tests call, and the Debian package of each. A missing one fails its test by name; ./dev test installs them all."""
import os
import pathlib
import shutil

PACKAGES = {
    "appstreamcli": "appstream",
    "bash": "bash",
    "cc": "gcc",
    "clang-format": "clang-format",
    "dbus-run-session": "dbus",
    "desktop-file-validate": "desktop-file-utils",
    "gdbus": "libglib2.0-bin",
    "gio": "libglib2.0-bin",
    "gla11y": "gla11y",
    "glib-compile-schemas": "libglib2.0-bin",
    "ldd": "libc-bin",
    "localedef": "locales",
    "meson": "meson",
    "pkg-config": "pkg-config",
    "spin": "spin",
    "update-desktop-database": "desktop-file-utils",
    "update-mime-database": "shared-mime-info",
    "valgrind": "valgrind",
    "xdotool": "xdotool",
    "xvfb-run": "xvfb",
}


def missing(*tools):
    """One sentence that names what is not installed, or None."""
    absent = [f"{tool} (package {PACKAGES[tool]})" for tool in tools if not is_there(tool)]
    return f"not installed: {', '.join(absent)}; ./dev test installs what tests need" if absent else None


def is_there(tool):
    # localedef comes with libc-bin, the sources that it reads with locales
    if tool == "localedef" and not pathlib.Path("/usr/share/i18n/locales/de_DE").exists():
        return False
    return shutil.which(tool, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin") is not None
