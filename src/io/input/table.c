/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text tables as arrays: if the rows are all points of a grid, a vector per axis and an array per quantity; otherwise
 * a vector per column. Columns of one quantity at several times form a time axis. */
#include "io/format/table-columns.h"
#include "io/input/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Coordinates closer than this share of their range are equal: programs differ in their last digits. */
#define SAME_PLACE 1e-9

/* One axis of a grid, with its coordinates in ascending order. */
typedef struct {
  int     column;
  char    name;
  gsize   n;
  double *places;
} Axis;

typedef struct {
  const LacTableColumns *columns;
  guint                  n_axes; /* slowest first: t, z, y, x */
  Axis                   axes[4];
  gsize                 *at; /* [n_rows]: grid point of each row; NULL: rows are not a grid */
} Grid;

static int
compare_numbers(gconstpointer a, gconstpointer b)
{
  const double *first = a, *second = b;

  return (*first > *second) - (*first < *second);
}

/* Collects the coordinates of an axis. Returns: FALSE when one is not finite. */
static gboolean
find_places(const LacTableColumns *columns, Axis *axis)
{
  double *sorted = g_new(double, columns->n_rows);

  axis->places = sorted;
  for (gsize i = 0; i < columns->n_rows; i++) {
    sorted[i] = lac_table_columns_get(columns, i, (gsize) axis->column);
    if (!isfinite(sorted[i]))
      return FALSE;
  }
  qsort(sorted, columns->n_rows, sizeof *sorted, compare_numbers);
  const double same = SAME_PLACE * (sorted[columns->n_rows - 1] - sorted[0]);
  for (gsize i = 0; i < columns->n_rows; i++)
    if (axis->n == 0 || sorted[i] - sorted[axis->n - 1] > same)
      sorted[axis->n++] = sorted[i];
  return TRUE;
}

/* Returns the index of the coordinate at or just below @value. */
static gsize
look_up(const Axis *axis, double value)
{
  gsize low = 0, high = axis->n;

  while (high - low > 1) {
    const gsize middle = low + (high - low) / 2;

    if (axis->places[middle] <= value)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Returns: TRUE when every grid point has exactly one row. */
static gboolean
place_rows(Grid *grid)
{
  const gsize          n = grid->columns->n_rows;
  g_autofree gboolean *taken = g_new0(gboolean, n);

  grid->at = g_new0(gsize, n);
  for (gsize i = 0; i < n; i++) {
    for (guint a = 0; a < grid->n_axes; a++)
      grid->at[i] = grid->at[i] * grid->axes[a].n +
                    look_up(&grid->axes[a],
                            lac_table_columns_get(grid->columns, i, (gsize) grid->axes[a].column));
    if (taken[grid->at[i]])
      return FALSE;
    taken[grid->at[i]] = TRUE;
  }
  return TRUE;
}

/* Finds the axes; @grid->at is set when the rows are a grid with one or more axes. */
static void
find_grid(Grid *grid)
{
  static const char names[] = {'t', 'z', 'y', 'x'};
  gsize             n = 1;
  gboolean          is_grid = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS(names) && is_grid; i++) {
    const int column = lac_table_columns_find_axis(grid->columns, names[i]);

    if (column < 0 || grid->columns->columns[column].odd != NULL)
      continue;
    Axis *axis = &grid->axes[grid->n_axes++];
    *axis = (Axis){.column = column, .name = names[i]};
    is_grid = find_places(grid->columns, axis) && g_size_checked_mul(&n, n, axis->n);
  }
  if (grid->n_axes == 0 || !is_grid || n != grid->columns->n_rows || !place_rows(grid))
    g_clear_pointer(&grid->at, g_free);
}

static void
clear_grid(Grid *grid)
{
  for (guint i = 0; i < grid->n_axes; i++)
    g_free(grid->axes[i].places);
  g_free(grid->at);
}

static void
set_unit(LacInputArray *array, const char *unit)
{
  if (unit == NULL)
    return;
  g_free(array->unit);
  array->unit = g_utf8_make_valid(unit, -1);
}

static void
add_axes(LacInputFile *file, const Grid *grid)
{
  for (guint i = 0; i < grid->n_axes; i++) {
    const Axis    *axis = &grid->axes[i];
    const char     name[2] = {axis->name, '\0'};
    LacInputArray *array = lac_input_file_add(file, name, 1, &axis->n);

    array->data = g_memdup2(axis->places, axis->n * sizeof(double));
    set_unit(array, grid->columns->text->units[axis->column]);
  }
}

/* Columns of a quantity, by time. */
typedef struct {
  gsize n;
  gsize columns[LAC_TABLE_MAX_COLUMNS];
} Group;

/* Collects the columns with the name of @first, sorted by time; one without a time forms its own group. */
static void
gather_group(const LacTableColumns *columns, gsize first, Group *group)
{
  const LacTableColumn *all = columns->columns;

  group->n = 1;
  group->columns[0] = first;
  for (gsize i = first + 1; i < columns->n_columns && !isnan(all[first].time); i++) {
    if (isnan(all[i].time) || !g_str_equal(all[i].name, all[first].name))
      continue;
    gsize place = group->n++;
    for (; place > 0 && all[group->columns[place - 1]].time > all[i].time; place--)
      group->columns[place] = group->columns[place - 1];
    group->columns[place] = i;
  }
}

static gboolean
has_been_gathered(const LacTableColumns *columns, gsize i)
{
  for (gsize k = 0; k < i && !isnan(columns->columns[i].time); k++)
    if (!isnan(columns->columns[k].time) &&
        g_str_equal(columns->columns[k].name, columns->columns[i].name))
      return TRUE;
  return FALSE;
}

/* Returns: TRUE when the file has a vector t with these times. */
static gboolean
add_times(LacInputFile *file, const LacTableColumns *columns, const Group *group)
{
  for (guint i = 0; i < file->arrays->len; i++) {
    const LacInputArray *array = file->arrays->pdata[i];
    if (g_str_equal(array->name, "t"))
      return array->rank == 1 && array->sizes[0] == group->n;
  }
  LacInputArray *array = lac_input_file_add(file, "t", 1, &group->n);
  array->data = g_new(double, group->n);
  for (gsize k = 0; k < group->n; k++)
    array->data[k] = columns->columns[group->columns[k]].time;
  return TRUE;
}

static void
add_quantity(LacInputFile *file, const Grid *grid, const Group *group)
{
  const LacTableColumns *columns = grid->columns;
  const LacTableColumn  *first = &columns->columns[group->columns[0]];
  const char            *when = isnan(first->time) ? NULL : columns->text->whens[group->columns[0]];
  const gsize            n = columns->n_rows;
  gsize                  sizes[6];
  guint                  rank = 0;
  const char            *odd = NULL;

  if (group->n > 1 && add_times(file, columns, group))
    when = NULL;
  if (group->n > 1)
    sizes[rank++] = group->n;
  if (grid->at != NULL)
    for (guint a = 0; a < grid->n_axes; a++)
      sizes[rank++] = grid->axes[a].n;
  else
    sizes[rank++] = n;
  g_autofree char *name =
    when != NULL ? g_strdup_printf("%s @ %s", first->name, when) : g_strdup(first->name);
  LacInputArray *array = lac_input_file_add(file, name, rank, sizes);
  set_unit(array, columns->text->units[group->columns[0]]);
  for (gsize k = 0; k < group->n && odd == NULL; k++)
    odd = columns->columns[group->columns[k]].odd;
  if (odd != NULL) {
    array->odd = g_strdup(odd);
    return;
  }
  array->data = g_new(double, group->n *n);
  for (gsize k = 0; k < group->n; k++)
    for (gsize i = 0; i < n; i++)
      array->data[k * n + (grid->at != NULL ? grid->at[i] : i)] =
        lac_table_columns_get(columns, i, group->columns[k]);
}

gboolean
lac_input_read_table(LacInputFile *file, const char *path, GError **error)
{
  g_autoptr(LacTableColumns) columns = lac_table_columns_read(path, error);
  g_autofree Group          *group = g_new0(Group, 1);
  Grid                       grid = {.columns = columns};

  if (columns == NULL)
    return FALSE;
  if (columns->text->separator[0] == ' ')
    file->format = "COMSOL text";
  find_grid(&grid);
  if (grid.at != NULL)
    add_axes(file, &grid);
  for (gsize i = 0; i < columns->n_columns; i++) {
    if ((grid.at != NULL && columns->columns[i].axis != '\0') || has_been_gathered(columns, i))
      continue;
    gather_group(columns, i, group);
    add_quantity(file, &grid, group);
  }
  clear_grid(&grid);
  return TRUE;
}
