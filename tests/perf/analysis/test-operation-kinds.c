/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of work: names of every laboratory and of other programs, and a partition of the own time. */
#include "perf/analysis/aggregate.h"
#include "perf/analysis/operation-kinds.h"

#include <math.h>

static void
test_names(void)
{
  static const struct {
    const char      *name;
    LacOperationKind kind;
  } cases[] = {
    {"layer tanh 20x20 forward", LAC_KIND_FORWARD},
    {"layer tanh 20x20 reverse", LAC_KIND_BACKWARD},
    {"forward+reverse", LAC_KIND_OTHER},
    {"inverse transform", LAC_KIND_FORWARD},
    {"flow steps", LAC_KIND_FORWARD},
    {"flow steps backwards", LAC_KIND_BACKWARD},
    {"up 8-4 at 32^2", LAC_KIND_FORWARD},
    {"up 8-4 at 32^2, weights", LAC_KIND_BACKWARD},
    {"up 8-4 at 32^2, reverse", LAC_KIND_BACKWARD},
    {"propagation to the detector", LAC_KIND_FORWARD},
    {"propagation back", LAC_KIND_BACKWARD},
    {"object update", LAC_KIND_OTHER},
    {"forward Laplacian", LAC_KIND_FORWARD},
    {"wavefunction", LAC_KIND_FORWARD},
    {"wavefunction and its reverse", LAC_KIND_BACKWARD},
    {"parameter gradient", LAC_KIND_BACKWARD},
    {"make the truth", LAC_KIND_DATA},
    {"write a checkpoint", LAC_KIND_DATA},
    {"batch_forward", LAC_KIND_FORWARD},
    {"batch_backward", LAC_KIND_BACKWARD},
    {"data loading", LAC_KIND_DATA},
    {"step", LAC_KIND_OTHER},
    {"", LAC_KIND_OTHER},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
    if (lac_operation_kind(cases[i].name) != cases[i].kind)
      g_error("“%s” counts as %s", cases[i].name,
              lac_operation_kind_key(lac_operation_kind(cases[i].name)));
}

static void
test_partition(void)
{
  static const struct {
    const char *name;
    double      ns;
  } given[] = {{"matrix forward", 50}, {"matrix reverse", 25}, {"write a frame", 10}, {"odd", 15}};
  g_autoptr(LacCapture) capture = lac_capture_new("kinds");
  g_autoptr(GArray)     rows = g_array_new(FALSE, TRUE, sizeof(LacAggregate));
  guint                 shares[LAC_N_KINDS], sum = 0;
  double                whole = 0;
  for (gsize i = 0; i < G_N_ELEMENTS(given); i++) {
    const LacAggregate row = {.name = (guint32) i, .self_ns = given[i].ns};
    lac_capture_add_name(capture, given[i].name);
    g_array_append_val(rows, row);
    whole += given[i].ns;
  }
  const LacKindTimes times = lac_kind_times_of(capture, rows);
  for (guint i = 0; i < LAC_N_KINDS; i++)
    whole -= times.ns[i];
  g_assert_cmpfloat(fabs(whole), <=, 1e-9);
  g_assert_cmpfloat(times.ns[LAC_KIND_FORWARD], ==, 50);
  g_assert_cmpfloat(times.ns[LAC_KIND_BACKWARD], ==, 25);
  lac_kind_times_round(&times, shares);
  for (guint i = 0; i < LAC_N_KINDS; i++)
    sum += shares[i];
  g_assert_cmpuint(sum, ==, 100);
  lac_kind_times_round(&(LacKindTimes){{0}}, shares);
  for (guint i = 0; i < LAC_N_KINDS; i++)
    g_assert_cmpuint(shares[i], ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/perf/operation-kinds/names", test_names);
  g_test_add_func("/perf/operation-kinds/partition", test_partition);
  return g_test_run();
}
