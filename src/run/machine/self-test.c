/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the checks in order and describes the results. */
#include "base/clock.h"
#include "base/error.h"
#include "base/pool.h"
#include "experiment/quantum/sampling/electron-contract.h"
#include "run/machine/self-test-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define MOST_SECONDS   50.0 /* default for the checks; the rates take a few seconds more */
#define SHARE_OF_RATES 0.1  /* in the progress */

/* ---- rates ---- */

#define CALL_SECONDS 0.01 /* minimum duration of a call, to choose the size */
#define RATE_SECONDS 0.2

/* Matrix sides: doubled until a call takes long enough. */
enum { LEAST_SIDE = 128, MOST_SIDE = 4096, MOST_COPY_SIDE = 8192 /* beyond any cache */ };

typedef struct {
  LacDevice  device;
  LacPool   *pool; /* (nullable): for the CPU, whose threads share a call */
  LacType    type;
  gboolean   is_copy;
  gsize      side, most_side; /* of the square matrices */
  void      *x, *w, *y;       /* w: unused for copies */
  LacStatus *statuses;        /* [n_parts] */
  gsize      n_parts;
} Work;

static void *
offset(const Work *work, void *memory, gsize row)
{
  return (char *) memory + row * work->side * lac_type_size(work->type);
}

static LacStatus
run_rows(const Work *work, gsize first, gsize n)
{
  const LacBackend *table = work->device.table;

  if (work->is_copy)
    return table->strided(work->device.self, &(LacStrided){.type = work->type,
                                                           .n_rows = n,
                                                           .n_columns = work->side,
                                                           .x_stride = work->side,
                                                           .y_stride = work->side,
                                                           .alpha = 1,
                                                           .x = offset(work, work->x, first),
                                                           .y = offset(work, work->y, first)});
  return table->linear(work->device.self, &(LacLinear){.type = work->type,
                                                       .n_points = n,
                                                       .n_streams = 1,
                                                       .n_in = work->side,
                                                       .n_out = work->side,
                                                       .x = offset(work, work->x, first),
                                                       .w = work->w,
                                                       .y = offset(work, work->y, first)});
}

static void
run_part(gsize part, guint worker, gpointer user_data)
{
  const Work *work = user_data;
  const gsize first = part * work->side / work->n_parts;
  const gsize end = (part + 1) * work->side / work->n_parts;

  work->statuses[part] = run_rows(work, first, end - first);
}

static gboolean
run_once(Work *work)
{
  if (work->pool == NULL)
    return run_rows(work, 0, work->side) == LAC_STATUS_OK;
  lac_pool_run(work->pool, work->n_parts, run_part, work);
  for (gsize i = 0; i < work->n_parts; i++)
    if (work->statuses[i] != LAC_STATUS_OK)
      return FALSE;
  return TRUE;
}

/* Returns: seconds per call, averaged over @seconds; NaN if one fails */
static double
time_calls(Work *work, double seconds)
{
  const gint64 begin_ns = lac_clock_ns();
  gint64       spent_ns;
  gsize        n = 0;

  do {
    if (!run_once(work) || work->device.table->synchronise(work->device.self) != LAC_STATUS_OK)
      return (double) NAN;
    n++;
    spent_ns = lac_clock_ns() - begin_ns;
  } while ((double) spent_ns * 1e-9 < seconds);
  return (double) spent_ns * 1e-9 / (double) n;
}

static gboolean
take(Work *work, void **memory)
{
  const LacBackend *table = work->device.table;
  const gsize       n = work->side * work->side;

  return table->alloc(work->device.self, n * lac_type_size(work->type), memory) == LAC_STATUS_OK &&
         table->fill(work->device.self, work->type, *memory, 1.0 / (double) work->side, n) ==
           LAC_STATUS_OK;
}

static void
release(Work *work)
{
  void **all[] = {&work->x, &work->w, &work->y};

  for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
    if (*all[i] != NULL)
      work->device.table->release(work->device.self, *all[i]);
    *all[i] = NULL;
  }
}

/* Measures one size after a warm-up call, which may plan. Returns: rate per second; NaN on failure */
static double
measure_side(Work *work, double *call_seconds)
{
  const double side = (double) work->side;
  double       seconds = (double) NAN;

  if (take(work, &work->x) && take(work, &work->y) && (work->is_copy || take(work, &work->w)) &&
      isfinite(time_calls(work, 0)))
    *call_seconds = time_calls(work, 0);
  else
    *call_seconds = (double) NAN;
  if (isfinite(*call_seconds))
    seconds = time_calls(
      work, *call_seconds < CALL_SECONDS && work->side < work->most_side ? 0 : RATE_SECONDS);
  release(work);
  if (work->is_copy)
    return 2 * side * side * (double) lac_type_size(work->type) / seconds;
  return 2 * side * side * side / seconds;
}

static double
measure_rate(const LacDevice *device, gboolean is_whole, LacSelfTestRate rate)
{
  const guint           n_threads = lac_pool_available();
  g_autoptr(LacPool)    pool = is_whole ? NULL : lac_pool_new(n_threads);
  const gsize           n_parts = MIN(4 * (gsize) n_threads, LEAST_SIDE);
  g_autofree LacStatus *statuses = g_new0(LacStatus, n_parts);
  double                reached = (double) NAN, seconds;
  Work                  work = {
                     .device = *device,
                     .pool = pool,
                     .type = rate == LAC_SELF_TEST_DOUBLES ? LAC_F64 : LAC_F32,
                     .is_copy = rate == LAC_SELF_TEST_COPY,
                     .side = LEAST_SIDE,
                     .most_side = rate == LAC_SELF_TEST_COPY ? MOST_COPY_SIDE : MOST_SIDE,
                     .statuses = statuses,
                     .n_parts = n_parts,
  };

  for (; work.side <= work.most_side; work.side *= 2) {
    const double now = measure_side(&work, &seconds);

    if (!isfinite(now))
      break; /* keep the rate of the last size that fits */
    reached = now;
    if (seconds >= CALL_SECONDS)
      break;
  }
  return reached;
}

/* ---- checks ---- */

typedef struct {
  const LacSelfTestWatch *watch;
  LacSelfTest            *test;
  const LacBackend       *table;
  LacDevice               device;
  gboolean                is_open;
  gint64                  end_ns;
  guint                   n_done, n_all;
} Testing;

void
lac_self_test_free(LacSelfTest *test)
{
  if (test == NULL)
    return;
  g_free(test->name);
  g_array_unref(test->checks);
  g_free(test);
}

static gboolean
is_over(const Testing *self)
{
  const LacSelfTestWatch *watch = self->watch;

  return !self->is_open || lac_clock_ns() >= self->end_ns ||
         (watch->cancelled != NULL && watch->cancelled(watch->user_data));
}

static void
report(const Testing *self, double fraction, const char *what)
{
  if (self->watch->progress != NULL)
    self->watch->progress(fraction, what, self->watch->user_data);
}

/* Clears an error left by a kernel, which would make every later one fail. */
static void
recover(Testing *self)
{
  if (self->device.table->synchronise(self->device.self) == LAC_STATUS_OK)
    return;
  lac_device_close(&self->device);
  self->is_open = lac_device_try(&self->device, self->test->name) == LAC_STATUS_OK;
}

static void
check(Testing *self, const LacContractRow *row, LacType type)
{
  LacSelfTestCheck  one = {.name = row->name, .type = type == LAC_F32 ? "f32" : "f64"};
  LacContractResult result;

  if (is_over(self)) {
    self->test->n_left_out++;
  } else {
    report(self, (1 - SHARE_OF_RATES) * self->n_done / MAX(self->n_all, 1), row->name);
    lac_contract_run(row, &self->device, type, &result);
    one.was_run = TRUE;
    one.passed = result.passed;
    one.worst = result.worst;
    g_strlcpy(one.why, result.why, sizeof one.why);
    if (result.passed)
      self->test->n_passed++;
    else
      self->test->n_failed++;
    if (!result.passed)
      recover(self);
  }
  self->n_done++;
  g_array_append_val(self->test->checks, one);
}

static gboolean
applies(const LacContractRow *row, const LacBackend *table, LacType type)
{
  return (row->is_known == NULL || row->is_known(table)) &&
         (type == LAC_F64 || !row->in_double_alone);
}

typedef void (*Act)(Testing *self, const LacContractRow *row, LacType type);

/* Calls @act for the rows that apply to @table. A lost device has no table any more; the same rows apply to it. */
static void
for_rows(Testing *self, const LacBackend *table, const LacContractRow *rows, Act act)
{
  for (const LacContractRow *row = rows; row->name != NULL; row++)
    for (int type = LAC_F32; type <= LAC_F64; type++)
      if (applies(row, table, (LacType) type))
        act(self, row, (LacType) type);
}

/* Calls @act for every row that tests the device. */
static void
for_all(Testing *self, Act act)
{
  const LacBackend *table = self->table;

  for (gsize i = 0; lac_contract_rows[i] != NULL; i++)
    for_rows(self, table, lac_contract_rows[i], act);
  for_rows(self, table, lac_electron_contract_rows, act);
  for_rows(self, table, lac_self_test_runs, act);
}

static void
count(Testing *self, const LacContractRow *row, LacType type)
{
  self->n_all++;
}

static void
measure_rates(Testing *self)
{
  LacDevice processor;

  for (int rate = 0; rate < LAC_N_SELF_TEST_RATES; rate++)
    self->test->device[rate] = self->test->processor[rate] = (double) NAN;
  if (is_over(self) || !lac_device_open(&processor, "cpu", NULL))
    return;
  for (int rate = 0; rate < LAC_N_SELF_TEST_RATES; rate++) {
    report(self, 1 - SHARE_OF_RATES * (1 - (double) rate / LAC_N_SELF_TEST_RATES), "rates");
    self->test->device[rate] = measure_rate(&self->device, TRUE, (LacSelfTestRate) rate);
    self->test->processor[rate] = measure_rate(&processor, FALSE, (LacSelfTestRate) rate);
  }
  lac_device_close(&processor);
}

LacSelfTest *
lac_self_test_run(const char *name, const LacSelfTestWatch *watch, GError **error)
{
  static const LacSelfTestWatch nobody;
  const gint64                  begin_ns = lac_clock_ns();
  Testing                       self = {.watch = watch != NULL ? watch : &nobody};
  const double seconds = self.watch->most_seconds > 0 ? self.watch->most_seconds : MOST_SECONDS;

  self.end_ns = begin_ns + (gint64) (seconds * 1e9);
  self.is_open = lac_device_open(&self.device, name, error);
  if (!self.is_open)
    return NULL;
  self.table = self.device.table;
  self.test = g_new0(LacSelfTest, 1);
  self.test->name = lac_device_dup_name(&self.device);
  self.test->checks = g_array_new(FALSE, FALSE, sizeof(LacSelfTestCheck));
  for_all(&self, count);
  for_all(&self, check);
  measure_rates(&self);
  if (self.is_open)
    lac_device_close(&self.device);
  self.test->seconds = (double) (lac_clock_ns() - begin_ns) * 1e-9;
  return self.test;
}

/* ---- what is said ---- */

gboolean
lac_self_test_passes(const LacSelfTest *test)
{
  return test->n_failed == 0 && test->n_left_out == 0 && test->n_passed > 0;
}

/* Returns: (transfer full): the names of failed checks, without repetition */
static char *
dup_failed(const LacSelfTest *test)
{
  GString    *names = g_string_new(NULL);
  const char *last = "";

  for (guint i = 0; i < test->checks->len; i++) {
    const LacSelfTestCheck *one = &g_array_index(test->checks, LacSelfTestCheck, i);

    if (!one->was_run || one->passed || g_str_equal(one->name, last))
      continue;
    g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", one->name);
    last = one->name;
  }
  return g_string_free(names, FALSE);
}

char *
lac_self_test_dup_verdict(const LacSelfTest *test)
{
  g_autofree char *failed = dup_failed(test);
  const guint      n = test->n_passed + test->n_failed;

  if (test->n_failed > 0)
    /* Translators: a number, then names of operations. */
    return g_strdup_printf(ngettext("%u check failed: %s", "%u checks failed: %s", test->n_failed),
                           test->n_failed, failed);
  if (test->n_left_out > 0)
    return g_strdup_printf(_("%u checks passed, %u were left out"), n, test->n_left_out);
  return g_strdup_printf(
    ngettext("The device works: %u check passed", "The device works: all %u checks passed", n), n);
}

static void
add(GPtrArray *rows, const char *label, char *text)
{
  g_ptr_array_add(rows, g_strdup(label));
  g_ptr_array_add(rows, text);
}

static void
add_failures(GPtrArray *rows, const LacSelfTest *test)
{
  for (guint i = 0; i < test->checks->len; i++) {
    const LacSelfTestCheck *one = &g_array_index(test->checks, LacSelfTestCheck, i);
    g_autofree char        *label = g_strdup_printf("%s, %s", one->name, one->type);

    if (!one->was_run || one->passed)
      continue;
    if (one->worst > 1)
      add(rows, label,
          /* Translators: a number; then, in English, which number or call of a kernel is wrong. */
          g_strdup_printf(_("error of %.3g times the tolerance: %s"), one->worst, one->why));
    else
      add(rows, label, g_strdup(one->why));
  }
}

/* "1.2 TFLOP/s, 14 times the processor" */
static void
add_rate(GPtrArray *rows, const LacSelfTest *test, LacSelfTestRate rate)
{
  static const char *const labels[] = {
    [LAC_SELF_TEST_COPY] = N_("Memory"),
    [LAC_SELF_TEST_SINGLES] = N_("Matrix products, single precision"),
    [LAC_SELF_TEST_DOUBLES] = N_("Matrix products, double precision"),
  };
  const double     reached = test->device[rate], ratio = reached / test->processor[rate];
  const gboolean   is_large = reached >= 1e12;
  g_autofree char *amount =
    g_strdup_printf("%.3g %s%s", reached / (is_large ? 1e12 : 1e9), is_large ? "T" : "G",
                    rate == LAC_SELF_TEST_COPY ? "B/s" : "FLOP/s");

  if (!isfinite(reached))
    return;
  add(rows, _(labels[rate]),
      isfinite(ratio) ? g_strdup_printf(_("%s, %.2g times as fast as the processor"), amount, ratio)
                      : g_steal_pointer(&amount));
}

GStrv
lac_self_test_dup_rows(const LacSelfTest *test)
{
  GPtrArray *rows = g_ptr_array_new();

  add_failures(rows, test);
  for (int rate = 0; rate < LAC_N_SELF_TEST_RATES; rate++)
    add_rate(rows, test, (LacSelfTestRate) rate);
  add(rows, _("Time"), g_strdup_printf(_("%.1f s"), test->seconds));
  g_ptr_array_add(rows, NULL);
  return (GStrv) g_ptr_array_free(rows, FALSE);
}
