/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two halves that are easily confused, so one has icons and the other words. */
#include "app/live/transport.h"

#include "app/field/step-frame.h"
#include "app/live/scrubber.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/play-button.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <inttypes.h>

typedef enum { PAUSE, STEP, CHECKPOINT, STOP, RESUME, AGAIN, COPY, N_ACTIONS } Action;

static const struct {
  const char *word, *icon, *action, *tip;
  gboolean    is_icon;   /* also where there is room for words */
  gboolean    with_icon; /* beside the word */
} actions[N_ACTIONS] = {
  [PAUSE] = {N_("Pause"), "media-playback-pause-symbolic", "win.pause",
             N_("Pause the computation (Ctrl+P)"), FALSE, TRUE},
  [STEP] = {NC_("verb", "Step"), "media-seek-forward-symbolic", "win.step",
            N_("Compute one step, then pause"), FALSE},
  [CHECKPOINT] = {N_("Checkpoint"), "bookmark-new-symbolic", "win.checkpoint",
                  N_("Save the complete state of the run"), TRUE},
  [STOP] = {N_("Stop"), "media-playback-stop-symbolic", "win.stop",
            N_("Save a checkpoint and stop; the run can be resumed"), FALSE, TRUE},
  [RESUME] = {N_("Resume"), "media-playback-start-symbolic", "win.runs-resume",
              N_("Continue the run from its last checkpoint"), FALSE},
  [AGAIN] = {N_("Run Again"), "view-refresh-symbolic", "win.runs-again",
             N_("Repeat the run with the same settings"), FALSE},
  [COPY] = {N_("Set Up a Copy"), "edit-copy-symbolic", "win.runs-duplicate",
            N_("Set up a new run with these settings"), FALSE},
};

/* Something that is done with the kept frames. @value: a number of frames, or a step */
typedef void (*Work)(LacTransport *self, gint64 value);

struct _LacTransport {
  GObject       parent_instance;
  LacBottomBar *bar;
  LacScrubber  *scrubber;
  LacStepFrame *nearest;
  GtkWidget    *back, *play, *forward, *live, *separator, *buttons[N_ACTIONS];
  LacSession   *session;
  gint64        shown; /* step of the frame shown; -1: none */
  Work          work;  /* (nullable): waits for the kept frames, with its argument */
  gint64        value;
  gint64        asked; /* step of the kept frame that is being read; -1: none */
  guint         playing;
  gboolean      is_narrow, is_filling, is_telling;
};

G_DEFINE_FINAL_TYPE(LacTransport, lac_transport, G_TYPE_OBJECT)

/* ---- kept frames ---- */

/* Returns the number of frames known to be kept. Of a run that computes they are asked for when they are first needed,
 * and when the last of them is older than the frame shown. */
static gsize
count_frames(LacTransport *self)
{
  gsize n = 0;
  if (self->session == NULL)
    return 0;
  const gint64 *steps = lac_session_get_frame_steps(self->session, &n);
  if (lac_session_is_active(self->session) && (n == 0 || steps[n - 1] < self->shown))
    lac_session_read_file(self->session);
  return steps != NULL ? n : 0;
}

/* Returns: the kept frame nearest to a step; there must be one. */
static gsize
find_frame(LacTransport *self, gint64 step)
{
  gsize         n, best = 0;
  const gint64 *steps = lac_session_get_frame_steps(self->session, &n);
  for (gsize i = 1; i < n; i++)
    if (ABS(steps[i] - step) < ABS(steps[best] - step))
      best = i;
  return best;
}

static void
show_frame(LacTransport *self, gsize frame)
{
  gsize n;
  lac_step_frame_follow(self->nearest, NULL, -1);
  self->asked = lac_session_get_frame_steps(self->session, &n)[frame];
  lac_session_show_frame(self->session, frame);
  self->is_telling = TRUE; /* a UI recording; the action comes back here */
  gtk_widget_activate_action(GTK_WIDGET(self->bar), "win.show-frame", "t", (guint64) frame);
  self->is_telling = FALSE;
}

void
lac_transport_show_frame(LacTransport *self, gsize frame)
{
  gsize n;
  g_return_if_fail(LAC_IS_TRANSPORT(self));
  const gint64 *steps =
    self->session != NULL ? lac_session_get_frame_steps(self->session, &n) : NULL;
  if (steps == NULL || n == 0 || self->is_telling)
    return;
  frame = MIN(frame, n - 1);
  if (steps[frame] != (self->asked >= 0 ? self->asked : self->shown) ||
      (lac_session_is_active(self->session) && !lac_session_stays(self->session)))
    show_frame(self, frame);
}

static gboolean
knows_frames(LacTransport *self)
{
  gsize         n;
  const gint64 *steps = lac_session_get_frame_steps(self->session, &n);
  return !lac_session_is_active(self->session) || (n > 0 && steps[n - 1] >= self->shown);
}

/* Works at once, or when the kept frames of a run that computes have been read. */
static void
with_frames(LacTransport *self, Work work, gint64 value)
{
  self->work = NULL;
  if (self->session == NULL)
    return;
  if (knows_frames(self)) {
    work(self, value);
    return;
  }
  self->work = work;
  self->value = value;
  lac_session_read_file(self->session);
}

static void
move_known(LacTransport *self, gint64 frames)
{
  gsize n = count_frames(self);
  if (n == 0)
    return;
  const gint64 from = self->asked >= 0 ? self->asked : self->shown;
  const gint64 at = (gint64) find_frame(self, from) + frames;
  lac_transport_show_frame(self, (gsize) CLAMP(at, 0, (gint64) n - 1));
}

/* Moves by kept frames. */
static void
move(LacTransport *self, int frames)
{
  with_frames(self, move_known, frames);
}

/* ---- playing ---- */

static void
set_playing(LacTransport *self, gboolean plays)
{
  gtk_button_set_icon_name(GTK_BUTTON(self->play), plays ? "media-playback-pause-symbolic"
                                                         : "media-playback-start-symbolic");
  const char *words = plays ? _("Stop playing (Space)") : _("Play the frames (Space)");
  gtk_widget_set_tooltip_text(self->play, words);
  lac_accessible_name(self->play, words);
  if (!plays)
    g_clear_handle_id(&self->playing, g_source_remove);
}

static gboolean
on_time(gpointer user_data)
{
  LacTransport *self = user_data;
  gsize         n = count_frames(self);
  if (n > 0 && find_frame(self, self->shown) + 1 < n) {
    if (self->asked < 0) /* else the frame before is still being read */
      move(self, 1);
    return G_SOURCE_CONTINUE;
  }
  self->playing = 0;
  set_playing(self, FALSE);
  return G_SOURCE_REMOVE;
}

static void
play_known(LacTransport *self, gint64 unused)
{
  gsize n = count_frames(self);
  if (n < 2) {
    set_playing(self, FALSE);
    return;
  }
  if (find_frame(self, self->shown) == n - 1)
    lac_transport_show_frame(self, 0);
  g_clear_handle_id(&self->playing, g_source_remove);
  self->playing = g_timeout_add(lac_play_interval(n), on_time, self);
  set_playing(self, TRUE);
}

void
lac_transport_play(LacTransport *self)
{
  g_return_if_fail(LAC_IS_TRANSPORT(self));
  if (self->playing != 0)
    set_playing(self, FALSE);
  else
    with_frames(self, play_known, 0);
}

/* ---- steps ---- */

void
lac_transport_show_step(LacTransport *self, gint64 step)
{
  g_return_if_fail(LAC_IS_TRANSPORT(self));
  if (self->session != NULL)
    lac_step_frame_follow(self->nearest, self->session, step);
}

static void
on_chosen(LacScrubber *scrubber, gint64 step, LacTransport *self)
{
  set_playing(self, FALSE);
  if (count_frames(self) > 0)
    lac_transport_show_frame(self, find_frame(self, step));
  lac_scrubber_set_step(scrubber, step);
}

/* Between kept frames the bar offers to compute the step. */
static void
show_known_step(LacTransport *self, gint64 step)
{
  if (count_frames(self) == 0)
    return;
  lac_transport_show_frame(self, find_frame(self, step));
  lac_scrubber_set_step(self->scrubber, step);
  if (step != self->shown)
    lac_transport_show_step(self, step);
}

static void
on_released(LacScrubber *scrubber, LacTransport *self)
{
  with_frames(self, show_known_step, lac_scrubber_get_step(scrubber));
}

/* Holds the kept frame nearest to the one shown. */
static void
hold(LacTransport *self, gint64 unused)
{
  if (count_frames(self) > 0)
    lac_transport_show_frame(self, find_frame(self, self->shown));
}

static void
show_newest(LacTransport *self)
{
  self->asked = -1;
  lac_step_frame_follow(self->nearest, NULL, -1);
  lac_session_show_newest(self->session);
}

static void
on_live(GtkToggleButton *button, LacTransport *self)
{
  if (self->is_filling || self->session == NULL)
    return;
  if (gtk_toggle_button_get_active(button))
    show_newest(self);
  else
    with_frames(self, hold, 0);
}

gboolean
lac_transport_press(LacTransport *self, guint key, GdkModifierType state)
{
  g_return_val_if_fail(LAC_IS_TRANSPORT(self), FALSE);
  if (self->session == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)))
    return FALSE;
  switch (key) {
  case GDK_KEY_space: lac_transport_play(self); break;
  case GDK_KEY_comma: move(self, -1); break;
  case GDK_KEY_period: move(self, 1); break;
  case GDK_KEY_Home: move(self, -G_MAXINT); break;
  case GDK_KEY_End: move(self, G_MAXINT); break;
  case GDK_KEY_l:
  case GDK_KEY_L:
    if (gtk_widget_get_visible(self->live) && gtk_widget_get_sensitive(self->live))
      gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(self->live), TRUE);
    break;
  default: return FALSE;
  }
  return TRUE;
}

/* ---- what is shown ---- */

static gboolean
can_resume(LacSession *session)
{
  const char *outcome = lac_session_get_status(session)->outcome;
  return g_str_equal(outcome, "stopped") || g_str_equal(outcome, "interrupted");
}

static void
set_content(GtkButton *button, const char *icon, const char *word)
{
  GtkWidget *content = gtk_button_get_child(button);
  if (content == NULL || !ADW_IS_BUTTON_CONTENT(content)) {
    content = adw_button_content_new();
    gtk_button_set_child(button, content);
  }
  adw_button_content_set_icon_name(ADW_BUTTON_CONTENT(content), icon);
  adw_button_content_set_label(ADW_BUTTON_CONTENT(content), word);
}

/* The words of an action; pause and resume share a button. */
static void
show_words(LacTransport *self, Action action)
{
  GtkButton *button = GTK_BUTTON(self->buttons[action]);
  gboolean   paused = action == PAUSE && self->session != NULL &&
                    lac_session_get_status(self->session)->state == LAC_RUN_PAUSED;
  const char *word = paused           ? _("Resume")
                     : action == STEP ? g_dpgettext2(GETTEXT_PACKAGE, "verb", actions[STEP].word)
                                      : _(actions[action].word);
  const char *icon = paused ? "media-playback-start-symbolic" : actions[action].icon;
  if (self->is_narrow || actions[action].is_icon)
    gtk_button_set_icon_name(button, icon);
  else if (actions[action].with_icon)
    set_content(button, icon, word);
  else
    gtk_button_set_label(button, word);
  g_autofree char *tip = g_strdup_printf("%s: %s", word, _(actions[action].tip));
  gtk_widget_set_tooltip_text(GTK_WIDGET(button),
                              paused ? _("Resume the computation (Ctrl+P)") : tip);
  lac_accessible_name(button, word);
}

static void
show_actions(LacTransport *self)
{
  gboolean has = self->session != NULL, active = has && lac_session_is_active(self->session);
  gboolean is_child = has && lac_session_is_followed(self->session) &&
                      lac_session_is_own(self->session); /* which can only be stopped */
  for (Action a = 0; a < N_ACTIONS; a++) {
    gboolean is_wanted = has && active == (a <= STOP);
    if (is_child)
      is_wanted = a == STOP || a == COPY;
    else if (has && (a == RESUME || a == AGAIN))
      is_wanted &= can_resume(self->session) == (a == RESUME);
    gtk_widget_set_visible(self->buttons[a], is_wanted);
    show_words(self, a);
  }
  gtk_widget_set_visible(self->separator, has);
  gtk_widget_set_visible(self->live, active);
  lac_accessible_name(self->live, _("Live")); /* its content names it too, once it is in a window */
}

static void
show_step(LacTransport *self)
{
  if (self->session == NULL) {
    lac_bottom_bar_set_words(self->bar, NULL, NULL);
    return;
  }
  const LacRunStatus *status = lac_session_get_status(self->session);
  /* the last frame of an interrupted run may be newer than the steps known of it */
  gint64           last = MAX(status->n_steps, self->shown);
  g_autofree char *n = lac_format_count((guint64) MAX(last, 0));
  g_autofree char *at =
    lac_format_count((guint64) MAX(self->shown >= 0 ? self->shown : status->step, 0));
  /* a run that was cut short keeps no number of steps it was meant to take */
  const gboolean is_whole =
    lac_session_is_active(self->session) || g_str_equal(status->outcome, "finished");
  /* Translators: the step shown, of the steps of the run. */
  g_autofree char *words = is_whole && status->n_steps > 0
                             ? g_strdup_printf(_("step %s of %s"), at, n)
                             : g_strdup_printf(_("step %s"), at);
  g_autofree char *time = lac_format_duration(status->seconds);
  lac_bottom_bar_set_words(self->bar, words, time);
  lac_scrubber_set_range(self->scrubber, status->n_steps > 0 ? last : 0,
                         MAX(status->step, self->shown));
}

static void
show_all(LacTransport *self)
{
  gsize         n = 0;
  const gint64 *steps =
    self->session != NULL ? lac_session_get_frame_steps(self->session, &n) : NULL;
  lac_scrubber_set_stops(self->scrubber, steps, steps != NULL ? n : 0);
  gboolean has_frames = self->session != NULL && (n > 1 || lac_session_is_active(self->session));
  GtkWidget *const watching[] = {self->back, self->play, self->forward, GTK_WIDGET(self->scrubber)};
  for (gsize i = 0; i < G_N_ELEMENTS(watching); i++)
    gtk_widget_set_sensitive(watching[i], has_frames);
  show_actions(self);
  show_step(self);
}

void
lac_transport_set_frame(LacTransport *self, const LacFrame *frame)
{
  g_return_if_fail(LAC_IS_TRANSPORT(self) && frame != NULL);
  self->shown = frame->step;
  self->asked = -1; /* only the frame asked for last is handed on */
  lac_step_frame_set_shown(self->nearest, frame->step);
  lac_scrubber_set_step(self->scrubber, frame->step);
  self->is_filling = TRUE;
  if (self->session != NULL && lac_session_is_active(self->session))
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(self->live), !lac_session_stays(self->session));
  self->is_filling = FALSE;
  show_step(self);
}

void
lac_transport_set_changes(LacTransport *self, const gint64 *steps, gsize n)
{
  g_return_if_fail(LAC_IS_TRANSPORT(self));
  lac_scrubber_set_changes(self->scrubber, steps, n);
}

/* Shows the steps at which the user asked for a checkpoint; those by the clock are not recorded. */
static void
show_checkpoints(LacTransport *self)
{
  const LacRunFile *file = self->session != NULL ? lac_session_get_file(self->session) : NULL;
  g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(gint64));
  for (gsize i = 0; file != NULL && i < file->n_events; i++)
    if (g_str_equal(file->events[i].what, "checkpoint"))
      g_array_append_val(steps, file->events[i].step);
  lac_scrubber_set_checkpoints(self->scrubber, (const gint64 *) (gconstpointer) steps->data,
                               steps->len);
}

/* Other frames are known to be kept. */
static void
on_file(LacTransport *self)
{
  Work work = self->work;
  show_checkpoints(self);
  show_all(self);
  self->work = NULL;
  if (work != NULL)
    work(self, self->value);
}

void
lac_transport_set_session(LacTransport *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_TRANSPORT(self));
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  set_playing(self, FALSE);
  lac_step_frame_follow(self->nearest, NULL, -1);
  g_set_object(&self->session, session);
  self->shown = self->asked = -1;
  self->work = NULL;
  lac_scrubber_set_changes(self->scrubber, NULL, 0);
  lac_scrubber_set_step(self->scrubber, 0);
  show_checkpoints(self);
  if (session != NULL) {
    g_signal_connect_object(session, "status-changed", G_CALLBACK(show_all), self,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "ended", G_CALLBACK(show_all), self, G_CONNECT_SWAPPED);
    g_signal_connect_object(session, "file-changed", G_CALLBACK(on_file), self, G_CONNECT_SWAPPED);
  }
  show_all(self);
}

void
lac_transport_set_narrow(LacTransport *self, gboolean is_narrow)
{
  g_return_if_fail(LAC_IS_TRANSPORT(self));
  if (self->is_narrow == is_narrow)
    return;
  self->is_narrow = is_narrow;
  if (is_narrow)
    gtk_button_set_icon_name(GTK_BUTTON(self->live), "media-record-symbolic");
  else
    set_content(GTK_BUTTON(self->live), "media-record-symbolic", _("Live"));
  show_actions(self);
}

LacBottomBar *
lac_transport_get_bar(LacTransport *self)
{
  g_return_val_if_fail(LAC_IS_TRANSPORT(self), NULL);
  return self->bar;
}

/* ---- the object ---- */

static gboolean
on_key(GtkEventControllerKey *keys,
       guint                  key,
       guint                  code,
       GdkModifierType        state,
       LacTransport          *self)
{
  return lac_transport_press(self, key, state);
}

static void
on_back(LacTransport *self)
{
  move(self, -1);
}

static void
on_forward(LacTransport *self)
{
  move(self, 1);
}

static GtkWidget *
make_button(GtkWidget *box, const char *icon, const char *words)
{
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_widget_set_tooltip_text(button, words);
  lac_accessible_name(button, words);
  gtk_box_append(GTK_BOX(box), button);
  return button;
}

static void
add_watching(LacTransport *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class(box, "linked");
  self->back = make_button(box, "media-skip-backward-symbolic", _("Previous stored frame (,)"));
  self->play = make_button(box, "media-playback-start-symbolic", _("Play the frames (Space)"));
  self->forward = make_button(box, "media-skip-forward-symbolic", _("Next stored frame (.)"));
  g_signal_connect_swapped(self->back, "clicked", G_CALLBACK(on_back), self);
  g_signal_connect_swapped(self->play, "clicked", G_CALLBACK(lac_transport_play), self);
  g_signal_connect_swapped(self->forward, "clicked", G_CALLBACK(on_forward), self);
  lac_bottom_bar_add_start(self->bar, box);
}

static void
add_middle(LacTransport *self)
{
  GtkWidget          *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  GtkEventController *keys = gtk_event_controller_key_new();
  self->scrubber = g_object_new(LAC_TYPE_SCRUBBER, NULL);
  self->nearest = g_object_new(LAC_TYPE_STEP_FRAME, NULL);
  lac_step_frame_stay(self->nearest);
  gtk_widget_set_hexpand(GTK_WIDGET(self->scrubber), TRUE);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->scrubber));
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->nearest));
  g_signal_connect(self->scrubber, "chosen", G_CALLBACK(on_chosen), self);
  g_signal_connect(self->scrubber, "released", G_CALLBACK(on_released), self);
  g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), self);
  gtk_widget_add_controller(GTK_WIDGET(self->scrubber), keys);
  lac_bottom_bar_set_middle(self->bar, box);
}

static void
add_actions(LacTransport *self)
{
  self->live = gtk_toggle_button_new();
  set_content(GTK_BUTTON(self->live), "media-record-symbolic", _("Live"));
  gtk_widget_add_css_class(self->live, "live");
  gtk_widget_set_tooltip_text(self->live, _("Follow the newest frame (L)"));
  g_signal_connect(self->live, "toggled", G_CALLBACK(on_live), self);
  lac_bottom_bar_add_action(self->bar, self->live);
  self->separator = gtk_separator_new(GTK_ORIENTATION_VERTICAL);
  lac_bottom_bar_add_action(self->bar, self->separator);
  gtk_widget_set_valign(self->separator, GTK_ALIGN_FILL);
  for (Action a = 0; a < N_ACTIONS; a++) {
    self->buttons[a] = gtk_button_new();
    gtk_actionable_set_action_name(GTK_ACTIONABLE(self->buttons[a]), actions[a].action);
    lac_bottom_bar_add_action(self->bar, self->buttons[a]);
  }
  gtk_widget_add_css_class(self->buttons[STOP], "stop");
  gtk_widget_add_css_class(self->buttons[RESUME], "suggested-action");
}

static void
lac_transport_dispose(GObject *object)
{
  LacTransport *self = LAC_TRANSPORT(object);
  g_clear_handle_id(&self->playing, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_clear_object(&self->session);
  g_clear_object(&self->bar);
  G_OBJECT_CLASS(lac_transport_parent_class)->dispose(object);
}

static void
lac_transport_class_init(LacTransportClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_transport_dispose;
}

static void
lac_transport_init(LacTransport *self)
{
  self->shown = self->asked = -1;
  self->bar = LAC_BOTTOM_BAR(g_object_ref_sink(lac_bottom_bar_new()));
  add_watching(self);
  add_middle(self);
  add_actions(self);
  show_all(self);
}

LacTransport *
lac_transport_new(void)
{
  return g_object_new(LAC_TYPE_TRANSPORT, NULL);
}
