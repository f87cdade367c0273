/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fused layer of every instruction set against its composed equivalent, the reverse against finite differences,
 * and tanh against the C library in a wider type. */
#include "backend/cpu/kernels/kernels.h"
#include "backend/registry.h"

#include <glib.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define GUARD_BYTES 64
#define GUARD       0x5a

typedef struct {
  const char *name;
  guint       n_directions;
  guint       orders[8];
  double      weights[8];
} JetCase;

static const JetCase jets[] = {
  {"heat", 3, {1, 1, 1}, {1, 1, 0}},
  {"value", 0, {0}, {0}},
  {"gradient", 3, {1, 1, 1}, {0}},
  {"wave", 3, {2, 2, 2}, {0}},
  {"mixed and sum", 3, {2, 1, 2}, {0.5, -1, 0}},
  {"twelve and more", 7, {2, 2, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1}},
};

static const char *const levels[] = {"v3", "v4"};

/* One set of buffers of a layer, each followed by guard bytes. */
typedef enum { X, W, BIAS, Y, SAVED, Y_BAR, X_BAR, W_BAR, BIAS_BAR, N_BUFFERS } Which;

typedef struct {
  LacLayer args;
  LacJet   jet;
  gsize    length[N_BUFFERS];
  guint8  *memory[N_BUFFERS];
  guint8  *packed[2];
} Bench;

static LacDevice
open_level(const char *level)
{
  LacDevice         device;
  g_autoptr(GError) error = NULL;

  g_setenv("LACUNA_CPU_LEVEL", level, TRUE);
  lac_device_open(&device, "cpu", &error);
  g_assert_no_error(error);
  g_unsetenv("LACUNA_CPU_LEVEL");
  return device;
}

/* Aligned to exactly 64 bytes. */
static guint8 *
guarded(gsize n_bytes)
{
  guint8 *memory = g_aligned_alloc(1, n_bytes + GUARD_BYTES + 64, 128);

  memset(memory, GUARD, n_bytes + GUARD_BYTES + 64);
  return memory + 64;
}

static double
get(const Bench *bench, Which which, gsize i)
{
  return bench->args.type == LAC_F32 ? (double) ((float *) bench->memory[which])[i]
                                     : ((double *) bench->memory[which])[i];
}

static void
set(Bench *bench, Which which, gsize i, double value)
{
  if (bench->args.type == LAC_F32)
    ((float *) bench->memory[which])[i] = (float) value;
  else
    ((double *) bench->memory[which])[i] = value;
}

static void
bench_init(Bench *bench, const JetCase *row, LacType type, gsize n_points, gsize n_in, gsize n_out)
{
  gboolean sums = FALSE;
  gsize    n_rows;

  for (guint d = 0; d < row->n_directions; d++)
    sums |= row->weights[d] < 0 || row->weights[d] > 0;
  memset(bench, 0, sizeof *bench);
  bench->jet = lac_jet(row->n_directions, row->orders, sums ? row->weights : NULL);
  n_rows = n_points * bench->jet.n_streams;
  bench->args = (LacLayer){LAC_SCALAR_TANH, type, &bench->jet, n_points, n_in, n_out};
  bench->length[X] = bench->length[X_BAR] = n_rows * n_in;
  bench->length[W] = bench->length[W_BAR] = n_in * n_out;
  bench->length[BIAS] = bench->length[BIAS_BAR] = n_out;
  bench->length[Y] = bench->length[SAVED] = bench->length[Y_BAR] = n_rows * n_out;
  for (guint i = 0; i < N_BUFFERS; i++)
    bench->memory[i] = guarded(bench->length[i] * lac_type_size(type));
}

/* Fills with the same values for the same shape, on any device. */
static void
bench_fill(Bench *bench)
{
  for (guint i = 0; i < N_BUFFERS; i++) {
    double  scale = i == W ? 2 / sqrt((double) bench->args.n_in) : 1;
    guint64 word = 88172645463325252u + i;

    for (gsize k = 0; k < bench->length[i]; k++) {
      word ^= word << 13, word ^= word >> 7, word ^= word << 17;
      set(bench, i, k, scale * ((double) (word >> 11) * 0x1p-52 - 1));
    }
  }
}

static void
bench_clear(Bench *bench)
{
  for (guint i = 0; i < N_BUFFERS; i++)
    g_aligned_free(bench->memory[i] - 64);
  for (guint i = 0; i < 2; i++) {
    if (bench->packed[i])
      g_aligned_free(bench->packed[i] - 64);
  }
}

static void
assert_guard(const guint8 *memory, gsize n_bytes)
{
  for (gsize i = 0; i < GUARD_BYTES; i++)
    g_assert_cmpuint(memory[n_bytes + i], ==, GUARD);
}

static void
bench_run(Bench *bench, LacDevice device, gboolean reverse)
{
  const LacBackend *table = device.table;
  LacLayer         *args = &bench->args;
  gsize             n_bytes = table->layer_pack_bytes(device.self, args);

  for (guint i = 0; i < 2; i++) {
    if (!bench->packed[i])
      bench->packed[i] = guarded(n_bytes);
  }
  args->x = bench->memory[X];
  args->w = bench->memory[W];
  args->bias = bench->memory[BIAS];
  args->w_forward = bench->packed[0];
  args->w_reverse = bench->packed[1];
  args->y = bench->memory[Y];
  args->saved = bench->memory[SAVED];
  args->y_bar = bench->memory[Y_BAR];
  args->x_bar = bench->memory[X_BAR];
  args->w_bar = bench->memory[W_BAR];
  args->bias_bar = bench->memory[BIAS_BAR];
  g_assert_cmpint(table->layer_pack(device.self, args, bench->packed[0], bench->packed[1]), ==,
                  LAC_STATUS_OK);
  g_assert_cmpint(table->layer(device.self, args), ==, LAC_STATUS_OK);
  if (reverse)
    g_assert_cmpint(table->layer_reverse(device.self, args), ==, LAC_STATUS_OK);
  for (guint i = 0; i < N_BUFFERS; i++)
    assert_guard(bench->memory[i], bench->length[i] * lac_type_size(args->type));
  for (guint i = 0; i < 2; i++)
    assert_guard(bench->packed[i], n_bytes);
}

/* Two orders of summation of `depth` products differ by at most 2 depth roundings of the sum of absolute values, here
 * bounded by sqrt(depth) times the largest element, and the epilogue multiplies by at most 8 (three factors of slopes
 * up to 2). */
static void
assert_close(const Bench *fused, const Bench *composed, Which which, gsize depth)
{
  double rounding = fused->args.type == LAC_F32 ? FLT_EPSILON : DBL_EPSILON;
  double largest = 1, worst = 0;

  for (gsize i = 0; i < fused->length[which]; i++) {
    largest = MAX(largest, fabs(get(composed, which, i)));
    worst = MAX(worst, fabs(get(fused, which, i) - get(composed, which, i)));
    g_assert_false(isnan(get(fused, which, i)) || isnan(get(composed, which, i)));
  }
  g_assert_cmpfloat(worst, <=, 8 * (double) (depth + 4) * rounding * largest);
}

static void
compare(LacDevice device, LacDevice twin, const JetCase *jet, LacType type, const gsize shape[3])
{
  Bench fused, composed;
  gsize n_rows;

  bench_init(&fused, jet, type, shape[0], shape[1], shape[2]);
  bench_init(&composed, jet, type, shape[0], shape[1], shape[2]);
  bench_fill(&fused);
  bench_fill(&composed);
  fused.args.jet = &fused.jet;
  composed.args.jet = &composed.jet;
  n_rows = shape[0] * fused.jet.n_streams;
  fused.args.x_bar_fresh = composed.args.x_bar_fresh = shape[0] % 2 == 0;
  bench_run(&fused, device, TRUE);
  bench_run(&composed, twin, TRUE);
  assert_close(&fused, &composed, Y, shape[1]);
  assert_close(&fused, &composed, Y_BAR, shape[1]);
  assert_close(&fused, &composed, X_BAR, shape[1] + shape[2]);
  assert_close(&fused, &composed, W_BAR, shape[1] + n_rows);
  assert_close(&fused, &composed, BIAS_BAR, shape[1] + shape[0]);
  bench_clear(&fused);
  bench_clear(&composed);
}

static void
test_composed(gconstpointer data)
{
  const gsize widths[] = {1, 3, 20, 31, 64, 128, 200}, points[] = {1, 7, 33};
  LacDevice   device = open_level(data), twin = open_level("baseline");

  for (guint type = LAC_F32; type <= LAC_F64; type++) {
    for (gsize p = 0; p < G_N_ELEMENTS(points); p++)
      for (gsize i = 0; i < G_N_ELEMENTS(widths); i++)
        for (gsize o = 0; o < G_N_ELEMENTS(widths); o++)
          compare(device, twin, &jets[0], type, (gsize[]){points[p], widths[i], widths[o]});
    for (gsize j = 0; j < G_N_ELEMENTS(jets); j++)
      for (gsize p = 1; p <= 33; p++)
        compare(device, twin, &jets[j], type, (gsize[]){p, 7 + p, 40 - p});
  }
  lac_device_close(&device);
  lac_device_close(&twin);
}

/* <y_bar, y> after a step h of every input along its own direction. */
static double
paired(Bench *bench, LacDevice device, const Bench *at, double h)
{
  double sum = 0;

  for (guint i = X; i <= BIAS; i++)
    for (gsize k = 0; k < bench->length[i]; k++)
      set(bench, i, k, get(at, i, k) + h * cos(1 + (double) (3 * k + i)));
  bench_run(bench, device, FALSE);
  for (gsize k = 0; k < bench->length[Y]; k++)
    sum += get(at, Y_BAR, k) * get(bench, Y, k);
  return sum;
}

/* The directional derivative of <y_bar, y> is <x_bar, dx> + <w_bar, dw> + <bias_bar, dbias>. A central difference of
 * step h errs by h^2 times a third derivative of order 10^2 and by rounding / h: 1e-8 of the sum at h = 1e-5. */
static void
test_difference(gconstpointer data)
{
  const double h = 1e-5;
  LacDevice    device = open_level(data);

  for (gsize j = 0; j < G_N_ELEMENTS(jets); j++) {
    Bench  at, moved;
    double difference, paired_bars = 0, size = 0;

    bench_init(&at, &jets[j], LAC_F64, 5, 21, 35);
    bench_init(&moved, &jets[j], LAC_F64, 5, 21, 35);
    at.args.jet = &at.jet;
    moved.args.jet = &moved.jet;
    bench_fill(&at);
    difference = (paired(&moved, device, &at, h) - paired(&moved, device, &at, -h)) / (2 * h);
    for (guint i = X_BAR; i <= BIAS_BAR; i++)
      memset(at.memory[i], 0, at.length[i] * sizeof(double));
    bench_run(&at, device, TRUE);
    for (guint i = X; i <= BIAS; i++)
      for (gsize k = 0; k < at.length[i]; k++) {
        double term = get(&at, X_BAR + i, k) * cos(1 + (double) (3 * k + i));
        paired_bars += term;
        size += fabs(term);
      }
    g_test_message("%s: %.12g, by differences %.12g", jets[j].name, paired_bars, difference);
    g_assert_cmpfloat(size, >, 1);
    g_assert_cmpfloat(fabs(difference - paired_bars), <=, 1e-8 * size);
    bench_clear(&at);
    bench_clear(&moved);
  }
  lac_device_close(&device);
}

#ifdef __x86_64__
static gboolean
have_level(const char *level)
{
  __builtin_cpu_init();
  return g_str_equal(level, "v4") ? __builtin_cpu_supports("x86-64-v4") != 0
                                  : __builtin_cpu_supports("x86-64-v3") != 0;
}

static double
ulp(double value, double rounding)
{
  return value > 0 ? ldexp(1, ilogb(value)) * rounding : 0;
}

/* One division, one expm1 with a Taylor remainder below a quarter of a rounding and three products: 4 units in the
 * last place. */
static void
check_tanh_at(const LacLayerKernels *kernels, LacType type, double x)
{
  double rounding = type == LAC_F32 ? FLT_EPSILON : DBL_EPSILON, t, s;

  if (type == LAC_F32) {
    float in[2] = {(float) x, (float) -x}, out[2], slope[2];
    kernels->tanh_array(2, in, out, slope);
    g_assert_true(out[0] == -out[1] && slope[0] == slope[1]);
    x = (double) in[0], t = (double) out[0], s = (double) slope[0];
  } else {
    double in[2] = {x, -x}, out[2], slope[2];
    kernels->tanh_array(2, in, out, slope);
    g_assert_true(out[0] == -out[1] && slope[0] == slope[1]);
    t = out[0], s = slope[0];
  }
  long double exact = tanhl(x), slope = 1 / (coshl(x) * coshl(x));
  g_assert_cmpfloat(fabs((double) (t - exact)), <=, 4 * ulp((double) exact, rounding));
  if (x < 20) /* the remainder's square underflows double only far beyond */
    g_assert_cmpfloat(fabs((double) (s - slope)), <=, 8 * ulp((double) slope, rounding));
  g_assert_cmpfloat(t, <=, 1);
}

static void
test_tanh(gconstpointer data)
{
  const gboolean         is_v4 = g_str_equal(data, "v4");
  const LacLayerKernels *kernels[] = {is_v4 ? &lac_layer_kernels_v4_f32 : &lac_layer_kernels_v3_f32,
                                      is_v4 ? &lac_layer_kernels_v4_f64
                                            : &lac_layer_kernels_v3_f64};

  if (!have_level(data)) {
    g_test_skip("this processor does not have the instructions");
    return;
  }
  for (guint type = LAC_F32; type <= LAC_F64; type++) {
    double extremes[3] = {0, INFINITY, (double) NAN}, out[3], slope[3];
    float  short_extremes[3] = {0, INFINITY, NAN}, short_out[3], short_slope[3];

    for (int i = 0; i < 40000; i++)
      check_tanh_at(kernels[type], type, pow(10, -6 + 8.5 * i / 40000));
    if (type == LAC_F64) {
      kernels[type]->tanh_array(3, extremes, out, slope);
      g_assert_true(out[0] == 0 && out[1] == 1 && isnan(out[2]) && isnan(slope[2]));
    } else {
      kernels[type]->tanh_array(3, short_extremes, short_out, short_slope);
      g_assert_true(short_out[0] == 0 && short_out[1] == 1 && isnan(short_out[2]) &&
                    isnan(short_slope[2]));
    }
  }
}
#endif

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(levels); i++) {
    g_autofree char *composed =
      g_strdup_printf("/contract/layer/%s/equals-linear-then-map", levels[i]);
    g_autofree char *difference =
      g_strdup_printf("/contract/layer/%s/reverse-equals-differences", levels[i]);

    g_test_add_data_func(composed, levels[i], test_composed);
    g_test_add_data_func(difference, levels[i], test_difference);
#ifdef __x86_64__
    g_autofree char *tanh =
      g_strdup_printf("/contract/layer/%s/tanh-to-four-units-of-the-last-place", levels[i]);
    g_test_add_data_func(tanh, levels[i], test_tanh);
#endif
  }
  return g_test_run();
}
