/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts in two columns; a row that does not apply is not shown. */
#include "app/live-facts.h"

#include "app/phrase.h"
#include "app/run-bar.h"
#include "app/tip.h"
#include "base/clock.h"

#include <glib/gi18n-lib.h>

#define AGE_PERIOD_MS 250 /* the age of the frame goes on while no new one comes */

enum { STEP, AGE, SKIPPED, ELAPSED, COMPUTER, CHOICE, USED, RESERVED, MOST, N_ROWS };

static const struct {
  const char *name, *help; /* help: (nullable) */
} rows[N_ROWS] = {
  [STEP] = {N_("Frame of step"), NULL},
  [AGE] = {N_("Age of frame"), NULL},
  [SKIPPED] = {N_("Frames skipped"), NULL},
  [ELAPSED] = {N_("Compute time"), NULL},
  [COMPUTER] = {N_("Computed by"), NULL},
  [CHOICE] = {N_("Reason"), N_("Why the GPU or the processor was chosen")},
  [USED] = {N_("Device memory"), N_("What the run has of the device's memory now")},
  [RESERVED] = {N_("Reserved"), N_("What was taken from the device for it, at least as much")},
  [MOST] = {N_("Most so far"), N_("The most that the run had of the device's memory at a time")},
};

struct _LacLiveFacts {
  GtkWidget   parent_instance;
  GtkLabel   *names[N_ROWS], *values[N_ROWS];
  LacSession *session;
  gint64      step, made_ns; /* of the frame that is shown; -1: none yet */
  guint       ticker;
};

G_DEFINE_FINAL_TYPE(LacLiveFacts, lac_live_facts, GTK_TYPE_WIDGET)

/* @text: (transfer full) (nullable): NULL: the row does not apply */
static void
show(LacLiveFacts *self, int row, char *text)
{
  gtk_widget_set_visible(GTK_WIDGET(self->names[row]), text != NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->values[row]), text != NULL);
  if (text != NULL && g_strcmp0(gtk_label_get_text(self->values[row]), text) != 0)
    gtk_label_set_text(self->values[row], text);
  g_free(text);
}

static char *
dup_age(LacLiveFacts *self)
{
  if (lac_session_is_followed(self->session))
    return lac_run_bar_dup_age(self->session);
  if (lac_session_get_status(self->session)->state == LAC_RUN_RUNNING)
    return lac_phrase_duration((double) (lac_clock_ns() - self->made_ns) / 1e9);
  return g_strdup("–");
}

static void
show_frame(LacLiveFacts *self)
{
  if (self->made_ns < 0)
    return;
  show(self, STEP, lac_phrase_count((guint64) MAX(self->step, 0)));
  show(self, AGE, dup_age(self));
  show(self, SKIPPED, lac_phrase_count(lac_session_get_n_skipped(self->session)));
}

/* After the end nothing is in use any more; the most that was is still worth knowing. */
static void
show_device(LacLiveFacts *self, const LacRunStatus *status)
{
  gboolean has_memory = status->memory.reserved > 0;
  gboolean is_active = has_memory && lac_session_is_active(self->session);
  gboolean is_on_device = status->device[0] != '\0';
  show(self, COMPUTER, g_strdup(is_on_device ? status->device : _("processor")));
  show(self, CHOICE, status->choice[0] != '\0' ? g_strdup(status->choice) : NULL);
  show(self, USED, is_active ? lac_phrase_bytes((double) status->memory.used) : NULL);
  show(self, RESERVED, is_active ? lac_phrase_bytes((double) status->memory.reserved) : NULL);
  show(self, MOST, has_memory ? lac_phrase_bytes((double) status->memory.peak) : NULL);
}

static void
show_status(LacLiveFacts *self)
{
  const LacRunStatus *status = lac_session_get_status(self->session);
  show(self, ELAPSED, lac_phrase_duration(status->seconds));
  show_device(self, status);
  show_frame(self);
}

/* While frames stream the status, told less often, is what their numbers are shown with. */
void
lac_live_facts_set_frame(LacLiveFacts *self, const LacFrame *frame)
{
  g_return_if_fail(LAC_IS_LIVE_FACTS(self) && self->session != NULL);
  self->step = frame->step;
  self->made_ns = frame->made_ns;
  if (!lac_session_is_active(self->session))
    show_frame(self);
}

static gboolean
on_tick(gpointer user_data)
{
  LacLiveFacts *self = user_data;
  if (!lac_session_is_active(self->session)) {
    self->ticker = 0;
    show_frame(self);
    return G_SOURCE_REMOVE;
  }
  if (gtk_widget_get_mapped(GTK_WIDGET(self)))
    show_frame(self);
  return G_SOURCE_CONTINUE;
}

static void
disconnect_session(LacLiveFacts *self)
{
  g_clear_handle_id(&self->ticker, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
}

static void
lac_live_facts_dispose(GObject *object)
{
  LacLiveFacts *self = LAC_LIVE_FACTS(object);
  disconnect_session(self);
  g_clear_object(&self->session);
  for (GtkWidget *child; (child = gtk_widget_get_first_child(GTK_WIDGET(self))) != NULL;)
    gtk_widget_unparent(child);
  G_OBJECT_CLASS(lac_live_facts_parent_class)->dispose(object);
}

static void
lac_live_facts_class_init(LacLiveFactsClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_live_facts_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static GtkLabel *
attach_label(GtkGrid *grid, const char *text, const char *css, int column, int row)
{
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), (float) column);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_widget_add_css_class(label, css);
  gtk_widget_set_hexpand(label, column == 0);
  gtk_widget_set_valign(label, GTK_ALIGN_START);
  gtk_grid_attach(grid, label, column, row, 1, 1);
  return GTK_LABEL(label);
}

static void
lac_live_facts_init(LacLiveFacts *self)
{
  GtkWidget *grid = gtk_grid_new();
  gtk_grid_set_row_spacing(GTK_GRID(grid), 6);
  gtk_grid_set_column_spacing(GTK_GRID(grid), 12);
  gtk_widget_set_parent(grid, GTK_WIDGET(self));
  for (int i = 0; i < N_ROWS; i++) {
    const char *help = rows[i].help != NULL ? _(rows[i].help) : NULL;
    self->names[i] = attach_label(GTK_GRID(grid), _(rows[i].name), "dim-label", 0, i);
    self->values[i] = attach_label(GTK_GRID(grid), "", "numeric", 1, i);
    gtk_label_set_justify(self->values[i], GTK_JUSTIFY_RIGHT);
    lac_tip_set(GTK_WIDGET(self->names[i]), help);
    show(self, i, NULL);
  }
  gtk_label_set_width_chars(self->values[AGE], 8); /* it changes all the time */
}

void
lac_live_facts_set_session(LacLiveFacts *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_LIVE_FACTS(self));
  disconnect_session(self);
  g_set_object(&self->session, session);
  self->made_ns = -1;
  for (int i = 0; i < N_ROWS; i++)
    show(self, i, NULL);
  if (session == NULL)
    return;
  g_signal_connect_object(session, "status-changed", G_CALLBACK(show_status), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "ended", G_CALLBACK(show_status), self, G_CONNECT_SWAPPED);
  if (lac_session_is_active(session))
    self->ticker = g_timeout_add(AGE_PERIOD_MS, on_tick, self);
  show_status(self);
}
