/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A card of the gallery. */
#include "app/experiment-card.h"

#include "app/accessible.h"
#include "app/phrase.h"
#include "app/still.h"
#include "app/style.h"
#include "base/pool.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define THUMBNAILS "/io/github/lacuna/Lacuna/thumbnails/"

struct _LacExperimentCard {
  GtkWidget            parent_instance;
  const LacExperiment *experiment;
  GtkWidget           *box;
  GtkPicture          *picture;
  GtkWidget           *symbol;
  GtkWidget           *foot;
  GtkLabel            *title, *summary, *needs;
  GtkButton           *start, *configure;
  gboolean             is_near;
};

G_DEFINE_FINAL_TYPE(LacExperimentCard, lac_experiment_card, GTK_TYPE_WIDGET)

static void
lac_experiment_card_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  if (LAC_EXPERIMENT_CARD(widget)->is_near)
    GTK_WIDGET_CLASS(lac_experiment_card_parent_class)->snapshot(widget, snapshot);
}

static void
lac_experiment_card_dispose(GObject *object)
{
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_EXPERIMENT_CARD);
  G_OBJECT_CLASS(lac_experiment_card_parent_class)->dispose(object);
}

static void
lac_experiment_card_class_init(LacExperimentCardClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_experiment_card_dispose;
  widget_class->snapshot = lac_experiment_card_snapshot;
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/experiment-card.ui");
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, box);
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, picture);
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, symbol);
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, foot);
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, title);
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, summary);
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, needs);
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, start);
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, configure);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
lac_experiment_card_init(LacExperimentCard *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
}

static void
show_needs(LacExperimentCard *self)
{
  const LacExperiment *experiment = self->experiment;
  g_autoptr(LacDraft)  draft = lac_draft_new(&experiment->params);
  LacEstimate          estimate = {0};
  guint                threads = MAX(lac_pool_available(), 2) - 1;
  experiment->estimate(experiment, lac_draft_get_values(draft), &estimate);
  g_autofree char *duration = lac_phrase_duration(lac_estimate_seconds(&estimate, threads));
  g_autofree char *memory = lac_phrase_bytes(estimate.memory_bytes);
  /* Translators: time and memory of an experiment on this computer. */
  g_autofree char *needs = g_strdup_printf(_("Needs no file · about %s · %s"), duration, memory);
  gtk_label_set_text(self->needs, needs);
}

/* Of a finished run, drawn by data/thumbnails/make.sh, twice as large as most cards show it. */
static void
show_thumbnail(LacExperimentCard *self)
{
  g_autofree char *path = g_strconcat(THUMBNAILS, self->experiment->name, ".png", NULL);
  gboolean there = g_resources_get_info(path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->picture), there);
  gtk_widget_set_visible(self->symbol, !there);
  if (!there)
    return;
  gboolean is_large =
    self->experiment->is_default || gtk_widget_get_scale_factor(GTK_WIDGET(self)) > 1;
  g_autoptr(GdkPaintable) still = lac_still_new(path, is_large ? 1 : 2, lac_style_card());
  gtk_picture_set_paintable(self->picture, still);
}

static void
name_buttons(LacExperimentCard *self, const char *title)
{
  g_autofree char *start = g_strdup_printf(_("Start %s"), title);
  g_autofree char *configure = g_strdup_printf(_("Set up %s"), title);
  lac_accessible_name(self->start, start);
  lac_accessible_name(self->configure, configure);
  lac_accessible_name(self, title);
  gtk_picture_set_alternative_text(self->picture, title);
}

GtkWidget *
lac_experiment_card_new(const LacExperiment *experiment)
{
  g_return_val_if_fail(experiment != NULL, NULL);
  LacExperimentCard *self = g_object_new(LAC_TYPE_EXPERIMENT_CARD, NULL);
  const char        *title = g_dgettext(GETTEXT_PACKAGE, experiment->title);
  self->experiment = experiment;
  gtk_label_set_text(self->title, title);
  gtk_label_set_text(self->summary, g_dgettext(GETTEXT_PACKAGE, experiment->summary));
  gtk_actionable_set_action_target(GTK_ACTIONABLE(self->start), "s", experiment->name);
  gtk_actionable_set_action_target(GTK_ACTIONABLE(self->configure), "s", experiment->name);
  name_buttons(self, title);
  show_needs(self);
  show_thumbnail(self);
  g_signal_connect_object(adw_style_manager_get_default(), "notify::dark",
                          G_CALLBACK(show_thumbnail), self, G_CONNECT_SWAPPED);
  if (experiment->is_default) {
    gtk_widget_add_css_class(GTK_WIDGET(self->start), "suggested-action");
    gtk_widget_add_css_class(GTK_WIDGET(self), "default");
    gtk_orientable_set_orientation(GTK_ORIENTABLE(self->foot), GTK_ORIENTATION_HORIZONTAL);
    gtk_widget_set_size_request(GTK_WIDGET(self->picture), -1, 220);
  }
  return GTK_WIDGET(self);
}

void
lac_experiment_card_set_near(LacExperimentCard *self, gboolean is_near)
{
  g_return_if_fail(LAC_IS_EXPERIMENT_CARD(self));
  if (self->is_near == is_near)
    return;
  self->is_near = is_near;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

gboolean
lac_experiment_card_is_near(LacExperimentCard *self)
{
  g_return_val_if_fail(LAC_IS_EXPERIMENT_CARD(self), FALSE);
  return self->is_near;
}

static gboolean
contains(const char *text, const char *part)
{
  g_autofree char *folded = g_utf8_casefold(text, -1);
  g_autofree char *wanted = g_utf8_casefold(part, -1);
  return strstr(folded, wanted) != NULL;
}

gboolean
lac_experiment_card_matches(LacExperimentCard *self, const char *text)
{
  g_return_val_if_fail(LAC_IS_EXPERIMENT_CARD(self), FALSE);
  return contains(self->experiment->name, text) ||
         contains(g_dgettext(GETTEXT_PACKAGE, self->experiment->title), text) ||
         contains(g_dgettext(GETTEXT_PACKAGE, self->experiment->summary), text);
}
