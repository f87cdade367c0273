/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transforms by lines with FFTW: rows one by one, columns in blocks of neighbours. */
#include "backend/cpu/plans.h"

#include <limits.h>

#define MOST_TOGETHER 16  /* columns of a block */
#define LEAST_SHARED  256 /* side of an image whose lines are shared among threads */
#define ROWS_AN_ITEM  32

struct _LacWavePlan {
  LacType      type;
  gsize        n, n_together;       /* columns of a block, which divide n */
  fftw_plan    rows[2], columns[2]; /* forward, inverse */
  fftwf_plan   rows_f32[2], columns_f32[2];
  LacWavePlan *next;
};

static LacWavePlan *prepared; /* newest first */

const LacWavePlan *
lac_wave_plan_find(LacType type, gsize n)
{
  for (LacWavePlan *plan = g_atomic_pointer_get(&prepared); plan; plan = plan->next)
    if (plan->type == type && plan->n == n)
      return plan;
  return NULL;
}

/* Argument of the planner: the plan, and an array that planning overwrites. */
typedef struct {
  LacWavePlan *plan;
  gpointer     scratch;
} Shape;

static void
destroy_plans(LacWavePlan *plan)
{
  for (guint i = 0; i < 2; i++) {
    fftw_destroy_plan(plan->rows[i]);
    fftw_destroy_plan(plan->columns[i]);
    fftwf_destroy_plan(plan->rows_f32[i]);
    fftwf_destroy_plan(plan->columns_f32[i]);
    plan->rows[i] = plan->columns[i] = NULL;
    plan->rows_f32[i] = plan->columns_f32[i] = NULL;
  }
}

static int
plan_all(void *data, unsigned flags)
{
  const Shape   *shape = data;
  LacWavePlan   *plan = shape->plan;
  fftw_complex  *x = shape->scratch;
  fftwf_complex *y = shape->scratch;
  const int      n = (int) plan->n, together = (int) plan->n_together;
  gboolean       done = TRUE;

  destroy_plans(plan);
  for (guint i = 0; i < 2; i++) {
    const int sign = i == 0 ? FFTW_FORWARD : FFTW_BACKWARD;

    if (plan->type == LAC_F32) {
      plan->rows_f32[i] = fftwf_plan_dft_1d(n, y, y, sign, flags);
      plan->columns_f32[i] =
        fftwf_plan_many_dft(1, &n, together, y, NULL, n, 1, y, NULL, n, 1, sign, flags);
      done = done && plan->rows_f32[i] && plan->columns_f32[i];
    } else {
      plan->rows[i] = fftw_plan_dft_1d(n, x, x, sign, flags);
      plan->columns[i] =
        fftw_plan_many_dft(1, &n, together, x, NULL, n, 1, x, NULL, n, 1, sign, flags);
      done = done && plan->rows[i] && plan->columns[i];
    }
  }
  return done;
}

/* Rows and blocks begin at any multiple of two numbers when n is odd. */
static LacWavePlan *
new_plan(LacType type, gsize n)
{
  LacWavePlan   *plan = g_new0(LacWavePlan, 1);
  const unsigned alignment = n * 2 * lac_type_size(type) % 16 ? FFTW_UNALIGNED : 0;
  Shape          shape = {plan, fftw_malloc(n * n * 2 * lac_type_size(type))};
  gboolean       planned;

  *plan = (LacWavePlan){.type = type, .n = n, .n_together = 1, .next = prepared};
  while (2 * plan->n_together <= MOST_TOGETHER && n % (2 * plan->n_together) == 0)
    plan->n_together *= 2;
  planned = shape.scratch && lac_fft_plan(type, plan_all, &shape, FFTW_MEASURE | alignment);
  fftw_free(shape.scratch);
  if (planned)
    return plan;
  destroy_plans(plan);
  g_free(plan);
  return NULL;
}

const LacWavePlan *
lac_wave_plan_prepare(LacType type, gsize n)
{
  const LacWavePlan *plan;

  g_return_val_if_fail(n >= 1 && n <= INT_MAX, NULL);
  lac_fft_lock_planner();
  plan = lac_wave_plan_find(type, n);
  if (!plan) {
    LacWavePlan *made = new_plan(type, n);

    if (made)
      g_atomic_pointer_set(&prepared, made);
    plan = made;
  }
  lac_fft_unlock_planner(plan != NULL);
  return plan;
}

/* Returns: element @i of @data */
static gpointer
pair_at(const LacWavePlan *plan, gpointer data, gsize i)
{
  return (guint8 *) data + i * 2 * lac_type_size(plan->type);
}

static void
run_row(const LacWavePlan *plan, gboolean inverse, gpointer data, gsize row)
{
  gpointer x = pair_at(plan, data, row * plan->n);

  if (plan->type == LAC_F32)
    fftwf_execute_dft(plan->rows_f32[inverse != 0], x, x);
  else
    fftw_execute_dft(plan->rows[inverse != 0], x, x);
}

static void
run_block(const LacWavePlan *plan, gboolean inverse, gpointer data, gsize block)
{
  gpointer x = pair_at(plan, data, block * plan->n_together);

  if (plan->type == LAC_F32)
    fftwf_execute_dft(plan->columns_f32[inverse != 0], x, x);
  else
    fftw_execute_dft(plan->columns[inverse != 0], x, x);
}

void
lac_wave_plan_rows(const LacWavePlan *plan,
                   gboolean           inverse,
                   gpointer           data,
                   gsize              first,
                   gsize              n_rows)
{
  for (gsize i = 0; i < n_rows; i++)
    run_row(plan, inverse, data, (first + i) % plan->n);
}

void
lac_wave_plan_columns(const LacWavePlan *plan, gboolean inverse, gpointer data)
{
  for (gsize block = 0; block < plan->n / plan->n_together; block++)
    run_block(plan, inverse, data, block);
}

typedef struct {
  const LacWavePlan *plan;
  gboolean           inverse;
  gpointer           data;
} Work;

static void
run_image(gsize item, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const Work *work = user_data;
  gpointer    image = pair_at(work->plan, work->data, item * work->plan->n * work->plan->n);

  lac_wave_plan_rows(work->plan, work->inverse, image, 0, work->plan->n);
  lac_wave_plan_columns(work->plan, work->inverse, image);
}

static void
run_some_rows(gsize item, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const Work *work = user_data;
  const gsize first = item * ROWS_AN_ITEM;

  lac_wave_plan_rows(work->plan, work->inverse, work->data, first,
                     MIN(ROWS_AN_ITEM, work->plan->n - first));
}

static void
run_some_columns(gsize item, guint worker G_GNUC_UNUSED, gpointer user_data)
{
  const Work *work = user_data;

  run_block(work->plan, work->inverse, work->data, item);
}

void
lac_wave_plan_run(const LacWavePlan *plan,
                  gboolean           inverse,
                  gpointer           data,
                  gsize              n_images,
                  LacPool           *pool)
{
  Work work = {plan, inverse, data};

  if (pool && n_images == 1 && plan->n >= LEAST_SHARED) {
    lac_pool_run(pool, (plan->n + ROWS_AN_ITEM - 1) / ROWS_AN_ITEM, run_some_rows, &work);
    lac_pool_run(pool, plan->n / plan->n_together, run_some_columns, &work);
  } else if (pool && n_images > 1) {
    lac_pool_run(pool, n_images, run_image, &work);
  } else {
    for (gsize i = 0; i < n_images; i++)
      run_image(i, 0, &work);
  }
}
