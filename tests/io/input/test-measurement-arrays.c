/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements from arrays: each layout gives the values that were put in, and every other file a sentence. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/helpers/archive.h"
#include "io/input/measurements-table.h"

#include <math.h>
#include <string.h>

enum { N = 5, T = 3 };

static char *folder;

/* The value of component c at position i and time k; also where that position and time are. */
static double
value_of(gsize i, gsize c, gsize k)
{
  return 100 * (double) i + 10 * (double) c + (double) k;
}

static double
x_of(gsize i)
{
  return 0.5 + (double) (i * i);
}

static double
y_of(gsize i)
{
  return -(double) i;
}

static double
t_of(gsize k)
{
  return 0.25 * (double) k;
}

typedef struct {
  ArchiveMember members[6];
  gsize         n;
  double        data[N * 3 * T];
} Archive;

static void
add(Archive *archive, const char *name, const char *shape, gsize n)
{
  archive->members[archive->n++] = (ArchiveMember){name, npy_bytes(shape, archive->data, n)};
}

static char *
finish(Archive *archive)
{
  char *path = g_build_filename(folder, "some.npz", NULL);

  archive_write(path, archive->members, archive->n, TRUE);
  for (gsize i = 0; i < archive->n; i++)
    g_byte_array_unref(archive->members[i].bytes);
  archive->n = 0;
  return path;
}

static void
add_positions(Archive *archive)
{
  for (gsize i = 0; i < N; i++) {
    archive->data[2 * i] = x_of(i);
    archive->data[2 * i + 1] = y_of(i);
  }
  add(archive, "X_star.npy", "(5, 2)", 2 * N);
}

static void
add_times(Archive *archive)
{
  for (gsize k = 0; k < T; k++)
    archive->data[k] = t_of(k);
  add(archive, "t.npy", "(3, 1)", T);
}

static void
add_velocity(Archive *archive)
{
  for (gsize i = 0; i < N; i++)
    for (gsize c = 0; c < 2; c++)
      for (gsize k = 0; k < T; k++)
        archive->data[(i * 2 + c) * T + k] = value_of(i, c, k);
  add(archive, "U_star.npy", "(5, 2, 3)", N * 2 * T);
}

static void
add_pressure(Archive *archive)
{
  for (gsize i = 0; i < N; i++)
    for (gsize k = 0; k < T; k++)
      archive->data[i * T + k] = value_of(i, 2, k);
  add(archive, "p_star.npy", "(5, 3)", N * T);
}

static LacMeasurements *
read(const char *path)
{
  g_autoptr(GError) error = NULL;
  LacMeasurements  *measurements = lac_measurements_read(path, &error);

  g_assert_no_error(error);
  return measurements;
}

/* Every row holds the value that belongs to its place, time and quantity. */
static void
assert_rows(const LacMeasurements *measurements, const char *const *quantities)
{
  for (gsize r = 0; r < measurements->n; r++) {
    const LacMeasurement *row = &measurements->rows[r];
    const gsize           i = (gsize) -row->y, k = (gsize) (row->t / 0.25);
    gsize                 c = 0;

    while (!g_str_equal(quantities[c], measurements->quantities[row->quantity]))
      c++;
    g_assert_cmpfloat(row->x, ==, x_of(i));
    g_assert_cmpfloat(row->value, ==, value_of(i, c, k));
    g_assert_true(isnan(row->sigma));
  }
}

static void
test_stars(void)
{
  static const char *const quantities[] = {"u", "v", "p", NULL};
  Archive                  archive = {.n = 0};
  add_positions(&archive);
  add_times(&archive);
  add_velocity(&archive);
  add_pressure(&archive);
  g_autofree char           *path = finish(&archive);
  g_autoptr(LacMeasurements) measurements = read(path);

  g_assert_true(measurements->has_y && measurements->has_t);
  g_assert_cmpuint(measurements->n, ==, N * 3 * T);
  g_assert_cmpuint(measurements->n_quantities, ==, 3);
  assert_rows(measurements, quantities);

  g_autofree char           *some = g_strconcat(path, "#points=2", NULL);
  g_autoptr(LacMeasurements) few = read(some);
  g_autoptr(LacMeasurements) again = read(some);
  g_assert_cmpuint(few->n, ==, 2 * 3 * T);
  assert_rows(few, quantities);
  g_assert_cmpmem(few->rows, few->n * sizeof *few->rows, again->rows,
                  again->n * sizeof *again->rows);

  g_autofree char           *pressure = g_strconcat(path, "#x=X_star,t=t,u=p_star", NULL);
  g_autoptr(LacMeasurements) chosen = read(pressure);
  g_assert_cmpuint(chosen->n, ==, N * T);
  g_assert_cmpstr(chosen->quantities[0], ==, "u");
  g_auto(GStrv) names = lac_measurements_dup_columns(path, NULL);
  g_assert_cmpuint(g_strv_length(names), ==, 4);
  g_assert_true(g_strv_contains((const char *const *) names, "U_star"));
}

/* x, y, t and u of the same length: one time per position. */
static void
test_columns(void)
{
  static const char *const quantities[] = {"u", NULL};
  Archive                  archive = {.n = 0};

  for (gsize i = 0; i < N; i++)
    archive.data[i] = x_of(i);
  add(&archive, "x.npy", "(5, 1)", N);
  for (gsize i = 0; i < N; i++)
    archive.data[i] = y_of(i);
  add(&archive, "y.npy", "(5,)", N);
  for (gsize i = 0; i < N; i++)
    archive.data[i] = t_of(i % 2);
  add(&archive, "time.npy", "(5,)", N);
  for (gsize i = 0; i < N; i++)
    archive.data[i] = value_of(i, 0, i % 2);
  add(&archive, "u.npy", "(5,)", N);
  g_autofree char           *path = finish(&archive);
  g_autoptr(LacMeasurements) measurements = read(path);
  g_assert_cmpuint(measurements->n, ==, N);
  g_assert_true(measurements->has_y && measurements->has_t);
  assert_rows(measurements, quantities);
}

/* Positions and values alone: a steady field, of which one value is missing. */
static void
test_steady(void)
{
  Archive archive = {.n = 0};

  add_positions(&archive);
  for (gsize i = 0; i < N; i++)
    archive.data[i] = i == 2 ? (double) NAN : value_of(i, 0, 0);
  add(&archive, "p.npy", "(5,)", N);
  g_autofree char           *path = finish(&archive);
  g_autoptr(LacMeasurements) measurements = read(path);
  g_assert_cmpuint(measurements->n, ==, N);
  g_assert_false(measurements->has_t);
  for (gsize i = 0; i < N; i++)
    g_assert_true(i == 2 ? isnan(measurements->rows[i].value)
                         : measurements->rows[i].value == value_of(i, 0, 0));
}

static void
assert_refused(const char *path, const char *word)
{
  g_autoptr(GError) error = NULL;

  g_assert_null(lac_measurements_read(path, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, word));
}

static void
test_refusals(void)
{
  Archive archive = {.n = 0};

  add_times(&archive);
  add_pressure(&archive);
  g_autofree char *no_place = finish(&archive);
  assert_refused(no_place, "there are no positions");

  add_positions(&archive);
  add_times(&archive);
  g_autofree char *no_value = finish(&archive);
  assert_refused(no_value, "X_star (5 x 2)");

  add_positions(&archive);
  add_times(&archive);
  add_pressure(&archive);
  for (gsize i = 0; i < N; i++)
    archive.data[i] = 0;
  add(&archive, "c.npy", "(5,)", N);
  g_autofree char *path = finish(&archive);
  g_autofree char *many = g_strconcat(path, "#points=6", NULL);
  g_autofree char *odd = g_strconcat(path, "#points=some", NULL);
  assert_refused(many, "from 1 to the 5 positions");
  assert_refused(odd, "points = some");

  add_positions(&archive);
  archive.members[0].bytes->data[archive.members[0].bytes->len - 1] = 0x7f; /* the last y */
  archive.members[0].bytes->data[archive.members[0].bytes->len - 2] = 0xf0;
  add_pressure(&archive);
  g_autofree char *infinite = finish(&archive);
  assert_refused(infinite, "not a finite number");
}

int
main(int argc, char **argv)
{
  int status;

  g_test_init(&argc, &argv, NULL);
  folder = test_folder_new();
  g_test_add_func("/io/measurement-arrays/stars", test_stars);
  g_test_add_func("/io/measurement-arrays/columns", test_columns);
  g_test_add_func("/io/measurement-arrays/steady", test_steady);
  g_test_add_func("/io/measurement-arrays/refusals", test_refusals);
  status = g_test_run();
  test_folder_remove(folder);
  return status;
}
