/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structural similarity of a published image, compared with the digits of another program. */
#include "experiment/imaging/metrics/metrics.h"
#include "io/input/input.h"

#include <glib.h>

#include <math.h>

#define SIDE 512

/* Returns: (transfer full) (nullable): path of the file; NULL after skipping the test. */
static char *
find_reference(void)
{
  const char *folder = g_getenv("LACUNA_REFERENCE_DATA"), *root = g_getenv("LACUNA_SOURCE_ROOT");
  g_autofree char *path = folder != NULL
                            ? g_build_filename(folder, "images", "camera.png", NULL)
                            : g_build_filename(root != NULL ? root : ".", "..", "shared", "data",
                                               "images", "camera.png", NULL);

  if (g_file_test(path, G_FILE_TEST_EXISTS))
    return g_steal_pointer(&path);
  if (g_getenv("CI") != NULL)
    g_error("camera.png is missing; name its folder in LACUNA_REFERENCE_DATA");
  g_test_skip("camera.png is missing; name its folder in LACUNA_REFERENCE_DATA");
  return NULL;
}

/* Values from scikit-image 0.26 and NumPy 2 for the same image in 0 ... 255 and the same perturbation:
 * structural_similarity(..., gaussian_weights=True, sigma=1.5, win_size=7 and 11, use_sample_covariance=False,
 * data_range=255), peak_signal_noise_ratio. */
static void
test_camera(void)
{
  g_autofree char  *path = find_reference();
  g_autoptr(GError) error = NULL;

  if (path == NULL)
    return;
  g_autoptr(LacGridField) picture = lac_input_load(path, "picture", &error);
  g_assert_no_error(error);
  g_assert_cmpuint(lac_field_get_length(picture), ==, SIDE * SIDE);
  g_autofree double *other = g_new(double, SIDE *SIDE), *same = g_new(double, SIDE *SIDE);
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      const double value = 255 * picture->data[i * SIDE + j];
      same[i * SIDE + j] = value;
      other[i * SIDE + j] =
        CLAMP(value + 20 * sin(12.9898 * i + 78.233 * j + 0.01 * i * j), 0, 255);
    }
  /* angles of some 10^4 are rounded to 10^-12 */
  g_assert_cmpfloat_with_epsilon(lac_image_psnr(other, same, SIDE * SIDE, 255), 25.223877177621286,
                                 1e-9);
  g_assert_cmpfloat_with_epsilon(lac_image_ssim(LAC_SSIM_CROPPED, other, same, SIDE, 255),
                                 0.462589901839182, 1e-10);
  g_assert_cmpfloat_with_epsilon(lac_image_ssim(LAC_SSIM_VALID, other, same, SIDE, 255),
                                 0.4632261927577135, 1e-10);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/physics/similarity/a-published-picture-as-another-program-has-it", test_camera);
  return g_test_run();
}
