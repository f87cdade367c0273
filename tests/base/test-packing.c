/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One list of parts that counts, saves and restores. */
#include "base/packing.h"

typedef struct {
  double values[3], more[2];
  gsize  n_steps;
} State;

static void
pack_state(gpointer data, LacPacking *packing)
{
  State *state = data;

  lac_packing_values(packing, state->values, 3);
  lac_packing_index(packing, &state->n_steps);
  lac_packing_values(packing, state->more, 2);
}

static const State full = {{1, 2, 3}, {5, 6}, (gsize) 1 << 53};

static void
test_round_trip(void)
{
  State  state = full, other = {0};
  double packed[7] = {0, 0, 0, 0, 0, 0, 77};

  g_assert_cmpuint(lac_packing_get_length(pack_state, &full), ==, 6);
  g_assert_cmpmem(&state, sizeof state, &full, sizeof full);
  lac_packing_save(pack_state, &full, packed);
  g_assert_cmpfloat(packed[6], ==, 77);
  lac_packing_load(pack_state, &other, packed);
  g_assert_cmpmem(&other, sizeof other, &full, sizeof full);
}

/* A part is a list of its own. */
static void
pack_pair(gpointer data, LacPacking *packing)
{
  State *pair = data;

  pack_state(&pair[0], packing);
  pack_state(&pair[1], packing);
}

static void
test_parts(void)
{
  State              pair[2] = {full, {{7, 8, 9}, {10, 11}, 12}}, other[2] = {0};
  const gsize        n = lac_packing_get_length(pack_pair, pair);
  g_autofree double *packed = g_new0(double, n);

  g_assert_cmpuint(n, ==, 12);
  lac_packing_save(pack_pair, pair, packed);
  g_assert_cmpfloat(packed[6], ==, 7);
  lac_packing_load(pack_pair, other, packed);
  g_assert_cmpmem(other, sizeof other, pair, sizeof pair);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/base/packing/one-list-saves-and-restores", test_round_trip);
  g_test_add_func("/base/packing/parts-have-lists-of-their-own", test_parts);
  return g_test_run();
}
