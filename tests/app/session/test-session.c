/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions without a window: a resumed run shows what came before, an ended run shows what its file shows, and saved
 * frames are read by workers. */
#include "app/helpers/display.h"
#include "app/helpers/run-folder.h"
#include "app/session/session.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  char     *folder;
  LacDraft *draft;
  guint     n_frames; /* counted by on_frame() */
  gint64    step;     /* of the last frame counted */
  GThread  *thread;   /* the main thread */
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data)
{
  const LacExperiment *experiment = lac_experiment_find("heat1d", NULL);
  fixture->thread = g_thread_self();
  fixture->folder = g_dir_make_tmp("lacuna-session-XXXXXX", NULL);
  fixture->draft = lac_draft_new(&experiment->params);
  g_assert_true(lac_draft_set(fixture->draft, "sensors", "4", NULL));
  g_assert_true(lac_draft_set(fixture->draft, "engines", "pod", NULL));
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  remove_all(fixture->folder);
  g_free(fixture->folder);
  lac_draft_free(fixture->draft);
}

static LacSession *
begin(Fixture *fixture, const char *resume)
{
  g_autoptr(GError)    error = NULL;
  const LacRunSettings settings = {.experiment = lac_experiment_find("heat1d", NULL),
                                   .draft = fixture->draft,
                                   .backend = "cpu",
                                   .precision = "f64",
                                   .threads = 1,
                                   .detail = LAC_PERF_COARSE,
                                   .out = fixture->folder,
                                   .resume = resume};
  LacSession          *session = lac_session_new_run(&settings, &error);
  g_assert_no_error(error);
  return session;
}

#define WAIT_FOR(condition)                 \
  G_STMT_START                              \
  {                                         \
    guint limit = display_limit_wait();     \
    while (!(condition))                    \
      g_main_context_iteration(NULL, TRUE); \
    g_source_remove(limit);                 \
  }                                         \
  G_STMT_END

static void
wait_for_file(LacSession *session)
{
  WAIT_FOR(lac_session_get_n_frames(session) > 0);
}

static LacSession *
reopen(LacSession *session)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) file = lac_run_file_open(lac_session_get_folder(session), &error);
  g_assert_no_error(error);
  return lac_session_new_file(file);
}

/* Asserts that both show the same curves, recording and frames. */
static void
assert_same(LacSession *left, LacSession *right)
{
  gsize n[2], n_frames[2];
  lac_session_get_metrics(left, &n[0]);
  lac_session_get_metrics(right, &n[1]);
  g_assert_cmpuint(n[0], ==, n[1]);
  for (gsize m = 0; m < n[0]; m++) {
    const LacSessionSeries a = lac_session_get_series(left, m),
                           b = lac_session_get_series(right, m);
    g_assert_cmpmem(a.step, a.n * sizeof(double), b.step, b.n * sizeof(double));
    g_assert_cmpmem(a.seconds, a.n * sizeof(double), b.seconds, b.n * sizeof(double));
    g_assert_cmpmem(a.values, a.n * sizeof(double), b.values, b.n * sizeof(double));
  }
  const LacRunStatus *status[] = {lac_session_get_status(left), lac_session_get_status(right)};
  g_assert_cmpint(status[0]->step, ==, status[1]->step);
  g_assert_cmpfloat(status[0]->seconds, ==, status[1]->seconds);
  g_assert_cmpstr(status[0]->outcome, ==, status[1]->outcome);
  const gint64 *steps = lac_session_get_frame_steps(left, &n_frames[0]);
  const gint64 *other = lac_session_get_frame_steps(right, &n_frames[1]);
  g_assert_cmpmem(steps, n_frames[0] * sizeof *steps, other, n_frames[1] * sizeof *steps);
}

/* Asserts that the records are the same, each with its name, lane and place on the clock. */
static void
assert_same_records(LacSession *left, LacSession *right)
{
  LacCapture *a = lac_recording_get_capture(lac_session_get_recording(left));
  LacCapture *b = lac_recording_get_capture(lac_session_get_recording(right));
  g_assert_cmpuint(lac_capture_get_n_records(a), ==, lac_capture_get_n_records(b));
  g_assert_cmpuint(lac_capture_get_n_records(a), >, 0);
  for (gsize i = 0; i < lac_capture_get_n_records(a); i++) {
    const LacRecord *one = lac_capture_at(a, i), *two = lac_capture_at(b, i);
    g_assert_cmpint(one->start_ns, ==, two->start_ns);
    g_assert_cmpint(one->duration_ns, ==, two->duration_ns);
    g_assert_cmpstr(lac_capture_get_name(a, one->name), ==, lac_capture_get_name(b, two->name));
    g_assert_cmpstr(lac_capture_get_lane(a, one->lane), ==, lac_capture_get_lane(b, two->lane));
  }
}

/* ---- the end ---- */

static void
test_an_ended_run_shows_what_its_file_shows(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacSession) session = begin(fixture, NULL);
  g_assert_cmpint(lac_session_show_step(session, 0, NULL), ==, -1); /* nothing is known yet */
  WAIT_FOR(!lac_session_is_active(session));
  wait_for_file(session);
  g_autoptr(LacSession) again = reopen(session);
  assert_same(session, again);
  assert_same_records(session, again);
  g_assert_cmpint(lac_session_get_frame(session)->step, ==, lac_session_get_frame(again)->step);
}

/* ---- resuming ---- */

/* Stops a run after some steps. Returns: (transfer full): its folder. */
static char *
stop_early(Fixture *fixture, gint64 n_steps)
{
  g_autoptr(LacSession) session = begin(fixture, NULL);
  LacRun               *run = lac_session_get_run(session);
  char                 *folder = g_strdup(lac_session_get_folder(session));
  lac_run_pause(run);
  WAIT_FOR(lac_session_get_status(session)->state == LAC_RUN_PAUSED);
  const gint64 begin_step = lac_session_get_status(session)->step;
  for (gint64 i = 0; i < n_steps; i++)
    lac_run_step(run);
  WAIT_FOR(lac_session_get_status(session)->step >= begin_step + n_steps);
  lac_run_stop(run);
  WAIT_FOR(!lac_session_is_active(session));
  g_assert_cmpstr(lac_session_get_status(session)->outcome, ==, "stopped");
  return folder;
}

static void
test_a_resumed_run_begins_at_its_beginning(Fixture *fixture, gconstpointer data)
{
  g_autofree char      *folder = stop_early(fixture, 5);
  g_autoptr(LacSession) session = begin(fixture, folder);
  WAIT_FOR(!lac_session_is_active(session));
  wait_for_file(session);
  const LacSessionSeries series = lac_session_get_series(session, 0);
  g_assert_cmpfloat(series.step[0], <=, 1);
  for (gsize i = 1; i < series.n; i++) /* no row twice, none after the resume before one of then */
    g_assert_cmpfloat(series.step[i], >, series.step[i - 1]);
  g_assert_cmpstr(lac_session_get_status(session)->outcome, ==, "finished");
  g_assert_cmpuint(lac_recording_get_n_lost(lac_session_get_recording(session)), ==, 0);
  g_autoptr(LacSession) again = reopen(session);
  assert_same(session, again);
  assert_same_records(session, again);
}

static void
test_a_run_with_nothing_to_resume_is_shown(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacSession) first = begin(fixture, NULL);
  WAIT_FOR(!lac_session_is_active(first));
  g_autofree char      *folder = g_strdup(lac_session_get_folder(first));
  g_autoptr(LacSession) second = begin(fixture, folder);
  WAIT_FOR(!lac_session_is_active(second));
  g_assert_nonnull(strstr(lac_session_get_status(second)->message, "nothing to resume"));
  g_assert_cmpuint(lac_session_get_series(second, 0).n, ==, lac_session_get_series(first, 0).n);
}

/* A session that is dropped while its folder is read neither waits for ever nor computes on. */
static void
test_a_resumed_run_can_be_dropped_at_once(Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = stop_early(fixture, 3);
  LacSession      *session = begin(fixture, folder);
  g_object_add_weak_pointer(G_OBJECT(session), (gpointer *) &session);
  g_object_unref(session);
  WAIT_FOR(session == NULL);
  g_autoptr(LacSession) later = begin(fixture, folder); /* the folder is free again */
  WAIT_FOR(!lac_session_is_active(later));
  g_assert_cmpstr(lac_session_get_status(later)->outcome, ==, "finished");
}

/* ---- saved frames ---- */

static void
on_frame(LacSession *session, LacFrame *frame, Fixture *fixture)
{
  g_assert_true(g_thread_self() == fixture->thread);
  fixture->n_frames++;
  fixture->step = frame->step;
}

static LacSession *
make_file_session(Fixture *fixture)
{
  g_autoptr(LacSession) session = begin(fixture, NULL);
  WAIT_FOR(!lac_session_is_active(session));
  LacSession *again = reopen(session);
  g_assert_cmpuint(lac_session_get_n_frames(again), >, 3);
  g_signal_connect(again, "frame-changed", G_CALLBACK(on_frame), fixture);
  return again;
}

/* Scrubbing over many frames shows the last one, and few of those before. */
static void
test_the_frame_asked_for_last_is_shown(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacSession) session = make_file_session(fixture);
  gsize                 n;
  const gint64         *steps = lac_session_get_frame_steps(session, &n);
  for (guint round = 0; round < 20; round++)
    for (gsize i = 0; i < n; i++)
      lac_session_show_frame(session, i);
  lac_session_show_frame(session, 1);
  g_assert_cmpuint(fixture->n_frames, ==, 0); /* nothing is read in the main thread */
  WAIT_FOR(fixture->n_frames > 0);
  g_assert_cmpint(fixture->step, ==, steps[1]);
  g_assert_cmpint(lac_session_get_frame(session)->step, ==, steps[1]);
  while (g_main_context_iteration(NULL, FALSE))
    ;
  g_assert_cmpuint(fixture->n_frames, ==, 1);
}

static void
test_a_frame_given_replaces_one_asked_for(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacSession) session = make_file_session(fixture);
  g_autoptr(LacFrame)   given = lac_frame_ref(lac_session_get_frame(session));
  lac_session_show_frame(session, 0);
  lac_session_show_other_frame(session, given);
  g_assert_cmpuint(fixture->n_frames, ==, 1);
  for (guint i = 0; i < 50; i++) {
    g_main_context_iteration(NULL, FALSE);
    g_usleep(1000);
  }
  g_assert_cmpuint(fixture->n_frames, ==, 1);
  g_assert_true(lac_session_get_frame(session) == given);
}

/* A frame that is looked at stays while the run goes on, until the newest one is asked for. */
static void
test_a_chosen_frame_stays_while_the_run_goes_on(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacSession) session = begin(fixture, NULL);
  LacRun               *run = lac_session_get_run(session);
  lac_run_pause(run);
  WAIT_FOR(lac_session_get_status(session)->state == LAC_RUN_PAUSED);
  g_assert_false(lac_session_stays(session));
  lac_run_step(run);
  lac_run_step(run);
  lac_run_checkpoint(run); /* flushes the frames */
  WAIT_FOR(lac_session_get_frame(session) != NULL && lac_session_get_frame(session)->step >= 2);
  guint late = display_limit_wait();
  while (lac_session_get_n_frames(session) < 2) {
    lac_session_read_file(session);
    for (guint i = 0; i < 20; i++) {
      g_main_context_iteration(NULL, FALSE);
      g_usleep(1000);
    }
  }
  g_source_remove(late);
  g_signal_connect(session, "frame-changed", G_CALLBACK(on_frame), fixture);
  const gint64 step = lac_session_show_step(session, 0, NULL);
  WAIT_FOR(fixture->n_frames == 1);
  g_assert_cmpint(fixture->step, ==, step);
  g_assert_true(lac_session_stays(session));
  const gint64 before = lac_session_get_status(session)->step;
  lac_run_step(run);
  lac_run_step(run);
  WAIT_FOR(lac_session_get_status(session)->step >= before + 2);
  g_assert_cmpuint(fixture->n_frames, ==, 1);
  lac_session_show_newest(session);
  WAIT_FOR(fixture->n_frames > 1);
  g_assert_cmpint(fixture->step, >, before);
}

#define ADD(name, test) g_test_add("/app/session/" name, Fixture, NULL, set_up, test, tear_down)

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  ADD("an-ended-run-shows-what-its-file-shows", test_an_ended_run_shows_what_its_file_shows);
  ADD("a-resumed-run-begins-at-its-beginning", test_a_resumed_run_begins_at_its_beginning);
  ADD("a-run-with-nothing-to-resume-is-shown", test_a_run_with_nothing_to_resume_is_shown);
  ADD("a-resumed-run-can-be-dropped-at-once", test_a_resumed_run_can_be_dropped_at_once);
  ADD("the-frame-asked-for-last-is-shown", test_the_frame_asked_for_last_is_shown);
  ADD("a-frame-given-replaces-one-asked-for", test_a_frame_given_replaces_one_asked_for);
  ADD("a-chosen-frame-stays-while-the-run-goes-on",
      test_a_chosen_frame_stays_while_the_run_goes_on);
  return g_test_run();
}
