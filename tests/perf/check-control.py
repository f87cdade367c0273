# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the correct ring and the planted fault: ThreadSanitizer must report only the second.
import os
import subprocess
import sys

SKIPPED = 77


def reports(program):
    environment = dict(os.environ, TSAN_OPTIONS="halt_on_error=1:exitcode=66")
    done = subprocess.run([program], env=environment, stderr=subprocess.PIPE, text=True, timeout=100)
    race = "ThreadSanitizer: data race" in done.stderr
    if race != (done.returncode == 66) or done.returncode not in (0, 66):
        sys.exit(f"{program} ended with {done.returncode}:\n{done.stderr}")
    return race


def main():
    sanitizers, sound, planted = sys.argv[1:]
    if "thread" not in sanitizers:
        print("skipped: this build has no ThreadSanitizer (-Db_sanitize=thread)")
        return SKIPPED
    if reports(sound):
        print("a race is reported in the ring as it is")
        return 1
    if not reports(planted):
        print("the planted race is not reported")
        return 1
    return 0


sys.exit(main())
