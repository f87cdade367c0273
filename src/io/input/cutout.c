/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of the Johns Hopkins Turbulence Databases' cut-outs: xcoor, ycoor, zcoor and, per time, Velocity_0001
 * [z][y][x][c]. Names in any case; c = 3 for a velocity, 1 for a scalar. Source: idies/pyJHTDB (cutout),
 * idies/giverny */
#include "io/input/formats.h"

#include <stdlib.h>
#include <string.h>

#define MAX_COMPONENTS 3
#define MAX_VARIABLES  16

typedef struct {
  const LacInputArray *array;
  guint64              number; /* suffix of the name: the time index */
} Snapshot;

/* Arrays with the same name. */
typedef struct {
  char   *name; /* in lower case */
  GArray *snapshots;
} Variable;

static const char *const coordinates[3] = {"zcoor", "ycoor", "xcoor"};

static const LacInputArray *
find_array(const LacInputFile *file, const char *name)
{
  for (guint i = 0; i < file->arrays->len; i++) {
    const LacInputArray *array = file->arrays->pdata[i];
    if (array->data != NULL && g_ascii_strcasecmp(array->name, name) == 0)
      return array;
  }
  return NULL;
}

/* Splits "Velocity_0012" into "velocity" and 12. Returns: (transfer full) (nullable). */
static char *
split_name(const char *name, guint64 *number)
{
  const char *mark = strrchr(name, '_');
  char       *end;

  if (mark == NULL || mark == name || !g_ascii_isdigit(mark[1]))
    return NULL;
  *number = g_ascii_strtoull(mark + 1, &end, 10);
  if (*end != '\0')
    return NULL;
  g_autofree char *bare = g_strndup(name, (gsize) (mark - name));
  return g_ascii_strdown(bare, -1);
}

static int
compare_snapshots(gconstpointer a, gconstpointer b)
{
  const Snapshot *first = a, *second = b;

  return (first->number > second->number) - (first->number < second->number);
}

static void
add_snapshot(Variable *variables, guint *n_variables, const LacInputArray *array, gsize n_points)
{
  guint64          number = 0;
  g_autofree char *name = split_name(array->name, &number);
  const Snapshot   snapshot = {array, number};
  const gsize      n = lac_input_array_get_length(array);
  guint            v = 0;

  if (name == NULL || (array->data == NULL && !array->is_left) || n % n_points != 0 ||
      n / n_points > MAX_COMPONENTS)
    return;
  while (v < *n_variables && !g_str_equal(variables[v].name, name))
    v++;
  if (v == MAX_VARIABLES)
    return;
  if (v == *n_variables)
    variables[(*n_variables)++] =
      (Variable){g_steal_pointer(&name), g_array_new(FALSE, FALSE, sizeof(Snapshot))};
  g_array_append_val(variables[v].snapshots, snapshot);
}

static const Snapshot *
snapshot_of(const Variable *variable, guint k)
{
  return &g_array_index(variable->snapshots, Snapshot, k);
}

/* Returns TRUE when all snapshots have equally many components and the times of @first. */
static gboolean
is_regular(const Variable *variable, const Variable *first)
{
  if (variable->snapshots->len != first->snapshots->len)
    return FALSE;
  for (guint k = 0; k < variable->snapshots->len; k++)
    if (snapshot_of(variable, k)->number != snapshot_of(first, k)->number ||
        lac_input_array_get_length(snapshot_of(variable, k)->array) !=
          lac_input_array_get_length(snapshot_of(variable, 0)->array) ||
        snapshot_of(variable, k)->array->is_left != snapshot_of(variable, 0)->array->is_left ||
        (k > 0 && snapshot_of(variable, k)->number == snapshot_of(variable, k - 1)->number))
      return FALSE;
  return TRUE;
}

static char *
dup_component_name(const char *variable, gsize n_components, gsize c)
{
  static const char *const velocity[] = {"u", "v", "w"};

  if (g_str_equal(variable, "velocity") && n_components > 1)
    return g_strdup(velocity[c]);
  if (g_str_equal(variable, "pressure") && n_components == 1)
    return g_strdup("p");
  return n_components == 1 ? g_strdup(variable) : g_strdup_printf("%s_%c", variable, "xyz"[c]);
}

static void
leave_component(LacInputArray *array, const Variable *variable, gsize n_components, gsize c)
{
  array->is_left = TRUE;
  array->component = (guint) c;
  array->n_components = (guint) n_components;
  array->sets = g_new0(char *, variable->snapshots->len + 1);
  for (guint k = 0; k < variable->snapshots->len; k++)
    array->sets[k] = g_strdup(snapshot_of(variable, k)->array->name);
}

static void
add_component(LacInputFile *to, const Variable *variable, const gsize *sizes, gsize c)
{
  static const char *const names[] = {"t", "z", "y", "x", NULL};
  const gsize              n_points = sizes[1] * sizes[2] * sizes[3];
  const gsize              n_all = lac_input_array_get_length(snapshot_of(variable, 0)->array);
  const gsize              n_components = n_all / n_points;
  g_autofree char         *name = dup_component_name(variable->name, n_components, c);
  LacInputArray           *array = lac_input_file_add(to, name, 4, sizes);

  lac_input_array_take_axes(array, g_strdupv((char **) names), sizes, 4);
  if (snapshot_of(variable, 0)->array->is_left) {
    leave_component(array, variable, n_components, c);
    return;
  }
  array->data = g_new(double, sizes[0] * n_points);
  for (gsize k = 0; k < sizes[0]; k++)
    for (gsize i = 0; i < n_points; i++)
      array->data[k * n_points + i] =
        snapshot_of(variable, (guint) k)->array->data[i * n_components + c];
}

static void
add_vector(LacInputFile *to, const char *name, const double *values, gsize n)
{
  lac_input_file_add(to, name, 1, &n)->data = g_memdup2(values, n * sizeof *values);
}

/* Adds the times in the file, or else the numbers in the names. */
static void
add_times(LacInputFile *to, const LacInputFile *from, const Variable *first)
{
  const gsize          n = first->snapshots->len;
  const LacInputArray *reported = find_array(from, "tcoor");
  g_autofree double   *times = g_new(double, n);

  for (guint k = 0; k < n; k++)
    times[k] = (double) snapshot_of(first, k)->number;
  add_vector(to, "t",
             reported != NULL && lac_input_array_get_length(reported) == n ? reported->data : times,
             n);
}

static void
swap_arrays(LacInputFile *a, LacInputFile *b)
{
  GPtrArray *arrays = a->arrays;

  a->arrays = b->arrays;
  b->arrays = arrays;
}

/* @found: without arrays; receives those of the cut-out. */
static void
unfold(LacInputFile *file,
       LacInputFile *found,
       Variable     *variables,
       guint         n_variables,
       gsize        *sizes)
{
  const LacInputArray *axes[3];

  for (guint v = 0; v < n_variables; v++)
    g_array_sort(variables[v].snapshots, compare_snapshots);
  if (!is_regular(&variables[0], &variables[0]))
    return;
  for (guint i = 0; i < 3; i++) {
    const char name[2] = {coordinates[i][0], '\0'};
    axes[i] = find_array(file, coordinates[i]);
    add_vector(found, name, axes[i]->data, sizes[i + 1]);
  }
  add_times(found, file, &variables[0]);
  sizes[0] = variables[0].snapshots->len;
  for (guint v = 0; v < n_variables; v++) {
    const gsize n = lac_input_array_get_length(snapshot_of(&variables[v], 0)->array);

    for (gsize c = 0;
         c < n / (sizes[1] * sizes[2] * sizes[3]) && is_regular(&variables[v], &variables[0]); c++)
      add_component(found, &variables[v], sizes, c);
  }
  swap_arrays(file, found);
  file->format = "JHTDB cut-out";
}

void
lac_input_unfold_cutout(LacInputFile *file)
{
  gsize                   sizes[4] = {1, 1, 1, 1}, n_points = 1;
  g_autoptr(LacInputFile) found = NULL;
  Variable                variables[MAX_VARIABLES] = {0};
  guint                   n_variables = 0;

  for (guint i = 0; i < 3; i++) {
    const LacInputArray *axis = find_array(file, coordinates[i]);

    if (axis == NULL || axis->rank > 1)
      return;
    sizes[i + 1] = lac_input_array_get_length(axis);
    if (sizes[i + 1] == 0 || !g_size_checked_mul(&n_points, n_points, sizes[i + 1]))
      return;
  }
  for (guint i = 0; i < file->arrays->len; i++)
    add_snapshot(variables, &n_variables, file->arrays->pdata[i], n_points);
  found = lac_input_file_new();
  if (n_variables > 0)
    unfold(file, found, variables, n_variables, sizes);
  for (guint v = 0; v < n_variables; v++) {
    g_free(variables[v].name);
    g_array_unref(variables[v].snapshots);
  }
}
