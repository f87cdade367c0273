/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans and wisdom. A measured plan, and with it the rounding, varies from measurement to measurement: so existing
 * wisdom (imported by a run, or saved in the cache directory) is used first, and new plans are measured under a file
 * lock, after which every later process finds them. */
#define _DEFAULT_SOURCE /* flock */
#include "backend/cpu/plans.h"

#include "backend/fft.h"

#include <glib.h>
#include <glib/gstdio.h>

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

typedef struct _Entry Entry;
struct _Entry {
  LacType     type;
  size_t      nx, ny;
  LacFftPlans plans;
  Entry      *next;
};

static GMutex  planner;             /* FFTW's planner is not thread-safe */
static guint64 n_known, n_measured; /* protected by the planner's lock */
static guint64 n_measured_before;   /* value when the lock was taken */
static Entry  *prepared;            /* newest first; entries live as long as the process */

const LacFftPlans *
lac_fft_plans_find(LacType type, size_t nx, size_t ny)
{
  for (Entry *entry = g_atomic_pointer_get(&prepared); entry; entry = entry->next)
    if (entry->type == type && entry->nx == nx && entry->ny == ny)
      return &entry->plans;
  return NULL;
}

static char *
cache_path(LacType type, const char *suffix)
{
  g_autofree char *name =
    g_strconcat("fftw-", type == LAC_F32 ? "f32" : "f64", ".wisdom", suffix, NULL);

  return g_build_filename(g_get_user_cache_dir(), "lacuna", name, NULL);
}

static void
import_cache(LacType type)
{
  g_autofree char *path = cache_path(type, "");
  g_autofree char *text = NULL;

  if (!g_file_get_contents(path, &text, NULL, NULL))
    return; /* no cache yet */
  if (type == LAC_F32)
    fftwf_import_wisdom_from_string(text);
  else
    fftw_import_wisdom_from_string(text);
}

static char *
export_text(LacType type)
{
  char *exported =
    type == LAC_F32 ? fftwf_export_wisdom_to_string() : fftw_export_wisdom_to_string();
  char *text = g_strdup(exported ? exported : "");

  fftw_free(exported);
  return text;
}

/* Failure to write the cache only costs the next process a measurement. */
static void
export_cache(LacType type)
{
  g_autofree char *path = cache_path(type, "");
  g_autofree char *text = export_text(type);

  g_file_set_contents(path, text, -1, NULL);
}

/* Returns: a descriptor holding the lock, or -1 when locking fails. */
static int
lock_cache(LacType type)
{
  g_autofree char *path = cache_path(type, ".lock");
  g_autofree char *folder = g_path_get_dirname(path);
  int              descriptor;

  g_mkdir_with_parents(folder, 0700);
  descriptor = g_open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0)
    flock(descriptor, LOCK_EX);
  return descriptor;
}

/* Scratch arrays for planning, which overwrites them. */
typedef struct {
  int   nx, ny;
  void *real, *spectrum;
} Scratch;

static gboolean
plan_both(LacType type, const Scratch *s, unsigned flags, LacFftPlans *plans)
{
  if (plans->any_alignment)
    flags |= FFTW_UNALIGNED;
  if (type == LAC_F32) {
    plans->forward_f32 =
      fftwf_plan_dft_r2c_2d(s->ny, s->nx, s->real, (fftwf_complex *) s->spectrum, flags);
    plans->inverse_f32 =
      fftwf_plan_dft_c2r_2d(s->ny, s->nx, (fftwf_complex *) s->spectrum, s->real, flags);
    return plans->forward_f32 && plans->inverse_f32;
  }
  plans->forward_f64 =
    fftw_plan_dft_r2c_2d(s->ny, s->nx, s->real, (fftw_complex *) s->spectrum, flags);
  plans->inverse_f64 =
    fftw_plan_dft_c2r_2d(s->ny, s->nx, (fftw_complex *) s->spectrum, s->real, flags);
  return plans->forward_f64 && plans->inverse_f64;
}

static void
destroy_plans(LacFftPlans *plans)
{
  fftwf_destroy_plan(plans->forward_f32);
  fftwf_destroy_plan(plans->inverse_f32);
  fftw_destroy_plan(plans->forward_f64);
  fftw_destroy_plan(plans->inverse_f64);
  plans->forward_f32 = plans->inverse_f32 = NULL;
  plans->forward_f64 = plans->inverse_f64 = NULL;
}

/* Ensembles use small transforms: half a second more of planning saves a fifth of their time. */
static unsigned
effort(const Scratch *s)
{
  return (gint64) s->nx * s->ny <= 64 * 64 ? FFTW_PATIENT : FFTW_MEASURE;
}

static _Thread_local struct {
  LacFftWatch watch;
  gpointer    user_data;
} watcher;

void
lac_fft_watch(LacFftWatch watch, gpointer user_data)
{
  watcher.watch = watch;
  watcher.user_data = user_data;
}

static void
report(gboolean begins)
{
  if (watcher.watch)
    watcher.watch(begins, watcher.user_data);
}

int
lac_fft_plan(LacType type, LacFftPlanFunc plan, void *shape, unsigned effort)
{
  int lock, planned;

  if (plan(shape, effort | FFTW_WISDOM_ONLY))
    return 1;
  lock = lock_cache(type);
  import_cache(type);
  planned = plan(shape, effort | FFTW_WISDOM_ONLY);
  if (!planned) {
    report(TRUE);
    planned = plan(shape, effort);
    report(FALSE);
    n_measured++;
    export_cache(type);
  }
  if (lock >= 0)
    close(lock); /* releases the lock */
  return planned;
}

typedef struct {
  LacType      type;
  Scratch      scratch;
  LacFftPlans *plans;
} Shape;

static int
plan_shape(void *data, unsigned flags)
{
  Shape *shape = data;

  destroy_plans(shape->plans);
  return plan_both(shape->type, &shape->scratch, flags, shape->plans);
}

static Entry *
new_entry(LacType type, size_t nx, size_t ny)
{
  const size_t size = lac_type_size(type), n_spectrum = 2 * ny * (nx / 2 + 1);
  Entry       *entry = g_new0(Entry, 1);
  Shape        shape = {type, {.nx = (int) nx, .ny = (int) ny}, &entry->plans};
  Scratch     *scratch = &shape.scratch;
  gboolean     planned;

  *entry = (Entry){.type = type, .nx = nx, .ny = ny, .next = prepared};
  entry->plans.any_alignment = (nx * ny * size) % 64 || (n_spectrum * size) % 64;
  scratch->real = fftw_malloc(nx * ny * size);
  scratch->spectrum = fftw_malloc(n_spectrum * size);
  planned =
    scratch->real && scratch->spectrum && lac_fft_plan(type, plan_shape, &shape, effort(scratch));
  fftw_free(scratch->real);
  fftw_free(scratch->spectrum);
  if (planned)
    return entry;
  destroy_plans(&entry->plans);
  g_free(entry);
  return NULL;
}

void
lac_fft_lock_planner(void)
{
  g_mutex_lock(&planner);
  n_measured_before = n_measured;
}

void
lac_fft_unlock_planner(int has_plans)
{
  n_known += has_plans && n_measured == n_measured_before;
  g_mutex_unlock(&planner);
}

const LacFftPlans *
lac_fft_plans_prepare(LacType type, size_t nx, size_t ny)
{
  const LacFftPlans *plans;

  g_return_val_if_fail(nx >= 1 && ny >= 1 && nx <= INT_MAX && ny <= INT_MAX, NULL);
  lac_fft_lock_planner();
  plans = lac_fft_plans_find(type, nx, ny);
  if (!plans) {
    Entry *entry = new_entry(type, nx, ny);
    if (entry)
      g_atomic_pointer_set(&prepared, entry);
    plans = entry ? &entry->plans : NULL;
  }
  lac_fft_unlock_planner(plans != NULL);
  return plans;
}

/* An estimate reads no array but requires pointers: any will do. */
int
lac_fft_plans_estimate(LacType type, size_t nx, size_t ny, LacFftPlans *plans)
{
  static double anywhere[2];
  const Scratch scratch = {(int) nx, (int) ny, anywhere, anywhere + 1};
  gboolean      planned;

  *plans = (LacFftPlans){.any_alignment = 1};
  g_mutex_lock(&planner);
  planned = plan_both(type, &scratch, FFTW_ESTIMATE, plans);
  if (!planned)
    destroy_plans(plans);
  g_mutex_unlock(&planner);
  return planned;
}

void
lac_fft_plans_forget(LacFftPlans *plans)
{
  g_mutex_lock(&planner);
  destroy_plans(plans);
  g_mutex_unlock(&planner);
}

gboolean
lac_fft_import_wisdom(LacType type, const char *text)
{
  gboolean understood;

  g_return_val_if_fail(text, FALSE);
  g_mutex_lock(&planner);
  understood =
    type == LAC_F32 ? fftwf_import_wisdom_from_string(text) : fftw_import_wisdom_from_string(text);
  g_mutex_unlock(&planner);
  return understood;
}

char *
lac_fft_export_wisdom(LacType type)
{
  char *text;

  g_mutex_lock(&planner);
  text = export_text(type);
  g_mutex_unlock(&planner);
  return text;
}

void
lac_fft_get_plan_counts(guint64 *known, guint64 *measured)
{
  g_mutex_lock(&planner);
  *known = n_known;
  *measured = n_measured;
  g_mutex_unlock(&planner);
}

/* ---- waves: rows one by one, columns in blocks of neighbours ---- */

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

static LacWavePlan *prepared_waves; /* newest first */

const LacWavePlan *
lac_wave_plan_find(LacType type, gsize n)
{
  for (LacWavePlan *plan = g_atomic_pointer_get(&prepared_waves); plan; plan = plan->next)
    if (plan->type == type && plan->n == n)
      return plan;
  return NULL;
}

/* Argument of the planner: the plan, and an array that planning overwrites. */
typedef struct {
  LacWavePlan *plan;
  gpointer     scratch;
} WaveShape;

static void
destroy_wave_plans(LacWavePlan *plan)
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
  const WaveShape *shape = data;
  LacWavePlan     *plan = shape->plan;
  fftw_complex    *x = shape->scratch;
  fftwf_complex   *y = shape->scratch;
  const int        n = (int) plan->n, together = (int) plan->n_together;
  gboolean         done = TRUE;

  destroy_wave_plans(plan);
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
  WaveShape      shape = {plan, fftw_malloc(n * n * 2 * lac_type_size(type))};
  gboolean       planned;

  *plan = (LacWavePlan){.type = type, .n = n, .n_together = 1, .next = prepared_waves};
  while (2 * plan->n_together <= MOST_TOGETHER && n % (2 * plan->n_together) == 0)
    plan->n_together *= 2;
  planned = shape.scratch && lac_fft_plan(type, plan_all, &shape, FFTW_MEASURE | alignment);
  fftw_free(shape.scratch);
  if (planned)
    return plan;
  destroy_wave_plans(plan);
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
      g_atomic_pointer_set(&prepared_waves, made);
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
