/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A truth from a file on a grid: linear fields come through unchanged in any order of the axes and around a period; other
 * files are refused with the reason. */
#include "base/error.h"
#include "experiment/flow/truth/grid-file.h"

#include <math.h>
#include <string.h>

static double
field_at(double t, double x, double y)
{
  return 1 + t - 2 * x + 3 * y + t * x;
}

/* A field over t, y and x, in the order of @names. */
static LacGridField *
make_file(const char *const *names, double t_last)
{
  static const char *const units[] = {"1", "1", "1"};
  gsize                    sizes[3];
  double                   last[3];

  for (guint a = 0; a < 3; a++) {
    sizes[a] = names[a][0] == 't' ? 4 : names[a][0] == 'x' ? 9 : 7;
    last[a] = names[a][0] == 't' ? t_last : 1;
  }
  LacGridField *file = lac_field_new("u", "1", 3, names, units, sizes);
  for (guint a = 0; a < 3; a++)
    for (gsize i = 0; i < sizes[a]; i++)
      file->axes[a].values[i] = last[a] * (double) i / (double) (sizes[a] - 1);
  for (gsize i = 0; i < sizes[0] * sizes[1] * sizes[2]; i++) {
    const gsize at[] = {i / (sizes[1] * sizes[2]), i / sizes[2] % sizes[1], i % sizes[2]};
    double      place[3]; /* t, x, y */

    for (guint a = 0; a < 3; a++)
      place[names[a][0] == 't' ? 0 : names[a][0] == 'x' ? 1 : 2] = file->axes[a].values[at[a]];
    file->data[i] = field_at(place[0], place[1], place[2]);
  }
  return file;
}

static LacCase
make_case(void)
{
  LacCase subject = {.pde = lac_pde_find("heat-2d"), .n_fields = 1};

  for (guint axis = 0; axis < 3; axis++)
    subject.upper[axis] = 1;
  return subject;
}

static LacTruth *
make_truth(gsize n_t)
{
  static const char *const fields[] = {"u"};
  LacTruth                *truth = lac_truth_new(1, fields, 5, 4, 0, n_t);

  truth->lower[0] = truth->lower[1] = 0.1;
  truth->upper[0] = truth->upper[1] = 0.9;
  for (gsize k = 0; k < n_t; k++)
    truth->times[k] = 0.3 * (double) k;
  return truth;
}

static void
test_taken(void)
{
  static const char *const orders[][3] = {{"t", "y", "x"}, {"x", "y", "time"}, {"y", "tt", "x"}};
  const LacCase            subject = make_case();

  for (gsize o = 0; o < G_N_ELEMENTS(orders); o++) {
    g_autoptr(GError)       error = NULL;
    g_autoptr(LacGridField) file = make_file(orders[o], 1);
    g_autoptr(LacTruth)     truth = make_truth(3);

    g_clear_pointer(&truth->observed, g_free); /* of an equation without a known solution */
    g_assert_true(lac_grid_file_take(truth, &subject, file, &error));
    g_assert_no_error(error);
    for (gsize k = 0; k < 3; k++)
      for (gsize i = 0; i < 20; i++)
        g_assert_cmpfloat_with_epsilon(
          truth->observed[k * 20 + i],
          field_at(truth->times[k], lac_truth_get_x(truth, i % 5), lac_truth_get_y(truth, i / 5)),
          1e-13);
  }
}

/* Two fields of a file in the order of the equation, whatever their order in the file. */
static void
test_several(void)
{
  static const char *const names[] = {"t", "y", "x"}, *const fields[] = {"u", "v"};
  static const char *const called[][2] = {{"u", "v"}, {"u.truth", "v.truth"}};
  LacCase                  subject = make_case();

  subject.pde = lac_pde_find("navier-stokes-2d");
  subject.n_fields = 2;
  for (gsize c = 0; c < G_N_ELEMENTS(called); c++) {
    g_autoptr(GError)       error = NULL;
    g_autoptr(LacTruth)     truth = lac_truth_new(2, fields, 5, 4, 0, 3);
    g_autoptr(LacGridField) file = make_file(names, 1);
    LacGridField           *u = make_file(names, 1);

    truth->upper[0] = truth->upper[1] = 0.9;
    g_free(file->name);
    file->name = g_strdup(called[c][1]);
    for (gsize i = 0; i < lac_field_get_length(file); i++)
      file->data[i] *= -2;
    g_assert_false(lac_grid_file_take(truth, &subject, file, &error));
    g_assert_nonnull(strstr(error->message, "this scene needs u too"));
    g_clear_error(&error);
    g_free(u->name);
    u->name = g_strdup(called[c][0]);
    file->next = u;
    g_assert_true(lac_grid_file_take(truth, &subject, file, &error));
    g_assert_no_error(error);
    g_assert_true(lac_grid_file_spans(&subject, file, &error));
    for (gsize i = 0; i < 20; i++) {
      const double value =
        field_at(0, lac_truth_get_x(truth, i % 5), lac_truth_get_y(truth, i / 5));

      g_assert_cmpfloat_with_epsilon(truth->observed[i], value, 1e-13);
      g_assert_cmpfloat_with_epsilon(truth->observed[20 + i], -2 * value, 1e-13);
    }
  }
}

/* A file over a period without its end: beyond the last point comes the first. */
static void
test_period(void)
{
  static const char *const names[] = {"t", "x"}, *const units[] = {"1", "1"};
  static const gsize       sizes[] = {2, 8};
  static const char *const fields[] = {"u"};
  LacCase                  subject = {.pde = lac_pde_find("allen-cahn"), .n_fields = 1};
  g_autoptr(LacGridField)  file = lac_field_new("u", "1", 2, names, units, sizes);
  g_autoptr(LacTruth)      truth = lac_truth_new(1, fields, 16, 1, 0, 2);
  g_autoptr(GError)        error = NULL;

  subject.upper[0] = 1;
  subject.lower[1] = -1;
  subject.upper[1] = 1;
  subject.periodic[1] = TRUE;
  truth->times[1] = file->axes[0].values[1] = 1;
  truth->lower[0] = -1;
  truth->upper[0] = 1 - 2.0 / 16;
  for (gsize i = 0; i < 16; i++)
    file->data[i] = i % 8 == 0 ? 5 : (double) (i % 8);
  for (gsize i = 0; i < 8; i++)
    file->axes[1].values[i] = -1 + 0.25 * (double) i;
  g_assert_true(lac_grid_file_spans(&subject, file, &error));
  g_assert_true(lac_grid_file_take(truth, &subject, file, &error));
  g_assert_no_error(error);
  g_assert_cmpfloat_with_epsilon(truth->observed[1], 3, 1e-12);
  g_assert_cmpfloat_with_epsilon(truth->observed[15], 6, 1e-12); /* between 7 and 5 */
  subject.periodic[1] = FALSE;
  g_assert_false(lac_grid_file_spans(&subject, file, &error));
  g_assert_nonnull(strstr(error->message, "x = -1 to 0.75"));
}

static void
test_refused(void)
{
  static const char *const names[] = {"t", "y", "x"}, *const other[] = {"t", "z", "x"};
  const LacCase           subject = make_case();
  g_autoptr(LacGridField) brief = make_file(names, 0.5), wrong = make_file(other, 1);
  g_autoptr(LacGridField) hole = make_file(names, 1), back = make_file(names, 1);
  g_autoptr(LacTruth)     truth = make_truth(3);
  const struct {
    const LacGridField *file;
    const char         *part;
  } cases[] = {{brief, "covers t from 0 to 0.5; this scene needs it at 0.6"},
               {wrong, "this scene needs it over t, x, y"},
               {hole, "not finite"},
               {back, "\"x\" does not ascend at value 5"}};

  hole->data[17] = (double) NAN;
  back->axes[2].values[4] = 0;
  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
    g_autoptr(GError) error = NULL;

    g_assert_false(lac_grid_file_take(truth, &subject, cases[c].file, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    g_assert_nonnull(strstr(error->message, cases[c].part));
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/experiment/grid-file/a-field-is-interpolated-in-any-order-of-its-axes",
                  test_taken);
  g_test_add_func("/experiment/grid-file/several-fields-by-name", test_several);
  g_test_add_func("/experiment/grid-file/a-period-closes", test_period);
  g_test_add_func("/experiment/grid-file/other-files-are-refused", test_refused);
  return g_test_run();
}
