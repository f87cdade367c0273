/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of a table: meaning by name, and their values. */
#include "io/format/table-columns.h"

#include "base/error.h"
#include "base/number.h"
#include "io/format/table-choice.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *written;
  char        axis;
} axes[] = {
  {"x", 'x'},        {"y", 'y'},        {"z", 'z'},        {"t", 't'},
  {"time", 't'},     {"Points:0", 'x'}, {"Points:1", 'y'}, {"Points:2", 'z'},
  {"Points_0", 'x'}, {"Points_1", 'y'}, {"Points_2", 'z'},
};

/* Names that programs give to the components of a velocity. */
static const char *const velocities[][3] = {
  {"U:0", "U:1", "U:2"},
  {"U_0", "U_1", "U_2"},
  {"Velocity:0", "Velocity:1", "Velocity:2"},
  {"Velocity[i]", "Velocity[j]", "Velocity[k]"},
};

/* Returns TRUE when another column has the same name. */
static gboolean
is_shared(const LacTableText *text, guint i)
{
  for (guint k = 0; k < text->n_names; k++)
    if (k != i && g_str_equal(text->names[k], text->names[i]))
      return TRUE;
  return FALSE;
}

static void
report_meaning(const LacTableText *text, guint i, LacTableColumn *column)
{
  static const char *const components[] = {"u", "v", "w"};
  const char              *name = text->names[i], *when = text->whens[i];

  column->time = NAN;
  for (gsize k = 0; k < G_N_ELEMENTS(axes) && when == NULL; k++)
    if (g_ascii_strcasecmp(name, axes[k].written) == 0)
      column->axis = axes[k].axis;
  for (gsize k = 0; k < G_N_ELEMENTS(velocities); k++)
    for (gsize c = 0; c < G_N_ELEMENTS(components); c++)
      if (g_str_equal(name, velocities[k][c]))
        name = components[c];
  if (when != NULL && g_str_has_prefix(when, "t=") && lac_number_parse(when + 2, &column->time))
    when = NULL;
  if (column->axis != '\0')
    column->name = g_strndup(&column->axis, 1);
  else if (when != NULL && is_shared(text, i))
    column->name = g_strdup_printf("%s @ %s", name, when);
  else
    column->name = g_strdup(name);
  char *valid = g_utf8_make_valid(column->name, -1);
  g_free(column->name);
  column->name = valid;
}

static gboolean
report_meanings(LacTableColumns *columns, GError **error)
{
  const LacTableText *text = columns->text;

  for (guint i = 0; i < text->n_names; i++) {
    LacTableColumn *column = &columns->columns[i];

    report_meaning(text, i, column);
    if (*column->name == '\0' && text->chosen != NULL)
      column->odd = g_strdup("no use in the path");
    int other = column->axis != '\0' ? lac_table_columns_find_axis(columns, column->axis) : (int) i;
    if (other == (int) i)
      continue;
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s, line %u: columns %d and %u are both the coordinate %c; keep one", text->path,
                text->line, other + 1, i + 1, column->axis);
    return FALSE;
  }
  return TRUE;
}

static gboolean
read_rows(LacTableColumns *columns, GError **error)
{
  g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(double));
  g_autoptr(GError) why = NULL;

  while (lac_table_text_next(columns->text, &why)) {
    for (guint i = 0; i < columns->n_columns; i++) {
      double value = NAN;

      if (columns->columns[i].odd == NULL && !lac_table_text_number(columns->text, i, &value, NULL))
        columns->columns[i].odd = g_strdup_printf("no number in line %u", columns->text->line);
      g_array_append_val(numbers, value);
    }
    columns->n_rows++;
  }
  if (why == NULL && columns->n_rows == 0)
    g_set_error(&why, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s has a line of names and no row below it",
                columns->text->path);
  if (why != NULL) {
    g_propagate_error(error, g_steal_pointer(&why));
    return FALSE;
  }
  columns->numbers = (double *) (gpointer) g_array_free(g_steal_pointer(&numbers), FALSE);
  return TRUE;
}

LacTableColumns *
lac_table_columns_read(const char *path, GError **error)
{
  g_autoptr(LacTableColumns) columns = g_new0(LacTableColumns, 1);

  columns->text = lac_table_choice_open(path, error);
  if (columns->text == NULL)
    return NULL;
  columns->n_columns = columns->text->n_names;
  columns->columns = g_new0(LacTableColumn, columns->n_columns);
  return report_meanings(columns, error) && read_rows(columns, error) ? g_steal_pointer(&columns)
                                                                      : NULL;
}

void
lac_table_columns_free(LacTableColumns *columns)
{
  if (columns == NULL)
    return;
  for (gsize i = 0; columns->columns != NULL && i < columns->n_columns; i++) {
    g_free(columns->columns[i].name);
    g_free(columns->columns[i].odd);
  }
  lac_table_text_free(columns->text);
  g_free(columns->columns);
  g_free(columns->numbers);
  g_free(columns);
}

int
lac_table_columns_find_axis(const LacTableColumns *columns, char axis)
{
  for (gsize i = 0; i < columns->n_columns; i++)
    if (columns->columns[i].axis == axis)
      return (int) i;
  return -1;
}
