/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruments of the imaging laboratory: lengths in metres become k-space pixels; what lies between the object and
 * the field that is scanned is undone in what is shown. */
#include "base/error.h"
#include "experiment/imaging/helpers/subject.h"

#include <math.h>
#include <string.h>

/* Numerical apertures of an object of 32 pixels of 2 um on a grid of 64: k-space pixels of 1 / 128 um. */
static void
test_microscope(void)
{
  Subject subject;

  subject_init(&subject, "usaf");
  subject_set(&subject, "instrument", "microscope");
  subject_set(&subject, "width", "64e-6");
  subject_set(&subject, "wavelength", "0.5e-6");
  subject_set(&subject, "numerical_aperture", "0.025");
  subject_set(&subject, "illumination_aperture", "0.0625");
  LacImagingState         *state = subject_new_state(&subject);
  const LacOpticsSettings *optics = lac_optics_get_settings(state->optics);

  g_assert_cmpfloat_with_epsilon(optics->aperture.radius, 0.025 / 0.5e-6 * 128e-6, 1e-9);
  for (gsize i = 0; i < optics->n_positions; i++)
    g_assert_cmpfloat(hypot(optics->scan[i].y, optics->scan[i].x), <=, 0.0625 / 0.5e-6 * 128e-6);
  g_assert_cmpuint(state->places.slots[0].quality[LAC_QUALITY_METRES], !=, G_MAXSIZE);
  g_assert_cmpuint(state->places.slots[0].quality[LAC_QUALITY_ARCSECONDS], ==, G_MAXSIZE);
  g_assert_cmpfloat_with_epsilon(state->scale.pixel, 2e-6, 1e-18);
  subject.experiment->destroy(state);
  subject_clear(&subject);
}

/* A key of the set-up and its value; the last key is NULL. */
typedef struct {
  const char *key, *text;
} Setting;

static const Setting near_field[] = {
  {"instrument", "fresnel"}, {"width", "0.01"}, {"distance", "20"},
  {"wavelength", "500e-9"},  {NULL, NULL},
};
static const Setting out_of_focus[] = {
  {"instrument", "microscope"},
  {"width", "64e-6"},
  {"wavelength", "0.5e-6"},
  {"numerical_aperture", "0.03"},
  {"illumination_aperture", "0.06"},
  {"focus_distance", "200e-6"},
  {"bounds", "no"},
  {NULL, NULL},
};

static double
get_error(const double complex *a, const double complex *b, gsize n)
{
  double complex product = 0;
  double         apart = 0, all = 0;

  for (gsize i = 0; i < n; i++)
    product += conj(a[i]) * b[i];
  for (gsize i = 0; i < n; i++) {
    const double complex off = product / cabs(product) * a[i] - b[i];

    apart += creal(off * conj(off));
    all += creal(b[i] * conj(b[i]));
  }
  return sqrt(apart / all);
}

/* Exposures that cover all of k-space have the truth as their band limit, whatever lies before the scan; and a method
 * finds it: its object as it is shown, not the field that it has reconstructed. */
static void
test_undone(gconstpointer data)
{
  const Setting *settings = data;
  Subject        subject;

  subject_init(&subject, "europa");
  subject_set(&subject, "is_real", "no");
  subject_set(&subject, "snr", "0");
  subject_set(&subject, "solver", "pie");
  subject_set(&subject, "pie_sweeps", "60");
  subject_set(&subject, "apertures", "40");
  for (; settings->key != NULL; settings++)
    subject_set(&subject, settings->key, settings->text);
  LacImagingState      *state = subject_new_state(&subject);
  const LacImagingSlot *slot = &state->slots[0];
  const gsize           n = state->side * state->side;

  subject_run_to_the_end(subject.experiment, state);
  slot->solver->object(slot->self, state->object);
  const double before = get_error(state->object, state->truth, n);
  lac_imaging_take_object(state, 0);
  const double after = get_error(state->object, state->truth, n);
  g_test_message("error %g, of the scanned field %g", after, before);
  g_assert_cmpfloat(after, <, 0.06); /* the corners of k-space are not scanned */
  g_assert_cmpfloat(before, >, 4 * after);
  subject.experiment->destroy(state);
  subject_clear(&subject);
}

/* 2 r_coh / dxf: the specification's 17 pixels for Europa. */
static void
test_coherent_area(void)
{
  Subject subject;

  subject_init(&subject, "europa");
  subject_set(&subject, "grid", "1024");
  subject_set(&subject, "size", "0");
  subject_set(&subject, "k_pixel", "0.01");
  subject_set(&subject, "diameter", "0");
  const LacImaging *laboratory = subject.experiment->data;
  g_assert_cmpfloat_with_epsilon(
    lac_imaging_get_diameter(lac_imaging_common(laboratory, lac_draft_get_values(subject.draft))),
    17.82, 0.01);
  subject_clear(&subject);
}

static void
check_refused(const char *name, const char *const *settings, const char *word)
{
  Subject           subject;
  g_autoptr(GError) error = NULL;

  subject_init(&subject, name);
  for (gsize i = 0; settings[i] != NULL; i += 2)
    subject_set(&subject, settings[i], settings[i + 1]);
  g_assert_false(
    subject.experiment->check(subject.experiment, lac_draft_get_values(subject.draft), &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE);
  g_assert_nonnull(strstr(error->message, word));
  subject_clear(&subject);
}

static void
test_refusals(void)
{
  check_refused("usaf", (const char *[]){"instrument", "microscope", NULL}, "width");
  check_refused("usaf", (const char *[]){"instrument", "fresnel", NULL}, "distance");
  check_refused("usaf", (const char *[]){"diameter", "0", NULL}, "diameter");
  check_refused("europa", (const char *[]){"instrument", "fresnel", NULL}, "is_real = no");
  check_refused("usaf",
                (const char *[]){"instrument", "microscope", "width", "64e-6", "wavelength",
                                 "0.5e-6", "illumination_aperture", "0.2", NULL},
                "0.125");
  check_refused("usaf",
                (const char *[]){"instrument", "microscope", "width", "64e-6", "wavelength",
                                 "0.5e-6", "illumination_aperture", "0.06", "numerical_aperture",
                                 "0.03", "focus_distance", "1e-4", "is_real", "no", NULL},
                "bounds = no");
}

static char *
dup_warning(const Setting *settings)
{
  Subject subject;

  subject_init(&subject, "europa");
  for (; settings->key != NULL; settings++)
    subject_set(&subject, settings->key, settings->text);
  char *warning = subject.experiment->warn(subject.experiment, lac_draft_get_values(subject.draft));
  subject_clear(&subject);
  return warning;
}

/* The far field is left at the same scale; light of 20 m away samples its quadratic phase, of 5 m does not. */
static void
test_warnings(void)
{
  static const Setting far_field[] = {
    {"width", "0.01"}, {"distance", "20"}, {"wavelength", "500e-9"}, {NULL, NULL}};
  static const Setting nearer[] = {{"instrument", "fresnel"},
                                   {"width", "0.01"},
                                   {"distance", "5"},
                                   {"wavelength", "500e-9"},
                                   {NULL, NULL}};
  g_autofree char     *none = dup_warning(near_field), *not_far = dup_warning(far_field);
  g_autofree char     *coarse = dup_warning(nearer);

  g_assert_null(none);
  g_assert_nonnull(strstr(not_far, "Fresnel number"));
  g_assert_nonnull(coarse);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/imaging/instrument/a-microscope-has-its-apertures", test_microscope);
  g_test_add_data_func("/experiment/imaging/instrument/a-quadratic-phase-is-undone", near_field,
                       test_undone);
  g_test_add_data_func("/experiment/imaging/instrument/a-result-is-refocused", out_of_focus,
                       test_undone);
  g_test_add_func("/experiment/imaging/instrument/light-is-coherent-over-its-area",
                  test_coherent_area);
  g_test_add_func("/experiment/imaging/instrument/what-it-lacks-is-told", test_refusals);
  g_test_add_func("/experiment/imaging/instrument/near-and-far-are-told-apart", test_warnings);
  return g_test_run();
}
