/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers with five streams, as in a network for the plane Navier-Stokes equations. */
#include "jet-layers.h"

#include "bench/harness/pair.h"
#include "bench/harness/program.h"

enum { N_ROUNDS = 7 };

typedef struct {
  LacDevice device;
  LacLayer  args;
  LacJet    jet;
  gsize     n_calls; /* per measurement */
} Subject;

static void
must(LacStatus status)
{
  if (status != LAC_STATUS_OK)
    g_error("a layer: %s", lac_status_text(status));
}

static void *
take(LacDevice device, LacType type, gsize n, double value)
{
  void *memory = NULL;

  must(device.table->alloc(device.self, n * lac_type_size(type), &memory));
  must(device.table->fill(device.self, type, memory, value, n));
  return memory;
}

static void
subject_init(Subject *subject, LacDevice device, LacType type, gsize width, gsize n_points)
{
  LacLayer *a = &subject->args;

  *subject = (Subject){.device = device};
  subject->jet = lac_jet(3, (const unsigned[]){1, 1, 1}, (const double[]){1, 1, 0});
  *a = (LacLayer){LAC_SCALAR_TANH, type, &subject->jet, n_points, width, width};
  const gsize n = n_points * subject->jet.n_streams * width;

  a->x = take(device, type, n, 0.1);
  a->w = take(device, type, width * width, 0.01);
  a->bias = take(device, type, width, 0.1);
  a->y = take(device, type, n, 0);
  a->saved = take(device, type, n, 0.1);
  a->y_bar = take(device, type, n, 0.1);
  a->x_bar = take(device, type, n, 0);
  a->w_bar = take(device, type, width * width, 0);
  a->bias_bar = take(device, type, width, 0);
  a->x_bar_fresh = TRUE;
}

static void
subject_clear(Subject *subject)
{
  const LacLayer *a = &subject->args;
  void *const     memory[] = {(void *) a->x, (void *) a->w, (void *) a->bias, a->y,       a->saved,
                              a->y_bar,      a->x_bar,      a->w_bar,         a->bias_bar};

  for (gsize i = 0; i < G_N_ELEMENTS(memory); i++)
    subject->device.table->release(subject->device.self, memory[i]);
}

/* A variant of computing one layer. */
typedef struct {
  const Subject *subject;
  gboolean       reverse, fused;
} Way;

/* Returns the milliseconds per call over many calls. */
static gboolean
time_calls(gpointer data, double *ms, GError **error)
{
  const Way        *way = data;
  const Subject    *subject = way->subject;
  const LacBackend *table = subject->device.table;
  void             *self = subject->device.self;
  LacLayer          args = subject->args;

  args.fused = way->fused;
  must(table->synchronise(self));
  const double begin = lac_bench_wall_seconds();
  for (gsize i = 0; i < subject->n_calls; i++)
    must(way->reverse ? table->layer_reverse(self, &args) : table->layer(self, &args));
  must(table->synchronise(self));
  *ms = 1e3 * (lac_bench_wall_seconds() - begin) / (double) subject->n_calls;
  return TRUE;
}

/* Measures both variants alternately, after one warm-up call of each. */
static void
measure(const Subject *subject, const char *name, gboolean reverse)
{
  const char *direction = reverse ? "reverse" : "forward";
  Way         with = {subject, reverse, TRUE}, without = {subject, reverse, FALSE};
  double      composed[N_ROUNDS], fused[N_ROUNDS], ratios[N_ROUNDS];

  if (subject->device.table->layer_fusion(subject->device.self, &subject->args, reverse) ==
      LAC_FUSION_NONE)
    return;
  time_calls(&without, composed, NULL);
  time_calls(&with, fused, NULL);
  lac_bench_take_turns(
    &(LacBenchTurns){time_calls, &with, &without, N_ROUNDS, fused, composed, ratios}, NULL);
  g_autofree char *apart = g_strconcat(direction, "_composed_wall", NULL);
  g_autofree char *together = g_strconcat(direction, "_fused_wall", NULL);
  g_autofree char *ratio = g_strconcat(direction, "_composed_over_fused", NULL);

  bench_print(bench_row(name, apart, "ms", LAC_BENCH_TIME, 0), composed, N_ROUNDS);
  bench_print(bench_row(name, together, "ms", LAC_BENCH_TIME, 0), fused, N_ROUNDS);
  bench_print(bench_row(name, ratio, "1", LAC_BENCH_SPEEDUP, 0), ratios, N_ROUNDS);
}

void
bench_jet_layers(LacDevice device, gboolean is_small)
{
  static const gsize shapes[][3] = {/* width, points, calls */
                                    {64, 4096, 200},
                                    {128, 4096, 200},
                                    {256, 4096, 100},
                                    {128, 100000, 10},
                                    {256, 100000, 10}};
  const gsize        n_shapes = is_small ? 1 : G_N_ELEMENTS(shapes);

  for (gsize s = 0; s < n_shapes && device.table->layer_fusion; s++)
    for (int type = LAC_F32; type <= LAC_F64; type++) {
      const gsize      n_points = is_small ? 33 : shapes[s][1];
      g_autofree char *name = g_strdup_printf(
        "device/jet-layer-%" G_GSIZE_FORMAT "x%" G_GSIZE_FORMAT "-points-%" G_GSIZE_FORMAT "-%s",
        shapes[s][0], shapes[s][0], n_points, type == LAC_F32 ? "f32" : "f64");
      Subject subject;

      subject_init(&subject, device, (LacType) type, shapes[s][0], n_points);
      subject.n_calls = is_small ? 1 : shapes[s][2];
      for (int reverse = 0; reverse < 2; reverse++)
        measure(&subject, name, reverse);
      subject_clear(&subject);
    }
}
