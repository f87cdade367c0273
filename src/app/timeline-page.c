/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline page. */
#include "app/timeline-page.h"

#include "app/operation-table.h"
#include "app/phrase.h"
#include "app/timeline-widget.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

struct _LacTimelinePage {
  GtkWidget          parent_instance;
  GtkStack          *stack;
  LacTimelineWidget *timeline;
  LacOperationTable *table;
  GtkLabel          *selection, *counters;
  LacRecording      *recording;
};

G_DEFINE_FINAL_TYPE(LacTimelinePage, lac_timeline_page, GTK_TYPE_WIDGET)

static void
on_selection(LacTimelinePage *self)
{
  g_autofree char *selection = NULL;
  g_object_get(self->timeline, "selection", &selection, NULL);
  gtk_label_set_text(
    self->selection,
    selection != NULL
      ? selection
      : _("Point at a span to read it. The wheel zooms, a drag moves, 0 shows everything."));
}

static void
on_records(LacTimelinePage *self)
{
  guint64          n_records = lac_recording_get_n_records(self->recording);
  g_autofree char *records = lac_phrase_count(n_records);
  g_autofree char *lost = lac_phrase_count(lac_recording_get_n_lost(self->recording));
  g_autofree char *text = g_strdup_printf(_("%s records · records lost: %s"), records, lost);
  gtk_label_set_text(self->counters, text);
  gtk_stack_set_visible_child_name(self->stack, n_records > 0 ? "records" : "empty");
}

static void
lac_timeline_page_dispose(GObject *object)
{
  LacTimelinePage *self = LAC_TIMELINE_PAGE(object);
  if (self->recording != NULL)
    g_signal_handlers_disconnect_by_data(self->recording, self);
  g_clear_object(&self->recording);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_TIMELINE_PAGE);
  G_OBJECT_CLASS(lac_timeline_page_parent_class)->dispose(object);
}

static void
lac_timeline_page_class_init(LacTimelinePageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_timeline_page_dispose;
  g_type_ensure(LAC_TYPE_TIMELINE_WIDGET);
  g_type_ensure(LAC_TYPE_OPERATION_TABLE);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/timeline-page.ui");
  gtk_widget_class_bind_template_child(widget_class, LacTimelinePage, stack);
  gtk_widget_class_bind_template_child(widget_class, LacTimelinePage, timeline);
  gtk_widget_class_bind_template_child(widget_class, LacTimelinePage, table);
  gtk_widget_class_bind_template_child(widget_class, LacTimelinePage, selection);
  gtk_widget_class_bind_template_child(widget_class, LacTimelinePage, counters);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
lac_timeline_page_init(LacTimelinePage *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  g_signal_connect_object(self->timeline, "notify::selection", G_CALLBACK(on_selection), self,
                          G_CONNECT_SWAPPED);
  on_selection(self);
}

void
lac_timeline_page_set_recording(LacTimelinePage *self, LacRecording *recording)
{
  g_return_if_fail(LAC_IS_TIMELINE_PAGE(self));
  if (self->recording != NULL)
    g_signal_handlers_disconnect_by_data(self->recording, self);
  g_set_object(&self->recording, recording);
  lac_timeline_widget_set_recording(self->timeline, recording);
  lac_operation_table_set_recording(self->table, recording);
  if (recording == NULL) {
    gtk_stack_set_visible_child_name(self->stack, "empty");
    return;
  }
  g_signal_connect_object(recording, "changed", G_CALLBACK(on_records), self, G_CONNECT_SWAPPED);
  on_records(self);
}

void
lac_timeline_page_fit(LacTimelinePage *self)
{
  g_return_if_fail(LAC_IS_TIMELINE_PAGE(self));
  lac_timeline_widget_fit(self->timeline);
}
