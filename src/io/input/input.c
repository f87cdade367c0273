/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of a file's arrays to a field with axes. */
#include "io/input/input.h"

#include "base/error.h"
#include "io/format/whole-file.h"
#include "io/input/block.h"

#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

#define MOST_LOOKED_THROUGH (256 << 20) /* bytes of a file that is read to describe it */

typedef struct {
  const LacInputArray *array;
  const LacInputArray *axes[LAC_FIELD_MAX_AXES];
} Match;

static gboolean
is_vector(const LacInputArray *array)
{
  return array->rank == 1 && array->data != NULL && array->sizes[0] >= 2;
}

/* Returns the position of a name in the usual order of axes; unknown names have none. */
static int
get_place(const char *name, gboolean column_major)
{
  static const char usual[] = "xyzt";
  const char       *at = name[0] != '\0' && name[1] == '\0' ? strchr(usual, name[0]) : NULL;

  if (at == NULL)
    return -1;
  return column_major ? (int) (at - usual) : (int) (strlen(usual) - 1 - (gsize) (at - usual));
}

static gboolean
is_taken(const Match *match, guint n_axes, const LacInputArray *vector)
{
  for (guint i = 0; i < n_axes; i++) {
    if (match->axes[i] == vector)
      return TRUE;
  }
  return FALSE;
}

/* Finds the unused vector of the right length that comes first in the usual order. Returns: NULL when there is none,
 * or when two candidates have names without an order. */
static const LacInputArray *
find_axis(const LacInputFile *file, const Match *match, guint axis)
{
  const LacInputArray *best = NULL;
  const gboolean       column_major = file->column_major && !match->array->is_left;
  gboolean             tie = FALSE;

  for (guint i = 0; i < file->arrays->len; i++) {
    const LacInputArray *vector = file->arrays->pdata[i];

    if (!is_vector(vector) || vector->sizes[0] != match->array->sizes[axis] ||
        is_taken(match, axis, vector))
      continue;
    if (best == NULL) {
      best = vector;
      continue;
    }
    int here = get_place(vector->name, column_major);
    int there = get_place(best->name, column_major);
    if (here < 0 && there < 0) {
      tie = TRUE;
    } else if (here >= 0 && (there < 0 || here < there)) {
      best = vector;
      tie = FALSE;
    }
  }
  return tie ? NULL : best;
}

/* Returns the vector that the file names for an axis; NULL: it names none, or a missing one. */
static const LacInputArray *
find_named_axis(const LacInputFile *file, const LacInputArray *array, guint axis)
{
  for (guint i = 0; i < file->arrays->len && array->axes != NULL; i++) {
    const LacInputArray *vector = file->arrays->pdata[i];

    if (is_vector(vector) && vector->sizes[0] == array->sizes[axis] &&
        g_str_equal(vector->name, array->axes[axis]))
      return vector;
  }
  return NULL;
}

static gboolean
match_axes(const LacInputFile *file, const LacInputArray *array, Match *match)
{
  *match = (Match){.array = array};
  for (guint axis = 0; axis < array->rank; axis++) {
    match->axes[axis] = find_named_axis(file, array, axis);
    if (match->axes[axis] == NULL)
      match->axes[axis] = find_axis(file, match, axis);
    if (match->axes[axis] == NULL)
      return FALSE;
  }
  return TRUE;
}

static gboolean
is_candidate(const LacInputArray *array)
{
  return array->rank >= 2 && array->rank <= LAC_FIELD_MAX_AXES &&
         (array->data != NULL || array->is_left);
}

/* Returns: (transfer full): "x (256), t (100), usol (256 x 100)" */
static char *
dup_contents(const LacInputFile *file)
{
  GString *text = g_string_new(NULL);

  for (guint i = 0; i < file->arrays->len; i++) {
    const LacInputArray *array = file->arrays->pdata[i];
    g_autofree char     *shape = lac_input_array_dup_shape(array);
    g_string_append_printf(text, "%s%s (%s%s%s)", i > 0 ? ", " : "", array->name, shape,
                           array->odd != NULL ? ", " : "", array->odd != NULL ? array->odd : "");
  }
  if (text->len == 0)
    g_string_append(text, "no array");
  return g_string_free(text, FALSE);
}

/* Finds the arrays that are fields. @name: (nullable): only the one with this name. Returns: (transfer full): of
 * Match. */
static GArray *
find_fields(const LacInputFile *file, const char *name)
{
  GArray *matches = g_array_new(FALSE, FALSE, sizeof(Match));

  for (guint i = 0; i < file->arrays->len; i++) {
    const LacInputArray *array = file->arrays->pdata[i];
    Match                match;

    if ((name == NULL || g_str_equal(array->name, name)) && is_candidate(array) &&
        match_axes(file, array, &match))
      g_array_append_val(matches, match);
  }
  return matches;
}

static void
set_wrong_shape(GError **error, const char *path, const LacInputFile *file, const GArray *matches)
{
  g_autofree char *contents = dup_contents(file);
  const char      *hint = g_str_equal(file->format, "NPY")
                            ? "; put the coordinates beside it, as NAME-x.npy and NAME-t.npy"
                            : "";

  if (matches->len > 1)
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "%s holds %s: more than one array has coordinates; name the one that is meant behind "
      "the file, as %s#%s",
      path, contents, path, g_array_index(matches, Match, 0).array->name);
  else
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "%s holds %s; a field needs one array of real numbers with 2 to %d axes and for each axis a "
      "vector of coordinates of its length%s",
      path, contents, LAC_FIELD_MAX_AXES, hint);
}

static gboolean
find_field(const LacInputFile *file,
           const char         *path,
           const char         *name,
           Match              *found,
           GError            **error)
{
  g_autoptr(GArray) matches = find_fields(file, name);

  if (matches->len != 1) {
    set_wrong_shape(error, path, file, matches);
    return FALSE;
  }
  *found = g_array_index(matches, Match, 0);
  return TRUE;
}

/* Splits "FILE#u" into file and array, unless a file with the whole name exists. Returns: (transfer full): the file;
 * @name: (out) (transfer none) (nullable): within @path. */
static char *
dup_file_name(const char *path, const char **name)
{
  const char *mark = strrchr(path, '#');

  *name = NULL;
  if (mark == NULL || mark[1] == '\0' || g_file_test(path, G_FILE_TEST_EXISTS))
    return g_strdup(path);
  *name = mark + 1;
  return g_strndup(path, (gsize) (mark - path));
}

static gboolean
check_numbers(const Match *match, const char *path, GError **error)
{
  gsize n = match->array->is_left ? 0 : lac_input_array_get_length(match->array);

  for (gsize i = 0; i < n; i++) {
    if (isfinite(match->array->data[i]))
      continue;
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s: value %" G_GSIZE_FORMAT
                " of %s is not a finite number; a field needs all of them",
                path, i + 1, match->array->name);
    return FALSE;
  }
  for (guint axis = 0; axis < match->array->rank; axis++) {
    const LacInputArray *vector = match->axes[axis];
    for (gsize i = 0; i < vector->sizes[0]; i++) {
      if (isfinite(vector->data[i]) && (i == 0 || vector->data[i] > vector->data[i - 1]))
        continue;
      g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                  "%s: the coordinates %s do not ascend at value %" G_GSIZE_FORMAT, path,
                  vector->name, i + 1);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
read_block(gpointer self, const gsize *start, const gsize *count, double *numbers, GError **error)
{
  return lac_input_block_read(self, start, count, numbers, error);
}

static void
free_block(gpointer self)
{
  lac_input_block_free(self);
}

static const LacFieldOrigin in_file = {read_block, free_block};

static LacGridField *
make_field(const LacInputFile *file, const Match *match, const char *path)
{
  const LacInputArray *array = match->array;
  const char          *names[LAC_FIELD_MAX_AXES], *units[LAC_FIELD_MAX_AXES];

  for (guint i = 0; i < array->rank; i++) {
    names[i] = match->axes[i]->name;
    units[i] = match->axes[i]->unit;
  }
  LacGridField *field = (array->is_left ? lac_field_new_outside : lac_field_new)(
    array->name, array->unit, array->rank, names, units, array->sizes);
  g_free(field->source);
  field->source = lac_file_dup_source(path);
  if (array->is_left) {
    field->origin = &in_file;
    field->self = lac_input_block_new(path, file, array);
  } else {
    memcpy(field->data, array->data, lac_input_array_get_length(array) * sizeof(double));
  }
  for (guint i = 0; i < array->rank; i++)
    memcpy(field->axes[i].values, match->axes[i]->data, array->sizes[i] * sizeof(double));
  return field;
}

/* Checks the kind: a picture cannot be a field of physical values; a numeric plane can be a picture. */
static gboolean
check_kind(const LacInputFile *file, const char *path, gboolean wants_picture, GError **error)
{
  if (!file->is_picture || wants_picture)
    return TRUE;
  g_set_error(
    error, LAC_ERROR, LAC_ERROR_BAD_FILE,
    "%s is a picture (%s); a field with coordinates is needed: MAT, HDF5, NPY, NPZ or text", path,
    file->format);
  return FALSE;
}

static gboolean
check_plane(const Match *match, const char *path, GError **error)
{
  if (match->array->rank == 2)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s: %s has %u axes; a picture has two", path,
              match->array->name, match->array->rank);
  return FALSE;
}

/* Returns: (transfer full) (nullable): the field of every match, in order. */
static LacGridField *
make_all(const LacInputFile *file, const GArray *matches, const char *path, GError **error)
{
  g_autoptr(LacGridField) first = NULL;

  for (guint m = matches->len; m-- > 0;) {
    const Match  *match = &g_array_index(matches, Match, m);
    LacGridField *field;

    if (!check_numbers(match, path, error))
      return NULL;
    field = make_field(file, match, path);
    field->next = g_steal_pointer(&first);
    first = field;
  }
  return g_steal_pointer(&first);
}

static LacGridField *
load_all(const LacInputFile *file, const char *path, const char *name, GError **error)
{
  g_autoptr(GArray) matches = find_fields(file, name);

  if (matches->len > 0)
    return make_all(file, matches, path, error);
  set_wrong_shape(error, path, file, matches);
  return NULL;
}

LacGridField *
lac_input_load(const char *path, const char *type, GError **error)
{
  Match       match;
  const char *name;

  const gboolean is_series = g_strcmp0(type, "series") == 0;
  const gboolean is_picture = g_strcmp0(type, "picture") == 0;
  const gboolean are_all = g_strcmp0(type, "solution") == 0;

  if (!is_series && !is_picture && !are_all && g_strcmp0(type, "field") != 0) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_NOT_IN_VERSION,
                "%s: files that contain a %s are not supported", path,
                type != NULL ? type : "(nothing)");
    return NULL;
  }
  g_autofree char        *file_name = dup_file_name(path, &name);
  g_autoptr(LacInputFile) file =
    lac_input_file_read(file_name, is_series ? LAC_INPUT_HEADS : LAC_INPUT_WHOLE, error);
  if (file == NULL || !check_kind(file, file_name, is_picture, error))
    return NULL;
  if (are_all)
    return load_all(file, file_name, name, error);
  if (!find_field(file, file_name, name, &match, error) ||
      (is_picture && !check_plane(&match, file_name, error)) ||
      !check_numbers(&match, file_name, error))
    return NULL;
  return make_field(file, &match, file_name);
}

static void
describe_array(GString *out, const LacInputArray *array)
{
  g_autofree char *shape = lac_input_array_dup_shape(array);
  char             low_text[G_ASCII_DTOSTR_BUF_SIZE], high_text[G_ASCII_DTOSTR_BUF_SIZE];
  double           low = INFINITY, high = -INFINITY;
  gsize            n_missing = 0;

  g_string_append_printf(out, "  %s (%s)", array->name, shape);
  if (array->is_left) {
    g_string_append(out, ": numbers, too many to look through\n");
    return;
  }
  if (array->data == NULL) {
    g_string_append_printf(out, ": %s\n", array->odd != NULL ? array->odd : "nothing");
    return;
  }
  gsize n = lac_input_array_get_length(array);
  for (gsize i = 0; i < n; i++) {
    if (isnan(array->data[i])) {
      n_missing++;
      continue;
    }
    low = MIN(low, array->data[i]);
    high = MAX(high, array->data[i]);
  }
  g_string_append(out, ": ");
  if (n_missing < n)
    g_string_append_printf(
      out, "%s to %s%s", g_ascii_formatd(low_text, sizeof low_text, "%.6g", low),
      g_ascii_formatd(high_text, sizeof high_text, "%.6g", high), n_missing > 0 ? ", " : "");
  if (n_missing > 0)
    g_string_append_printf(out, "%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " numbers missing",
                           n_missing, n);
  g_string_append_c(out, '\n');
}

static void
describe_fields(GString *out, const GArray *matches)
{
  for (guint m = 0; m < matches->len; m++) {
    const Match *match = &g_array_index(matches, Match, m);

    g_string_append_printf(out, "  field: %s over", match->array->name);
    for (guint i = 0; i < match->array->rank; i++)
      g_string_append_printf(out, "%s %s", i > 0 ? "," : "", match->axes[i]->name);
    g_string_append_c(out, '\n');
  }
}

/* Returns: the length of x when other vectors have the same length: scattered points; else 0. */
static gsize
count_points(const LacInputFile *file)
{
  gsize n = 0;
  guint n_values = 0;

  for (guint i = 0; i < file->arrays->len; i++) {
    const LacInputArray *array = file->arrays->pdata[i];
    if (is_vector(array) && g_str_equal(array->name, "x"))
      n = array->sizes[0];
  }
  for (guint i = 0; i < file->arrays->len && n > 0; i++) {
    const LacInputArray *array = file->arrays->pdata[i];
    n_values += is_vector(array) && array->sizes[0] == n && get_place(array->name, FALSE) < 0;
  }
  return n_values > 0 ? n : 0;
}

/* Large files are described without reading their values. */
static LacInputExtent
extent_of(const char *path)
{
  GStatBuf about;

  return g_stat(path, &about) == 0 && about.st_size > MOST_LOOKED_THROUGH ? LAC_INPUT_HEADS
                                                                          : LAC_INPUT_WHOLE;
}

char *
lac_input_describe(const char *path, GError **error)
{
  g_autoptr(LacInputFile) file = lac_input_file_read(path, extent_of(path), error);

  if (file == NULL)
    return NULL;
  g_autoptr(GArray) matches = find_fields(file, NULL);
  const gsize       n_points = count_points(file);
  GString          *out = g_string_new(NULL);
  if (file->is_picture) {
    g_string_append_printf(out, "%s: %s\n", path, file->format);
    describe_array(out, file->arrays->pdata[0]);
    return g_string_free(out, FALSE);
  }
  g_string_append_printf(out, "%s: %s, %u arrays\n", path, file->format, file->arrays->len);
  for (guint i = 0; i < file->arrays->len; i++)
    describe_array(out, file->arrays->pdata[i]);
  describe_fields(out, matches);
  if (matches->len > 1)
    g_string_append_printf(out, "  name the one that is meant behind the file: %s#%s\n", path,
                           g_array_index(matches, Match, 0).array->name);
  else if (matches->len == 0 && n_points > 0)
    g_string_append_printf(out, "  values at %" G_GSIZE_FORMAT " places that are no grid\n",
                           n_points);
  else if (matches->len == 0)
    g_string_append(
      out, "  no field: needs one array of 2 to 4 axes with a vector of coordinates for each\n");
  return g_string_free(out, FALSE);
}

char *
lac_input_dup_first_field(const char *path, LacInputKind *kind, guint *n_axes)
{
  g_autoptr(LacInputFile) file = lac_input_file_read(path, LAC_INPUT_HEADS, NULL);
  g_autoptr(GArray)       matches = file != NULL ? find_fields(file, NULL) : NULL;

  if (matches == NULL || matches->len == 0)
    return NULL;
  *n_axes = g_array_index(matches, Match, 0).array->rank;
  *kind = file->is_picture ? LAC_INPUT_KIND_PICTURE : LAC_INPUT_KIND_FIELD;
  if (matches->len == 1)
    return g_strdup(path);
  return g_strconcat(path, "#", g_array_index(matches, Match, 0).array->name, NULL);
}
