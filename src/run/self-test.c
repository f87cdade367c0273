/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checks one after the other, and what is said of them. */
#include "base/clock.h"
#include "base/error.h"
#include "experiment/quantum/electron-contract.h"
#include "run/self-test-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define MOST_SECONDS   50.0 /* of the checks; the rates take a few more */
#define SHARE_OF_RATES 0.1  /* of the progress */

typedef struct {
  const LacSelfTestWatch *watch;
  LacSelfTest            *test;
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
tell(const Testing *self, double fraction, const char *what)
{
  if (self->watch->progress != NULL)
    self->watch->progress(fraction, what, self->watch->user_data);
}

/* What a kernel left in error would fail every later one. */
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
    tell(self, (1 - SHARE_OF_RATES) * self->n_done / MAX(self->n_all, 1), row->name);
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

static const LacContractRow *(*const sources[])(gsize *n) = {
  lac_contract_rows, lac_electron_contract_rows, lac_self_test_runs};

static gboolean
applies(const Testing *self, const LacContractRow *row, LacType type)
{
  return (row->is_known == NULL || row->is_known(self->device.table)) &&
         (type == LAC_F64 || !row->in_double_alone);
}

/* Calls @act for every row that says something of the device. */
static void
for_all(Testing *self, void (*act)(Testing *self, const LacContractRow *row, LacType type))
{
  const LacBackend *table = self->device.table;

  for (gsize s = 0; s < G_N_ELEMENTS(sources); s++) {
    gsize                 n;
    const LacContractRow *rows = sources[s](&n);

    for (gsize i = 0; i < n; i++)
      for (int type = LAC_F32; type <= LAC_F64; type++) {
        self->device.table = table; /* also of one that was lost on the way */
        if (applies(self, &rows[i], (LacType) type))
          act(self, &rows[i], (LacType) type);
      }
  }
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
    tell(self, 1 - SHARE_OF_RATES * (1 - (double) rate / LAC_N_SELF_TEST_RATES), "rates");
    self->test->device[rate] = lac_self_test_measure(&self->device, TRUE, (LacSelfTestRate) rate);
    self->test->processor[rate] = lac_self_test_measure(&processor, FALSE, (LacSelfTestRate) rate);
  }
  lac_device_close(&processor);
}

LacSelfTest *
lac_self_test_run(const char *name, const LacSelfTestWatch *watch, GError **error)
{
  static const LacSelfTestWatch nobody;
  const gint64                  begin_ns = lac_clock_ns();
  Testing                       self = {
                          .watch = watch != NULL ? watch : &nobody,
                          .end_ns = begin_ns + (gint64) (MOST_SECONDS * 1e9),
  };

  self.is_open = lac_device_open(&self.device, name, error);
  if (!self.is_open)
    return NULL;
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

/* Returns: (transfer full): the names of those that failed, each once */
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
    return g_strdup_printf(
      ngettext("%u check does not pass: %s", "%u checks do not pass: %s", test->n_failed),
      test->n_failed, failed);
  if (test->n_left_out > 0)
    return g_strdup_printf(_("%u checks pass, %u were left out"), n, test->n_left_out);
  return g_strdup_printf(ngettext("It works: %u check passes", "It works: all %u checks pass", n),
                         n);
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
          g_strdup_printf(_("off by %.3g times what is allowed: %s"), one->worst, one->why));
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
    [LAC_SELF_TEST_SINGLES] = N_("Products in single precision"),
    [LAC_SELF_TEST_DOUBLES] = N_("Products in double precision"),
  };
  const double     reached = test->device[rate], ratio = reached / test->processor[rate];
  const gboolean   is_large = reached >= 1e12;
  g_autofree char *amount =
    g_strdup_printf("%.3g %s%s", reached / (is_large ? 1e12 : 1e9), is_large ? "T" : "G",
                    rate == LAC_SELF_TEST_COPY ? "B/s" : "FLOP/s");

  if (!isfinite(reached))
    return;
  add(rows, _(labels[rate]),
      isfinite(ratio) ? g_strdup_printf(_("%s, %.2g times the processor"), amount, ratio)
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
