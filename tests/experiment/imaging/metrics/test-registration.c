/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Known changes of an object are found and reversed. */
#include "base/rng.h"
#include "experiment/imaging/metrics/registration.h"

#include <math.h>

#define SIDE 48
#define N    (SIDE * SIDE)
#define ALL  (LAC_ALIGN_PHASE | LAC_ALIGN_SHIFT | LAC_ALIGN_TWIN)

/* Blobs with a phase, dark towards the edges, without symmetry. */
static void
fill_object(double complex *object)
{
  LacRng rng = lac_rng(7, 2);

  for (int i = 0; i < N; i++)
    object[i] = 0;
  for (int blob = 0; blob < 9; blob++) {
    const double y = 12 + 24 * lac_rng_uniform(&rng), x = 12 + 24 * lac_rng_uniform(&rng);
    const double width = 1.5 + 2 * lac_rng_uniform(&rng), phase = 3 * lac_rng_uniform(&rng);

    for (int i = 0; i < N; i++) {
      const double r = hypot(i / SIDE - y, i % SIDE - x) / width;
      object[i] += exp(-r * r) * CMPLX(cos(phase), sin(phase));
    }
  }
}

static double
get_error(const double complex *a, const double complex *b)
{
  double sum = 0, norm = 0;

  for (int i = 0; i < N; i++) {
    sum += creal((a[i] - b[i]) * conj(a[i] - b[i]));
    norm += creal(b[i] * conj(b[i]));
  }
  return sqrt(sum / norm);
}

static void
test_nothing(void)
{
  g_autoptr(LacScratch) scratch = lac_scratch_new();
  double complex        truth[N];

  fill_object(truth);
  const LacAlignment found = lac_alignment_find(truth, truth, SIDE, ALL, scratch);
  g_assert_cmpfloat_with_epsilon(found.y, 0, 1e-12);
  g_assert_cmpfloat_with_epsilon(found.x, 0, 1e-12);
  g_assert_false(found.is_twin);
  g_assert_cmpfloat_with_epsilon(cabs(found.factor - 1), 0, 1e-12);
}

static void
test_undone(void)
{
  g_autoptr(LacScratch) scratch = lac_scratch_new();
  static const double   shifts[][2] = {{0, 0}, {3, -5}, {0.37, -2.81}, {-6.25, 4.5}};
  double complex        truth[N], object[N], aligned[N];

  fill_object(truth);
  for (gsize s = 0; s < G_N_ELEMENTS(shifts); s++)
    for (int twin = 0; twin < 2; twin++) {
      const LacAlignment done = {shifts[s][0], shifts[s][1], CMPLX(cos(2.2), sin(2.2)), twin};

      lac_alignment_apply(&done, truth, SIDE, scratch, object);
      const LacAlignment found = lac_alignment_find(object, truth, SIDE, ALL, scratch);
      g_assert_cmpint(found.is_twin, ==, twin);
      /* the shift of a twin image is rotated with it */
      g_assert_cmpfloat_with_epsilon(found.y, twin ? shifts[s][0] : -shifts[s][0], 0.0051);
      g_assert_cmpfloat_with_epsilon(found.x, twin ? shifts[s][1] : -shifts[s][1], 0.0051);
      lac_alignment_apply(&found, object, SIDE, scratch, aligned);
      /* 1/200 of a pixel relative to blobs 1.5 pixels wide */
      g_assert_cmpfloat(get_error(aligned, truth), <, 0.01);
    }
}

/* Ambiguities that are not requested are left in place. */
static void
test_parts(void)
{
  g_autoptr(LacScratch) scratch = lac_scratch_new();
  const LacAlignment    done = {0, 0, CMPLX(cos(1.1), sin(1.1)), FALSE};
  double complex        truth[N], object[N];

  fill_object(truth);
  lac_alignment_apply(&done, truth, SIDE, scratch, object);
  const LacAlignment nothing = lac_alignment_find(object, truth, SIDE, 0, scratch);
  g_assert_cmpfloat_with_epsilon(cabs(nothing.factor - 1), 0, 1e-15);
  const LacAlignment phase = lac_alignment_find(object, truth, SIDE, LAC_ALIGN_PHASE, scratch);
  g_assert_cmpfloat_with_epsilon(carg(phase.factor), -1.1, 1e-12);
  g_assert_cmpfloat(phase.y, ==, 0);
}

/* Whole-pixel shifts copy values exactly. */
static void
test_whole_shift(void)
{
  g_autoptr(LacScratch) scratch = lac_scratch_new();
  const LacAlignment    done = {5, -7, 1, FALSE}, back = {-5, 7, 1, FALSE};
  double complex        truth[N], object[N];

  fill_object(truth);
  lac_alignment_apply(&done, truth, SIDE, scratch, object);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      g_assert_true(object[(y + 5) % SIDE * SIDE + (x + SIDE - 7) % SIDE] == truth[y * SIDE + x]);
  lac_alignment_apply(&back, object, SIDE, scratch, object);
  g_assert_cmpfloat(get_error(object, truth), ==, 0);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/imaging/registration/nothing-to-do", test_nothing);
  g_test_add_func("/imaging/registration/shift-phase-and-twin-are-undone", test_undone);
  g_test_add_func("/imaging/registration/only-what-is-asked-for", test_parts);
  g_test_add_func("/imaging/registration/whole-steps-are-exact", test_whole_shift);
  return g_test_run();
}
