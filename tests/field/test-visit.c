/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One list of keys that saves and restores. */
#include "base/error.h"
#include "field/visit.h"

#include <string.h>

typedef struct {
  gint64 n;
  double values[6];
  guint8 flags[3], later[2];
} State;

static void
visit_state(State *state, LacVisit *visit, gboolean has_later)
{
  lac_visit_bytes(visit, "n", &state->n, sizeof state->n);
  lac_visit_values(visit, "values", state->values, 2, 3, sizeof(double));
  lac_visit_bytes(visit, "flags", state->flags, sizeof state->flags);
  if (has_later)
    lac_visit_later_bytes(visit, "later", state->later, sizeof state->later);
}

static const State full = {7, {1, 2, 3, 4, 5, 6}, {1, 0, 1}, {8, 9}};

static void
test_round_trip(void)
{
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;
  LacVisit            restore = {.from = store, .error = &error};
  State               state = full, other = {0};

  visit_state(&state, &(LacVisit){.to = store}, TRUE);
  g_assert_cmpuint(lac_store_get_n_entries(store), ==, 4);
  visit_state(&other, &restore, TRUE);
  g_assert_no_error(error);
  g_assert_true(lac_visit_restores(&restore));
  g_assert_cmpmem(&other, sizeof other, &full, sizeof full);
}

static void
pack_values(gpointer data, LacPacking *packing)
{
  lac_packing_values(packing, ((State *) data)->values, 6);
}

/* A packed state is one entry, a row; older stores have some as a column. */
static void
test_packed(void)
{
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;
  State               state = full, other = {0}, third = {0};
  LacVisit            restore = {.from = store, .error = &error};

  lac_visit_packed(&(LacVisit){.to = store}, "row", pack_values, &state);
  memcpy(lac_store_put(store, "column", 6, 1, 8), full.values, sizeof full.values);
  g_assert_nonnull(lac_store_get(store, "row", 1, 6, 8, NULL));
  lac_visit_packed(&restore, "row", pack_values, &other);
  lac_visit_packed(&restore, "column", pack_values, &third);
  g_assert_true(lac_visit_restores(&restore));
  g_assert_cmpmem(other.values, sizeof other.values, full.values, sizeof full.values);
  g_assert_cmpmem(third.values, sizeof third.values, full.values, sizeof full.values);
  lac_visit_packed(&restore, "none", pack_values, &other);
  g_assert_false(lac_visit_restores(&restore));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
}

/* An entry that is missing leaves later ones alone; one that older stores do not have stays as it is. */
static void
test_missing(void)
{
  g_autoptr(LacStore) store = lac_store_new(), part = lac_store_new();
  g_autoptr(GError)   error = NULL;
  LacVisit            older = {.from = store, .error = &error};
  LacVisit            broken = {.from = part, .error = &error};
  State               state = full, other = {.later = {3, 4}};

  visit_state(&state, &(LacVisit){.to = store}, FALSE);
  visit_state(&other, &older, TRUE);
  g_assert_no_error(error);
  g_assert_cmpint(other.later[0], ==, 3);
  g_assert_cmpint(other.flags[2], ==, 1);

  lac_store_put_bytes(part, "n", &state.n, sizeof state.n);
  lac_store_put(part, "values", 3, 2, sizeof(double)); /* another shape */
  lac_store_put_bytes(part, "flags", (guint8[]){5, 5, 5}, 3);
  other = (State){0};
  visit_state(&other, &broken, TRUE);
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_false(lac_visit_restores(&broken));
  g_assert_cmpint(other.n, ==, 7);
  g_assert_cmpint(other.flags[0], ==, 0);
}

static void
test_impossible(void)
{
  g_autoptr(LacStore) store = lac_store_new();
  g_autoptr(GError)   error = NULL;
  LacVisit            visit = {.from = store, .error = &error};

  lac_visit_expect(&visit, TRUE);
  g_assert_true(lac_visit_restores(&visit));
  lac_visit_expect(&visit, FALSE);
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_false(lac_visit_restores(&visit));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/field/visit/round-trip", test_round_trip);
  g_test_add_func("/field/visit/a-packed-state-is-one-entry", test_packed);
  g_test_add_func("/field/visit/missing-entries", test_missing);
  g_test_add_func("/field/visit/impossible-values", test_impossible);
  return g_test_run();
}
