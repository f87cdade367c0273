/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra of synthetic frames with known shells. */
#include "report/plot/spectra.h"

#include <math.h>

#define NX 32
#define NY 16

/* Fills a plane of a source: a wave of @wave periods along x and of @other along y, of amplitude @size. */
static void
fill(LacPlane *plane, double wave, double other, double size)
{
  plane->x_min = plane->y_min = 0;
  plane->x_max = (double) (plane->nx - 1) / (double) plane->nx; /* a period of 1 */
  plane->y_max = plane->ny > 1 ? (double) (plane->ny - 1) / (double) plane->ny : 0;
  for (gsize j = 0; j < plane->ny; j++)
    for (gsize i = 0; i < plane->nx; i++)
      plane->data[j * plane->nx + i] =
        (float) (size * cos(2 * G_PI *
                            (wave * (double) i / (double) plane->nx +
                             other * (double) j / (double) plane->ny)));
}

static LacFrame *
make_frame(gsize n, gsize nx, gsize ny)
{
  gsize sizes[4][2];
  for (gsize i = 0; i < n; i++) {
    sizes[i][0] = nx;
    sizes[i][1] = ny;
  }
  return lac_frame_new(n, (const gsize(*)[2]) sizes, 0, 0);
}

static LacChannel
make_channel(const char *quantity, LacRole role)
{
  return (LacChannel){.key = quantity,
                      .label = "it",
                      .unit = "K",
                      .quantity = quantity,
                      .role = role,
                      .axis_x = "x",
                      .axis_y = "y",
                      .axis_unit_x = "m",
                      .axis_unit_y = "m",
                      .periodic = TRUE};
}

static double
add_up(const LacSpectra *spectra, gsize i)
{
  double sum = 0;
  for (gsize k = 0; k < spectra->n_shells; k++)
    sum += spectra->spectra[i].power[k];
  return sum;
}

/* A wave of amplitude a has the mean square a^2 / 2, and the difference of two has power in both shells. */
static void
test_power_of_truth_source_and_error(void)
{
  LacChannel            channels[] = {make_channel("heat", LAC_ROLE_TRUTH),
                                      make_channel("heat", LAC_ROLE_RECONSTRUCTION),
                                      make_channel("other", LAC_ROLE_RECONSTRUCTION)};
  g_autoptr(LacFrame)   frame = make_frame(3, NX, NX);
  const LacSpectraOf    of = {channels, 3, frame, "heat"};
  g_autoptr(LacSpectra) spectra = NULL;

  fill(&frame->planes[0], 3, 0, 2);
  fill(&frame->planes[1], 3, 0, 1.5);
  fill(&frame->planes[2], 7, 0, 9);
  g_assert_null(lac_spectra_why_not(&of));
  spectra = lac_spectra_new(&of);
  g_assert_false(spectra->is_energy);
  g_assert_false(spectra->is_windowed);
  g_assert_cmpuint(spectra->n_spectra, ==, 3);
  g_assert_false(spectra->spectra[1].is_error);
  g_assert_true(spectra->spectra[2].is_error);
  g_assert_cmpfloat_with_epsilon(spectra->spectra[0].power[3], 2, 1e-6);
  g_assert_cmpfloat_with_epsilon(spectra->spectra[1].power[3], 1.125, 1e-6);
  g_assert_cmpfloat_with_epsilon(spectra->spectra[2].power[3], 0.125, 1e-6);
  for (gsize i = 0; i < 3; i++)
    g_assert_cmpfloat_with_epsilon(add_up(spectra, i), spectra->spectra[i].power[3], 1e-6);
  g_assert_cmpfloat_with_epsilon(spectra->wavenumber[3], 6 * G_PI, 1e-9);
  g_assert_cmpstr(spectra->y_label, ==, "power of heat (K²)");
  g_assert_cmpstr(spectra->x_label, ==, "wavenumber (rad/m)");
}

/* For fields over time and space the wavenumbers are spatial, on either axis; a line has its own. */
static void
test_time_is_no_space(void)
{
  LacChannel          channel = make_channel("heat", LAC_ROLE_RECONSTRUCTION);
  g_autoptr(LacFrame) frame = make_frame(1, NX, NY), line = make_frame(1, NX, 1);

  fill(&frame->planes[0], 5, 2, 1);
  fill(&line->planes[0], 5, 0, 1);
  channel.axis_x = "t";
  g_autoptr(LacSpectra) rows = lac_spectra_new(&(LacSpectraOf){&channel, 1, frame, NULL});
  channel.axis_x = "x";
  channel.axis_y = "t";
  g_autoptr(LacSpectra) columns = lac_spectra_new(&(LacSpectraOf){&channel, 1, frame, NULL});
  channel.axis_y = "y";
  g_autoptr(LacSpectra) alone = lac_spectra_new(&(LacSpectraOf){&channel, 1, line, NULL});

  g_assert_cmpuint(rows->n_shells, ==, NY / 2 + 1);
  g_assert_cmpfloat_with_epsilon(rows->spectra[0].power[2], 0.5, 1e-6);
  g_assert_cmpuint(columns->n_shells, ==, NX / 2 + 1);
  g_assert_cmpfloat_with_epsilon(columns->spectra[0].power[5], 0.5, 1e-6);
  g_assert_cmpfloat_with_epsilon(alone->spectra[0].power[5], 0.5, 1e-6);
}

/* The window preserves the mean square of a wave that fits it, and is reported. */
static void
test_bounded_fields_have_a_window(void)
{
  LacChannel          channel = make_channel("amplitude", LAC_ROLE_RECONSTRUCTION);
  g_autoptr(LacFrame) frame = make_frame(1, NX, NX);

  channel.periodic = FALSE;
  channel.unit = "log₁₀ 1/m²";
  fill(&frame->planes[0], 8, 0, 1);
  g_autoptr(LacSpectra) spectra = lac_spectra_new(&(LacSpectraOf){&channel, 1, frame, NULL});
  g_assert_true(spectra->is_windowed);
  g_assert_cmpfloat_with_epsilon(add_up(spectra, 0), 0.5, 1e-4);
  g_assert_cmpfloat(spectra->spectra[0].power[8], >, 0.2);
  g_assert_cmpstr(spectra->y_label, ==, "power of amplitude");
}

/* A flow has an energy spectrum, half of the mean square of both components; a transported quantity has a power
 * spectrum. */
static void
test_a_flow_has_its_energy(void)
{
  LacChannel channels[] = {make_channel("u", LAC_ROLE_TRUTH), make_channel("v", LAC_ROLE_TRUTH),
                           make_channel("smoke", LAC_ROLE_TRUTH)};
  g_autoptr(LacFrame) frame = make_frame(3, NX, NX);

  channels[0].unit = channels[1].unit = "m/s";
  for (gsize i = 0; i < 3; i++)
    fill(&frame->planes[i], 0, 2, (double) (i + 1));
  g_autoptr(LacSpectra) flow = lac_spectra_new(&(LacSpectraOf){channels, 3, frame, "v"});
  g_autoptr(LacSpectra) smoke = lac_spectra_new(&(LacSpectraOf){channels, 3, frame, "smoke"});
  g_assert_true(flow->is_energy);
  g_assert_cmpfloat_with_epsilon(flow->spectra[0].power[2], 0.5 * (0.5 + 2), 1e-6);
  g_assert_cmpstr(flow->y_label, ==, "energy (m²/s²)");
  g_assert_false(smoke->is_energy);
  g_assert_cmpfloat_with_epsilon(smoke->spectra[0].power[2], 4.5, 1e-6);
}

static void
test_a_missing_spectrum_is_reported(void)
{
  LacChannel          channel = make_channel("heat", LAC_ROLE_RECONSTRUCTION);
  g_autoptr(LacFrame) frame = make_frame(1, 3, 1), whole = make_frame(1, NX, NX);
  const LacSpectraOf  few = {&channel, 1, frame, NULL}, none = {&channel, 1, whole, "pressure"},
                     hole = {&channel, 1, whole, NULL};

  fill(&frame->planes[0], 1, 0, 1);
  fill(&whole->planes[0], 1, 0, 1);
  g_assert_nonnull(lac_spectra_why_not(&few));
  g_assert_null(lac_spectra_new(&few));
  g_assert_nonnull(lac_spectra_why_not(&none));
  whole->planes[0].data[7] = NAN;
  g_autoptr(LacSpectra) spectra = lac_spectra_new(&hole);
  g_assert_cmpuint(spectra->n_spectra, ==, 0); /* it contains a NaN */
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/report/spectra/power-of-truth-source-and-error",
                  test_power_of_truth_source_and_error);
  g_test_add_func("/report/spectra/time-is-no-space", test_time_is_no_space);
  g_test_add_func("/report/spectra/bounded-fields-have-a-window",
                  test_bounded_fields_have_a_window);
  g_test_add_func("/report/spectra/a-flow-has-its-energy", test_a_flow_has_its_energy);
  g_test_add_func("/report/spectra/what-has-none-is-told", test_a_missing_spectrum_is_reported);
  return g_test_run();
}
