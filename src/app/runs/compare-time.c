/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tab Time of a comparison. */
#include "app/runs/compare-time.h"

#include "app/runs/compare-bars.h"
#include "app/runs/compare-operations.h"

#include <glib/gi18n-lib.h>

static const struct {
  LacCompareBarsKind kind;
  const char        *title;
} parts[] = {
  {LAC_COMPARE_BARS_PHASES, N_("Time by phase")},
  {LAC_COMPARE_BARS_OPERATIONS, N_("Own time by operation, summed over threads")},
  {LAC_COMPARE_BARS_FLAME, N_("Change from a to b: width is the time of b, colour the change")},
};
#define N_PARTS G_N_ELEMENTS(parts)

struct _LacCompareTime {
  GtkWidget       parent_instance;
  GtkWidget      *scroller;
  GtkWidget      *sections[N_PARTS];
  LacCompareBars *bars[N_PARTS];
  GtkWidget      *operations; /* section of the table */
};

G_DEFINE_FINAL_TYPE(LacCompareTime, lac_compare_time, GTK_TYPE_WIDGET)

static GtkWidget *
add_section(GtkWidget *box, const char *title)
{
  GtkWidget *section = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6), *heading = gtk_label_new(title);
  gtk_label_set_xalign(GTK_LABEL(heading), 0);
  gtk_label_set_ellipsize(GTK_LABEL(heading), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class(heading, "heading");
  gtk_box_append(GTK_BOX(section), heading);
  gtk_box_append(GTK_BOX(box), section);
  return section;
}

static void
drop_operations(LacCompareTime *self)
{
  GtkWidget *heading = gtk_widget_get_first_child(self->operations);
  GtkWidget *table = gtk_widget_get_next_sibling(heading);
  if (table != NULL)
    gtk_box_remove(GTK_BOX(self->operations), table);
}

void
lac_compare_time_show(LacCompareTime *self, const LacCompared *compared)
{
  g_return_if_fail(LAC_IS_COMPARE_TIME(self));
  gboolean is_pair = compared != NULL && compared->times != NULL && compared->runs->len == 2;
  for (gsize i = 0; i < N_PARTS; i++) {
    lac_compare_bars_show(self->bars[i], is_pair ? compared : NULL);
    gtk_widget_set_visible(self->sections[i], is_pair);
  }
  drop_operations(self);
  gboolean any = compared != NULL && compared->operations->len > 0;
  gtk_widget_set_visible(self->operations, any);
  if (any)
    gtk_box_append(GTK_BOX(self->operations),
                   lac_compare_operations_new((LacRunFile *const *) compared->runs->pdata,
                                              compared->runs->len, compared->operations));
}

static void
lac_compare_time_dispose(GObject *object)
{
  LacCompareTime *self = LAC_COMPARE_TIME(object);
  if (self->scroller != NULL)
    gtk_widget_unparent(self->scroller);
  self->scroller = NULL;
  G_OBJECT_CLASS(lac_compare_time_parent_class)->dispose(object);
}

static void
lac_compare_time_class_init(LacCompareTimeClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_compare_time_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_compare_time_init(LacCompareTime *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
  gtk_widget_set_margin_top(box, 12);
  gtk_widget_set_margin_bottom(box, 12);
  gtk_widget_set_margin_start(box, 12);
  gtk_widget_set_margin_end(box, 12);
  for (gsize i = 0; i < N_PARTS; i++) {
    self->sections[i] = add_section(box, _(parts[i].title));
    self->bars[i] = LAC_COMPARE_BARS(lac_compare_bars_new(parts[i].kind));
    gtk_box_append(GTK_BOX(self->sections[i]), GTK_WIDGET(self->bars[i]));
  }
  self->operations = add_section(box, _("Operations, total time"));
  self->scroller = gtk_scrolled_window_new();
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(self->scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(self->scroller), box);
  gtk_widget_set_parent(self->scroller, GTK_WIDGET(self));
}
