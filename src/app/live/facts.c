/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts of a run beside its fields. */
#include "app/live/facts.h"

#include "app/live/setting.h"
#include "app/session/words.h"
#include "app/toolkit/format.h"
#include "app/toolkit/tip.h"
#include "base/clock.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#define AGE_PERIOD_MS 250 /* the age of the frame increases while no new one arrives */

/* The first rows are settings, as far as the run has them. */
enum { N_SETTINGS = 4, COMPUTER = N_SETTINGS, CHOICE, USED, RESERVED, MOST, AGE, SKIPPED, N_ROWS };

/* The settings that tell most about a run, by laboratory. */
static const struct {
  const char *key;
  gboolean    is_replaced; /* by the file of the user's own measurements */
} main_settings[] = {{"sensors", TRUE},   {"placement", TRUE},  {"noise", TRUE},
                     {"apertures", TRUE}, {"pattern", TRUE},    {"diameter", TRUE},
                     {"walkers", FALSE},  {"optimizer", FALSE}, {"layers", FALSE}};

static const struct {
  const char *name, *help; /* @help: (nullable) */
} facts[N_ROWS] = {
  [AGE] = {N_("Age of frame"), NULL},
  [SKIPPED] = {N_("Frames skipped"), NULL},
  [COMPUTER] = {N_("Computes on"), NULL},
  [CHOICE] = {N_("Reason"), N_("Why the GPU or the processor was chosen")},
  [USED] = {N_("Device memory"), N_("Device memory currently used by the run")},
  [RESERVED] = {N_("Reserved"), N_("Device memory allocated for the run, including unused parts")},
  [MOST] = {N_("Peak"), N_("Largest device memory use of the run so far")},
};

struct _LacLiveFacts {
  GtkWidget   parent_instance;
  GtkLabel   *names[N_ROWS], *values[N_ROWS];
  LacSession *session;
  LacDraft   *draft;   /* (nullable) */
  gint64      made_ns; /* of the frame shown; -1: none yet */
  guint       ticker;
};

G_DEFINE_FINAL_TYPE(LacLiveFacts, lac_live_facts, GTK_TYPE_WIDGET)

/* @text: (transfer full) (nullable): NULL hides the row */
static void
show_fact(LacLiveFacts *self, int row, char *text)
{
  gtk_widget_set_visible(GTK_WIDGET(self->names[row]), text != NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->values[row]), text != NULL);
  if (text != NULL && g_strcmp0(gtk_label_get_text(self->values[row]), text) != 0)
    gtk_label_set_text(self->values[row], text);
  g_free(text);
}

/* Returns: (transfer full) (nullable): NULL for a run that has ended: its frames do not grow old. */
static char *
dup_age(LacLiveFacts *self)
{
  if (lac_session_is_followed(self->session))
    return lac_session_dup_age(self->session);
  if (lac_session_get_status(self->session)->state == LAC_RUN_RUNNING)
    return lac_format_duration((double) (lac_clock_ns() - self->made_ns) / 1e9);
  return NULL;
}

static void
show_frame(LacLiveFacts *self)
{
  guint64 n_skipped = lac_session_get_n_skipped(self->session);
  if (self->made_ns < 0)
    return;
  show_fact(self, AGE, dup_age(self));
  show_fact(self, SKIPPED, n_skipped > 0 ? lac_format_count(n_skipped) : NULL);
}

/* Returns: (transfer full): "2 threads, f32" */
static char *
dup_processor(LacSession *session)
{
  const LacRunFile *file = lac_session_get_file(session);
  LacRun           *run = lac_session_get_run(session);
  guint             n = run != NULL ? lac_run_get_threads(run) : file != NULL ? file->threads : 0;
  const char       *precision = run != NULL    ? lac_run_get_precision(run)
                                : file != NULL ? file->precision
                                               : NULL;
  if (n == 0)
    return g_strdup(_("processor"));
  g_autofree char *threads = g_strdup_printf(ngettext("%u thread", "%u threads", n), n);
  return precision != NULL && *precision != '\0' ? g_strdup_printf("%s, %s", threads, precision)
                                                 : g_steal_pointer(&threads);
}

/* Shows device memory. After the end of a run none is in use, but the peak stays visible. */
static void
show_device(LacLiveFacts *self, const LacRunStatus *status)
{
  gboolean has_memory = status->memory.reserved > 0;
  gboolean is_active = has_memory && lac_session_is_active(self->session);
  gboolean is_on_device = status->device[0] != '\0';
  show_fact(self, COMPUTER, is_on_device ? g_strdup(status->device) : dup_processor(self->session));
  show_fact(self, CHOICE, status->choice[0] != '\0' ? g_strdup(status->choice) : NULL);
  show_fact(self, USED, is_active ? lac_format_bytes((double) status->memory.used) : NULL);
  show_fact(self, RESERVED, is_active ? lac_format_bytes((double) status->memory.reserved) : NULL);
  show_fact(self, MOST, has_memory ? lac_format_bytes((double) status->memory.peak) : NULL);
}

/* Shows the file of the user's own measurements. Returns: FALSE when there is none. */
static gboolean
show_measurements(LacLiveFacts *self, int row)
{
  const char      *label;
  g_autofree char *path =
    lac_live_setting_dup_shown(self->session, self->draft, "measurements", &label);
  if (path == NULL || *path == '\0')
    return FALSE;
  gtk_label_set_text(self->names[row], label);
  show_fact(self, row, g_path_get_basename(path));
  return TRUE;
}

static void
show_settings(LacLiveFacts *self)
{
  gboolean has_own = show_measurements(self, 0);
  int      row = has_own ? 1 : 0;
  for (gsize i = 0; i < G_N_ELEMENTS(main_settings) && row < N_SETTINGS; i++) {
    const char *label, *key = main_settings[i].key;
    if (has_own && main_settings[i].is_replaced)
      continue;
    char *text = lac_live_setting_dup_shown(self->session, self->draft, key, &label);
    if (text == NULL)
      continue;
    gtk_label_set_text(self->names[row], label);
    show_fact(self, row++, text);
  }
}

static void
show_status(LacLiveFacts *self)
{
  const LacRunStatus *status = lac_session_get_status(self->session);
  show_device(self, status);
  show_frame(self);
}

/* While frames stream, their facts are shown with the status, which arrives less often. */
void
lac_live_facts_set_frame(LacLiveFacts *self, const LacFrame *frame)
{
  g_return_if_fail(LAC_IS_LIVE_FACTS(self) && self->session != NULL);
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
  g_clear_pointer(&self->draft, lac_draft_free);
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
    const char *help = facts[i].help != NULL ? _(facts[i].help) : NULL;
    const char *name = facts[i].name != NULL ? _(facts[i].name) : "";
    self->names[i] = attach_label(GTK_GRID(grid), name, "dim-label", 0, i);
    self->values[i] = attach_label(GTK_GRID(grid), "", "numeric", 1, i);
    gtk_label_set_justify(self->values[i], GTK_JUSTIFY_RIGHT);
    lac_tip_set(GTK_WIDGET(self->names[i]), help);
    show_fact(self, i, NULL);
  }
  gtk_label_set_width_chars(self->values[AGE], 8); /* constant width: it changes often */
}

void
lac_live_facts_set_session(LacLiveFacts *self, LacSession *session, const LacDraft *draft)
{
  g_return_if_fail(LAC_IS_LIVE_FACTS(self));
  disconnect_session(self);
  g_set_object(&self->session, session);
  g_clear_pointer(&self->draft, lac_draft_free);
  if (draft != NULL)
    self->draft = lac_draft_copy(draft);
  self->made_ns = -1;
  for (int i = 0; i < N_ROWS; i++)
    show_fact(self, i, NULL);
  if (session == NULL)
    return;
  g_signal_connect_object(session, "status-changed", G_CALLBACK(show_status), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "ended", G_CALLBACK(show_status), self, G_CONNECT_SWAPPED);
  if (lac_session_is_active(session))
    self->ticker = g_timeout_add(AGE_PERIOD_MS, on_tick, self);
  show_settings(self);
  show_status(self);
}
