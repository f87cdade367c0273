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
