/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workbench's runs and signals: what follows a run, deleted runs; and the actions that the window then enables. */
#include "app/helpers/display.h"
#include "app/helpers/run-folder.h"
#include "app/session/follower.h"
#include "app/session/in-progress.h"
#include "app/session/workbench.h"
#include "app/shell/application.h"
#include "app/shell/window.h"
#include "app/toolkit/preferences.h"
#include "run/plan/launch-options.h"

#include <math.h>
#include <string.h>

/* Log of signals in order; for "changed" the state of the run. */
typedef struct {
  LacWorkbench *workbench;
  char         *folder;
  GPtrArray    *reported; /* of char * */
  GPtrArray    *messages; /* of char * */
  GArray       *stood;    /* guint: state of the run at each "changed" */
  guint         n_progressed;
} Fixture;

static void
on_signal(Fixture *fixture, const char *name)
{
  g_ptr_array_add(fixture->reported, g_strdup(name));
}

static void
on_session(Fixture *fixture)
{
  on_signal(fixture, "session-changed");
}

static void
on_began(Fixture *fixture, const char *folder)
{
  g_assert_cmpstr(folder, ==,
                  lac_session_get_folder(lac_workbench_get_active_session(fixture->workbench)));
  g_assert_true(lac_workbench_is_busy(fixture->workbench));
  on_signal(fixture, "run-began");
}

static void
on_ended(Fixture *fixture, const char *folder)
{
  g_assert_cmpstr(folder, ==,
                  lac_session_get_folder(lac_workbench_get_latest_session(fixture->workbench)));
  g_assert_null(lac_workbench_get_active_session(fixture->workbench));
  g_assert_false(lac_workbench_is_busy(fixture->workbench));
  on_signal(fixture, "run-ended");
}

static void
on_opened(Fixture *fixture)
{
  on_signal(fixture, "opened");
}

static void
on_sweep(Fixture *fixture)
{
  on_signal(fixture, "sweep-changed");
}

static void
on_settled(Fixture *fixture)
{
  on_signal(fixture, "settled");
}

static void
on_message(Fixture *fixture, const char *sentence)
{
  g_ptr_array_add(fixture->messages, g_strdup(sentence));
}

static void
on_changed(Fixture *fixture)
{
  LacSession *session = lac_workbench_get_session(fixture->workbench);
  guint       stood = session == NULL ? 0 : (guint) lac_session_get_status(session)->state + 1;
  stood = 2 * stood + (guint) lac_workbench_is_busy(fixture->workbench);
  g_array_append_val(fixture->stood, stood);
}

static void
on_progressed(Fixture *fixture)
{
  fixture->n_progressed++;
}

static void
set_up(Fixture *fixture, gconstpointer data)
{
  const struct {
    const char *signal;
    GCallback   callback;
  } rows[] = {{"session-changed", G_CALLBACK(on_session)}, {"opened", G_CALLBACK(on_opened)},
              {"run-began", G_CALLBACK(on_began)},         {"run-ended", G_CALLBACK(on_ended)},
              {"sweep-changed", G_CALLBACK(on_sweep)},     {"settled", G_CALLBACK(on_settled)},
              {"message", G_CALLBACK(on_message)},         {"changed", G_CALLBACK(on_changed)},
              {"progressed", G_CALLBACK(on_progressed)}};
  fixture->folder = g_dir_make_tmp("lacuna-workbench-XXXXXX", NULL);
  fixture->reported = g_ptr_array_new_with_free_func(g_free);
  fixture->messages = g_ptr_array_new_with_free_func(g_free);
  fixture->stood = g_array_new(FALSE, FALSE, sizeof(guint));
  fixture->workbench = lac_workbench_new();
  lac_run_store_set_folder(lac_workbench_get_run_store(fixture->workbench), fixture->folder);
  for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
    g_signal_connect_swapped(fixture->workbench, rows[i].signal, rows[i].callback, fixture);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
  g_signal_handlers_disconnect_by_data(fixture->workbench, fixture); /* idle sources reference it */
  g_object_run_dispose(G_OBJECT(fixture->workbench));
  g_clear_object(&fixture->workbench);
  remove_all(fixture->folder);
  g_free(fixture->folder);
  g_ptr_array_unref(fixture->reported);
  g_ptr_array_unref(fixture->messages);
  g_array_unref(fixture->stood);
}

static guint
count(const GPtrArray *texts, const char *text)
{
  guint n = 0;
  for (guint i = 0; i < texts->len; i++)
    n += strstr(texts->pdata[i], text) != NULL;
  return n;
}

static void
wait_for(Fixture *fixture, const char *signal, guint n)
{
  guint late = display_limit_wait();
  while (count(fixture->reported, signal) < n)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
}

static void
open_run(Fixture *fixture, const char *folder)
{
  lac_workbench_open(fixture->workbench, folder);
  wait_for(fixture, "opened", count(fixture->reported, "opened") + 1);
}

static void
iterate(void)
{
  while (g_main_context_iteration(NULL, FALSE))
    ;
}

/* @draft: is filled with a run of moderate duration. */
static LacRunSettings
make_settings(LacDraft **draft)
{
  const LacExperiment *experiment = lac_experiment_find("heat1d", NULL);
  LacRunSettings       settings = {.experiment = experiment};
  *draft = lac_draft_new(&experiment->params);
  g_assert_true(lac_draft_set(*draft, "sensors", "4", NULL));
  g_assert_true(lac_draft_set(*draft, "engines", "pod", NULL));
  settings.draft = *draft;
  g_autoptr(LacDraft) launch = lac_preferences_new_launch(experiment, *draft);
  lac_launch_params_fill(launch, &settings);
  settings.threads = 1;
  return settings;
}

static void
assert_order(const GPtrArray *reported, const char *const *expected, gsize n)
{
  g_assert_cmpuint(reported->len, ==, n);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpstr(reported->pdata[i], ==, expected[i]);
}

/* ---- a run ---- */

static void
test_a_run_is_reported_from_start_to_end(Fixture *fixture, gconstpointer data)
{
  static const char *const expected[] = {"session-changed", "run-began", "run-ended", "settled"};
  g_autoptr(LacDraft)      draft = NULL;
  LacRunSettings           settings = make_settings(&draft);
  LacWorkbench            *workbench = fixture->workbench;

  g_assert_null(lac_workbench_get_session(workbench));
  g_assert_false(lac_workbench_is_busy(workbench));
  g_assert_true(lac_workbench_launch(workbench, &settings));
  g_assert_true(lac_workbench_is_busy(workbench));
  g_assert_false(lac_workbench_has_child(workbench));
  g_assert_nonnull(lac_workbench_get_active_run(workbench));
  g_assert_cmpuint(fixture->messages->len, ==, 0);

  g_assert_false(lac_workbench_launch(workbench, &settings)); /* one at a time */
  g_assert_cmpuint(count(fixture->messages, "A run is in progress"), ==, 1);

  wait_for(fixture, "settled", 1);
  g_assert_null(lac_workbench_get_active_run(workbench));
  assert_order(fixture->reported, expected, G_N_ELEMENTS(expected));
  g_assert_cmpuint(count(fixture->messages, "finished"), ==, 1);
}

/* Enabled actions depend on the state of the run alone: each "changed" finds another state, however many frames were
 * shown. */
static void
test_what_is_allowed_does_not_change_with_every_frame(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacDraft) draft = NULL;
  LacRunSettings      settings = make_settings(&draft);
  g_assert_true(lac_workbench_launch(fixture->workbench, &settings));
  wait_for(fixture, "settled", 1);
  const guint *stood = (const guint *) (gconstpointer) fixture->stood->data;
  g_assert_cmpuint(fixture->stood->len, >=, 2);
  for (guint i = 1; i < fixture->stood->len; i++)
    g_assert_cmpuint(stood[i], !=, stood[i - 1]);
  const guint n_changed = fixture->stood->len, n_progressed = fixture->n_progressed;
  LacSession *session = lac_workbench_get_session(fixture->workbench);
  for (guint i = 0; i < 100; i++)
    g_signal_emit_by_name(session, "frame-changed", NULL);
  g_assert_cmpuint(fixture->n_progressed, ==, n_progressed + 100);
  g_assert_cmpuint(fixture->stood->len, ==, n_changed);
}

static void
test_a_session_that_is_replaced_is_not_heard(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacDraft) draft = NULL;
  LacRunSettings      settings = make_settings(&draft);
  g_assert_true(lac_workbench_launch(fixture->workbench, &settings));
  wait_for(fixture, "settled", 1);
  g_autoptr(LacSession) before = g_object_ref(lac_workbench_get_session(fixture->workbench));
  g_autofree char      *folder = g_strdup(lac_session_get_folder(before));
  open_run(fixture, folder);
  g_assert_true(lac_workbench_get_session(fixture->workbench) != before);
  g_assert_true(lac_session_is_file(lac_workbench_get_session(fixture->workbench)));
  guint n = fixture->n_progressed;
  g_signal_emit_by_name(before, "frame-changed", NULL);
  g_assert_cmpuint(fixture->n_progressed, ==, n);
  lac_workbench_show(fixture->workbench, NULL);
  g_assert_null(lac_workbench_get_session(fixture->workbench));
}

/* ---- the run on display and the run that computes ---- */

/* Computes a run to its end. Returns: (transfer full): its folder. */
static char *
make_run(Fixture *fixture)
{
  g_autoptr(LacDraft) draft = NULL;
  LacRunSettings      settings = make_settings(&draft);
  guint               n = count(fixture->reported, "settled");
  g_assert_true(lac_workbench_launch(fixture->workbench, &settings));
  char *folder =
    g_strdup(lac_session_get_folder(lac_workbench_get_active_session(fixture->workbench)));
  wait_for(fixture, "settled", n + 1);
  return folder;
}

/* Starts a run that is paused until it is resumed. */
static LacSession *
begin_paused(Fixture *fixture)
{
  g_autoptr(LacDraft) draft = NULL;
  LacRunSettings      settings = make_settings(&draft);
  g_assert_true(lac_workbench_launch(fixture->workbench, &settings));
  lac_run_pause(lac_workbench_get_active_run(fixture->workbench));
  LacSession *session = lac_workbench_get_active_session(fixture->workbench);
  guint       late = display_limit_wait();
  while (lac_session_get_status(session)->state != LAC_RUN_PAUSED)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  return session;
}

static void
count_signal(guint *n)
{
  (*n)++;
}

static void
test_another_run_is_opened_while_one_computes(Fixture *fixture, gconstpointer data)
{
  LacWorkbench    *workbench = fixture->workbench;
  g_autofree char *folder = make_run(fixture);
  LacSession      *active = begin_paused(fixture);
  guint            n_active = 0;
  g_signal_connect_swapped(workbench, "active-progressed", G_CALLBACK(count_signal), &n_active);
  g_assert_true(lac_workbench_get_session(workbench) == active);
  open_run(fixture, folder);
  LacSession *opened = lac_workbench_get_session(workbench);
  g_assert_true(opened != active && lac_session_is_file(opened));
  g_assert_true(lac_workbench_get_active_session(workbench) == active);
  g_assert_true(lac_workbench_is_busy(workbench));
  g_assert_true(lac_workbench_get_active_run(workbench) == lac_session_get_run(active));

  guint n_progressed = fixture->n_progressed;
  g_signal_emit_by_name(active, "status-changed");
  g_assert_cmpuint(n_active, ==, 1);
  g_assert_cmpuint(fixture->n_progressed, ==, n_progressed); /* of the run on display alone */
  g_signal_emit_by_name(opened, "status-changed");
  g_assert_cmpuint(n_active, ==, 1);
  g_assert_cmpuint(fixture->n_progressed, ==, n_progressed + 1);

  lac_workbench_show_active(workbench);
  g_assert_true(lac_workbench_get_session(workbench) == active);
  open_run(fixture, folder);
  guint n_opened = count(fixture->reported, "opened");
  lac_workbench_open(workbench, lac_session_get_folder(active)); /* the same, by its folder */
  g_assert_true(lac_workbench_get_session(workbench) == active);
  g_assert_cmpuint(count(fixture->reported, "opened"), ==, n_opened + 1);

  open_run(fixture, folder);
  opened = lac_workbench_get_session(workbench);
  lac_workbench_stop(workbench); /* the one that computes */
  wait_for(fixture, "settled", 2);
  g_assert_true(lac_workbench_get_session(workbench) == opened); /* the display stays */
  g_assert_null(lac_workbench_get_active_session(workbench));
  g_assert_true(lac_workbench_get_latest_session(workbench) == active);
  lac_workbench_show_active(workbench); /* no effect */
  g_assert_true(lac_workbench_get_session(workbench) == opened);
  g_object_add_weak_pointer(G_OBJECT(active), (gpointer *) &active);
  open_run(fixture, folder);
  iterate();
  g_assert_null(active); /* its memory is free */
}

static void
test_the_run_opened_last_is_displayed(Fixture *fixture, gconstpointer data)
{
  LacWorkbench    *workbench = fixture->workbench;
  g_autofree char *first = make_run(fixture), *second = make_run(fixture);
  guint            n_changes = 0;
  lac_workbench_show(workbench, NULL);
  g_signal_connect_swapped(workbench, "opening-changed", G_CALLBACK(count_signal), &n_changes);
  for (guint i = 0; i < 10; i++)
    lac_workbench_open(workbench, first);
  lac_workbench_open(workbench, second);
  g_assert_cmpstr(lac_workbench_get_opening(workbench), ==, second);
  g_assert_null(lac_workbench_get_session(workbench)); /* nothing is read in the main thread */
  wait_for(fixture, "opened", 1);
  g_assert_cmpstr(lac_session_get_folder(lac_workbench_get_session(workbench)), ==, second);
  g_assert_null(lac_workbench_get_opening(workbench));
  g_assert_cmpuint(n_changes, >=, 2);
  iterate();
  g_assert_cmpuint(count(fixture->reported, "opened"), ==, 1);

  lac_workbench_open(workbench, first);
  lac_workbench_show(workbench, NULL); /* what is displayed meanwhile counts */
  g_assert_null(lac_workbench_get_opening(workbench));
  for (guint i = 0; i < 50; i++) {
    iterate();
    g_usleep(1000);
  }
  g_assert_null(lac_workbench_get_session(workbench));
  guint            n_messages = fixture->messages->len;
  g_autofree char *none = g_build_filename(fixture->folder, "none.lacuna", NULL);
  lac_workbench_open(workbench, none);
  guint late = display_limit_wait();
  while (lac_workbench_get_opening(workbench) != NULL)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  g_assert_cmpuint(fixture->messages->len, ==, n_messages + 1); /* why it cannot be opened */
  g_assert_null(lac_workbench_get_session(workbench));
}

/* A run that follows another one is displayed only if that one was. */
static void
test_what_is_looked_at_is_not_taken_away(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacDraft) draft = NULL;
  LacRunSettings      settings = make_settings(&draft);
  LacWorkbench       *workbench = fixture->workbench;
  g_autofree char    *folder = make_run(fixture);
  LacSession         *active = begin_paused(fixture);
  g_autofree char    *text = lac_workbench_dup_plan(workbench, &settings, NULL, NULL);
  lac_workbench_enqueue(workbench, text);
  open_run(fixture, folder);
  LacSession *opened = lac_workbench_get_session(workbench);
  lac_run_resume(lac_session_get_run(active));
  wait_for(fixture, "settled", 3);
  g_assert_cmpuint(count(fixture->reported, "run-began"), ==, 3);
  g_assert_true(lac_workbench_get_session(workbench) == opened);
  LacSession *latest = lac_workbench_get_latest_session(workbench);
  g_assert_true(latest != opened && latest != active);

  lac_workbench_launch_sweep(workbench, &settings, "sensors=4,6"); /* begun by the user */
  g_assert_true(lac_workbench_get_session(workbench) ==
                lac_workbench_get_active_session(workbench));
  wait_for(fixture, "settled", 4);
  g_assert_true(lac_workbench_get_session(workbench) == /* of the second run */
                lac_workbench_get_latest_session(workbench));
}

static void
test_a_run_is_resumed_without_being_opened(Fixture *fixture, gconstpointer data)
{
  LacWorkbench    *workbench = fixture->workbench;
  LacSession      *session = begin_paused(fixture);
  g_autofree char *folder = g_strdup(lac_session_get_folder(session));
  lac_workbench_stop(workbench);
  wait_for(fixture, "settled", 1);
  lac_workbench_show(workbench, NULL);
  g_assert_true(lac_workbench_resume(workbench, folder));
  g_assert_cmpstr(lac_session_get_folder(lac_workbench_get_session(workbench)), ==, folder);
  wait_for(fixture, "settled", 2);
  g_assert_cmpstr(lac_session_get_status(lac_workbench_get_session(workbench))->outcome, ==,
                  "finished");
}

/* ---- what follows a run ---- */

static void
empty_queue(LacWorkbench *workbench)
{
  while (lac_run_queue_get_n(lac_workbench_get_queue(workbench)) > 0)
    g_free(lac_workbench_remove_queued(workbench, 0));
}

static void
test_the_queue_follows_a_run(Fixture *fixture, gconstpointer data)
{
  g_autoptr(GError)   error = NULL;
  g_autoptr(LacDraft) draft = NULL;
  LacRunSettings      settings = make_settings(&draft);
  LacWorkbench       *workbench = fixture->workbench;
  g_autofree char    *text = lac_workbench_dup_plan(workbench, &settings, NULL, &error);
  g_assert_no_error(error);
  empty_queue(workbench);
  g_assert_true(lac_workbench_launch(workbench, &settings));
  lac_workbench_enqueue(workbench, text);
  lac_workbench_enqueue(workbench, text);
  g_assert_cmpuint(lac_run_queue_get_n(lac_workbench_get_queue(workbench)), ==, 2);
  g_assert_true(lac_workbench_holds_queue(workbench));
  wait_for(fixture, "settled", 3);
  g_assert_cmpuint(count(fixture->reported, "run-began"), ==, 3);
  g_assert_cmpuint(lac_run_queue_get_n(lac_workbench_get_queue(workbench)), ==, 0);
}

static void
test_who_stops_a_run_holds_the_queue(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacDraft) draft = NULL;
  LacRunSettings      settings = make_settings(&draft);
  LacWorkbench       *workbench = fixture->workbench;
  g_autofree char    *text = lac_workbench_dup_plan(workbench, &settings, NULL, NULL);
  empty_queue(workbench);
  g_assert_true(lac_workbench_launch(workbench, &settings));
  lac_workbench_enqueue(workbench, text);
  g_assert_true(lac_workbench_queue_goes(workbench));
  lac_workbench_stop(workbench);
  wait_for(fixture, "settled", 1);
  iterate();
  g_assert_false(lac_workbench_queue_goes(workbench));
  g_assert_cmpuint(count(fixture->reported, "run-began"), ==, 1);
  g_assert_cmpuint(count(fixture->messages, "The queue is paused"), ==, 1);
  g_assert_cmpuint(lac_run_queue_get_n(lac_workbench_get_queue(workbench)), ==, 1);
  empty_queue(workbench);
}

/* No run starts while a benchmark is measured; the queue goes on when it has ended. */
static void
test_a_benchmark_holds_runs(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacDraft) draft = NULL;
  LacRunSettings      settings = make_settings(&draft);
  LacWorkbench       *workbench = fixture->workbench;
  g_autofree char    *text = lac_workbench_dup_plan(workbench, &settings, NULL, NULL);
  empty_queue(workbench);
  lac_workbench_set_measuring(workbench, TRUE);
  g_assert_false(lac_workbench_launch(workbench, &settings));
  g_assert_cmpuint(count(fixture->messages, "A benchmark is in progress"), ==, 1);
  lac_workbench_enqueue(workbench, text);
  iterate();
  g_assert_true(lac_workbench_holds_queue(workbench));
  g_assert_cmpuint(lac_run_queue_get_n(lac_workbench_get_queue(workbench)), ==, 1);
  g_assert_cmpuint(count(fixture->reported, "run-began"), ==, 0);
  lac_workbench_set_measuring(workbench, FALSE);
  wait_for(fixture, "settled", 1);
  g_assert_cmpuint(count(fixture->reported, "run-began"), ==, 1);
}

static void
test_a_sweep_settles_once(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacDraft) draft = NULL;
  LacRunSettings      settings = make_settings(&draft);
  LacWorkbench       *workbench = fixture->workbench;
  empty_queue(workbench);
  lac_workbench_launch_sweep(workbench, &settings, "sensors=4,6");
  g_assert_nonnull(lac_workbench_get_series(workbench));
  wait_for(fixture, "settled", 1);
  g_assert_null(lac_workbench_get_series(workbench));
  g_assert_cmpuint(count(fixture->reported, "run-ended"), ==, 2);
  g_assert_cmpuint(count(fixture->reported, "sweep-changed"), ==, 2);
  g_assert_cmpuint(count(fixture->messages, "The sweep has ended after 2 runs."), ==, 1);
  lac_workbench_launch_sweep(workbench, &settings, "no-such-key=4,6");
  g_assert_null(lac_workbench_get_series(workbench));
  g_assert_cmpuint(count(fixture->reported, "sweep-changed"), ==, 2);
}

/* The window disposes of it while idle callbacks and signals still hold a reference. */
static void
test_nothing_begins_after_it_was_disposed_of(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacDraft)     draft = NULL;
  LacRunSettings          settings = make_settings(&draft);
  g_autoptr(LacWorkbench) held = g_object_ref(fixture->workbench);
  g_autofree char        *text = lac_workbench_dup_plan(held, &settings, NULL, NULL);
  empty_queue(held);
  lac_workbench_enqueue(held, text); /* starts in the next main-loop iteration */
  g_assert_cmpuint(fixture->reported->len, ==, 0);
  g_object_run_dispose(G_OBJECT(held));
  g_assert_null(lac_workbench_get_queue(held));
  g_assert_null(lac_workbench_get_run_store(held));
  iterate();
  g_assert_cmpuint(count(fixture->reported, "run-began"), ==, 0);
  g_assert_null(lac_workbench_get_session(held));
  g_autoptr(LacWorkbench) later = lac_workbench_new(); /* the queue persists, paused */
  g_assert_cmpuint(lac_run_queue_get_n(lac_workbench_get_queue(later)), ==, 1);
  g_assert_false(lac_workbench_queue_goes(later));
  empty_queue(later);
}

/* ---- what is in progress ---- */

/* Asserts the rows: one letter for each kind. */
static void
assert_in_progress(LacInProgress *list, const char *expected)
{
  g_autoptr(GString) kinds = g_string_new(NULL);
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(list)); i++) {
    g_autoptr(LacInProgressItem) item = g_list_model_get_item(G_LIST_MODEL(list), i);
    g_string_append_c(kinds, "RBDQI"[lac_in_progress_item_get_kind(item)]);
    g_assert_cmpstr(lac_in_progress_item_get_title(item), !=, "");
    g_assert_cmpstr(lac_in_progress_item_get_caption(item), !=, "");
  }
  g_assert_cmpstr(kinds->str, ==, expected);
}

/* A run that was begun here needs no wait: its lock is visible. One of another machine may be alive while it is fresh. */
static void
assert_is_dead(const char *folder)
{
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) run = lac_run_file_open_fields(folder, &error);
  g_assert_no_error(error);
  g_assert_false(lac_follower_is_alive(run));
  for (gsize i = 0; i < run->n_facts; i++)
    if (g_str_equal(run->facts[i].key, "host")) {
      g_free(run->facts[i].value);
      run->facts[i].value = g_strdup("a machine elsewhere");
    }
  g_assert_true(lac_follower_is_alive(run));
}

/* Leaves a folder like that of a process that was killed. */
static char *
leave_interrupted(Fixture *fixture, LacSession *session)
{
  g_autofree char *from = g_build_filename(lac_session_get_folder(session), "journal", NULL);
  g_autofree char *folder = g_build_filename(fixture->folder, "killed.lacuna", NULL);
  g_autofree char *to = g_build_filename(folder, "journal", NULL);
  g_autofree char *text = NULL;
  gsize            n;
  g_assert_cmpint(g_mkdir(folder, 0700), ==, 0);
  g_assert_true(g_file_get_contents(from, &text, &n, NULL));
  g_assert_true(g_file_set_contents(to, text, (gssize) n, NULL));
  lac_run_store_refresh(lac_workbench_get_run_store(fixture->workbench));
  return g_steal_pointer(&folder);
}

static void
test_what_is_in_progress_is_listed(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacDraft)      draft = NULL;
  LacRunSettings           settings = make_settings(&draft);
  LacWorkbench            *workbench = fixture->workbench;
  g_autoptr(LacInProgress) list = lac_in_progress_new(workbench);
  g_autofree char         *text = lac_workbench_dup_plan(workbench, &settings, NULL, NULL);
  empty_queue(workbench);
  assert_in_progress(list, "");
  lac_in_progress_set_draft(list, settings.experiment, 3);
  assert_in_progress(list, "D");
  LacSession *session = begin_paused(fixture);
  assert_in_progress(list, "RD");
  g_autoptr(LacInProgressItem) run = g_list_model_get_item(G_LIST_MODEL(list), 0);
  g_assert_cmpstr(lac_in_progress_item_get_path(run), ==, lac_session_get_folder(session));
  g_assert_cmpstr(lac_in_progress_item_get_title(run), ==, lac_session_get_title(session));
  g_assert_false(isnan(lac_in_progress_item_get_fraction(run)));
  g_autofree char *before = g_strdup(lac_in_progress_item_get_caption(run));

  lac_workbench_enqueue(workbench, text);
  iterate();
  assert_in_progress(list, "RDQ");
  g_assert_cmpuint(lac_workbench_get_n_queued(workbench), ==, 1);
  g_auto(GStrv) titles = lac_workbench_dup_queued_titles(workbench);
  g_assert_cmpuint(g_strv_length(titles), ==, 1);
  g_assert_true(g_str_has_prefix(titles[0], lac_session_get_title(session)));
  g_assert_nonnull(strstr(titles[0], "Gappy POD"));

  g_autofree char *killed = leave_interrupted(fixture, session);
  guint            late = display_limit_wait();
  while (g_list_model_get_n_items(G_LIST_MODEL(list)) < 4)
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  assert_in_progress(list, "RDQI");
  g_autoptr(LacInProgressItem) interrupted = g_list_model_get_item(G_LIST_MODEL(list), 3);
  g_assert_cmpstr(lac_in_progress_item_get_path(interrupted), ==, killed);
  assert_is_dead(killed);
  g_autoptr(GPtrArray) all = lac_run_store_list_interrupted(lac_workbench_get_run_store(workbench));
  g_assert_cmpuint(all->len, ==, 1);

  lac_run_step(lac_session_get_run(session));
  late = display_limit_wait();
  while (g_str_equal(lac_in_progress_item_get_caption(run), before))
    g_main_context_iteration(NULL, TRUE);
  g_source_remove(late);
  g_autoptr(LacInProgressItem) same = g_list_model_get_item(G_LIST_MODEL(list), 0);
  g_assert_true(same == run); /* its row stays, its words change */
  empty_queue(workbench);
  assert_in_progress(list, "RDI");
  lac_workbench_stop(workbench);
  wait_for(fixture, "settled", 1);
  assert_in_progress(list, "DI");
  lac_in_progress_set_draft(list, NULL, 0);
  assert_in_progress(list, "I");
}

/* ---- deleted runs ---- */

static void
test_a_deletion_can_be_undone(Fixture *fixture, gconstpointer data)
{
  g_autoptr(LacDraft) draft = NULL;
  LacRunSettings      settings = make_settings(&draft);
  LacWorkbench       *workbench = fixture->workbench;
  g_assert_true(lac_workbench_launch(workbench, &settings));
  wait_for(fixture, "settled", 1);
  g_autofree char     *run = g_strdup(lac_session_get_folder(lac_workbench_get_session(workbench)));
  g_autoptr(GPtrArray) paths = g_ptr_array_new();
  g_ptr_array_add(paths, run);
  g_assert_false(lac_workbench_has_deleted(workbench));
  guint n_changed = fixture->stood->len;
  g_assert_cmpuint(lac_workbench_delete_runs(workbench, paths), ==, 1);
  g_assert_true(lac_workbench_has_deleted(workbench));
  g_assert_cmpuint(fixture->stood->len, ==, n_changed + 1);
  g_assert_false(g_file_test(run, G_FILE_TEST_EXISTS));
  lac_workbench_undo_delete(workbench);
  g_assert_false(lac_workbench_has_deleted(workbench));
  g_assert_true(g_file_test(run, G_FILE_TEST_IS_DIR));
  lac_workbench_delete_runs(workbench, paths);
  lac_workbench_forget_deleted(workbench);
  g_assert_false(lac_workbench_has_deleted(workbench));
  lac_workbench_undo_delete(workbench); /* no effect */
  g_assert_false(g_file_test(run, G_FILE_TEST_EXISTS));
  g_autofree char *name = g_path_get_basename(run);
  g_autofree char *trashed = g_build_filename(g_get_user_data_dir(), "Trash", "files", name, NULL);
  guint            late = display_limit_wait();
  while (!g_file_test(trashed, G_FILE_TEST_IS_DIR)) { /* moved by a worker */
    g_main_context_iteration(NULL, FALSE);
    g_usleep(1000);
  }
  g_source_remove(late);
  iterate();
  g_assert_cmpuint(count(fixture->messages, "trash"), ==, 0);
}

/* ---- enabled actions ---- */

/* @names: separated by blanks */
static void
assert_enabled(GActionGroup *group, const char *names, gboolean expected)
{
  g_auto(GStrv) each = g_strsplit(names, " ", -1);
  for (char **name = each; *name != NULL; name++) {
    g_test_message("%s", *name);
    g_assert_true(g_action_group_has_action(group, *name));
    g_assert_true(g_action_group_get_action_enabled(group, *name) == expected);
  }
}

static void
set_parameter(GActionGroup *group, const char *key, const char *text)
{
  g_action_group_activate_action(group, "set-parameter", g_variant_new("(ss)", key, text));
}

static void
wait_for_state(GActionGroup *group, const char *state)
{
  guint late = display_limit_wait();
  for (gboolean is_there = FALSE; !is_there;) {
    g_autoptr(GVariant) now = g_action_group_get_action_state(group, "run-state");
    is_there = g_str_equal(g_variant_get_string(now, NULL), state);
    if (!is_there)
      g_main_context_iteration(NULL, TRUE);
  }
  g_source_remove(late);
}

static LacWindow *
open_window(void)
{
  g_autoptr(GError) error = NULL;
  GtkApplication   *application = GTK_APPLICATION(lac_application_new());
  g_application_set_flags(G_APPLICATION(application),
                          G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_NON_UNIQUE);
  g_application_register(G_APPLICATION(application), NULL, &error);
  g_assert_no_error(error);
  g_application_set_default(G_APPLICATION(application));
  LacWindow *window = lac_window_new(application);
  lac_window_complete(window);
  return window;
}

static void
test_actions_are_enabled_when_their_row_says(void)
{
  if (!display_open())
    return;
  g_autoptr(LacWindow) window = g_object_ref(open_window());
  GActionGroup        *group = G_ACTION_GROUP(window);
  g_autofree char     *folder = g_dir_make_tmp("lacuna-window-XXXXXX", NULL);
  g_action_group_activate_action(group, "runs-folder", g_variant_new_string(folder));
  assert_enabled(group, "launch start start-default open queue-add build-sweep show-page", TRUE);
  assert_enabled(group, "bench-run bench-tab bench-small", TRUE);
  assert_enabled(group, "bench-stop bench-pin bench-export bench-answer", FALSE);
  assert_enabled(group,
                 "stop pause step checkpoint export-figure export-trace-to queue-start runs-open "
                 "runs-resume runs-again runs-delete runs-compare runs-undo-delete compare-swap "
                 "compare-export run-state runs-shown",
                 FALSE);

  g_action_group_activate_action(group, "configure", g_variant_new_string("heat1d"));
  set_parameter(group, "engines", "pod");
  set_parameter(group, "sensors", "0"); /* 0 sensors: too few */
  assert_enabled(group, "launch queue-add", FALSE);
  assert_enabled(group, "start build-sweep", TRUE);
  set_parameter(group, "sensors", "4");
  assert_enabled(group, "launch queue-add", TRUE);

  g_action_group_activate_action(group, "launch", NULL);
  assert_enabled(group, "stop pause step checkpoint queue-add", TRUE);
  assert_enabled(group, "launch start start-default export-figure bench-run", FALSE);
  assert_enabled(group, "open", TRUE);
  wait_for_state(group, "ended");
  while (!g_action_group_get_action_enabled(group, "launch"))
    g_main_context_iteration(NULL, TRUE);
  assert_enabled(group, "launch start open export-figure export-trace-to", TRUE);
  assert_enabled(group, "stop pause step checkpoint", FALSE);
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_run_dispose(G_OBJECT(window));                     /* a reference is held here */
  g_assert_false(g_action_group_has_action(group, "launch")); /* its handler is gone */
  g_assert_false(g_action_group_has_action(group, "queue-add"));
  iterate();
  remove_all(folder);
}

#define ADD(name, test) g_test_add("/app/workbench/" name, Fixture, NULL, set_up, test, tear_down)

int
main(int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp("lacuna-home-XXXXXX", NULL);
  g_setenv("HOME", home, TRUE);          /* with its trash */
  g_setenv("XDG_DATA_HOME", home, TRUE); /* the queue, which is emptied, is a temporary one */
  g_test_init(&argc, &argv, NULL);
  ADD("a-run-is-told-from-beginning-to-end", test_a_run_is_reported_from_start_to_end);
  ADD("what-is-allowed-does-not-change-with-every-frame",
      test_what_is_allowed_does_not_change_with_every_frame);
  ADD("a-session-that-is-replaced-is-not-heard", test_a_session_that_is_replaced_is_not_heard);
  ADD("another-run-is-opened-while-one-computes", test_another_run_is_opened_while_one_computes);
  ADD("the-run-opened-last-is-displayed", test_the_run_opened_last_is_displayed);
  ADD("what-is-looked-at-is-not-taken-away", test_what_is_looked_at_is_not_taken_away);
  ADD("a-run-is-resumed-without-being-opened", test_a_run_is_resumed_without_being_opened);
  ADD("the-queue-follows-a-run", test_the_queue_follows_a_run);
  ADD("who-stops-a-run-holds-the-queue", test_who_stops_a_run_holds_the_queue);
  ADD("a-benchmark-holds-runs", test_a_benchmark_holds_runs);
  ADD("a-sweep-settles-once", test_a_sweep_settles_once);
  ADD("nothing-begins-after-it-was-disposed-of", test_nothing_begins_after_it_was_disposed_of);
  ADD("what-is-in-progress-is-listed", test_what_is_in_progress_is_listed);
  ADD("a-deletion-can-be-undone", test_a_deletion_can_be_undone);
  g_test_add_func("/app/workbench/actions-are-enabled-when-their-row-says",
                  test_actions_are_enabled_when_their_row_says);
  int status = g_test_run();
  remove_all(home);
  return status;
}
