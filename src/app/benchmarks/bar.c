/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bottom bar of the benchmarks. */
#include "app/benchmarks/bar.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "report/bench/names.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define LABORATORY "win.bench-laboratory"

struct _LacBenchBar {
  LacBottomBar   *bar;
  GtkMenuButton  *laboratory;
  GtkWidget      *tiers, *middle, *run, *stop, *pin;
  GtkLabel       *title, *caption;
  GtkProgressBar *progress;
  gboolean        is_running;
  LacBenchFamily  family;
};

/* ---- words ---- */

char *
lac_bench_phase_dup_title(const LacBenchPhase *phase)
{
  if (phase->phase == NULL)
    return g_strdup(_("Starting"));
  g_autofree char *laboratory = lac_bench_dup_laboratory(phase->phase);
  g_autofree char *tier = lac_bench_dup_tier(phase->phase);
  g_autofree char *item = lac_bench_dup_item(phase->phase);
  /* laboratory, tier: phase */
  return g_strdup_printf(_("%s, %s: %s, round %u of %u"), laboratory, tier, item, phase->round,
                         phase->n_rounds);
}

char *
lac_bench_phase_dup_caption(const LacBenchPhase *phase)
{
  if (phase->n_all == 0)
    return g_strdup("");
  if (isnan(phase->seconds_left))
    return g_strdup_printf(_("%u of %u"), phase->n_done, phase->n_all);
  g_autofree char *left = lac_format_duration(phase->seconds_left);
  return g_strdup_printf(_("%u of %u · %s to go"), phase->n_done, phase->n_all, left);
}

double
lac_bench_phase_get_fraction(const LacBenchPhase *phase)
{
  return phase->n_all > 0 ? (double) phase->n_done / phase->n_all : 0;
}

/* ---- state ---- */

GtkWidget *
lac_bench_bar_get_widget(LacBenchBar *self)
{
  return GTK_WIDGET(self->bar);
}

static char *
dup_laboratory_label(const char *key)
{
  return key != NULL ? lac_bench_dup_laboratory(key) : g_strdup(_("All Laboratories"));
}

void
lac_bench_bar_set_laboratory(LacBenchBar *self, const char *key)
{
  g_autofree char *label = dup_laboratory_label(key);

  gtk_menu_button_set_label(self->laboratory, label);
  lac_accessible_name(self->laboratory, label);
}

/* The progress takes the place of the action in a narrow window. */
static void
show_pin(LacBenchBar *self)
{
  gtk_widget_set_visible(self->pin, self->family == LAC_BENCH_OF_TIERS && !self->is_running);
}

void
lac_bench_bar_set_running(LacBenchBar *self, gboolean running)
{
  self->is_running = running;
  show_pin(self);
  gtk_widget_set_visible(self->run, !running);
  gtk_widget_set_visible(self->stop, running);
  gtk_widget_set_visible(self->middle, running);
}

void
lac_bench_bar_set_phase(LacBenchBar *self, const LacBenchPhase *phase)
{
  g_autofree char *title = lac_bench_phase_dup_title(phase);
  g_autofree char *caption = lac_bench_phase_dup_caption(phase);

  gtk_label_set_text(self->title, title);
  gtk_label_set_text(self->caption, caption);
  gtk_progress_bar_set_fraction(self->progress, lac_bench_phase_get_fraction(phase));
}

void
lac_bench_bar_set_family(LacBenchBar *self, LacBenchFamily family)
{
  self->family = family;
  gtk_widget_set_visible(self->tiers, family != LAC_BENCH_OF_GROWTH);
  gtk_widget_set_visible(GTK_WIDGET(self->laboratory), family == LAC_BENCH_OF_TIERS);
  show_pin(self);
}

void
lac_bench_bar_set_reason(LacBenchBar *self, const char *sentence)
{
  lac_bottom_bar_set_words(self->bar, NULL, sentence);
}

/* ---- parts ---- */

static GtkWidget *
make_tiers(void)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class(box, "linked");
  for (const char *const *key = lac_bench_tier_keys; *key != NULL; key++) {
    g_autofree char *label = lac_bench_dup_laboratory(*key);
    g_autofree char *first = g_utf8_substring(label, 0, 1);
    g_autofree char *upper = g_utf8_strup(first, -1);
    g_autofree char *title = g_strconcat(upper, g_utf8_next_char(label), NULL);
    g_autofree char *action = g_strconcat("win.bench-", *key, NULL);
    GtkWidget       *button = gtk_toggle_button_new_with_label(title);

    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
    gtk_box_append(GTK_BOX(box), button);
  }
  lac_accessible_name(box, _("Tiers to measure"));
  return box;
}

static GtkWidget *
make_laboratories(void)
{
  g_autoptr(GMenu) menu = g_menu_new();
  GtkWidget       *button = gtk_menu_button_new();
  g_autofree char *all = dup_laboratory_label(NULL);

  g_menu_append(menu, all, LABORATORY "('')");
  for (const char *const *key = lac_bench_laboratory_keys; *key != NULL; key++) {
    g_autofree char *label = dup_laboratory_label(*key);
    g_autofree char *action = g_strdup_printf(LABORATORY "('%s')", *key);

    g_menu_append(menu, label, action);
  }
  gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), G_MENU_MODEL(menu));
  gtk_menu_button_set_direction(GTK_MENU_BUTTON(button), GTK_ARROW_UP);
  gtk_menu_button_set_label(GTK_MENU_BUTTON(button), all);
  lac_accessible_name(button, all);
  return button;
}

static GtkLabel *
add_label(GtkWidget *box, const char *class)
{
  GtkWidget *label = gtk_label_new(NULL);

  gtk_widget_add_css_class(label, "caption");
  gtk_widget_add_css_class(label, "numeric");
  if (class != NULL)
    gtk_widget_add_css_class(label, class);
  gtk_box_append(GTK_BOX(box), label);
  return GTK_LABEL(label);
}

static GtkWidget *
make_middle(LacBenchBar *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *words = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);

  self->title = add_label(words, NULL);
  self->caption = add_label(words, "dim-label");
  gtk_label_set_xalign(self->title, 0);
  gtk_label_set_ellipsize(self->title, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand(GTK_WIDGET(self->title), TRUE);
  self->progress = GTK_PROGRESS_BAR(gtk_progress_bar_new());
  gtk_widget_add_css_class(GTK_WIDGET(self->progress), "narrow");
  gtk_box_append(GTK_BOX(box), words);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->progress));
  return box;
}

static GtkWidget *
add_action(LacBenchBar *self, const char *label, const char *action, const char *class)
{
  GtkWidget *button = gtk_button_new_with_label(label);

  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
  if (class != NULL)
    gtk_widget_add_css_class(button, class);
  lac_bottom_bar_add_action(self->bar, button);
  return button;
}

LacBenchBar *
lac_bench_bar_new(void)
{
  LacBenchBar *self = g_new0(LacBenchBar, 1);

  self->bar = LAC_BOTTOM_BAR(g_object_ref_sink(lac_bottom_bar_new()));
  self->tiers = make_tiers();
  lac_bottom_bar_add_start(self->bar, self->tiers);
  self->laboratory = GTK_MENU_BUTTON(make_laboratories());
  lac_bottom_bar_add_start(self->bar, GTK_WIDGET(self->laboratory));
  self->middle = make_middle(self);
  lac_bottom_bar_set_middle(self->bar, self->middle);
  self->stop = add_action(self, _("Stop"), "win.bench-stop", "destructive-action");
  self->run = add_action(self, _("Start"), "win.bench-run", "suggested-action");
  self->pin = add_action(self, _("Pin as Baseline"), "win.bench-pin", NULL);
  lac_bench_bar_set_running(self, FALSE);
  return self;
}

void
lac_bench_bar_free(LacBenchBar *self)
{
  if (self == NULL)
    return;
  g_object_unref(self->bar);
  g_free(self);
}
