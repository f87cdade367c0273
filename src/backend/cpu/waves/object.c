/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descents over the pixels of an object on the CPU, shared among the threads of the pool by rows. */
#include "backend/cpu/waves/object.h"

#include "base/pool.h"

/* Runs @func for each row, in @pool unless it is NULL. */
static LacStatus
run(LacPool *pool, gsize n_rows, LacPoolFunc func, gconstpointer args)
{
  if (pool)
    lac_pool_run(pool, n_rows, func, (gpointer) args);
  for (gsize row = 0; !pool && row < n_rows; row++)
    func(row, 0, (gpointer) args);
  return LAC_STATUS_OK;
}

/* Defines the entry that applies a formula to every pixel. */
#define PIXELS(name, Args, formula)                                            \
  static void name##_row(gsize row, guint worker G_GNUC_UNUSED, gpointer data) \
  {                                                                            \
    const Args *args = data;                                                   \
                                                                               \
    for (gsize i = row * args->support; i < (row + 1) * args->support; i++)    \
      formula(args, i);                                                        \
  }                                                                            \
                                                                               \
  LacStatus lac_cpu_##name(void *self G_GNUC_UNUSED, const Args *args)         \
  {                                                                            \
    return run(args->pool, args->support, name##_row, args);                   \
  }
PIXELS(reparametrise, LacWaveVariables, lac_wave_variables_find_object)
PIXELS(reparametrise_reverse, LacWaveVariables, lac_wave_variables_find_bar)
PIXELS(conjugate, LacWaveConjugate, lac_wave_conjugate_turn)
#undef PIXELS

static void
penalise_row(gsize row, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const LacWaveVariables *args = user_data;
  double                  sum = 0;

  for (gsize x = 0; x < args->support; x++)
    sum += lac_wave_variables_penalise(args, row, x);
  args->penalties[row] = sum;
}

LacStatus
lac_cpu_penalise(void *self G_GNUC_UNUSED, const LacWaveVariables *args)
{
  return run(args->pool, args->support, penalise_row, args);
}

LacStatus
lac_cpu_newton(void *self G_GNUC_UNUSED, const LacWaveNewton *args)
{
  LacWaveSlopes sum = {0};

  for (gsize slot = 0; slot < args->n_slots; slot++) {
    sum.first += args->slopes[slot].first;
    sum.second += args->slopes[slot].second;
    sum.most += args->slopes[slot].most;
  }
  *args->t = lac_wave_newton_find_t(args, sum);
  return LAC_STATUS_OK;
}
