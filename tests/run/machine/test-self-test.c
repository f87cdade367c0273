/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Self-test on the emulated device: a good device passes, a wrong kernel is named with its error, loss of the device
 * ends it, and the user can cancel. Each device in a process of its own. */
#include "emulated.h"

#include "helpers/sanitized.h"
#include "run/machine/self-test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char *path;
  const char *variable, *value; /* (nullable): environment variable of the emulated device */
  void (*test)(void);
  gboolean repeats; /* the code of the test of a good device */
} Part;

static LacSelfTest *
run(LacSelfTestWatch watch)
{
  g_autoptr(GError) error = NULL;
  LacSelfTest      *test;

  watch.most_seconds = 1000; /* longer than the default, for sanitizers */
  test = lac_self_test_run("cuda", &watch, &error);

  g_assert_no_error(error);
  return test;
}

static const LacSelfTestCheck *
find_check(const LacSelfTest *test, const char *name, const char *type)
{
  for (guint i = 0; i < test->checks->len; i++) {
    const LacSelfTestCheck *check = &g_array_index(test->checks, LacSelfTestCheck, i);

    if (g_str_equal(check->name, name) && g_str_equal(check->type, type))
      return check;
  }
  g_error("no check of %s in %s", name, type);
}

static void
note_progress(double fraction, const char *what, gpointer user_data)
{
  double *last = user_data;

  g_assert_cmpfloat(fraction, >=, *last);
  g_assert_cmpfloat(fraction, <=, 1);
  g_assert_nonnull(what);
  *last = fraction;
}

/* Every family of kernels and whole steps pass; the rates are finite, though of an emulator. */
static void
sound_device_passes(void)
{
  static const char *const names[] = {"strided",
                                      "layer-in-one-kernel-is-the-processor's",
                                      "fft-parseval-shift-and-back",
                                      "planes-normalise",
                                      "waves-compare",
                                      "local-H2-3",
                                      "derivatives-N2-10",
                                      "moves-Be-2",
                                      "iterations-of-spring",
                                      "steps-of-a-network",
                                      "steps-of-the-decoder"};
  double                   last = 0;
  g_autoptr(LacSelfTest)   test =
    run((LacSelfTestWatch){.progress = note_progress, .user_data = &last});
  g_autofree char *verdict = lac_self_test_dup_verdict(test);
  g_auto(GStrv)    rows = lac_self_test_dup_rows(test);

  g_test_message("%s in %.1f s", verdict, test->seconds);
  g_assert_true(lac_self_test_passes(test));
  g_assert_cmpuint(test->n_passed, ==, test->checks->len);
  g_assert_cmpfloat(last, >, 0.9);
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    const LacSelfTestCheck *check = find_check(test, names[i], "f64");

    g_assert_true(check->was_run && check->passed);
    g_assert_cmpfloat(check->worst, <=, 1);
  }
  for (int rate = 0; rate < LAC_N_SELF_TEST_RATES; rate++) {
    g_assert_cmpfloat(test->device[rate], >, 0);
    g_assert_cmpfloat(test->processor[rate], >, 0);
  }
  g_assert_nonnull(strstr(verdict, "The device works"));
  g_assert_cmpstr(rows[0], ==, "Memory"); /* no failure listed before it */
}

/* Only the kernel that does nothing is named. */
static void
wrong_kernel_is_named(void)
{
  g_autoptr(LacSelfTest)  test = run((LacSelfTestWatch){0});
  g_autofree char        *verdict = lac_self_test_dup_verdict(test);
  g_auto(GStrv)           rows = lac_self_test_dup_rows(test);
  const LacSelfTestCheck *check = find_check(test, "rank-update", "f64");

  g_test_message("%s", verdict);
  g_assert_false(lac_self_test_passes(test));
  g_assert_cmpuint(test->n_failed, ==, 2);
  g_assert_cmpuint(test->n_passed, ==, test->checks->len - 2);
  g_assert_true(check->was_run);
  g_assert_false(check->passed);
  g_assert_cmpfloat(check->worst, >, 1);
  g_assert_nonnull(strstr(check->why, "instead of"));
  g_assert_cmpstr(verdict, ==, "2 checks failed: rank-update");
  g_assert_cmpstr(rows[0], ==, "rank-update, f32");
  g_assert_nonnull(strstr(rows[1], "times the tolerance"));
}

static void
lost_device_ends_it(void)
{
  g_autoptr(LacSelfTest) test = run((LacSelfTestWatch){0});
  g_autofree char       *verdict = lac_self_test_dup_verdict(test);

  g_test_message("%s", verdict);
  g_assert_false(lac_self_test_passes(test));
  g_assert_cmpuint(test->n_failed, ==, 1);
  g_assert_cmpuint(test->n_passed, >=, 1);
  g_assert_cmpuint(test->n_left_out, ==, test->checks->len - test->n_passed - 1);
  g_assert_true(isnan(test->device[LAC_SELF_TEST_COPY]));
  /* Skips the leak checker: a lost device's memory is never freed, in the emulator as on a real GPU. */
  _exit(EXIT_SUCCESS);
}

static gboolean
is_after_three(gpointer user_data)
{
  return ++*(guint *) user_data > 3;
}

static void
cancelled_test_leaves_out_the_rest(void)
{
  guint                  n = 0;
  g_autoptr(LacSelfTest) test =
    run((LacSelfTestWatch){.cancelled = is_after_three, .user_data = &n});
  g_autofree char *verdict = lac_self_test_dup_verdict(test);

  g_assert_cmpuint(test->n_passed, ==, 3);
  g_assert_cmpuint(test->n_failed, ==, 0);
  g_assert_cmpuint(test->n_left_out, ==, test->checks->len - 3);
  g_assert_false(lac_self_test_passes(test));
  g_assert_nonnull(strstr(verdict, "left out"));
}

static const Part parts[] = {
  {"/run/self-test/a-sound-device-passes", NULL, NULL, sound_device_passes},
  {"/run/self-test/a-wrong-kernel-is-named", "LACUNA_EMULATED_LEFT_OUT", "LacRankUpdate",
   wrong_kernel_is_named, TRUE},
  {"/run/self-test/a-lost-device-ends-it", "LACUNA_EMULATED_LOST_AFTER", "400",
   lost_device_ends_it},
  {"/run/self-test/a-cancelled-test-leaves-out-the-rest", NULL, NULL,
   cancelled_test_leaves_out_the_rest},
};

static void
apart(gconstpointer data)
{
  const Part      *part = data;
  g_autofree char *folder = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "tests", "cuda", NULL);

  if (g_test_subprocess()) {
    g_setenv("LACUNA_MODULE_DIR", folder, TRUE);
    if (part->variable != NULL)
      g_setenv(part->variable, part->value, TRUE);
    part->test();
    return;
  }
  if (emulated_backend() == NULL) {
    g_test_skip("the emulated device was not built");
    return;
  }
  g_test_trap_subprocess(NULL, 0, 0);
  g_test_trap_assert_passed();
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
    if (test_runs(parts[i].repeats))
      g_test_add_data_func(parts[i].path, &parts[i], apart);
  return g_test_run();
}
