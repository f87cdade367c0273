/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores: entries are restored, and mismatches are rejected with a message. */
#include "base/error.h"
#include "field/store.h"

#include <glib.h>

#include <string.h>

static void
assert_refused(gconstpointer found, GError *error, const char *part)
{
  g_assert_null(found);
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, part));
}

static void
test_round_trip(void)
{
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;
  double             *written = lac_store_put(store, "theta", 2, 3, sizeof(double));
  const double       *found;

  for (gsize i = 0; i < 6; i++)
    written[i] = (double) i / 7;
  lac_store_put_bytes(store, "rng", "abc", 3);
  found = lac_store_get(store, "theta", 2, 3, sizeof(double), &error);
  g_assert_no_error(error);
  for (gsize i = 0; i < 6; i++)
    g_assert_cmpfloat(found[i], ==, (double) i / 7);
  g_assert_cmpmem(lac_store_get_bytes(store, "rng", 3, &error), 3, "abc", 3);
  g_assert_no_error(error);
  g_assert_cmpuint(lac_store_get_n_entries(store), ==, 2);
  g_assert_cmpstr(lac_store_get_entry(store, 0)->name, ==, "theta");
  g_assert_cmpuint(lac_store_get_entry(store, 1)->element_size, ==, 1);
}

static void
test_overwrite(void)
{
  g_autoptr(LacStore) store = lac_store_new();
  gpointer            first = lac_store_put(store, "a", 4, 2, sizeof(float)), other;

  memset(first, 1, 32);
  g_assert_true(lac_store_put(store, "a", 2, 4, sizeof(float)) == first);
  g_assert_cmpuint(lac_store_get_entry(store, 0)->n_rows, ==, 2);
  other = lac_store_put(store, "a", 100, 100, sizeof(double));
  memset(other, 2, 80000);
  g_assert_cmpuint(lac_store_get_n_entries(store), ==, 1);
  g_assert_true(lac_store_get(store, "a", 100, 100, sizeof(double), NULL) == other);
}

static void
test_missing(void)
{
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;
  gconstpointer       found = lac_store_get_bytes(store, "momentum", 8, &error);

  assert_refused(found, error, "no \"momentum\"");
}

static void
test_wrong_shape(void)
{
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL, other = NULL;
  gconstpointer       found;

  lac_store_put(store, "theta", 2, 3, sizeof(double));
  found = lac_store_get(store, "theta", 3, 2, sizeof(double), &error);
  assert_refused(found, error, "is 2 x 3 of 8 bytes; this run needs 3 x 2 of 8 bytes");
  found = lac_store_get(store, "theta", 2, 3, sizeof(float), &other);
  assert_refused(found, other, "of 4 bytes");
}

static void
test_empty(void)
{
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;

  lac_store_put(store, "none", 0, 3, sizeof(double));
  g_assert_nonnull(lac_store_get(store, "none", 0, 3, sizeof(double), &error));
  g_assert_no_error(error);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/store/what-is-put-comes-back", test_round_trip);
  g_test_add_func("/field/store/putting-again-overwrites", test_overwrite);
  g_test_add_func("/field/store/a-missing-name-is-refused", test_missing);
  g_test_add_func("/field/store/a-wrong-shape-is-refused-naming-both", test_wrong_shape);
  g_test_add_func("/field/store/an-empty-entry-is-an-entry", test_empty);
  return g_test_run();
}
