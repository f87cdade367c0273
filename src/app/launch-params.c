/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the group Computation. */
#include "app/launch-params.h"

#include "base/pool.h"

#include <glib/gi18n-lib.h>

typedef struct {
  gint64 seed, threads, backend, precision, profile;
  char  *sweep;
  double time_limit;
} LacLaunchParams;

/* Then the other cards, by number. */
static const char *const backends[] = {"auto", "cpu", "strict", "cuda"};
static const char *const precisions[] = {"auto", "f64", "f32", "bf16x6", "bf16x3", NULL};
static const char *const details[] = {"off", "coarse", "full", NULL};

static const LacParam rows[] = {
  {LAC_FIELD(LacLaunchParams, seed), LAC_PARAM_INTEGER, "1", 0, 9007199254740991.0, 0, N_("Seed"),
   N_("Computation"), N_("The same seed gives the same numbers, for any number of threads."),
   LAC_PARAM_BASIC},
  {LAC_FIELD(LacLaunchParams, threads), LAC_PARAM_INTEGER, "1", 1, 1024, 1, N_("Threads"),
   N_("Computation"), N_("One fewer than there are cores keeps the window fluid."),
   LAC_PARAM_BASIC},
  {LAC_FIELD(LacLaunchParams, backend), LAC_PARAM_CHOICE, "1", 0, 3, 0, N_("Backend"),
   N_("Computation"),
   N_("What computes the run; auto measures a step on GPU and processor and takes the faster one."),
   LAC_PARAM_BASIC},
  {LAC_FIELD(LacLaunchParams, precision), LAC_PARAM_CHOICE, "1", 0, 4, 0, N_("Precision"),
   N_("Computation"), N_("Auto takes what the experiment was measured with."), LAC_PARAM_ADVANCED,
   precisions},
  {LAC_FIELD(LacLaunchParams, profile), LAC_PARAM_CHOICE, "1", 0, 2, 1, N_("Profiling"),
   N_("Computation"), N_("How much the timeline records: nothing, operations, or every tile."),
   LAC_PARAM_ADVANCED, details},
  {LAC_FIELD(LacLaunchParams, sweep), LAC_PARAM_TEXT, "1", 0, 0, 0, N_("Sweep"), N_("Computation"),
   N_("sensors=4,8,12 makes a run for each, one table and one chart; several after a semicolon: "
      "every combination. together; sensors=4,8; noise=0,1 takes the first values, then the second "
      "ones; random 20; sensors=4..16; noise=0.1..10 log draws twenty runs"),
   LAC_PARAM_BASIC},
  {LAC_FIELD(LacLaunchParams, time_limit), LAC_PARAM_REAL, "s", 0, 1e7, 0, N_("Time limit"),
   N_("Computation"), N_("The run ends with a checkpoint after so long; 0: when it is done."),
   LAC_PARAM_ADVANCED},
};

/* The choices of this machine; they live as long as the process. */
static void
set_backends(LacParam *row)
{
  GPtrArray  *choices = g_ptr_array_new();
  const guint n_cards = lac_device_count_cards();
  for (gsize i = 0; i < G_N_ELEMENTS(backends); i++)
    g_ptr_array_add(choices, (gpointer) backends[i]);
  for (guint number = 1; number < n_cards; number++)
    g_ptr_array_add(choices, g_strdup_printf("cuda:%u", number));
  row->max = choices->len - 1;
  g_ptr_array_add(choices, NULL);
  row->choices = (const char *const *) g_ptr_array_free(choices, FALSE);
}

const LacParamTable *
lac_launch_params(void)
{
  static LacParam      here[G_N_ELEMENTS(rows)];
  static LacParamTable table;
  static gsize         once = 0;
  if (g_once_init_enter(&once)) {
    guint cores = MAX(lac_pool_available(), 1);
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
      here[i] = rows[i];
    here[1].max = MAX(cores, 1);
    here[1].fallback = MAX(cores, 2) - 1;
    set_backends(&here[2]);
    table = (LacParamTable){here, G_N_ELEMENTS(here), sizeof(LacLaunchParams)};
    g_once_init_leave(&once, 1);
  }
  return &table;
}

void
lac_launch_params_fill(const LacDraft *draft, LacRunSettings *settings)
{
  g_return_if_fail(lac_draft_get_table(draft) == lac_launch_params());
  const LacLaunchParams *values = lac_draft_get_values(draft);
  settings->seed = (guint64) values->seed;
  settings->threads = (guint) values->threads;
  settings->backend = lac_launch_params()->rows[2].choices[values->backend];
  settings->precision = precisions[values->precision];
  settings->time_limit = values->time_limit;
  settings->detail = (LacPerfDetail) values->profile;
}

const char *
lac_launch_params_get_sweep(const LacDraft *draft)
{
  g_return_val_if_fail(lac_draft_get_table(draft) == lac_launch_params(), NULL);
  return ((const LacLaunchParams *) lac_draft_get_values(draft))->sweep;
}
