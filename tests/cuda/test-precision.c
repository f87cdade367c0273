/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products of values split into bfloat16, with its true rounding: errors relative to double precision. */
#include "emulated.h"

#include <math.h>

enum { N_ROWS = 4500, N_IN = 48, N_OUT = 40 }; /* more rows than are split at a time */

typedef struct {
  float *x, *w, *y_bar;          /* host */
  float *y, *x_bar, *w_bar;      /* host, results; w_bar is initialised to ones */
  void  *at_x, *at_w, *at_y_bar; /* device */
  void  *at_y, *at_x_bar, *at_w_bar;
} Matrices;

static float *
uniform(GRand *random, gsize n)
{
  float *values = g_new(float, n);

  for (gsize i = 0; i < n; i++)
    values[i] = (float) g_rand_double_range(random, -1, 1);
  return values;
}

static void *
send(const LacDevice *device, const float *values, gsize n)
{
  void *memory = NULL;

  g_assert_cmpint(device->table->alloc(device->self, n * sizeof *values, &memory), ==,
                  LAC_STATUS_OK);
  g_assert_cmpint(device->table->upload(device->self, memory, values, n * sizeof *values), ==,
                  LAC_STATUS_OK);
  return memory;
}

static void
run_products(const LacDevice *device, Matrices *m)
{
  g_autofree float *ones = g_new(float, N_IN *N_OUT);
  LacLinear         args = {
            .type = LAC_F32, .n_points = N_ROWS, .n_streams = 1, .n_in = N_IN, .n_out = N_OUT};

  for (gsize i = 0; i < N_IN * N_OUT; i++)
    ones[i] = 1;
  args.x = m->at_x;
  args.w = m->at_w;
  args.y = m->at_y;
  g_assert_cmpint(
    device->table->upload(device->self, m->at_w_bar, ones, N_IN * N_OUT * sizeof *ones), ==,
    LAC_STATUS_OK);
  g_assert_cmpint(device->table->linear(device->self, &args), ==, LAC_STATUS_OK);
  args.y_bar = m->at_y_bar;
  args.x_bar = m->at_x_bar;
  args.w_bar = m->at_w_bar;
  args.x_bar_fresh = 1;
  g_assert_cmpint(device->table->linear_reverse(device->self, &args), ==, LAC_STATUS_OK);
  device->table->download(device->self, m->y, m->at_y, N_ROWS * N_OUT * sizeof(float));
  device->table->download(device->self, m->x_bar, m->at_x_bar, N_ROWS * N_IN * sizeof(float));
  device->table->download(device->self, m->w_bar, m->at_w_bar, N_IN * N_OUT * sizeof(float));
}

/* sqrt of the sum of squares of found - c(i, j) over that of c(i, j) = start + sum_k a(i, k) b(k, j) */
typedef struct {
  gsize        n_rows, n_columns, depth;
  const float *a, *b;
  gsize        a_row, a_depth, b_depth, b_column;
  double       start;
} Exact;

static double
error_of(const Exact *exact, const float *found)
{
  double difference = 0, size = 0;

  for (gsize i = 0; i < exact->n_rows; i++)
    for (gsize j = 0; j < exact->n_columns; j++) {
      double sum = exact->start;

      for (gsize k = 0; k < exact->depth; k++)
        sum += (double) exact->a[i * exact->a_row + k * exact->a_depth] *
               (double) exact->b[k * exact->b_depth + j * exact->b_column];
      difference += pow((double) found[i * exact->n_columns + j] - sum, 2);
      size += sum * sum;
    }
  return sqrt(difference / size);
}

/* y = x w^T, x_bar = y_bar w, w_bar = 1 + y_bar^T x: the largest of the three errors */
static double
worst_error(const Matrices *m)
{
  const Exact y = {N_ROWS, N_OUT, N_IN, m->x, m->w, N_IN, 1, 1, N_IN, 0};
  const Exact x_bar = {N_ROWS, N_IN, N_OUT, m->y_bar, m->w, N_OUT, 1, N_IN, 1, 0};
  const Exact w_bar = {N_OUT, N_IN, N_ROWS, m->y_bar, m->x, 1, N_OUT, N_IN, 1, 1};

  return fmax(error_of(&y, m->y), fmax(error_of(&x_bar, m->x_bar), error_of(&w_bar, m->w_bar)));
}

static void
free_matrices(const LacDevice *device, Matrices *m)
{
  float *const hosts[] = {m->x, m->w, m->y_bar, m->y, m->x_bar, m->w_bar};
  void *const  devices[] = {m->at_x, m->at_w, m->at_y_bar, m->at_y, m->at_x_bar, m->at_w_bar};

  for (gsize i = 0; i < G_N_ELEMENTS(hosts); i++) {
    g_free(hosts[i]);
    device->table->release(device->self, devices[i]);
  }
}

static void
split_products_are_as_good_as_they_say(void)
{
  static const struct {
    LacPrecision precision;
    double       most, least; /* relative error */
  } modes[] = {
    {LAC_PRECISION_PLAIN, 2e-6, 0},
    {LAC_PRECISION_BF16X6, 2e-6, 0},
    {LAC_PRECISION_BF16X3, 3e-5, 2e-6}, /* a part of 2^-17 is dropped from every factor */
    {LAC_PRECISION_PLAIN, 2e-6, 0},
  };
  g_autoptr(GRand) random = g_rand_new_with_seed(11);
  LacDevice        device;
  Matrices         m;

  if (!emulated_open(&device))
    return;
  m = (Matrices){uniform(random, N_ROWS * N_IN), uniform(random, N_IN * N_OUT),
                 uniform(random, N_ROWS * N_OUT)};
  m.y = uniform(random, N_ROWS * N_OUT);
  m.x_bar = uniform(random, N_ROWS * N_IN);
  m.w_bar = uniform(random, N_IN * N_OUT);
  m.at_x = send(&device, m.x, N_ROWS * N_IN);
  m.at_w = send(&device, m.w, N_IN * N_OUT);
  m.at_y_bar = send(&device, m.y_bar, N_ROWS * N_OUT);
  m.at_y = send(&device, m.y, N_ROWS * N_OUT);
  m.at_x_bar = send(&device, m.x_bar, N_ROWS * N_IN);
  m.at_w_bar = send(&device, m.w_bar, N_IN * N_OUT);
  for (gsize i = 0; i < G_N_ELEMENTS(modes); i++) {
    double error;

    g_assert_cmpint(device.table->set_precision(device.self, modes[i].precision), ==,
                    LAC_STATUS_OK);
    run_products(&device, &m);
    error = worst_error(&m);
    g_test_message("precision %d: %.2g", (int) modes[i].precision, error);
    g_assert_cmpfloat(error, <, modes[i].most);
    g_assert_cmpfloat(error, >, modes[i].least);
  }
  free_matrices(&device, &m);
  lac_device_close(&device);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/cuda/precision/split-products-are-as-good-as-they-say",
                  split_products_are_as_good_as_they_say);
  return g_test_run();
}
