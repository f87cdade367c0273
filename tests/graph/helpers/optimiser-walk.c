/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Optimiser steps, and transfer of the function between host and device. */
#include "optimiser-walk.h"

#include <string.h>

static gboolean
evaluate(gconstpointer theta, gpointer gradient, double *loss, gpointer user_data, GError **error)
{
  WalkObjective *objective = user_data;
  LacDevice      device = objective->device;
  double         x[WALK_MAX_N], g[WALK_MAX_N];

  device.table->download(device.self, x, theta, objective->n * sizeof *x);
  *loss = objective->function(x, g, objective->n, objective->data);
  device.table->upload(device.self, gradient, g, objective->n * sizeof *g);
  objective->n_calls++;
  return TRUE;
}

double
rosenbrock(const double *x, double *g, gsize n, gpointer data)
{
  double f = 0;

  memset(g, 0, n * sizeof *g);
  for (gsize i = 0; i + 1 < n; i++) {
    double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];

    f += 100 * a * a + b * b;
    g[i] += -400 * a * x[i] - 2 * b;
    g[i + 1] += 200 * a;
  }
  return f;
}

void
walk_init(Walk                       *f,
          const LacOptimiserSettings *settings,
          gsize                       n,
          const double               *start,
          guint                       n_threads)
{
  g_autoptr(GError) error = NULL;

  memset(f, 0, sizeof *f);
  g_assert_true(lac_device_open(&f->objective.device, "strict", &error));
  f->objective.n = n;
  f->objective.function = rosenbrock;
  f->pool = lac_pool_new(n_threads);
  f->objective.device.table->alloc(f->objective.device.self, n * sizeof(double), &f->theta);
  f->objective.device.table->upload(f->objective.device.self, f->theta, start, n * sizeof(double));
  f->optimiser = lac_optimiser_new(settings, n, f->objective.device, LAC_F64, f->pool, &error);
  g_assert_no_error(error);
}

void
walk_clear(Walk *f)
{
  lac_optimiser_free(f->optimiser);
  f->objective.device.table->release(f->objective.device.self, f->theta);
  lac_device_close(&f->objective.device);
  lac_pool_free(f->pool);
}

LacOptimiserReport
walk_step(Walk *f)
{
  g_autoptr(GError)  error = NULL;
  LacOptimiserReport report;

  lac_optimiser_step(f->optimiser, f->theta, evaluate, &f->objective, &report, &error);
  g_assert_no_error(error);
  return report;
}

void
walk_read(Walk *f, double *theta)
{
  LacDevice device = f->objective.device;

  device.table->download(device.self, theta, f->theta, f->objective.n * sizeof *theta);
}
