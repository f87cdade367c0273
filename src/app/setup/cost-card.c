/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The card of the cost estimate. */
#include "app/setup/cost-card.h"

#include "app/toolkit/format.h"

#include <glib/gi18n-lib.h>

#define UNKNOWN "–"

struct _LacCostCard {
  GtkWidget  parent_instance;
  GtkWidget *content, *runs_name, *device_name;
  GtkLabel  *runs, *duration, *steps, *memory, *disk, *device_free;
};

G_DEFINE_FINAL_TYPE(LacCostCard, lac_cost_card, GTK_TYPE_WIDGET)

static void
set_label(GtkLabel *label, char *text)
{
  gtk_label_set_text(label, text);
  g_free(text);
}

static void
show_unknown(LacCostCard *self)
{
  GtkLabel *labels[] = {self->duration, self->steps, self->memory, self->disk};
  for (gsize i = 0; i < G_N_ELEMENTS(labels); i++)
    gtk_label_set_text(labels[i], UNKNOWN);
  gtk_label_set_text(self->runs, UNKNOWN);
}

void
lac_cost_card_show(LacCostCard *self, const LacCost *cost, guint threads)
{
  g_return_if_fail(LAC_IS_COST_CARD(self));
  const gboolean is_series = cost != NULL && cost->n_runs > 1;
  gtk_widget_set_visible(self->runs_name, is_series);
  gtk_widget_set_visible(GTK_WIDGET(self->runs), is_series);
  if (cost == NULL) {
    show_unknown(self);
    return;
  }
  g_autofree char *duration = lac_format_duration(cost->seconds);
  g_autofree char *disk = lac_format_bytes(cost->disk_bytes);
  set_label(self->runs, lac_format_count(cost->n_runs));
  set_label(self->duration,
            g_strdup_printf(ngettext("about %s on %u thread", "about %s on %u threads", threads),
                            duration, threads));
  set_label(self->steps, lac_format_count((guint64) cost->n_steps));
  set_label(self->memory, lac_format_bytes(cost->memory_bytes));
  set_label(self->disk, g_strdup_printf(_("at most %s"), disk));
}

void
lac_cost_card_show_device(LacCostCard *self, double free_bytes)
{
  g_return_if_fail(LAC_IS_COST_CARD(self));
  gtk_widget_set_visible(self->device_name, free_bytes >= 0);
  gtk_widget_set_visible(GTK_WIDGET(self->device_free), free_bytes >= 0);
  if (free_bytes < 0)
    return;
  g_autofree char *available = lac_format_bytes(free_bytes);
  set_label(self->device_free, g_strdup_printf(_("%s free"), available));
}

static void
lac_cost_card_dispose(GObject *object)
{
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_COST_CARD);
  G_OBJECT_CLASS(lac_cost_card_parent_class)->dispose(object);
}

static void
lac_cost_card_class_init(LacCostCardClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_cost_card_dispose;
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/setup/cost-card.ui");
  gtk_widget_class_bind_template_child(widget_class, LacCostCard, content);
  gtk_widget_class_bind_template_child(widget_class, LacCostCard, runs_name);
  gtk_widget_class_bind_template_child(widget_class, LacCostCard, runs);
  gtk_widget_class_bind_template_child(widget_class, LacCostCard, duration);
  gtk_widget_class_bind_template_child(widget_class, LacCostCard, steps);
  gtk_widget_class_bind_template_child(widget_class, LacCostCard, memory);
  gtk_widget_class_bind_template_child(widget_class, LacCostCard, disk);
  gtk_widget_class_bind_template_child(widget_class, LacCostCard, device_name);
  gtk_widget_class_bind_template_child(widget_class, LacCostCard, device_free);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
lac_cost_card_init(LacCostCard *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}
