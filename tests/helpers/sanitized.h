/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Under sanitizers tests leave out repetitions of code they have already run, which take minutes and find nothing
 * more. */
#pragma once

#include <glib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#  define TEST_IS_SANITIZED 1
#else
#  define TEST_IS_SANITIZED 0
#endif

/* Returns TRUE when a part of a test runs in this process. @repeats: it repeats code of the other parts; where LACUNA_TEST_REPEATS is set,
 * these run alone, for a test whose other parts only run under a sanitizer (tests/meson.build) */
static inline gboolean
test_runs(gboolean repeats)
{
  return TEST_IS_SANITIZED ? !repeats : repeats || !g_getenv("LACUNA_TEST_REPEATS");
}
