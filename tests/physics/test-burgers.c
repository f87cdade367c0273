/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact Burgers solution against the reference file used in the literature. */
#include "io/input/input.h"
#include "solver/cole-hopf.h"

#include <glib.h>

#include <math.h>

/* Returns: (transfer full) (nullable): path of the file; NULL after skipping the test. */
static char *
find_reference(void)
{
  const char      *folder = g_getenv("LACUNA_REFERENCE_DATA");
  const char      *root = g_getenv("LACUNA_SOURCE_ROOT");
  g_autofree char *path = NULL;

  if (folder)
    path = g_build_filename(folder, "flow", "burgers_shock.mat", NULL);
  else
    path = g_build_filename(root ? root : ".", "..", "shared", "data", "flow", "burgers_shock.mat",
                            NULL);
  if (g_file_test(path, G_FILE_TEST_EXISTS))
    return g_steal_pointer(&path);
  if (g_getenv("CI"))
    g_error("burgers_shock.mat is missing; name its folder in LACUNA_REFERENCE_DATA");
  g_test_skip("burgers_shock.mat is missing; name its folder in LACUNA_REFERENCE_DATA");
  return NULL;
}

/* Two independent methods: the file was made by a spectral solver, accurate to about 4e-11. */
static void
test_reference(void)
{
  g_autofree char        *path = find_reference();
  g_autoptr(LacColeHopf)  exact = lac_cole_hopf_new(0.01 / G_PI, 140);
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacGridField) field = NULL;
  double                  largest = 0;

  if (!path)
    return;
  field = lac_input_load(path, "field", &error);
  g_assert_no_error(error);
  g_assert_cmpuint(field->n_axes, ==, 2);
  g_assert_cmpuint(field->axes[0].n, ==, 256);
  g_assert_cmpuint(field->axes[1].n, ==, 100);
  for (gsize i = 0; i < 256; i++)
    for (gsize k = 0; k < 100; k++)
      largest = MAX(
        largest, fabs(field->data[i * 100 + k] -
                      lac_cole_hopf_at(exact, field->axes[1].values[k], field->axes[0].values[i])));
  g_test_message("largest difference %g", largest);
  g_assert_cmpfloat(largest, <=, 1e-10);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/physics/burgers/the-exact-solution-is-that-of-the-reference-file",
                  test_reference);
  return g_test_run();
}
