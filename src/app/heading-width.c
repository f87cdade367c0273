/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How wide a column of a table is at least. */
#include "app/heading-width.h"

#define MARGIN 28 /* the arrow and what is around the words */

int
lac_heading_width(GtkWidget *widget, const char *title)
{
  int                    words;
  g_autoptr(PangoLayout) layout = gtk_widget_create_pango_layout(widget, title);
  PangoAttrList         *bold = pango_attr_list_new();
  pango_attr_list_insert(bold, pango_attr_weight_new(PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes(layout, bold);
  pango_attr_list_unref(bold);
  pango_layout_get_pixel_size(layout, &words, NULL);
  return words + MARGIN;
}
