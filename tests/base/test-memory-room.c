/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory limits: read from the system, and reported with their values. */
#include "base/error.h"
#include "base/memory-room.h"
#include "helpers/sanitized.h"

#include <string.h>
#include <sys/resource.h>

#define GIB ((guint64) 1 << 30)

static struct rlimit
set_limit(int resource, guint64 bytes)
{
  struct rlimit before, after;

  g_assert_cmpint(getrlimit(resource, &before), ==, 0);
  after = before;
  after.rlim_cur = (rlim_t) bytes;
  g_assert_cmpint(setrlimit(resource, &after), ==, 0);
  return before;
}

static void
test_without_limits(void)
{
  struct rlimit     size, data;
  g_autoptr(GError) error = NULL;

  getrlimit(RLIMIT_AS, &size);
  getrlimit(RLIMIT_DATA, &data);
  if (size.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY) {
    g_test_skip("memory is limited here");
    return;
  }
  g_assert_cmpuint(lac_memory_limit_get().limit, ==, 0);
  g_assert_true(lac_memory_room_check(G_MAXUINT64, "anything", NULL, &error));
  g_assert_no_error(error);
}

/* The tighter limit counts. */
static void
test_limits(void)
{
  if (TEST_IS_SANITIZED) {
    g_test_skip("a sanitizer needs the address space");
    return;
  }
  g_autoptr(GError)    error = NULL;
  const struct rlimit  size = set_limit(RLIMIT_AS, 4 * GIB);
  const LacMemoryLimit whole = lac_memory_limit_get();
  g_assert_cmpuint(whole.limit, ==, 4 * GIB);
  g_assert_cmpint(whole.letter, ==, 'v');
  g_assert_cmpuint(whole.used, >, 1 << 20);
  g_assert_cmpuint(whole.used, <, GIB);
  g_assert_true(lac_memory_room_check(GIB, "the test", NULL, &error));

  const struct rlimit  data = set_limit(RLIMIT_DATA, 2 * GIB);
  const LacMemoryLimit part = lac_memory_limit_get();
  g_assert_cmpint(part.letter, ==, 'd');
  g_assert_cmpuint(part.limit, ==, 2 * GIB);
  g_assert_cmpuint(part.used, <, whole.used);
  g_assert_false(lac_memory_room_check(2 * GIB, "the test", "rest", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_FAILED);
  g_assert_true(g_str_has_prefix(error->message, "the test needs "));
  g_assert_nonnull(strstr(error->message, "(ulimit -d 2097152)"));
  g_assert_true(g_str_has_suffix(error->message, " or more, or rest"));

  /* the suggested limit is sufficient */
  const char   *at = strstr(error->message, "raise the limit to ");
  const guint64 enough = g_ascii_strtoull(at + strlen("raise the limit to "), NULL, 10);
  g_assert_cmpint(setrlimit(RLIMIT_DATA, &data), ==, 0);
  set_limit(RLIMIT_DATA, (enough + 1024) * 1024);
  g_clear_error(&error);
  g_assert_true(lac_memory_room_check(2 * GIB, "the test", "rest", &error));
  setrlimit(RLIMIT_DATA, &data);
  setrlimit(RLIMIT_AS, &size);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/memory-room/without-a-limit-there-is-room", test_without_limits);
  g_test_add_func("/base/memory-room/the-tighter-limit-is-refused-with-its-numbers", test_limits);
  return g_test_run();
}
