#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends of runs: signals, full disks, memory limits. test-endings.py LACUNA STUCK (of stuck.c)."""

import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time

from program import (ENVIRONMENT, LACUNA, NO_CACHE, PATIENCE, ROOT, SANITIZED, Skip, finished, lacuna, main, once_is_enough, path_of, refused, run, short)

STUCK = os.path.abspath(sys.argv[2])

# A run long enough to be stopped, yet short enough to end within the test timeout.
LONG = ["kolmogorov", "--set", "grid=16", "--set", "spin_up=2", "--set", "snapshots=1100", "--set", "observations=440", "--set", "members=256", "--set", "sensors=6", "--threads", "2", *NO_CACHE]


def signals_leave_a_run_to_resume():
    """/cli/run/signals-leave-a-run-that-can-be-resumed"""
    for number, status in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
        words = [LACUNA, "run", "kolmogorov", "--out", f"signal-{status}", "--json", "--quiet"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=ENVIRONMENT, stderr=subprocess.PIPE)
        while process.poll() is None and not list((ROOT / f"signal-{status}").glob("*.lacuna/*")):
            time.sleep(0.02)
        time.sleep(0.5)
        process.send_signal(number)
        process.send_signal(number)  # like timeout(1), to the process and its group: counts as one signal
        output, error = process.communicate(timeout=60 * PATIENCE)
        assert process.returncode == status, (process.returncode, error)
        result = json.loads(output.splitlines()[-1])
        assert result["outcome"] == "stopped"
        lacuna("info", path_of(result))
        again = json.loads(lacuna("run", "--resume", path_of(result), "--time-limit", "0.2", "--json", "-q")[0].splitlines()[-1])
        assert again["run"].endswith(path_of(result).name) and again["steps"] >= result["steps"]


@contextlib.contextmanager
def going(*words, **environment):
    """Starts a run in the background and always ends it; STUCK_... environment variables: see tests/cli/stuck.c."""
    if environment:
        if SANITIZED:
            raise Skip("a sanitizer has to be loaded first")
        environment["LD_PRELOAD"] = STUCK
    process = subprocess.Popen(
        [LACUNA, "run", *map(str, words), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env={**ENVIRONMENT, **environment}
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_until(is_so, what):
    end = time.monotonic() + 30 * PATIENCE
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def stopped(out):
    """Returns the JSON object of a run that was stopped after at least one step."""
    for pause in (0.2, 2, 20):  # the first step begins after "step 0" is printed, and may be slow on a busy machine
        with going(*LONG, "--out", out) as process:
            for line in process.stderr:
                if ": step " in line:
                    break
            time.sleep(pause)
            process.send_signal(signal.SIGTERM)
            output, error = process.communicate(timeout=60 * PATIENCE)
        assert process.returncode == 0, (process.returncode, error)
        result = json.loads(output.splitlines()[-1])
        if result["steps"] > 0:
            assert "stopping after this step" in error, error
            return result
    raise AssertionError(result)


def a_step_without_end_is_ended():
    """/cli/run/a-step-that-never-ends-is-ended-by-a-second-signal-or-ten-seconds"""
    before = stopped("stuck")
    mark = ROOT / "stuck-mark"
    for number, once in ((signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGTERM, True)):
        mark.unlink(missing_ok=True)
        with going("--resume", path_of(before), *NO_CACHE, STUCK_MARK=str(mark), STUCK_SECOND_MS="60" if once else "60000") as process:
            wait_until(mark.exists, "the computation is not stuck")
            process.send_signal(number)
            said = ""
            while "stopping after this step" not in said:  # printed by the main thread once it is scheduled
                line = process.stderr.readline()
                assert line, said
                said += line
            if not once:
                time.sleep(0.7)  # signals within half a second count as one
                assert process.poll() is None, "the first signal asks"
                process.send_signal(number)
            output, error = process.communicate(timeout=15 * PATIENCE)
        assert process.returncode == 128 + number, (process.returncode, error)
        assert f"--resume {path_of(before)} " in error.splitlines()[-1], error
        assert ("10 s after the signal" if once else "a second signal") in error.splitlines()[-1], error
    # the checkpoint is unchanged
    after = json.loads(lacuna("run", "--resume", path_of(before), "--time-limit", "2", "--json", "-q", *NO_CACHE)[0].splitlines()[-1])
    assert after["outcome"] in ("stopped", "finished") and after["steps"] >= before["steps"] > 0, (before, after)


def writing_is_waited_for():
    """/cli/run/a-run-that-writes-when-ten-seconds-are-over-is-not-cut-off"""
    # a checkpoint alone exceeds the ten seconds, which are shortened to 0.3 s here
    with going(*LONG, "--out", "slow-disk", STUCK_SYNC_MS="400", STUCK_SECOND_MS="30") as process:
        for line in process.stderr:
            if ": step " in line:
                break
        process.send_signal(signal.SIGTERM)
        begin = time.monotonic()
        output, error = process.communicate(timeout=60 * PATIENCE)
    assert process.returncode == 0 and time.monotonic() - begin > 0.4, (process.returncode, error)
    result = json.loads(output.splitlines()[-1])
    assert result["outcome"] == "stopped" and (path_of(result) / "run.h5").exists(), result


def quiet_is_quiet():
    """/cli/run/quiet-prints-no-progress"""
    _, error = lacuna("run", "kolmogorov", *short("kolmogorov"), "--out", "runs", "--json", "--quiet")
    assert error == "", error
    _, error = lacuna("run", "kolmogorov", *short("kolmogorov"), "--out", "runs", "--json")
    assert "kolmogorov: " in error and "\r" not in error


def unwritable_places_are_refused():
    """/cli/bad-input/places-that-cannot-be-written-are-refused"""
    (ROOT / "file").write_text("")
    refused("run", "kolmogorov", "--out", "file/inside", status=1)
    refused("run", "kolmogorov", "--out", "/proc/lacuna", status=1)
    source = path_of(finished())
    for verb, name in (("report", "r.pdf"), ("report", "r.txt"), ("figure", "f.svg"), ("trace", "t.json"), ("trace", "t.json.gz"), ("trace", "t.pftrace"), ("trace", "t.csv"), ("export", "e.csv"), ("export-sensors", "s.csv")):
        refused(verb, source, "-o", f"/no/such/folder/{name}", says=[name], status=1)


def a_full_disk_is_said():
    """/cli/bad-input/a-full-disk-is-said-and-leaves-no-file"""
    source = path_of(finished())
    for verb, name in (("report", "full.pdf"), ("report", "full.txt"), ("figure", "full.png")):
        os.symlink("/dev/full", ROOT / f"{name}.part")
        # cairo 1.18 itself does not free the pictures of a PDF that it could not write
        sentence = refused(verb, source, "-o", name, status=1, env={"ASAN_OPTIONS": "detect_leaks=0"})
        assert name in sentence and not (ROOT / name).exists() and not (ROOT / f"{name}.part").is_symlink(), sentence


def a_run_on_a_full_disk_ends():
    """/cli/bad-input/a-run-on-a-full-disk-fails-in-one-sentence"""
    script = 'mkdir small && mount -t tmpfs -o size=200k none small && exec "$0" run kolmogorov --out small --json --quiet'
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
        raise Skip("no user namespaces here to mount a small disk in")
    done = subprocess.run(["unshare", "-rm", "sh", "-c", script, LACUNA], cwd=ROOT, capture_output=True, text=True, env=ENVIRONMENT, timeout=120 * PATIENCE)
    if "mount:" in done.stderr:
        raise Skip("no small disk can be mounted here")
    assert done.returncode == 1, (done.returncode, done.stdout, done.stderr)
    assert "room" in done.stderr or "space" in done.stderr, done.stderr
    assert "error" in json.loads(done.stdout.splitlines()[-1])


def a_run_without_its_file_fails():
    """/cli/run/without-room-for-run-h5-the-run-fails-and-info-makes-up-for-it"""
    # room for journal, records and frames, but not for run.h5, planned with 1 MB or more
    small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
    words = [LACUNA, "run", "kolmogorov", *short("kolmogorov"), "--out", "unassembled", "--json", "--quiet"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, env=ENVIRONMENT, timeout=120 * PATIENCE, preexec_fn=small)
    assert done.returncode == 1, (done.returncode, done.stdout, done.stderr)
    result = json.loads(done.stdout.splitlines()[-1])
    folder = path_of(result)
    sentence, = done.stderr.splitlines()
    assert result["outcome"] == "failed" and result["error"] in sentence and "relative_l2" in result["metrics"], result
    assert "run.h5" in sentence and f"lacuna info {result['run']}" in sentence, sentence
    assert not (folder / "run.h5").exists() and all((folder / name).stat().st_size for name in ("journal", "records", "checkpoint"))
    done = subprocess.run([LACUNA, "info", folder], cwd=ROOT, capture_output=True, text=True, env=ENVIRONMENT, timeout=60 * PATIENCE, preexec_fn=small)
    assert done.returncode == 0 and "kolmogorov, finished" in done.stdout and "could not be assembled" in done.stderr, done
    assert "kolmogorov, finished" in lacuna("info", folder)[0] and (folder / "run.h5").exists()


@once_is_enough  # a sanitizer needs more address space than there is
def a_run_without_memory_ends():
    """/cli/bad-input/under-a-limit-on-memory-a-run-finishes-or-is-refused-with-numbers"""
    refusals = 0
    for kilobytes in (*range(200_000, 700_000, 25_000), 1_000_000):
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1024 * kilobytes, 1024 * kilobytes))
        words = [LACUNA, "run", "kolmogorov", *short("kolmogorov"), "--out", "limited", "--threads", "2", "--json", "--quiet", *NO_CACHE]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, env=ENVIRONMENT, timeout=20 * PATIENCE, preexec_fn=limit)
        if done.returncode == 127:  # the libraries could not be loaded
            continue
        assert done.returncode in (0, 1), (kilobytes, done)
        assert (done.returncode == 0) == (json.loads(done.stdout.splitlines()[-1])["outcome"] == "finished"), (kilobytes, done)
        if done.returncode == 1:
            refusals += 1
            sentence, = done.stderr.splitlines()
            assert f"(ulimit -v {kilobytes})" in sentence and re.search(r"raise the limit to \d+ or more", sentence), sentence
            enough = int(re.search(r"raise the limit to (\d+)", sentence)[1])
            assert enough > kilobytes, sentence
    assert refusals, "no limit was too low: the test says nothing"


if __name__ == "__main__":
    sys.exit(main(globals().values()))
