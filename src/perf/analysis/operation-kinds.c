/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of operations by their names: the first row that matches decides. */
#include "perf/analysis/operation-kinds.h"

#include "perf/analysis/time-parts.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

typedef enum { BEGINS, ENDS, HAS } Match;

typedef struct {
  LacOperationKind kind;
  Match            match;
  const char      *words;
} Row;

static const Row rows[] = {
  /* before "forward" and "reverse": both at once, of which only the rest outside the layers is own time */
  {LAC_KIND_OTHER, HAS, "forward+reverse"},
  {LAC_KIND_FORWARD, BEGINS, "forward transform"},
  {LAC_KIND_FORWARD, BEGINS, "inverse transform"},
  {LAC_KIND_BACKWARD, ENDS, "reverse"},
  {LAC_KIND_BACKWARD, ENDS, ", weights"},
  {LAC_KIND_BACKWARD, HAS, "backward"},
  {LAC_KIND_BACKWARD, HAS, "solver and back"},
  {LAC_KIND_BACKWARD, HAS, "gradient and Hessian"},
  {LAC_KIND_BACKWARD, ENDS, "its gradient"},
  {LAC_KIND_BACKWARD, HAS, "parameter gradient"},
  {LAC_KIND_BACKWARD, BEGINS, "pull back"},
  {LAC_KIND_BACKWARD, BEGINS, "propagation back"},
  {LAC_KIND_BACKWARD, BEGINS, "derivative along"},
  {LAC_KIND_FORWARD, ENDS, "forward"},
  {LAC_KIND_FORWARD, HAS, "_forward"},
  {LAC_KIND_FORWARD, BEGINS, "forward "},
  {LAC_KIND_FORWARD, BEGINS, "wavefunction"},
  {LAC_KIND_FORWARD, BEGINS, "orbitals"},
  {LAC_KIND_FORWARD, BEGINS, "velocity and gradient spectra"},
  {LAC_KIND_FORWARD, BEGINS, "advection product"},
  {LAC_KIND_FORWARD, BEGINS, "Runge-Kutta stage"},
  {LAC_KIND_FORWARD, BEGINS, "ensemble forecast"},
  {LAC_KIND_FORWARD, ENDS, " steps"},
  {LAC_KIND_FORWARD, BEGINS, "propagation to"},
  {LAC_KIND_FORWARD, BEGINS, "object transform"},
  {LAC_KIND_FORWARD, BEGINS, "object and its spectrum"},
  {LAC_KIND_FORWARD, BEGINS, "exposures of the step"},
  {LAC_KIND_FORWARD, BEGINS, "up "},
  {LAC_KIND_FORWARD, BEGINS, "convolve "},
  {LAC_KIND_FORWARD, BEGINS, "normalise "},
  {LAC_KIND_FORWARD, BEGINS, "latent "},
  {LAC_KIND_FORWARD, BEGINS, "picture "},
  {LAC_KIND_DATA, BEGINS, "make the truth"},
  {LAC_KIND_DATA, BEGINS, "make the object"},
  {LAC_KIND_DATA, BEGINS, "take the exposures"},
  {LAC_KIND_DATA, BEGINS, "keep readings"},
  {LAC_KIND_DATA, BEGINS, "keep FFT plans"},
  {LAC_KIND_DATA, BEGINS, "restore a checkpoint"},
  {LAC_KIND_DATA, BEGINS, "checkpoint"},
  {LAC_KIND_DATA, BEGINS, "write "},
  {LAC_KIND_DATA, BEGINS, "read "},
  {LAC_KIND_DATA, BEGINS, "journal"},
  {LAC_KIND_DATA, BEGINS, "assemble"},
  {LAC_KIND_DATA, HAS, "load"},
  {LAC_KIND_DATA, HAS, "DataLoader"},
};

static gboolean
matches(const Row *row, const char *name)
{
  switch (row->match) {
  case BEGINS: return g_str_has_prefix(name, row->words);
  case ENDS: return g_str_has_suffix(name, row->words);
  case HAS: return strstr(name, row->words) != NULL;
  }
  g_assert_not_reached();
}

LacOperationKind
lac_operation_kind(const char *name)
{
  g_return_val_if_fail(name != NULL, LAC_KIND_OTHER);
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
    if (matches(&rows[i], name))
      return rows[i].kind;
  return LAC_KIND_OTHER;
}

const char *
lac_operation_kind_key(LacOperationKind kind)
{
  static const char *const keys[LAC_N_KINDS] = {
    [LAC_KIND_FORWARD] = N_("forward"),
    [LAC_KIND_BACKWARD] = N_("backward"),
    [LAC_KIND_DATA] = N_("data"),
    [LAC_KIND_OTHER] = N_("other"),
  };
  g_return_val_if_fail(kind < LAC_N_KINDS, NULL);
  return keys[kind];
}

LacKindTimes
lac_kind_times_of(const LacCapture *capture, const GArray *own)
{
  LacKindTimes times = {0};
  for (guint i = 0; i < own->len; i++) {
    const LacAggregate *row = &g_array_index(own, LacAggregate, i);
    times.ns[lac_operation_kind(lac_capture_get_name(capture, row->name))] += row->self_ns;
  }
  return times;
}

void
lac_kind_times_round(const LacKindTimes *times, guint shares[LAC_N_KINDS])
{
  LacTimePart  list[LAC_N_KINDS];
  LacTimeParts parts = {.parts = list, .n = LAC_N_KINDS};
  for (guint i = 0; i < LAC_N_KINDS; i++) {
    list[i] = (LacTimePart){i, (gint64) llround(times->ns[i])};
    parts.whole_ns += list[i].ns;
  }
  lac_time_parts_round(&parts, 100, shares);
}
