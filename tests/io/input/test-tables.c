/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text tables and NPZ: values are read back, on a grid if they form one, and every error gives a message. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/helpers/archive.h"
#include "io/input/formats.h"
#include "io/input/input.h"
#include "io/input/measurements-table.h"

#include <math.h>
#include <string.h>

static char *folder;

static char *
write_text(const char *name, const char *text)
{
  char *path = g_build_filename(folder, name, NULL);

  g_assert_true(g_file_set_contents(path, text, -1, NULL));
  return path;
}

static const LacInputArray *
find_array(const LacInputFile *file, const char *name)
{
  for (guint i = 0; i < file->arrays->len; i++) {
    const LacInputArray *array = file->arrays->pdata[i];
    if (g_str_equal(array->name, name))
      return array;
  }
  g_error("there is no array %s", name);
}

static LacInputFile *
read_text(const char *text)
{
  g_autofree char  *path = write_text("some", text);
  g_autoptr(GError) error = NULL;
  LacInputFile     *file = lac_input_file_read(path, LAC_INPUT_WHOLE, &error);

  g_assert_no_error(error);
  return file;
}

/* Rows in any order, with coordinates that differ in their last digits: still a grid. */
static void
test_grid(void)
{
  static const char       text[] = "x [m],u [m/s],y [m]\n"
                                   "0,0,0\n1,10,0\n2.0000000000000004,20,0\n"
                                   "2,21,5\n0,1,5\n1,11,5\n";
  g_autofree char        *path = write_text("grid.csv", text);
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacGridField) field = lac_input_load(path, "field", &error);

  g_assert_no_error(error);
  g_assert_cmpstr(field->name, ==, "u");
  g_assert_cmpstr(field->unit, ==, "m/s");
  g_assert_cmpstr(field->axes[0].name, ==, "y");
  g_assert_cmpstr(field->axes[1].name, ==, "x");
  g_assert_cmpstr(field->axes[1].unit, ==, "m");
  for (gsize j = 0; j < 2; j++)
    for (gsize i = 0; i < 3; i++)
      g_assert_cmpfloat(field->data[j * 3 + i], ==, 10.0 * (double) i + (double) j);
}

static void
test_points(void)
{
  static const char text[] =
    "\"U:0\",\"U:1\",\"U:2\",\"p\",\"Points:0\",\"Points:1\",\"Points:2\"\n"
    "1,2,0,5,0.1,0.2,0\n3,4,0,1.79e308,0.3,0.5,0\n-1,-2,0,6,0.7,0.2,0\n";
  g_autoptr(LacInputFile)    file = read_text(text);
  g_autofree char           *path = write_text("points.csv", text);
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacMeasurements) measurements = lac_measurements_read(path, &error);

  g_assert_cmpuint(file->arrays->len, ==, 7);
  g_assert_cmpfloat(find_array(file, "v")->data[1], ==, 4);
  g_assert_cmpfloat(find_array(file, "y")->data[2], ==, 0.2);
  g_assert_no_error(error);
  g_assert_cmpuint(measurements->n, ==, 3 * 4);
  g_assert_cmpuint(measurements->n_quantities, ==, 4);
  g_assert_true(measurements->has_y && !measurements->has_t);
  const LacMeasurement *row = &measurements->rows[7];
  g_assert_cmpstr(measurements->quantities[row->quantity], ==, "p");
  g_assert_true(isnan(row->value) && row->x == 0.3 && row->y == 0.5);
  g_autofree char *reported = lac_input_describe(path, &error);
  g_assert_nonnull(strstr(reported, "3 places"));
}

#define COMSOL_HEAD "% Model:              tank.mph\n% Nodes:              6\n"

static void
test_comsol(void)
{
  g_autoptr(LacInputFile) file =
    read_text(COMSOL_HEAD "% x                       y                        u (m/s)"
                          "                  p @ Re=100\n"
                          "0                         0                        1 "
                          "                       5\n0.5   0 2 6\n1 0.25 3 7.5E-1\n");

  g_assert_cmpstr(file->format, ==, "COMSOL text");
  g_assert_cmpuint(file->arrays->len, ==, 4);
  g_assert_cmpfloat(find_array(file, "u")->data[1], ==, 2);
  g_assert_cmpstr(find_array(file, "u")->unit, ==, "m/s");
  g_assert_cmpfloat(find_array(file, "p")->data[2], ==, 0.75);
}

/* Columns at several times form a time axis, in the order of the times. */
static void
test_times(void)
{
  static const char       text[] = COMSOL_HEAD "% x    u (K) @ t=0    u (K) @ t=2    u (K) @ t=1\n"
                                               "0 1 3 2\n4 10 30 20\n";
  g_autofree char        *path = write_text("times.txt", text);
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacGridField) field = lac_input_load(path, "field", &error);
  g_autoptr(LacMeasurements) measurements = lac_measurements_read(path, &error);
  static const double        expected[] = {1, 10, 2, 20, 3, 30};

  g_assert_no_error(error);
  g_assert_cmpstr(field->axes[0].name, ==, "t");
  g_assert_cmpuint(field->axes[0].n, ==, 3);
  g_assert_cmpmem(field->data, sizeof expected, expected, sizeof expected);
  g_assert_cmpfloat(field->axes[0].values[2], ==, 2);
  g_assert_cmpstr(field->unit, ==, "K");
  g_assert_cmpuint(measurements->n, ==, 6);
  g_assert_true(measurements->has_t);
  g_assert_true(measurements->rows[1].t == 2 && measurements->rows[1].value == 3);
}

static void
test_named_array(void)
{
  g_autofree char  *path = write_text("two.csv", "x,y,u,v\n0,0,1,5\n1,0,2,6\n0,1,3,7\n1,1,4,8\n");
  g_autofree char  *named = g_strconcat(path, "#v", NULL), *wrong = g_strconcat(path, "#w", NULL);
  g_autoptr(GError) error = NULL;

  g_assert_null(lac_input_load(path, "field", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  g_assert_nonnull(strstr(error->message, "two.csv#u"));
  g_clear_error(&error);
  g_autoptr(LacGridField) field = lac_input_load(named, "field", &error);
  g_assert_no_error(error);
  g_assert_cmpstr(field->name, ==, "v");
  g_assert_cmpfloat(field->data[2], ==, 7);
  g_assert_null(lac_input_load(wrong, "field", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  guint            n_axes = 0;
  LacInputKind     kind;
  g_autofree char *first = lac_input_dup_first_field(path, &kind, &n_axes);
  g_assert_true(g_str_has_suffix(first, "#u"));
  g_assert_cmpuint(n_axes, ==, 2);
}

/* ---- NPZ ---- */

static void
test_npz(void)
{
  static const double x[] = {0, 1, 2}, t[] = {5, 6}, u[] = {1, 2, 3, 4, 5, 6};

  for (guint deflate = 0; deflate < 2; deflate++) {
    g_autofree char      *path = g_build_filename(folder, "some.npz", NULL);
    g_autoptr(GError)     error = NULL;
    g_autoptr(GByteArray) xs = npy_bytes("(3, 1)", x, 3), ts = npy_bytes("(1, 2)", t, 2);
    g_autoptr(GByteArray) us = npy_bytes("(3, 2)", u, 6);
    const ArchiveMember   members[] = {{"x.npy", xs}, {"t.npy", ts}, {"usol.npy", us}};

    archive_write(path, members, G_N_ELEMENTS(members), deflate != 0);
    g_autoptr(LacGridField) field = lac_input_load(path, "field", &error);
    g_assert_no_error(error);
    g_assert_cmpstr(field->name, ==, "usol");
    g_assert_cmpstr(field->axes[1].name, ==, "t");
    g_assert_cmpmem(field->data, sizeof u, u, sizeof u);
  }
}

/* Damage to any byte of a member is detected by its checksum. */
static void
test_npz_damage(void)
{
  static const double   u[] = {1, 2, 3, 4};
  g_autofree char      *path = g_build_filename(folder, "whole.npz", NULL), *bytes = NULL;
  g_autoptr(GByteArray) us = npy_bytes("(2, 2)", u, 4);
  const ArchiveMember   members[] = {{"u.npy", us}};
  gsize                 length;

  archive_write(path, members, 1, FALSE);
  g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
  for (gsize i = 30 + 5; i < 30 + 5 + us->len; i++) {
    g_autoptr(GError) error = NULL;

    bytes[i] = (char) (bytes[i] ^ 0x10);
    g_assert_true(g_file_set_contents(path, bytes, (gssize) length, NULL));
    g_assert_null(lac_input_file_read(path, LAC_INPUT_WHOLE, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    g_assert_nonnull(strstr(error->message, "NPZ"));
    bytes[i] = (char) (bytes[i] ^ 0x10);
  }
  for (gsize cut = 4; cut < length; cut++) {
    g_autoptr(GError) error = NULL;

    g_assert_true(g_file_set_contents(path, bytes, (gssize) cut, NULL));
    g_assert_null(lac_input_file_read(path, LAC_INPUT_WHOLE, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
  }
}

/* ---- what is wrong ---- */

static void
test_refusals(void)
{
  static const struct {
    const char *text, *where, *what;
  } wrong[] = {
    {"x,y,u\n0,0\n", "line 2", "2 cells"},
    {"x,y,u\n", "no row", ""},
    {"x,X,u\n0,0,1\n", "line 1", "coordinate x"},
    {"time,t,u\n0,0,1\n", "line 1", "coordinate t"},
    {COMSOL_HEAD, "no row", ""},
    {"% x  u  u\n0 1 2\n", "line 1", "two columns"},
    {"\x01\x02", "unknown format", ""},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autofree char  *path = write_text("wrong", wrong[i].text);
    g_autoptr(GError) error = NULL;

    g_assert_null(lac_input_file_read(path, LAC_INPUT_WHOLE, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    if (strstr(error->message, wrong[i].where) == NULL ||
        strstr(error->message, wrong[i].what) == NULL || strstr(error->message, path) == NULL)
      g_error("\"%s\" does not tell the file, %s and %s", error->message, wrong[i].where,
              wrong[i].what);
  }
}

static void
test_measurement_refusals(void)
{
  static const struct {
    const char *text, *what;
  } wrong[] = {
    {"y,u\n0,1\n", "no column x"},
    {"x,u\na,1\n", "column x has no number in line 2"},
    {"x,u\nnan,1\n", "row 1"},
    {"x,z,u\n0,0,1\n0,1,1\n", "row 2: z"},
    {"x,name\n0,a\n", "no numeric column"},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autofree char  *path = write_text("wrong.csv", wrong[i].text);
    g_autoptr(GError) error = NULL;

    g_assert_null(lac_measurements_read(path, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    if (strstr(error->message, wrong[i].what) == NULL)
      g_error("\"%s\" does not tell %s", error->message, wrong[i].what);
  }
}

/* ---- columns named in the path ---- */

#define STATIONS "station,easting (m),when,speed east,note\n0,0.5,0,1,a\n1,1.5,2,3,b\n"

static void
test_chosen(void)
{
  g_autofree char           *file = write_text("stations.csv", STATIONS);
  g_autofree char           *path = g_strconcat(file, "#x=easting, t=when,u=speed east", NULL);
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacMeasurements) measurements = lac_measurements_read(path, &error);

  g_assert_no_error(error);
  g_assert_cmpuint(measurements->n, ==, 2);
  g_assert_cmpuint(measurements->n_quantities, ==, 1);
  g_assert_cmpstr(measurements->quantities[0], ==, "u");
  g_assert_true(measurements->has_t && !measurements->has_y);
  g_assert_cmpfloat(measurements->rows[1].x, ==, 1.5);
  g_assert_cmpfloat(measurements->rows[1].t, ==, 2);
  g_assert_cmpfloat(measurements->rows[1].value, ==, 3);
}

/* One value per row. */
static void
test_chosen_values(void)
{
  g_autofree char *file = write_text("values.csv", "place,what,reading,error,id\n"
                                                   "0.5,u,2,0.1,7\n1.5,p,3,0.2,8\n");
  g_autofree char *path =
    g_strconcat(file, "#x=place,quantity=what,value=reading,sigma=error", NULL);
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacMeasurements) measurements = lac_measurements_read(path, &error);

  g_assert_no_error(error);
  g_assert_cmpuint(measurements->n, ==, 2);
  g_assert_cmpstr(measurements->quantities[measurements->rows[1].quantity], ==, "p");
  g_assert_cmpfloat(measurements->rows[1].value, ==, 3);
  g_assert_cmpfloat(measurements->rows[1].sigma, ==, 0.2);
}

static void
test_wrong_choice(void)
{
  static const struct {
    const char *choice, *what;
  } wrong[] = {
    {"#x=eastin,u=speed east", "no column \"eastin\"; its columns are station, easting, when"},
    {"#x=easting,u", "names no column"},
    {"#x=easting,x=when,u=speed east", "both the coordinate x"},
    {"#u=speed east", "no column x"},
    {"#x=easting,u=note", "no numeric column"},
  };
  g_autofree char *file = write_text("stations.csv", STATIONS);

  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
    g_autofree char  *path = g_strconcat(file, wrong[i].choice, NULL);
    g_autoptr(GError) error = NULL;

    g_assert_null(lac_measurements_read(path, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
    if (strstr(error->message, wrong[i].what) == NULL)
      g_error("\"%s\" does not say %s", error->message, wrong[i].what);
  }
}

static void
test_listed(void)
{
  g_autofree char  *file = write_text("stations.csv", STATIONS);
  g_autofree char  *path = g_strconcat(file, "#x=easting", NULL);
  g_autoptr(GError) error = NULL;
  g_auto(GStrv)     names = lac_measurements_dup_columns(path, &error);

  g_assert_no_error(error);
  g_assert_cmpuint(g_strv_length(names), ==, 5);
  g_assert_cmpstr(names[1], ==, "easting");
}

/* Only the head is read: the rows, of another length, are beyond it. Names that no choice can hold are left out. */
static void
test_long_head(void)
{
  g_autoptr(GString) text = g_string_new("a,\"b, c\",d#1,e\n");
  g_autoptr(GError)  error = NULL;

  while (text->len < 1 << 17)
    g_string_append(text, "1,2,3,4\n");
  g_string_append(text, "1,2\n");
  g_autofree char *path = write_text("long.csv", text->str);
  g_auto(GStrv)    names = lac_measurements_dup_columns(path, &error);

  g_assert_no_error(error);
  g_assert_cmpuint(g_strv_length(names), ==, 2);
  g_assert_cmpstr(names[1], ==, "e");
  g_assert_null(lac_measurements_dup_columns("/no/such/file.csv", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
}

/* A file whose own name looks like a choice is read as it is. */
static void
test_name_with_mark(void)
{
  g_autofree char           *path = write_text("a#x=b.csv", "x,u\n0,1\n");
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacMeasurements) measurements = lac_measurements_read(path, &error);

  g_assert_no_error(error);
  g_assert_cmpuint(measurements->n, ==, 1);
}

/* ---- published files ---- */

static char *
dup_reference(const char *name)
{
  const char *data = g_getenv("LACUNA_REFERENCE_DATA");
  char       *path = data != NULL ? g_build_filename(data, name, NULL)
                                  : g_build_filename(g_getenv("LACUNA_SOURCE_ROOT"), "..", "shared",
                                                     "data", name, NULL);

  if (g_file_test(path, G_FILE_TEST_EXISTS))
    return path;
  if (g_getenv("CI") != NULL && data != NULL)
    g_error("%s should be there", path);
  g_free(path);
  g_test_skip("no reference data");
  return NULL;
}

static void
test_published_cavity(void)
{
  g_autofree char  *path = dup_reference("flow/pinnacle-lid_driven_a4.dat");
  g_autofree char  *named = path != NULL ? g_strconcat(path, "#u", NULL) : NULL;
  g_autoptr(GError) error = NULL;

  if (path == NULL)
    return;
  g_autoptr(LacGridField) field = lac_input_load(named, "field", &error);
  g_assert_no_error(error);
  g_assert_cmpuint(field->axes[0].n * field->axes[1].n, ==, 10201);
  /* the lid: u = 4 x (1 - x), in the file to within its finite element error */
  const gsize nx = field->axes[1].n;
  for (gsize i = 0; i < nx; i++) {
    const double x = field->axes[1].values[i];
    g_assert_cmpfloat_with_epsilon(field->data[(field->axes[0].n - 1) * nx + i], 4 * x * (1 - x),
                                   1e-3);
  }
}

static void
test_published_family(void)
{
  g_autofree char  *path = dup_reference("flow/rans-family/velocity0.20.csv.gz");
  g_autoptr(GError) error = NULL;

  if (path == NULL)
    return;
  g_autoptr(LacInputFile) file = lac_input_file_read(path, LAC_INPUT_WHOLE, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(find_array(file, "u")->sizes[0], ==, 7219);
  g_assert_cmpfloat(find_array(file, "u")->data[0], ==, 10.015);
  g_assert_cmpfloat(find_array(file, "y")->data[1], ==, -50);
}

static void
test_published_archive(void)
{
  g_autofree char  *path = dup_reference("images/mssim_matlab_output.npz");
  g_autoptr(GError) error = NULL;

  if (path == NULL)
    return;
  g_autoptr(LacInputFile) file = lac_input_file_read(path, LAC_INPUT_WHOLE, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(find_array(file, "grad_matlab")->sizes[1], ==, 512);
}

/* All fields of a file, in its order, or the one that is named. */
static void
test_solution(void)
{
  const double          places[] = {0, 1, 2}, times[] = {0, 0.5}, u[] = {1, 2, 3, 4, 5, 6};
  const double          v[] = {-1, -2, -3, -4, -5, -6};
  g_autoptr(GByteArray) x_bytes = npy_bytes("(3,)", places, 3),
                        t_bytes = npy_bytes("(2,)", times, 2);
  g_autoptr(GByteArray) u_bytes = npy_bytes("(2, 3)", u, 6), v_bytes = npy_bytes("(2, 3)", v, 6);
  const ArchiveMember   members[] = {
      {"x.npy", x_bytes}, {"t.npy", t_bytes}, {"v.npy", v_bytes}, {"u.npy", u_bytes}};
  g_autofree char  *path = g_build_filename(folder, "solution.npz", NULL);
  g_autofree char  *named = g_strconcat(path, "#u", NULL), *absent = g_strconcat(path, "#w", NULL);
  g_autoptr(GError) error = NULL;

  archive_write(path, members, G_N_ELEMENTS(members), TRUE);
  g_autoptr(LacGridField) all = lac_input_load(path, "solution", &error);
  g_assert_no_error(error);
  g_assert_cmpstr(all->name, ==, "v");
  g_assert_cmpstr(all->next->name, ==, "u");
  g_assert_null(all->next->next);
  g_assert_cmpmem(all->next->data, sizeof u, u, sizeof u);
  g_autoptr(LacGridField) one = lac_input_load(named, "solution", &error);
  g_assert_no_error(error);
  g_assert_cmpstr(one->name, ==, "u");
  g_assert_null(one->next);
  g_assert_null(lac_input_load(absent, "solution", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = test_folder_new();
  g_test_add_func("/io/tables/rows-of-a-grid-make-a-field", test_grid);
  g_test_add_func("/io/tables/points-without-a-grid", test_points);
  g_test_add_func("/io/tables/comsol", test_comsol);
  g_test_add_func("/io/tables/columns-at-several-times", test_times);
  g_test_add_func("/io/tables/one-of-several-fields-by-name", test_named_array);
  g_test_add_func("/io/tables/npz-stored-and-deflated", test_npz);
  g_test_add_func("/io/tables/a-damaged-npz-is-refused", test_npz_damage);
  g_test_add_func("/io/tables/all-fields-of-a-solution", test_solution);
  g_test_add_func("/io/tables/wrong-tables-are-refused-by-line", test_refusals);
  g_test_add_func("/io/tables/wrong-measurements-are-refused", test_measurement_refusals);
  g_test_add_func("/io/tables/columns-named-in-the-path", test_chosen);
  g_test_add_func("/io/tables/columns-of-values-named-in-the-path", test_chosen_values);
  g_test_add_func("/io/tables/wrong-choices-are-refused", test_wrong_choice);
  g_test_add_func("/io/tables/columns-are-listed", test_listed);
  g_test_add_func("/io/tables/columns-of-a-long-file", test_long_head);
  g_test_add_func("/io/tables/a-name-with-a-mark", test_name_with_mark);
  g_test_add_func("/io/tables/published-cavity", test_published_cavity);
  g_test_add_func("/io/tables/published-family", test_published_family);
  g_test_add_func("/io/tables/published-archive", test_published_archive);
  int result = g_test_run();
  test_folder_remove(folder);
  return result;
}
