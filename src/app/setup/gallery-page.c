/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gallery of experiments, and its cards. */
#include "app/setup/gallery-page.h"

#include "app/setup/card-picture.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/open-button.h"
#include "app/toolkit/preferences.h"
#include "app/toolkit/style.h"
#include "app/toolkit/texture.h"
#include "base/pool.h"
#include "experiment/experiment.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <math.h>

/* ---- a card ---- */

/* px: widest picture of a card. GTK searches without end for the size of a box that needs more height when it is wider,
 * as a square picture does beside a long title. */
#define MOST_WIDTH 400

#define THUMBNAILS "/io/github/lacuna/Lacuna/thumbnails/"

struct _LacExperimentCard {
  GtkWidget            parent_instance;
  const LacExperiment *experiment;
  GtkWidget           *box;
  GtkWidget           *pictures;
  LacCardPicture      *picture;
  GtkLabel            *first, *second, *third; /* below the parts of the picture */
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
  g_type_ensure(LAC_TYPE_CARD_PICTURE);
  gtk_widget_class_set_template_from_resource(
    widget_class, "/io/github/lacuna/Lacuna/ui/setup/experiment-card.ui");
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, box);
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, pictures);
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, picture);
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, first);
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, second);
  gtk_widget_class_bind_template_child(widget_class, LacExperimentCard, third);
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
  g_autofree char *duration = lac_format_duration(lac_estimate_seconds(&estimate, threads));
  g_autofree char *memory = lac_format_bytes(estimate.memory_bytes);
  /* Translators: time and memory of an experiment on this computer. */
  g_autofree char *needs = g_strdup_printf(_("No file needed · about %s · %s"), duration, memory);
  gtk_label_set_text(self->needs, needs);
}

/* Shows a picture of a finished run, drawn by data/thumbnails/make.sh at twice the size of most cards; a symbol if
 * there is none. */
static void
show_thumbnail(LacExperimentCard *self)
{
  g_autofree char *path = g_strconcat(THUMBNAILS, self->experiment->name, ".png", NULL);
  gboolean there = g_resources_get_info(path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL);
  gtk_widget_set_visible(self->pictures, there);
  gtk_widget_set_visible(self->symbol, !there);
  if (!there)
    return;
  gboolean is_large =
    self->experiment->is_default || gtk_widget_get_scale_factor(GTK_WIDGET(self)) > 1;
  if (!self->experiment->is_default) {
    adw_clamp_set_maximum_size(ADW_CLAMP(self->pictures), MOST_WIDTH);
    adw_clamp_set_tightening_threshold(ADW_CLAMP(self->pictures), MOST_WIDTH);
  }
  g_autoptr(GdkPaintable) still = lac_still_new(path, is_large ? 1 : 2, lac_style_card());
  lac_card_picture_set(self->picture, still, g_dgettext(GETTEXT_PACKAGE, self->experiment->title));
}

static gboolean
has_truth(const LacExperiment *experiment)
{
  for (gsize i = 0; i < experiment->n_channels; i++)
    if (experiment->channels[i].role == LAC_ROLE_TRUTH)
      return TRUE;
  return FALSE;
}

/* The three parts of a thumbnail; of an experiment without a truth only the one in the middle is there. */
static void
label_pictures(LacExperimentCard *self)
{
  const LacExperiment *experiment = self->experiment;
  gtk_widget_set_visible(GTK_WIDGET(self->first), has_truth(experiment));
  gtk_widget_set_visible(GTK_WIDGET(self->third), has_truth(experiment));
  if (!has_truth(experiment)) {
    gtk_label_set_text(self->second, g_dgettext(GETTEXT_PACKAGE, experiment->channels[0].label));
    return;
  }
  gtk_label_set_text(self->first, _("Truth"));
  gtk_label_set_text(self->second, _("Reconstruction"));
  gtk_label_set_text(self->third, _("Error"));
}

static void
name_buttons(LacExperimentCard *self, const char *title)
{
  g_autofree char *start = g_strdup_printf(_("Start %s"), title);
  g_autofree char *configure = g_strdup_printf(_("Set up %s"), title);
  lac_accessible_name(self->start, start);
  lac_accessible_name(self->configure, configure);
  lac_accessible_name(self, title);
}

static GtkWidget *
experiment_card_new(const LacExperiment *experiment)
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
  label_pictures(self);
  g_signal_connect_object(adw_style_manager_get_default(), "notify::dark",
                          G_CALLBACK(show_thumbnail), self, G_CONNECT_SWAPPED);
  if (experiment->is_default) {
    gtk_widget_add_css_class(GTK_WIDGET(self->start), "suggested-action");
    gtk_widget_add_css_class(GTK_WIDGET(self), "default");
    gtk_orientable_set_orientation(GTK_ORIENTABLE(self->foot), GTK_ORIENTATION_HORIZONTAL);
  }
  return GTK_WIDGET(self);
}

static void
experiment_card_set_near(LacExperimentCard *self, gboolean is_near)
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

/* Returns: TRUE if the name, the title or the summary contains @text, ignoring case */
static gboolean
experiment_card_matches(LacExperimentCard *self, const char *text)
{
  g_return_val_if_fail(LAC_IS_EXPERIMENT_CARD(self), FALSE);
  return contains(self->experiment->name, text) ||
         contains(g_dgettext(GETTEXT_PACKAGE, self->experiment->title), text) ||
         contains(g_dgettext(GETTEXT_PACKAGE, self->experiment->summary), text);
}

/* ---- the page ---- */

#define N_AT_ONCE 6  /* cards: two rows below the default's */
#define REACH     24 /* pixels drawn beyond the visible part: enough for the cards' shadows */

struct _LacGalleryPage {
  GtkWidget       parent_instance;
  GtkWidget      *content; /* scrolled window */
  GtkSearchEntry *search;
  GtkStack       *stack;
  GtkBox         *choices; /* laboratory filter */
  GtkBox         *groups;
  const char     *laboratory; /* (nullable): filter */
  GtkWidget      *first;      /* card of the default experiment */
  GPtrArray      *queue;      /* of const LacExperiment: all others, in page order */
  guint           n_added;    /* entries of @queue that have cards */
  GtkFlowBox     *flow;       /* group of the last card added */
  GPtrArray      *cards;      /* of LacExperimentCard, default first */
  guint           idle;
  GtkWidget      *welcome; /* one-time offer of the tour */
};

G_DEFINE_FINAL_TYPE(LacGalleryPage, lac_gallery_page, GTK_TYPE_WIDGET)

static const struct {
  const char *laboratory, *title;
} laboratories[] = {
  {"flow", N_("Flow")},
  {"imaging", N_("Imaging")},
  {"quantum", N_("Quantum")},
};

static const char *
get_laboratory_title(const char *laboratory)
{
  for (gsize i = 0; i < G_N_ELEMENTS(laboratories); i++)
    if (g_str_equal(laboratories[i].laboratory, laboratory))
      return _(laboratories[i].title);
  return laboratory;
}

static gboolean
filter(GtkFlowBoxChild *child, gpointer user_data)
{
  LacGalleryPage *self = user_data;
  const char     *text = gtk_editable_get_text(GTK_EDITABLE(self->search));
  return experiment_card_matches(LAC_EXPERIMENT_CARD(gtk_flow_box_child_get_child(child)), text);
}

static gboolean
is_chosen(LacGalleryPage *self, const char *laboratory)
{
  return self->laboratory == NULL || g_str_equal(self->laboratory, laboratory);
}

static gboolean
is_in(const LacExperiment *experiment, const char *laboratory, const char *family)
{
  return g_str_equal(experiment->laboratory, laboratory) &&
         g_strcmp0(experiment->family, family) == 0;
}

/* ---- what is near ---- */

static gboolean
is_near(GtkWidget *card, GtkWidget *whole, GtkAdjustment *down)
{
  graphene_rect_t bounds;
  double          from = gtk_adjustment_get_value(down) - REACH;
  double          to = gtk_adjustment_get_value(down) + gtk_adjustment_get_page_size(down) + REACH;
  if (!gtk_widget_get_mapped(card) || !gtk_widget_compute_bounds(card, whole, &bounds))
    return FALSE;
  double top = (double) bounds.origin.y;
  return top + (double) bounds.size.height > from && top < to;
}

/* Marks the cards in or near the visible part; others are not drawn. */
static void
mark_near(LacGalleryPage *self)
{
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW(self->content);
  GtkWidget         *whole = gtk_widget_get_first_child(gtk_scrolled_window_get_child(scroller));
  GtkAdjustment     *down = gtk_scrolled_window_get_vadjustment(scroller);
  for (guint i = 0; i < self->cards->len; i++) {
    GtkWidget *card = g_ptr_array_index(self->cards, i);
    experiment_card_set_near(LAC_EXPERIMENT_CARD(card), is_near(card, whole, down));
  }
}

/* Marks cards here: layout is final when drawing starts. */
static void
lac_gallery_page_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  mark_near(LAC_GALLERY_PAGE(widget));
  GTK_WIDGET_CLASS(lac_gallery_page_parent_class)->snapshot(widget, snapshot);
}

/* ---- cards ---- */

static GtkWidget *
add_card(LacGalleryPage *self, const LacExperiment *experiment)
{
  GtkWidget *card = experiment_card_new(experiment);
  g_ptr_array_add(self->cards, card);
  return card;
}

/* Adds the default experiment: first and larger. */
static void
add_default(LacGalleryPage *self)
{
  gsize                       n;
  const LacExperiment *const *experiments = lac_experiments(&n);
  for (gsize i = 0; i < n; i++)
    if (experiments[i]->is_default) {
      self->first = add_card(self, experiments[i]);
      gtk_widget_set_name(self->first, experiments[i]->laboratory);
    }
  if (self->first != NULL)
    gtk_box_prepend(self->groups, self->first);
}

static void
add_group(LacGalleryPage *self, const LacExperiment *first)
{
  const char *title = first->family != NULL ? g_dgettext(GETTEXT_PACKAGE, first->family)
                                            : get_laboratory_title(first->laboratory);
  GtkWidget  *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget  *heading = gtk_label_new(title);
  GtkWidget  *flow = gtk_flow_box_new();
  gtk_label_set_xalign(GTK_LABEL(heading), 0);
  gtk_widget_add_css_class(heading, "title-4");
  gtk_widget_set_name(box, first->laboratory);
  lac_accessible_name(flow, title);
  gtk_flow_box_set_selection_mode(GTK_FLOW_BOX(flow), GTK_SELECTION_NONE);
  gtk_flow_box_set_column_spacing(GTK_FLOW_BOX(flow), 18);
  gtk_flow_box_set_row_spacing(GTK_FLOW_BOX(flow), 18);
  gtk_flow_box_set_min_children_per_line(GTK_FLOW_BOX(flow), 3);
  gtk_flow_box_set_max_children_per_line(GTK_FLOW_BOX(flow), 3);
  gtk_flow_box_set_homogeneous(GTK_FLOW_BOX(flow), TRUE);
  gtk_widget_add_css_class(flow, "cards");
  gtk_flow_box_set_filter_func(GTK_FLOW_BOX(flow), filter, self, NULL);
  gtk_box_append(GTK_BOX(box), heading);
  gtk_box_append(GTK_BOX(box), flow);
  gtk_box_append(self->groups, box);
  self->flow = GTK_FLOW_BOX(flow);
}

/* Adds the next card of the queue to the group of its family. Returns: FALSE if the queue is empty. */
static gboolean
add_next(LacGalleryPage *self)
{
  if (self->n_added == self->queue->len)
    return FALSE;
  const LacExperiment *const *queue = (const LacExperiment *const *) self->queue->pdata;
  const LacExperiment        *experiment = queue[self->n_added];
  const LacExperiment        *before = self->n_added > 0 ? queue[self->n_added - 1] : NULL;
  if (before == NULL || !is_in(before, experiment->laboratory, experiment->family))
    add_group(self, experiment);
  GtkWidget *child = gtk_flow_box_child_new();
  gtk_flow_box_child_set_child(GTK_FLOW_BOX_CHILD(child), add_card(self, experiment));
  gtk_widget_set_focusable(child, FALSE);
  gtk_flow_box_insert(self->flow, child, -1);
  self->n_added++;
  return TRUE;
}

static gboolean
on_idle(gpointer user_data)
{
  LacGalleryPage *self = user_data;
  if (add_next(self))
    return G_SOURCE_CONTINUE;
  self->idle = 0;
  return G_SOURCE_REMOVE;
}

/* The first frame has the visible cards; those below are added in idle time. */
static void
on_map(LacGalleryPage *self)
{
  if (self->idle == 0 && self->n_added < self->queue->len)
    self->idle = g_idle_add_full(G_PRIORITY_LOW, on_idle, self, NULL);
}

/* Stops adding cards while another page is shown. */
static void
on_unmap(LacGalleryPage *self)
{
  g_clear_handle_id(&self->idle, g_source_remove);
}

/* Queues the experiments grouped by family, in order of first appearance, without the default. */
static void
queue_laboratory(LacGalleryPage *self, const char *laboratory)
{
  gsize                       n;
  const LacExperiment *const *experiments = lac_experiments(&n);
  g_autoptr(GHashTable)       seen = g_hash_table_new(g_str_hash, g_str_equal);
  for (gsize i = 0; i < n; i++) {
    const char *family = experiments[i]->family;
    if (!g_str_equal(experiments[i]->laboratory, laboratory) ||
        !g_hash_table_add(seen, (gpointer) (family != NULL ? family : "")))
      continue;
    for (gsize j = i; j < n; j++)
      if (!experiments[j]->is_default && is_in(experiments[j], laboratory, family))
        g_ptr_array_add(self->queue, (gpointer) experiments[j]);
  }
}

/* Hides groups without a match, with their headings; shows a placeholder if nothing matches. */
static void
show_matches(LacGalleryPage *self)
{
  while (add_next(self))
    ;
  gboolean    any = FALSE;
  const char *text = gtk_editable_get_text(GTK_EDITABLE(self->search));
  for (GtkWidget *group = gtk_widget_get_first_child(GTK_WIDGET(self->groups)); group != NULL;
       group = gtk_widget_get_next_sibling(group)) {
    gboolean matched = FALSE;
    if (group == self->first) {
      matched = is_chosen(self, gtk_widget_get_name(group)) &&
                experiment_card_matches(LAC_EXPERIMENT_CARD(group), text);
      gtk_widget_set_visible(group, matched);
      any |= matched;
      continue;
    }
    GtkWidget *flow = gtk_widget_get_last_child(group);
    gtk_flow_box_invalidate_filter(GTK_FLOW_BOX(flow));
    for (int i = 0; gtk_flow_box_get_child_at_index(GTK_FLOW_BOX(flow), i) != NULL; i++) {
      GtkFlowBoxChild *child = gtk_flow_box_get_child_at_index(GTK_FLOW_BOX(flow), i);
      matched |=
        experiment_card_matches(LAC_EXPERIMENT_CARD(gtk_flow_box_child_get_child(child)), text);
    }
    matched &= is_chosen(self, gtk_widget_get_name(group));
    gtk_widget_set_visible(group, matched);
    any |= matched;
  }
  gtk_stack_set_visible_child_name(self->stack, any ? "cards" : "nothing");
}

static void
on_search_changed(GtkSearchEntry *search, LacGalleryPage *self)
{
  show_matches(self);
}

static void
on_laboratory_toggled(GtkToggleButton *button, LacGalleryPage *self)
{
  if (!gtk_toggle_button_get_active(button))
    return;
  self->laboratory = g_object_get_data(G_OBJECT(button), "laboratory");
  show_matches(self);
}

/* @laboratory: (nullable): NULL: all */
static void
add_choice(LacGalleryPage *self, const char *laboratory, const char *title)
{
  GtkWidget *button = gtk_toggle_button_new_with_label(title);
  GtkWidget *first = gtk_widget_get_first_child(GTK_WIDGET(self->choices));
  g_object_set_data(G_OBJECT(button), "laboratory", (gpointer) laboratory);
  if (first != NULL)
    gtk_toggle_button_set_group(GTK_TOGGLE_BUTTON(button), GTK_TOGGLE_BUTTON(first));
  gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(button), first == NULL);
  g_signal_connect(button, "toggled", G_CALLBACK(on_laboratory_toggled), self);
  gtk_box_append(self->choices, button);
}

static void
lac_gallery_page_dispose(GObject *object)
{
  LacGalleryPage *self = LAC_GALLERY_PAGE(object);
  g_clear_handle_id(&self->idle, g_source_remove);
  g_clear_pointer(&self->queue, g_ptr_array_unref);
  g_clear_pointer(&self->cards, g_ptr_array_unref);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_GALLERY_PAGE);
  G_OBJECT_CLASS(lac_gallery_page_parent_class)->dispose(object);
}

static void
lac_gallery_page_class_init(LacGalleryPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_gallery_page_dispose;
  widget_class->snapshot = lac_gallery_page_snapshot;
  g_type_ensure(LAC_TYPE_OPEN_BUTTON);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/setup/gallery-page.ui");
  gtk_widget_class_bind_template_child(widget_class, LacGalleryPage, content);
  gtk_widget_class_bind_template_child(widget_class, LacGalleryPage, welcome);
  gtk_widget_class_bind_template_child(widget_class, LacGalleryPage, search);
  gtk_widget_class_bind_template_child(widget_class, LacGalleryPage, stack);
  gtk_widget_class_bind_template_child(widget_class, LacGalleryPage, choices);
  gtk_widget_class_bind_template_child(widget_class, LacGalleryPage, groups);
  gtk_widget_class_bind_template_callback(widget_class, on_search_changed);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
lac_gallery_page_init(LacGalleryPage *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  gtk_widget_set_visible(self->welcome, lac_preferences_offers_tour());
  lac_accessible_name(self->search, _("Search experiments"));
  add_choice(self, NULL, _("All"));
  self->queue = g_ptr_array_new();
  self->cards = g_ptr_array_new();
  for (gsize i = 0; i < G_N_ELEMENTS(laboratories); i++) {
    queue_laboratory(self, laboratories[i].laboratory);
    add_choice(self, laboratories[i].laboratory, _(laboratories[i].title));
  }
  add_default(self);
  while (self->n_added < N_AT_ONCE && add_next(self))
    ;
  g_signal_connect(self, "map", G_CALLBACK(on_map), NULL);
  g_signal_connect(self, "unmap", G_CALLBACK(on_unmap), NULL);
}

void
lac_gallery_page_focus_search(LacGalleryPage *self)
{
  g_return_if_fail(LAC_IS_GALLERY_PAGE(self));
  gtk_widget_grab_focus(GTK_WIDGET(self->search));
}

gboolean
lac_gallery_page_is_complete(LacGalleryPage *self)
{
  g_return_val_if_fail(LAC_IS_GALLERY_PAGE(self), FALSE);
  return self->n_added == self->queue->len;
}

void
lac_gallery_page_end_welcome(LacGalleryPage *self)
{
  g_return_if_fail(LAC_IS_GALLERY_PAGE(self));
  lac_preferences_end_tour_offer();
  gtk_widget_set_visible(self->welcome, FALSE);
}
