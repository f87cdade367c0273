/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays are matched by their names, then by their sizes. */
#include "io/input/measurements-arrays.h"

#include "base/error.h"
#include "base/rng.h"
#include "io/format/table-choice.h"
#include "io/format/whole-file.h"
#include "io/input/formats.h"

#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

enum { X, Y, T, N_PLACES };
static const char *const roles[N_PLACES] = {"x", "y", "t"};
static const char *const components[] = {"u", "v", "w"};

#define STAR   "_star"
#define POINTS "points"

typedef struct {
  const LacInputFile  *file;
  const char          *path, *choice;
  const LacInputArray *places[N_PLACES]; /* y: NULL where x has columns; t: NULL: none */
  gsize                n, n_times;
  gboolean             own_times; /* t has one value per position */
  gsize               *points;    /* [n_points]: the positions taken, ascending */
  gsize                n_points;
} Layout;

/* The values of a quantity at position i and time k: data[start + i along + k onward]. */
typedef struct {
  const LacInputArray *array;
  gsize                start, along, onward, n_times;
  int                  quantity;
} Series;

gboolean
lac_measurements_are_arrays(const char *path)
{
  static const char *const beginnings[] = {"MATLAB 5.0", "MATLAB 7.3", "\211HDF", "PK\003\004"};
  const char              *choice;
  g_autofree char         *name = lac_table_choice_dup_file(path, &choice);
  FILE                    *file = g_fopen(name, "rb");
  char                     head[16] = "";
  gboolean                 is_one = FALSE;

  if (file == NULL)
    return FALSE;
  if (fread(head, 1, sizeof head - 1, file) > 0)
    for (gsize i = 0; i < G_N_ELEMENTS(beginnings); i++)
      is_one = is_one || strncmp(head, beginnings[i], strlen(beginnings[i])) == 0;
  fclose(file);
  return is_one;
}

/* ---- places ---- */

static gboolean
refuse(const Layout *layout, GError **error, const char *why)
{
  g_autoptr(GString) holds = g_string_new(NULL);

  for (guint i = 0; i < layout->file->arrays->len; i++) {
    const LacInputArray *array = layout->file->arrays->pdata[i];
    g_autofree char     *shape = lac_input_array_dup_shape(array);

    g_string_append_printf(holds, "%s%s (%s)", i > 0 ? ", " : "", array->name, shape);
  }
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "%s holds %s: %s; measurements in arrays are positions X (n x 2), or x and y (n), "
              "times t, and values (n), (n x times), or of a velocity (n x 2 x times)",
              layout->path, holds->len > 0 ? holds->str : "no array", why);
  return FALSE;
}

/* Returns: (transfer full): the name in small letters, without "_star". */
static char *
dup_plain_name(const LacInputArray *array)
{
  char *name = g_ascii_strdown(array->name, -1);

  if (g_str_has_suffix(name, STAR))
    name[strlen(name) - strlen(STAR)] = '\0';
  return name;
}

static gboolean
is_named(const LacInputArray *array, guint axis)
{
  static const char *const names[N_PLACES][4] = {
    {"x", "xy", "coords", "points"}, {"y"}, {"t", "time", "times"}};
  g_autofree char *name = dup_plain_name(array);

  for (guint i = 0; i < G_N_ELEMENTS(names[axis]) && names[axis][i] != NULL; i++)
    if (g_str_equal(name, names[axis][i]))
      return TRUE;
  return FALSE;
}

/* Returns: (nullable): the array chosen for a place; without a choice the first with such a name. */
static const LacInputArray *
find_array(const Layout *layout, guint axis)
{
  g_autofree char *chosen = lac_table_choice_dup_column(layout->choice, roles[axis]);

  for (guint i = 0; i < layout->file->arrays->len; i++) {
    const LacInputArray *array = layout->file->arrays->pdata[i];

    if (chosen != NULL ? g_str_equal(array->name, chosen) : is_named(array, axis))
      return array;
  }
  return NULL;
}

static gboolean
has_columns(const LacInputArray *array)
{
  return array->rank == 2 && (array->sizes[1] == 2 || array->sizes[1] == 3);
}

static double
get_place(const Layout *layout, gsize i, guint axis)
{
  const LacInputArray *x = layout->places[X];

  if (axis == T)
    return layout->places[T] != NULL && layout->own_times ? layout->places[T]->data[i] : 0;
  if (has_columns(x))
    return x->data[i * x->sizes[1] + axis];
  return layout->places[axis] != NULL ? layout->places[axis]->data[i] : 0;
}

static gboolean
check_places(const Layout *layout, GError **error)
{
  const LacInputArray *x = layout->places[X], *t = layout->places[T];

  for (gsize i = 0; i < layout->n; i++) {
    if (!isfinite(get_place(layout, i, X)) || !isfinite(get_place(layout, i, Y)))
      return refuse(layout, error, "a position is not a finite number");
    if (has_columns(x) && x->sizes[1] == 3 && x->data[3 * i + 2] != x->data[2])
      return refuse(layout, error, "the positions do not lie in one plane");
  }
  for (gsize k = 0; t != NULL && k < t->sizes[0]; k++)
    if (!isfinite(t->data[k]))
      return refuse(layout, error, "a time is not a finite number");
  return TRUE;
}

static gboolean
find_places(Layout *layout, GError **error)
{
  const LacInputArray **places = layout->places;

  for (guint axis = 0; axis < N_PLACES; axis++)
    places[axis] = find_array(layout, axis);
  if (places[X] == NULL || places[X]->data == NULL ||
      !(places[X]->rank == 1 || has_columns(places[X])))
    return refuse(layout, error, "there are no positions");
  layout->n = places[X]->sizes[0];
  if (has_columns(places[X]) || (places[Y] != NULL && (places[Y]->rank != 1 || !places[Y]->data)))
    places[Y] = NULL;
  if (places[Y] != NULL && places[Y]->sizes[0] != layout->n)
    return refuse(layout, error, "x and y differ in length");
  if (places[T] != NULL && (places[T]->rank != 1 || !places[T]->data))
    places[T] = NULL;
  layout->n_times = places[T] != NULL ? places[T]->sizes[0] : 1;
  return check_places(layout, error);
}

/* ---- values ---- */

static gboolean
is_place(const Layout *layout, const LacInputArray *array)
{
  for (guint axis = 0; axis < N_PLACES; axis++)
    if (layout->places[axis] == array)
      return TRUE;
  return FALSE;
}

/* Returns: (transfer full) (nullable): the quantity that the array is; NULL: it is not used. */
static char *
dup_quantity(const Layout *layout, const LacInputArray *array)
{
  g_auto(GStrv) pairs = g_strsplit(layout->choice != NULL ? layout->choice : "", ",", -1);
  gboolean      has_roles = FALSE;

  for (gsize i = 0; pairs[i] != NULL; i++) {
    char *equals = strchr(pairs[i], '=');

    if (equals == NULL || g_str_has_prefix(pairs[i], POINTS "="))
      continue;
    *equals = '\0';
    has_roles = TRUE;
    if (g_str_equal(equals + 1, array->name))
      return g_strdup(pairs[i]);
  }
  return has_roles ? NULL : dup_plain_name(array);
}

/* Finds how the array is laid out; @n_components: (out): 1, or those of a velocity. */
static gboolean
find_series(const Layout *layout, const LacInputArray *array, Series *series, gsize *n_components)
{
  const gsize *sizes = array->sizes, n = layout->n, n_times = layout->n_times;

  *n_components = 1;
  *series = (Series){.array = array, .n_times = 1};
  if (array->data == NULL || sizes[0] != n)
    return FALSE;
  if (array->rank == 1) {
    series->along = 1;
    return n_times == 1 || n_times == n;
  }
  if (array->rank == 2 && sizes[1] == n_times) {
    *series = (Series){.array = array, .along = n_times, .onward = 1, .n_times = n_times};
    return TRUE;
  }
  *n_components = sizes[1];
  series->along = sizes[1];
  if (sizes[1] != 2 && sizes[1] != 3)
    return FALSE;
  if (array->rank == 2)
    return n_times == 1 || n_times == n;
  series->along = sizes[1] * n_times;
  series->onward = 1;
  series->n_times = n_times;
  return array->rank == 3 && sizes[2] == n_times;
}

/* Adds the series of one array; a component of a velocity is [n_times] apart from the one before it. */
static gboolean
add_series(const Layout        *layout,
           const LacInputArray *array,
           LacMeasurements     *measurements,
           GArray              *all)
{
  g_autofree char *quantity = dup_quantity(layout, array);
  Series           series;
  gsize            n_components;

  if (quantity == NULL || !find_series(layout, array, &series, &n_components) ||
      (n_components > 1 && quantity[0] != 'u' && quantity[0] != 'v'))
    return TRUE;
  for (gsize c = 0; c < n_components; c++) {
    series.start = c * series.n_times;
    series.quantity =
      lac_measurements_quantity(measurements, n_components > 1 ? components[c] : quantity);
    if (series.quantity < 0)
      return FALSE;
    g_array_append_val(all, series);
  }
  return TRUE;
}

static gboolean
list_series(Layout *layout, LacMeasurements *measurements, GArray *all, GError **error)
{
  for (guint i = 0; i < layout->file->arrays->len; i++) {
    const LacInputArray *array = layout->file->arrays->pdata[i];

    if (!is_place(layout, array) && !add_series(layout, array, measurements, all))
      return refuse(layout, error, "there are too many quantities");
  }
  if (all->len == 0)
    return refuse(layout, error, "no array has a value for every position");
  layout->own_times = layout->places[T] != NULL;
  for (guint i = 0; i < all->len; i++)
    if (g_array_index(all, Series, i).n_times > 1)
      layout->own_times = FALSE;
  for (guint i = 0; i < all->len; i++)
    if (!layout->own_times && layout->n_times > 1 && g_array_index(all, Series, i).n_times == 1)
      return refuse(layout, error, "some quantities have a value per time and others have not");
  return TRUE;
}

/* ---- the rows ---- */

static int
compare_points(gconstpointer a, gconstpointer b)
{
  const gsize one = *(const gsize *) a, other = *(const gsize *) b;

  return one < other ? -1 : one > other;
}

static gboolean
choose_points(Layout *layout, GError **error)
{
  g_autofree char *text = lac_table_choice_dup_column(layout->choice, POINTS);
  guint64          wanted = layout->n;
  LacRng           rng = lac_rng(0, 0);

  if (text != NULL && !g_ascii_string_to_unsigned(text, 10, 1, layout->n, &wanted, NULL)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s: points = %s must be a whole number from 1 to the %" G_GSIZE_FORMAT
                " positions of the file",
                layout->path, text, layout->n);
    return FALSE;
  }
  layout->points = g_new(gsize, layout->n);
  for (gsize i = 0; i < layout->n; i++)
    layout->points[i] = i;
  layout->n_points = (gsize) wanted;
  if (layout->n_points == layout->n)
    return TRUE;
  lac_rng_shuffle(&rng, layout->points, layout->n);
  qsort(layout->points, layout->n_points, sizeof *layout->points, compare_points);
  return TRUE;
}

/* Time by time, so that the order of positions and quantities is that of the file. */
static void
fill_rows(const Layout *layout, const GArray *all, LacMeasurements *measurements)
{
  const gsize     n_times = g_array_index(all, Series, 0).n_times;
  LacMeasurement *next = measurements->rows;

  for (gsize k = 0; k < n_times; k++)
    for (gsize p = 0; p < layout->n_points; p++)
      for (guint s = 0; s < all->len; s++) {
        const Series *series = &g_array_index(all, Series, s);
        const gsize   i = layout->points[p];
        const double  value =
          series->array->data[series->start + i * series->along + k * series->onward];

        *next++ = (LacMeasurement){
          .x = get_place(layout, i, X),
          .y = get_place(layout, i, Y),
          .t = layout->own_times || layout->places[T] == NULL ? get_place(layout, i, T)
                                                              : layout->places[T]->data[k],
          .value = isfinite(value) ? value : (double) NAN,
          .sigma = NAN,
          .quantity = (guint) series->quantity,
        };
      }
}

static LacMeasurements *
make_measurements(Layout *layout, GError **error)
{
  g_autofree char           *source = lac_file_dup_source(layout->path);
  g_autoptr(LacMeasurements) measurements = lac_measurements_new(source, 0);
  g_autoptr(GArray)          all = g_array_new(FALSE, FALSE, sizeof(Series));

  if (!find_places(layout, error) || !list_series(layout, measurements, all, error) ||
      !choose_points(layout, error))
    return NULL;
  measurements->has_y = has_columns(layout->places[X]) || layout->places[Y] != NULL;
  measurements->has_t = layout->places[T] != NULL;
  measurements->n = layout->n_points * all->len * g_array_index(all, Series, 0).n_times;
  g_free(measurements->rows);
  measurements->rows = g_new0(LacMeasurement, measurements->n);
  fill_rows(layout, all, measurements);
  return g_steal_pointer(&measurements);
}

LacMeasurements *
lac_measurements_read_arrays(const char *path, GError **error)
{
  const char             *choice;
  g_autofree char        *name = lac_table_choice_dup_file(path, &choice);
  g_autoptr(LacInputFile) heads = lac_input_file_read(name, LAC_INPUT_HEADS, error);
  g_autoptr(LacInputFile) file = NULL;
  Layout                  layout = {.file = heads, .path = name, .choice = choice};
  LacMeasurements        *measurements;

  if (heads == NULL)
    return NULL;
  if (find_array(&layout, X) == NULL) { /* before a large file is read */
    refuse(&layout, error, "there are no positions");
    return NULL;
  }
  layout.file = file = lac_input_file_read(name, LAC_INPUT_WHOLE, error);
  if (file == NULL)
    return NULL;
  measurements = make_measurements(&layout, error);
  g_free(layout.points);
  return measurements;
}

GStrv
lac_measurements_dup_arrays(const char *path, GError **error)
{
  g_autoptr(LacInputFile) file = lac_input_file_read(path, LAC_INPUT_HEADS, error);
  g_autoptr(GPtrArray)    names = g_ptr_array_new();

  if (file == NULL)
    return NULL;
  for (guint i = 0; i < file->arrays->len; i++) {
    const LacInputArray *array = file->arrays->pdata[i];

    if (strpbrk(array->name, ",#") == NULL)
      g_ptr_array_add(names, g_strdup(array->name));
  }
  g_ptr_array_add(names, NULL);
  return (GStrv) g_ptr_array_free(g_steal_pointer(&names), FALSE);
}
