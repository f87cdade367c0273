/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The transport: the scrubber's keys visit stored frames, playing reaches the last one, changes are listed. */
#include "app/helpers/display.h"
#include "app/helpers/run-folder.h"
#include "app/helpers/vortices.h"
#include "app/live/changes.h"
#include "app/live/scrubber.h"
#include "app/live/transport.h"

typedef struct {
  char         *folder;
  LacSession   *session;
  LacTransport *transport;
} Fixture;

static void
on_frame(LacSession *session, LacFrame *frame, LacTransport *transport)
{
  lac_transport_set_frame(transport, frame);
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  fixture->folder = g_dir_make_tmp("lacuna-transport-XXXXXX", &error);
  g_assert_no_error(error);
  g_autoptr(LacRun)     run = vortices_run(fixture->folder);
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_run_get_folder(run), &error);
  g_assert_no_error(error);
  fixture->session = lac_session_new_file(file);
  if (!display_open())
    return;
  fixture->transport = lac_transport_new();
  lac_transport_set_session(fixture->transport, fixture->session);
  g_signal_connect(fixture->session, "frame-changed", G_CALLBACK(on_frame), fixture->transport);
  lac_transport_set_frame(fixture->transport, lac_session_get_frame(fixture->session));
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  if (fixture->transport != NULL) {
    g_signal_handlers_disconnect_by_data(fixture->session, fixture->transport);
    lac_transport_set_session(fixture->transport, NULL);
  }
  g_clear_object(&fixture->transport);
  g_clear_object(&fixture->session);
  remove_all(fixture->folder);
  g_free(fixture->folder);
}

/* Waits until a worker has read the frame asked for. */
static void
wait_for(Fixture *fixture, gint64 step)
{
  const guint limit = display_limit_wait();
  while (lac_session_get_frame(fixture->session)->step != step)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(limit);
}

static void
press_and_wait(Fixture *fixture, guint key, gint64 step)
{
  g_assert_true(lac_transport_press(fixture->transport, key, 0));
  wait_for(fixture, step);
}

static void
test_keys(Fixture *fixture, gconstpointer data)
{
  if (fixture->transport == NULL)
    return;
  gsize         n;
  const gint64 *steps = lac_session_get_frame_steps(fixture->session, &n);
  g_assert_cmpuint(n, >, 3);
  press_and_wait(fixture, GDK_KEY_Home, steps[0]);
  for (gsize i = 1; i < n; i++)
    press_and_wait(fixture, GDK_KEY_period, steps[i]);
  press_and_wait(fixture, GDK_KEY_period, steps[n - 1]); /* the last one */
  press_and_wait(fixture, GDK_KEY_comma, steps[n - 2]);
  press_and_wait(fixture, GDK_KEY_End, steps[n - 1]);
  press_and_wait(fixture, GDK_KEY_Home, steps[0]);
  /* keys that come faster than frames are read count all the same */
  g_assert_true(lac_transport_press(fixture->transport, GDK_KEY_period, 0));
  g_assert_true(lac_transport_press(fixture->transport, GDK_KEY_period, 0));
  press_and_wait(fixture, GDK_KEY_period, steps[3]);
  g_assert_false(lac_transport_press(fixture->transport, GDK_KEY_x, 0));
  g_assert_false(lac_transport_press(fixture->transport, GDK_KEY_space, GDK_CONTROL_MASK));
}

static void
note_frame(LacSession *session, LacFrame *frame, GArray *noted)
{
  g_array_append_val(noted, frame->step);
}

/* Playing from the end begins again, and shows every stored frame in order. */
static void
test_playing(Fixture *fixture, gconstpointer data)
{
  if (fixture->transport == NULL)
    return;
  gsize             n;
  const gint64     *steps = lac_session_get_frame_steps(fixture->session, &n);
  g_autoptr(GArray) noted = g_array_new(FALSE, FALSE, sizeof(gint64));
  const guint       limit = display_limit_wait();
  lac_transport_show_frame(fixture->transport, n - 1);
  wait_for(fixture, steps[n - 1]);
  g_signal_connect(fixture->session, "frame-changed", G_CALLBACK(note_frame), noted);
  g_assert_true(lac_transport_press(fixture->transport, GDK_KEY_space, 0));
  while (noted->len < n)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(limit);
  g_assert_cmpmem(noted->data, noted->len * sizeof(gint64), steps, n * sizeof(gint64));
  g_signal_handlers_disconnect_by_data(fixture->session, noted);
}

static void
note_chosen(LacScrubber *scrubber, gint64 step, GArray *noted)
{
  g_array_append_val(noted, step);
}

static gboolean
press(LacScrubber *scrubber, guint key)
{
  return LAC_DRAWING_VIEW_GET_CLASS(scrubber)->key(LAC_DRAWING_VIEW(scrubber), key, 0);
}

/* Arrow keys visit the stops, and nothing is chosen beyond what is computed. */
static void
test_scrubber(Fixture *fixture, gconstpointer data)
{
  if (fixture->transport == NULL)
    return;
  const gint64      stops[] = {0, 10, 25}, expected[] = {10, 25, 10, 20, 30};
  LacScrubber      *scrubber = g_object_ref_sink(g_object_new(LAC_TYPE_SCRUBBER, NULL));
  g_autoptr(GArray) noted = g_array_new(FALSE, FALSE, sizeof(gint64));
  lac_scrubber_set_range(scrubber, 100, 30);
  lac_scrubber_set_stops(scrubber, stops, G_N_ELEMENTS(stops));
  g_signal_connect(scrubber, "chosen", G_CALLBACK(note_chosen), noted);
  g_assert_true(press(scrubber, GDK_KEY_Right));
  g_assert_true(press(scrubber, GDK_KEY_Right));
  g_assert_true(press(scrubber, GDK_KEY_Right)); /* there is no further stop */
  g_assert_true(press(scrubber, GDK_KEY_Left));
  for (int i = 0; i < 4; i++) /* a tenth of the steps each, until the last one computed */
    g_assert_true(press(scrubber, GDK_KEY_Page_Up));
  g_assert_false(press(scrubber, GDK_KEY_x));
  g_assert_cmpmem(noted->data, noted->len * sizeof(gint64), expected, sizeof expected);
  g_assert_cmpint(lac_scrubber_get_step(scrubber), ==, 30);
  g_object_unref(scrubber);
}

/* A change is a mark with the value before and after. */
static void
test_changes(Fixture *fixture, gconstpointer data)
{
  if (fixture->transport == NULL)
    return;
  gsize           n;
  LacLiveChanges *changes = g_object_ref_sink(g_object_new(LAC_TYPE_LIVE_CHANGES, NULL));
  lac_live_changes_set_session(changes, fixture->session);
  lac_live_changes_get_marks(changes, &n);
  g_assert_cmpuint(n, ==, 0);
  g_assert_false(gtk_widget_get_visible(GTK_WIDGET(changes)));
  lac_live_changes_add(changes, "inflation", "Inflation", "1.05", "1.6");
  const LacCurveMark *marks = lac_live_changes_get_marks(changes, &n);
  g_assert_cmpuint(n, ==, 1);
  g_assert_cmpstr(marks[0].text, ==, "Inflation 1.05 → 1.6");
  g_assert_cmpint(marks[0].step, ==, lac_session_get_status(fixture->session)->step);
  g_assert_true(gtk_widget_get_visible(GTK_WIDGET(changes)));
  lac_live_changes_set_session(changes, NULL);
  lac_live_changes_get_marks(changes, &n);
  g_assert_cmpuint(n, ==, 0);
  g_object_unref(changes);
}

/* ---- a run that computes ---- */

/* Returns: (transfer full): a session whose run does not end by itself. */
static LacSession *
begin_run(const char *folder)
{
  g_autoptr(GError)    error = NULL;
  g_autoptr(LacDraft)  draft = lac_draft_new(&vortices.params);
  const LacRunSettings settings = {.experiment = &vortices,
                                   .draft = draft,
                                   .backend = "cpu",
                                   .precision = "f64",
                                   .threads = 1,
                                   .detail = LAC_PERF_COARSE,
                                   .out = folder};
  lac_draft_set(draft, "steps", "1000000", &error); /* more than are computed here */
  g_assert_no_error(error);
  LacSession *session = lac_session_new_run(&settings, &error);
  g_assert_no_error(error);
  return session;
}

#define WAIT_FOR(condition)                   \
  G_STMT_START                                \
  {                                           \
    const guint limit = display_limit_wait(); \
    while (!(condition))                      \
      g_main_context_iteration(NULL, TRUE);   \
    g_source_remove(limit);                   \
  }                                           \
  G_STMT_END

static gsize
count_kept(LacSession *session)
{
  gsize n = 0;
  return lac_session_get_frame_steps(session, &n) != NULL ? n : 0;
}

/* While a run computes, the scrubber leaves its newest frame, the run goes on without moving the picture, and the key of
 * the live view goes back to it. */
static void
test_scrubbing_while_computing(Fixture *fixture, gconstpointer data)
{
  if (fixture->transport == NULL)
    return;
  LacSession   *session = begin_run(fixture->folder);
  LacTransport *transport = lac_transport_new();
  g_signal_connect(session, "frame-changed", G_CALLBACK(on_frame), transport);
  lac_transport_set_session(transport, session);
  WAIT_FOR(lac_session_get_frame(session) != NULL);
  lac_run_pause(lac_session_get_run(session));
  WAIT_FOR(lac_session_get_status(session)->state == LAC_RUN_PAUSED);
  g_assert_true(lac_session_is_active(session));
  lac_session_read_file(session);
  WAIT_FOR(count_kept(session) > 0);
  g_assert_true(lac_transport_press(transport, GDK_KEY_Home, 0));
  WAIT_FOR(lac_session_stays(session)); /* the frames kept meanwhile are read first */
  gsize  n;
  gint64 first = lac_session_get_frame_steps(session, &n)[0];
  WAIT_FOR(lac_session_get_frame(session)->step == first);
  const gint64 before = lac_session_get_status(session)->step;
  lac_run_step(lac_session_get_run(session));
  WAIT_FOR(lac_session_get_status(session)->step > before);
  g_assert_cmpint(lac_session_get_frame(session)->step, ==, first);
  g_assert_true(lac_transport_press(transport, GDK_KEY_l, 0));
  g_assert_false(lac_session_stays(session));
  WAIT_FOR(lac_session_get_frame(session)->step > before);
  lac_run_stop(lac_session_get_run(session));
  WAIT_FOR(!lac_session_is_active(session));
  g_signal_handlers_disconnect_by_data(session, transport);
  lac_transport_set_session(transport, NULL);
  g_object_unref(transport);
  g_object_unref(session);
}

/* A change that the run has not taken over yet, as its step still computes, is listed when its page is shown again. */
static void
test_pending_changes(Fixture *fixture, gconstpointer data)
{
  if (fixture->transport == NULL)
    return;
  gsize           n;
  LacSession     *session = begin_run(fixture->folder);
  LacLiveChanges *changes = g_object_ref_sink(g_object_new(LAC_TYPE_LIVE_CHANGES, NULL));
  WAIT_FOR(lac_session_get_frame(session) != NULL);
  lac_live_changes_set_session(changes, session);
  lac_live_changes_add(changes, "inflation", "Inflation", "1.05", "1.6");
  lac_live_changes_add(changes, "inflation", "Inflation", "1.6", "1.05");
  lac_live_changes_set_session(changes, fixture->session);
  lac_live_changes_get_marks(changes, &n);
  g_assert_cmpuint(n, ==, 0);
  lac_live_changes_set_session(changes, session);
  const LacCurveMark *marks = lac_live_changes_get_marks(changes, &n);
  g_assert_cmpuint(n, ==, 2);
  g_assert_cmpstr(marks[1].text, ==, "Inflation 1.6 → 1.05");
  lac_run_stop(lac_session_get_run(session));
  WAIT_FOR(!lac_session_is_active(session));
  g_object_unref(changes);
  g_object_unref(session);
}

#define ADD(path, test) g_test_add(path, Fixture, NULL, set_up, test, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  ADD("/app/transport/keys-step-through-the-stored-frames", test_keys);
  ADD("/app/transport/playing-shows-every-stored-frame", test_playing);
  ADD("/app/transport/the-scrubber-stops-at-stored-frames", test_scrubber);
  ADD("/app/transport/changes-are-marks", test_changes);
  ADD("/app/transport/changes-not-taken-over-yet-are-listed", test_pending_changes);
  ADD("/app/transport/a-run-that-computes-can-be-scrubbed", test_scrubbing_while_computing);
  return g_test_run();
}
