#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs into a folder of its own and uses what is there: test-install.py SOURCE BUILD. Prints TAP."""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "perf"))
import check_examples  # noqa: E402
from needs import missing  # noqa: E402

SOURCE, BUILD = map(pathlib.Path, sys.argv[1:3])
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="lacuna-install-"))
PATIENCE = int(os.environ.get("LACUNA_TEST_PATIENCE", "1"))
APPLICATION = "io.github.lacuna.Lacuna"
WITH_WINDOW = "-DLAC_HAVE_WINDOW" in (BUILD / "compile_commands.json").read_text()
TESTS = []


class Skip(Exception):
    pass


def test(needs=()):
    def add(function):
        TESTS.append((function, (needs,) if isinstance(needs, str) else needs))
        return function
    return add


def call(*words, **more):
    more.setdefault("env", {}).setdefault("ASAN_OPTIONS", "detect_leaks=0")
    environment = {**os.environ, **more.pop("env")}
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, env=environment, timeout=100 * PATIENCE,
                          **more)


def succeed(*words, **more):
    done = call(*words, **more)
    assert done.returncode == 0, f"{words[0]}: {done.stdout}{done.stderr}"
    return done.stdout


def share():
    return next(SCRATCH.glob("**/share/applications")).parent


def program():
    return share().parent / "bin" / "lacuna"


@test("meson")
def installs():
    """the build installs below a folder of one's own, and the program starts from there"""
    succeed("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", SCRATCH / "first")
    shutil.move(SCRATCH / "first", SCRATCH / "moved")  # nothing in it knows where it was put
    assert re.fullmatch(r"Lacuna \d+\.\d+\.\d+\n", succeed(program(), "--version"))


def libraries(path):
    """What it loads and from where; of the project's own only the names."""
    found = re.findall(r"^\s*(\S+) => (\S+) \(", succeed("ldd", path), re.M)
    return {name if name.startswith("liblac-") else place for name, place in found}


@test("ldd")
def same_libraries():
    """the installed program loads the very libraries that the built one does"""
    assert libraries(program()) == libraries(BUILD / "lacuna"), libraries(program()) ^ libraries(BUILD / "lacuna")


@test()
def reads_files():
    """the installed program finds the reader of files, which loads the very libraries that the built one does"""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    picture = SCRATCH / "some.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0))
                        + chunk(b"IDAT", zlib.compress(b"\0\x10\x20\0\x30\x40")) + chunk(b"IEND", b""))
    assert "PNG picture, 2 x 2 pixels" in succeed(program(), "info", picture)
    (reader,) = share().parent.glob("**/lacuna-reader")
    assert libraries(reader) == libraries(BUILD / "lacuna-reader")


@test("desktop-file-validate")
def desktop_file():
    """the desktop file is valid and hands over what was double-clicked"""
    path = share() / "applications" / f"{APPLICATION}.desktop"
    assert succeed("desktop-file-validate", path) == ""
    text = path.read_text()
    assert "Exec=lacuna %F" in text and "application/x-lacuna-run" in text and "Comment[de]=" in text and "Comment[zh_TW]=" in text


@test("appstreamcli")
def metainfo():
    """the metainfo is valid"""
    succeed("appstreamcli", "validate", "--no-net", share() / "metainfo" / f"{APPLICATION}.metainfo.xml")


@test("glib-compile-schemas")
def schema():
    """the schema compiles strictly"""
    succeed("glib-compile-schemas", "--strict", "--dry-run", share() / "glib-2.0/schemas")


@test()
def icons():
    """icons are there, scalable and symbolic, and are SVG of our own"""
    for kind, name in (("scalable", APPLICATION), ("symbolic", APPLICATION + "-symbolic")):
        text = (share() / "icons/hicolor" / kind / "apps" / f"{name}.svg").read_text()
        assert "<svg" in text and "SPDX-License-Identifier" in text


@test(("update-mime-database", "update-desktop-database", "gio"))
def double_click():
    """a file of a run has its type, and the type has this program"""
    succeed("update-mime-database", share() / "mime")
    succeed("update-desktop-database", share() / "applications")
    run = SCRATCH / "a.lacuna" / "run.h5"
    run.parent.mkdir()
    run.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(64))
    env = {"XDG_DATA_DIRS": f"{share()}:/usr/share", "XDG_DATA_HOME": str(SCRATCH / "home"), "GIO_USE_VFS": "local",
           "PATH": f"{program().parent}:{os.environ['PATH']}"}  # a desktop file counts while its program is found
    said = succeed("gio", "info", "-a", "standard::content-type", run, env=env)
    assert "application/x-lacuna-run" in said, said
    said = succeed("gio", "mime", "application/x-lacuna-run", env=env)
    assert f"{APPLICATION}.desktop" in said, said


@test("localedef")
def languages():
    """the installed program finds its languages beside itself"""
    for language, words in (("de_DE", "liegt außerhalb"), ("zh_TW", "超出"), ("zh_CN", "超出")):
        made = SCRATCH / f"{language}.UTF-8"
        call("localedef", "--no-archive", "-i", language, "-f", "UTF-8", made)
        said = call(program(), "run", "kolmogorov", "--set", "sensors=-3",
                    env={"LOCPATH": str(SCRATCH), "LC_ALL": f"{language}.UTF-8", "LANGUAGE": ""})
        assert said.returncode == 2 and words in said.stderr, said.stderr


@test()
def manual_and_completion():
    """the manual page and the completion know every verb and every option that the program tells"""
    manual = next(SCRATCH.glob("**/man1/lacuna.1*")).read_text().replace("\\-", "-")
    completion = (share() / "bash-completion/completions/lacuna").read_text()
    verbs = re.findall(r"^  lacuna ([a-z-]+) ", succeed(program(), "--help", env={"LC_ALL": "C.UTF-8"}), re.M)
    assert len(verbs) > 9
    for verb in verbs:
        assert f"lacuna {verb} " in manual and f"  {verb}) " in completion, verb
        for option in re.findall(r"--[a-z-]+", succeed(program(), verb, "--help", env={"LC_ALL": "C.UTF-8"}).split("Application Options", 1)[-1]):
            assert option in manual or option == "--help", (verb, option)
            assert option in completion, (verb, option)


@test("bash")
def completion_completes():
    """bash completes an experiment, a parameter and an option"""
    for words, wanted in (("run kolm", "kolmogorov"), ("run kolmogorov -s sensor_p", "sensor_positions="), ("run kolmogorov --see", "--seeds")):
        script = (f". {share()}/bash-completion/completions/lacuna; COMP_WORDS=(lacuna {words}); "
                  'COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _lacuna; echo "${COMPREPLY[@]}"')
        assert wanted in succeed("bash", "-c", script).split(), words


def library():
    return next(SCRATCH.glob("**/liblacuna-perf.so"))


def compile_with_library(output, *words):
    """As anybody would: cc FILE $(pkg-config --cflags --libs lacuna-perf). A folder of one's own is told to pkg-config and to the loader."""
    prefix = share().parent
    env = {"PKG_CONFIG_PATH": str(next(SCRATCH.glob("**/lacuna-perf.pc")).parent)}
    flags = succeed("pkg-config", f"--define-variable=prefix={prefix}", "--cflags", "--libs", "lacuna-perf", env=env).split()
    assert not any(flag[2:].startswith(f"{SOURCE}/") or "glib" in flag for flag in flags), flags
    succeed("cc", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", output, *words, *flags)
    return {**os.environ, "LD_LIBRARY_PATH": f"{library().parent}:{os.environ.get('LD_LIBRARY_PATH', '')}"}


@test(("cc", "pkg-config"))
def examples_of_library():
    """a stranger's compiler builds the six examples against the installed library alone, and they do what they are to do"""
    sources = sorted((share() / "doc/lacuna/perf-examples").glob("*.c"))
    assert [source.stem for source in sources] == sorted(check_examples.CHECKS), sources
    for source in sources:
        env = compile_with_library(SCRATCH / source.stem, source)
        check_examples.check(SCRATCH / source.stem, env)


@test(("cc", "pkg-config"))
def trace_of_library():
    """the program opens the trace that a stranger's program wrote with the library"""
    source, trace = SCRATCH / "stranger.c", SCRATCH / "stranger.json"
    source.write_text("""#include <lacuna-perf.h>
int main(int argc, char **argv) {
  LacTracker *tracker = lac_tracker_new(argc == 2);
  for (int i = 0; i < 100; i++) { LAC_TRACK_REPEATED(tracker, "of a stranger"); }
  return lac_tracker_write(tracker, argv[1]) != NULL;
}""")
    env = compile_with_library(SCRATCH / "stranger", source)
    succeed(SCRATCH / "stranger", trace, env=env)
    assert "of a stranger" in succeed(program(), "profile", trace, "--json", env={"LC_ALL": "C.UTF-8"})


@test("cc")
def symbols_of_library():
    """the library exports what its header declares and its manual explains, and loads GLib and the C library alone"""
    listing = succeed("nm", "-D", "--defined-only", "--format=posix", library())
    exported = {line.split()[0] for line in listing.splitlines()}
    header = next(SCRATCH.glob("**/include/lacuna-perf.h")).read_text()
    declared = set(re.findall(r"^\w[\w *]*?\b(lac_\w+)\(", header, re.M))
    manual = next(SCRATCH.glob("**/man3/lacuna-perf.3*")).read_text()
    assert len(declared) > 15 and exported == declared, exported ^ declared
    synopsis, description = manual.split(".SH DESCRIPTION")
    unexplained = {name for name in declared - {"lac_tracker_new", "lac_tracker_free"} if f"{name}()" not in description and not re.search(r"lac_tracker_(begin|end)_(epoch|batch)", name)}
    assert all(f"{name}(" in synopsis for name in declared) and not unexplained, unexplained
    needed = set(re.findall(r"\(NEEDED\).*\[(.*?)\.so", succeed("readelf", "-d", library())))
    assert needed <= {"libglib-2.0", "libgio-2.0", "libgobject-2.0", "libc", "libm", "libmvec"}, needed


@test()
def debian_packages():
    """every installed file belongs to one Debian package, and every package that lists files is declared"""
    folder, prefix = SOURCE / "data" / "debian", share().parent
    declared = re.findall(r"^Package: (\S+)$", (folder / "control.in").read_text(), re.M)
    patterns = {path.stem: [line.split()[0] for line in path.read_text().splitlines()] for path in folder.glob("*.install")}
    assert sorted(declared) == sorted(patterns), (declared, patterns)
    libraries = library().parent  # lib64 where the build does not know Debian's name of the machine, which a package is built with
    for path in (path for path in prefix.rglob("*") if not path.is_dir()):
        is_library = libraries in path.parents
        name = pathlib.PurePath("usr/lib/x86_64-linux-gnu" if is_library else "usr") / path.relative_to(libraries if is_library else prefix)
        places = [name, *name.parents]  # a line names a file or a folder
        owners = {package for package, lines in patterns.items() for line in lines if any(len(place.parts) == line.count("/") + 1 and place.match(line) for place in places)}
        assert len(owners) == 1, f"{name}: {owners or 'in no package'}"


# Of the manifest's runtime, GNOME 43: what the build asks it for.
IN_RUNTIME = {"glib-2.0", "gio-2.0", "gio-unix-2.0", "gmodule-no-export-2.0", "json-glib-1.0", "gtk4", "libadwaita-1", "epoxy", "cairo",
              "cairo-pdf", "cairo-svg", "pangocairo", "libpng", "libjpeg", "libtiff-4", "threads", "zlib"}
BROUGHT_BY = {"fftw3f": "fftw-float", "fftw3": "fftw"}  # where the module is not called as the library


@test("meson")
def flatpak():
    """the manifest of the Flatpak brings every library that the build asks for, and sets options that there are"""
    manifest = json.loads((SOURCE / "data" / "flatpak" / f"{APPLICATION}.json").read_text())
    modules = {module["name"]: module for module in manifest["modules"]}
    own = modules[manifest["command"]]
    options = {option["name"]: option for option in json.loads(succeed("meson", "introspect", "--buildoptions", SOURCE / "meson.build"))}
    set_to = dict(word.removeprefix("-D").split("=") for word in own["config-opts"])
    assert manifest["id"] == APPLICATION and set_to.keys() <= options.keys(), set_to
    text = (SOURCE / "meson.build").read_text()
    asked = set(re.findall(r"dependency\('([^']+)'", text))
    missing = {name for name in asked - IN_RUNTIME if BROUGHT_BY.get(name, name) not in modules}
    assert len(asked) > 15 and not missing, missing
    for module in manifest["modules"]:
        for source in module["sources"]:
            held = source["type"] == "dir" or source.get("tag") or re.fullmatch("[0-9a-f]{64}", source.get("sha256", ""))
            assert held, f"{module['name']}: a source that may change"


@test(("xvfb-run", "dbus-run-session", "gdbus"))
def window_remembers():
    """the installed window opens, finds its schema and remembers its size"""
    if not WITH_WINDOW:
        raise Skip("this build has no window")
    succeed("glib-compile-schemas", share() / "glib-2.0/schemas")  # as a package does after its files are in place
    script = f"""
      "{program()}" & window=$!
      act() {{ gdbus call --session --dest {APPLICATION} --object-path /io/github/lacuna/Lacuna/window/1 --method org.gtk.Actions.$1 "${{@:2}}"; }}
      for i in $(seq 100); do act Describe close >/dev/null 2>&1 && break; sleep 0.2; done
      act Activate close '[]' '{{}}'
      wait $window"""
    home = SCRATCH / "person"
    (home / "runtime").mkdir(mode=0o700, parents=True)
    env = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_DATA_HOME": str(home / "data"), "XDG_RUNTIME_DIR": str(home / "runtime"),
           "GSETTINGS_BACKEND": "keyfile", "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1", "ADW_DISABLE_PORTAL": "1", "LC_ALL": "C.UTF-8",
           "GTK_A11Y": "none", "GIO_USE_VFS": "local"}
    done = call("xvfb-run", "-a", "dbus-run-session", "--", "bash", "-c", script, env=env)
    kept = home / "config/glib-2.0/settings/keyfile"
    assert kept.exists() and "window-maximized" in kept.read_text(), done.stdout + done.stderr


def main():
    print(f"1..{len(TESTS)}")
    failed = False
    for number, (function, needs) in enumerate(TESTS, 1):
        name = f"install/{function.__doc__}"
        try:
            assert not missing(*needs), missing(*needs)
            function()
            print(f"ok {number} {name}")
        except Skip as reason:
            print(f"ok {number} {name} # SKIP {reason}")
        except Exception as error:  # any failure is this test's own
            failed = True
            print(f"not ok {number} {name}\n# " + str(error).replace("\n", "\n# "))
    shutil.rmtree(SCRATCH)
    return failed


if __name__ == "__main__":
    sys.exit(main())
