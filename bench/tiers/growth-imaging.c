/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growth of the imaging laboratory: steps of classical methods. */
#include "bench/tiers/growth-private.h"
#include "bench/tiers/training.h"

#include <math.h>

enum { N_APERTURES = 16, SIZE = 64 };

static const LacBenchSetting common[] = {
  {"judge", "100000"},
  {"stop_at_noise", "no"},
  {"raar_iterations", "100000"},
  {"pie_sweeps", "100000"},
  {NULL, NULL},
};

static void
end_reconstruction(gpointer subject)
{
  lac_bench_training_close(subject);
  g_free(subject);
}

/* Grid, aperture and region grow with the object, so that the overlap of the exposures stays the same. */
static gboolean
set_sizes(LacBenchTraining *training, gsize size, gsize n_apertures, GError **error)
{
  return lac_bench_training_set(training, "size", (gint64) size, error) &&
         lac_bench_training_set(training, "grid", 2 * (gint64) size, error) &&
         lac_bench_training_set(training, "diameter", (gint64) size / 4, error) &&
         lac_bench_training_set(training, "roi", (gint64) size, error) &&
         lac_bench_training_set(training, "apertures", (gint64) n_apertures, error);
}

static gpointer
begin_reconstruction(const char *method, gsize size, gsize n_apertures, GError **error)
{
  LacBenchTraining *training = g_new0(LacBenchTraining, 1);
  const LacBenchWay way = lac_bench_way(1, "f64");

  if (lac_bench_training_open(training, &way, "moon", common, error) &&
      lac_draft_set(training->draft, "solver", method, error) &&
      set_sizes(training, size, n_apertures, error) && lac_bench_training_set_up(training, error))
    return training;
  end_reconstruction(training);
  return NULL;
}

static gboolean
step(gpointer subject, GError **error)
{
  LacOutcome outcome;

  return lac_bench_training_step(subject, &outcome, error);
}

static gpointer
begin_raar_object(gsize size, GError **error)
{
  return begin_reconstruction("raar", size, N_APERTURES, error);
}

static gpointer
begin_raar_exposures(gsize size, GError **error)
{
  return begin_reconstruction("raar", SIZE, size, error);
}

static gpointer
begin_pie_object(gsize size, GError **error)
{
  return begin_reconstruction("pie", size, N_APERTURES, error);
}

static gpointer
begin_pie_exposures(gsize size, GError **error)
{
  return begin_reconstruction("pie", SIZE, size, error);
}

/* Transforms of all detectors and of the object, 5 n log2 n operations each. */
static double
transform(double side)
{
  return 5 * side * side * 2 * log2(side);
}

/* Two passes over the detectors, two transforms each, and three transforms of the object. */
static double
raar_flops(double size, double n_apertures)
{
  return 4 * n_apertures * transform(size / 2) + 3 * transform(size);
}

static double
raar_object_flops(gsize size, gconstpointer subject)
{
  return raar_flops((double) size, N_APERTURES);
}

static double
raar_exposures_flops(gsize size, gconstpointer subject)
{
  return raar_flops(SIZE, (double) size);
}

/* Every exposure changes the object. */
static double
pie_flops(double size, double n_apertures)
{
  return n_apertures * (2 * transform(size / 2) + 2 * size * size);
}

static double
pie_object_flops(gsize size, gconstpointer subject)
{
  return pie_flops((double) size, N_APERTURES);
}

static double
pie_exposures_flops(gsize size, gconstpointer subject)
{
  return pie_flops(SIZE, (double) size);
}

static double
linear(gsize size, gconstpointer subject)
{
  return (double) size;
}

static double
square(gsize size, gconstpointer subject)
{
  return (double) size * (double) size;
}

const LacGrowthRow lac_growth_imaging_rows[] = {
  {"raar_step",
   "object",
   "n log n",
   "FLOP/s",
   {64, 128, 256, 512},
   raar_object_flops,
   square,
   begin_raar_object,
   step,
   end_reconstruction},
  {"raar_step",
   "exposures",
   "A d log d + n log n",
   "FLOP/s",
   {16, 32, 64, 128, 256},
   raar_exposures_flops,
   linear,
   begin_raar_exposures,
   step,
   end_reconstruction},
  {"pie_sweep",
   "object",
   "A (d log d + n)",
   "FLOP/s",
   {64, 128, 256, 512},
   pie_object_flops,
   square,
   begin_pie_object,
   step,
   end_reconstruction},
  {"pie_sweep",
   "exposures",
   "A (d log d + n)",
   "FLOP/s",
   {16, 32, 64, 128, 256},
   pie_exposures_flops,
   linear,
   begin_pie_exposures,
   step,
   end_reconstruction},
  {NULL},
};
