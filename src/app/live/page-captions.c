/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Order and captions of the pictures on the page of fields, from the table of methods; means marked on the curves. */
#include "app/live/page-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>

/* Returns: the row of the table that a channel belongs to; -1: none. */
static int
find_row(const LacMethodTable *table, const LacChannel *channel)
{
  if (channel->role != LAC_ROLE_RECONSTRUCTION && channel->role != LAC_ROLE_BASELINE)
    return -1;
  for (gsize i = 0; i < table->n_rows; i++) {
    g_autofree char *ending = g_strconcat(".", table->rows[i].group, NULL);
    if (*table->rows[i].group != '\0' && g_str_has_suffix(channel->key, ending))
      return (int) i;
  }
  return -1;
}

/* Returns: the column whose value stands below a picture; -1: none. */
static gssize
find_caption_column(const LacMethodTable *table)
{
  for (gsize i = 0; i < table->n_columns; i++)
    if (table->columns[i].kind == LAC_COLUMN_NOW)
      return table->ranking >= 0 && table->columns[table->ranking].rank == LAC_RANK_GREATEST
               ? table->ranking
               : (gssize) i;
  return table->ranking;
}

static void
fill_caption(LacLivePage *self, int row, gssize column, LacFieldCaption *caption)
{
  const LacMethodTable *table = lac_method_view_get_table(self->methods);
  caption->is_source = TRUE;
  caption->look = lac_method_view_get_look(self->methods, (guint) row);
  if (column < 0 || !isfinite(table->rows[row].cells[column].value))
    return;
  gboolean is_error = table->columns[column].kind == LAC_COLUMN_NOW;
  g_strlcpy(caption->name, is_error ? _("error") : table->columns[column].title,
            sizeof caption->name);
  g_strlcpy(caption->text, table->rows[row].cells[column].text, sizeof caption->text);
}

/* Sets the captions of the pictures, and their order to that of the table. */
void
lac_live_page_show_captions(LacLivePage *self)
{
  const LacMethodTable       *table = lac_method_view_get_table(self->methods);
  const LacFieldScene        *scene = lac_field_view_get_scene(self->field);
  g_autofree guint           *ranks = g_new0(guint, scene->n_channels + 1);
  g_autofree guint           *positions = g_new0(guint, table->n_rows + 1);
  g_autofree LacFieldCaption *captions = g_new0(LacFieldCaption, scene->n_channels + 1);
  gssize                      column = find_caption_column(table);
  int                         row;
  for (guint i = 0; (row = lac_method_view_get_row(self->methods, i)) >= 0; i++)
    positions[row] = i;
  for (gsize c = 0; c < scene->n_channels; c++) {
    row = find_row(table, &scene->channels[c]);
    ranks[c] = row >= 0 ? positions[row] : (guint) table->n_rows;
    if (row >= 0)
      fill_caption(self, row, column, &captions[c]);
  }
  lac_field_view_set_captions(self->field, captions, scene->n_channels);
  lac_field_view_set_ranks(self->field, ranks);
}

/* Shades the part of the curves over which means are taken. */
void
lac_live_page_show_mean(LacLivePage *self)
{
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(self->session, &n);
  LacCurveView    *curves = lac_curve_panel_get_curves(self->curves);
  lac_curve_view_set_last_step(curves, lac_session_get_status(self->session)->n_steps);
  for (gsize i = 0; i < n; i++) {
    const LacMetricPlacing *placing = &metrics[i].placing;
    if (placing->column != LAC_COLUMN_MEAN || placing->window_last == 0)
      continue;
    g_autofree char *words =
      g_strdup_printf(_("mean over %u–%u"), placing->window_first, placing->window_last);
    lac_curve_view_set_mean(curves, placing->window_first, words);
    return;
  }
}
