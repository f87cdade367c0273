/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every error has the exit status of its row. */
#include "base/error.h"

static void
test_statuses(void)
{
  static const struct {
    LacError code;
    int      status;
  } rows[] = {
#define E(code, status, meaning) {LAC_ERROR_##code, status},
    LAC_ERROR_LIST(E)
#undef E
  };
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
    g_autoptr(GError) error = g_error_new_literal(LAC_ERROR, rows[i].code, "a sentence");
    g_assert_cmpint(lac_error_exit_status(error), ==, rows[i].status);
    g_assert_true(rows[i].status == 1 || rows[i].status == 2);
  }
}

static void
test_foreign(void)
{
  g_autoptr(GError) error = g_error_new_literal(G_FILE_ERROR, G_FILE_ERROR_NOENT, "a sentence");
  g_assert_cmpint(lac_error_exit_status(error), ==, 1);
}

/* A formatter may split a name with hyphens, which would silently change the domain. */
static void
test_domain(void)
{
  g_assert_cmpstr(g_quark_to_string(LAC_ERROR), ==, "lac_error");
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/error/status-is-the-one-of-its-row", test_statuses);
  g_test_add_func("/base/error/foreign-errors-are-failures", test_foreign);
  g_test_add_func("/base/error/domain-has-its-name", test_domain);
  return g_test_run();
}
