/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Only the result of the latest request is shown, whatever the threads do; requests, results and owners are freed in
 * the main loop, each once. */
#include "app/toolkit/latest-job.h"

#define N_RACES    2000
#define N_REQUESTS 1000

static GThread *main_thread;

static struct {
  int n_working, n_most, n_cancelled, n_elsewhere; /* atomic */
  int n_requests_freed, n_results_freed;           /* atomic */
  int n_shown, shown, n_errors;
} seen;

/* A gate that blocks the work of some requests. */
static GMutex   gate_lock;
static GCond    gate_moved;
static gboolean gate_is_open;

typedef struct {
  int      number;
  gboolean waits_at_gate, heeds, fails;
} Request;

static void
set_gate(gboolean is_open)
{
  g_mutex_lock(&gate_lock);
  gate_is_open = is_open;
  g_cond_broadcast(&gate_moved);
  g_mutex_unlock(&gate_lock);
}

static void
wait_at_gate(void)
{
  g_mutex_lock(&gate_lock);
  while (!gate_is_open)
    g_cond_wait(&gate_moved, &gate_lock);
  g_mutex_unlock(&gate_lock);
}

static void
note_thread(void)
{
  if (g_thread_self() != main_thread)
    g_atomic_int_inc(&seen.n_elsewhere);
}

static void
free_request(gpointer request)
{
  note_thread();
  g_atomic_int_inc(&seen.n_requests_freed);
  g_free(request);
}

static void
free_result(gpointer result)
{
  note_thread();
  g_atomic_int_inc(&seen.n_results_freed);
  g_free(result);
}

static void
note_most(int n)
{
  int most = g_atomic_int_get(&seen.n_most);
  while (n > most && !g_atomic_int_compare_and_exchange(&seen.n_most, most, n))
    most = g_atomic_int_get(&seen.n_most);
}

/* Returns the number in the request. */
static gpointer
work(gpointer data, GCancellable *cancellable, GError **error)
{
  const Request *request = data;
  int           *result = NULL;
  g_assert_true(g_thread_self() != main_thread);
  note_most(g_atomic_int_add(&seen.n_working, 1) + 1);
  if (request->waits_at_gate)
    wait_at_gate();
  while (request->heeds && !g_cancellable_is_cancelled(cancellable))
    g_usleep(100);
  if (g_cancellable_is_cancelled(cancellable))
    g_atomic_int_inc(&seen.n_cancelled);
  if (request->fails)
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no such number");
  else
    *(result = g_new(int, 1)) = request->number;
  g_atomic_int_add(&seen.n_working, -1);
  return result;
}

static void
show(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  g_autofree int *number = result;
  g_assert_true(g_thread_self() == main_thread);
  g_assert_true((number == NULL) == (error != NULL));
  g_assert_nonnull(request);
  seen.n_shown++;
  seen.n_errors += error != NULL;
  if (error != NULL)
    g_assert_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  else
    g_assert_cmpint(*number, ==, ((Request *) request)->number);
  seen.shown = ((Request *) request)->number;
}

static const LacJobKind kind = {work, show, free_request, free_result};

static void
start(LacLatestJob *job, Request request)
{
  lac_latest_job_start(job, g_memdup2(&request, sizeof request));
}

static void
begin_test(void)
{
  memset(&seen, 0, sizeof seen);
  set_gate(FALSE);
}

/* Waits until as many requests were freed. */
static void
wait_for_freed(int n)
{
  while (g_atomic_int_get(&seen.n_requests_freed) < n)
    g_main_context_iteration(NULL, TRUE);
  while (g_main_context_iteration(NULL, FALSE))
    ;
  g_assert_cmpint(g_atomic_int_get(&seen.n_requests_freed), ==, n);
  g_assert_cmpint(g_atomic_int_get(&seen.n_elsewhere), ==, 0);
}

static void
wait_for_working(int n)
{
  while (g_atomic_int_get(&seen.n_working) < n)
    g_usleep(100);
}

/* ---- the latest request ---- */

/* The first result arrives last: it is freed without being shown. */
static void
test_the_latest_wins(void)
{
  g_autoptr(LacLatestJob) job = lac_latest_job_new(NULL, &kind);
  begin_test();
  g_assert_false(lac_latest_job_is_busy(job));
  start(job, (Request){.number = 1, .waits_at_gate = TRUE});
  wait_for_working(1);
  start(job, (Request){.number = 2});
  g_assert_true(lac_latest_job_is_busy(job));
  wait_for_freed(1);
  g_assert_cmpint(seen.n_shown, ==, 1);
  g_assert_cmpint(seen.shown, ==, 2);
  g_assert_false(lac_latest_job_is_busy(job));
  set_gate(TRUE);
  wait_for_freed(2);
  g_assert_cmpint(seen.n_shown, ==, 1);
  g_assert_cmpint(seen.n_results_freed, ==, 1);
  g_assert_cmpint(seen.n_cancelled, ==, 1);
}

/* A finished result not shown yet is discarded after another request. */
static void
test_what_is_done_is_superseded_too(void)
{
  g_autoptr(LacLatestJob) job = lac_latest_job_new(NULL, &kind);
  begin_test();
  start(job, (Request){.number = 1});
  while (g_atomic_int_get(&seen.n_most) == 0 || g_atomic_int_get(&seen.n_working) > 0)
    g_usleep(100);
  g_usleep(20000); /* it is queued in the main loop by now */
  start(job, (Request){.number = 2});
  wait_for_freed(2);
  g_assert_cmpint(seen.n_shown, ==, 1);
  g_assert_cmpint(seen.shown, ==, 2);
}

static void
test_what_is_cancelled_is_not_shown(void)
{
  g_autoptr(LacLatestJob) job = lac_latest_job_new(NULL, &kind);
  begin_test();
  start(job, (Request){.number = 1, .heeds = TRUE});
  wait_for_working(1);
  lac_latest_job_cancel(job);
  g_assert_false(lac_latest_job_is_busy(job));
  wait_for_freed(1);
  g_assert_cmpint(seen.n_shown, ==, 0);
  g_assert_cmpint(seen.n_results_freed, ==, 1);
  start(job, (Request){.number = 2});
  wait_for_freed(2);
  g_assert_cmpint(seen.shown, ==, 2);
}

static void
test_an_error_arrives_once(void)
{
  g_autoptr(LacLatestJob) job = lac_latest_job_new(NULL, &kind);
  begin_test();
  start(job, (Request){.number = 1, .fails = TRUE, .waits_at_gate = TRUE});
  wait_for_working(1);
  start(job, (Request){.number = 2, .fails = TRUE});
  set_gate(TRUE);
  wait_for_freed(2);
  g_assert_cmpint(seen.n_errors, ==, 1);
  g_assert_cmpint(seen.shown, ==, 2);
  g_assert_cmpint(seen.n_results_freed, ==, 0);
}

/* At most two threads run, even if cancellation is ignored; of the waiting requests only the latest is ever started. */
static void
test_many_requests_take_two_threads(void)
{
  g_autoptr(LacLatestJob) job = lac_latest_job_new(NULL, &kind);
  begin_test();
  for (int i = 1; i <= N_REQUESTS; i++) {
    start(job, (Request){.number = i, .waits_at_gate = TRUE});
    if (i <= 2)
      wait_for_working(i);
    g_main_context_iteration(NULL, FALSE);
  }
  g_assert_cmpint(g_atomic_int_get(&seen.n_working), ==, 2);
  wait_for_freed(N_REQUESTS - 3);
  set_gate(TRUE);
  wait_for_freed(N_REQUESTS);
  g_assert_cmpint(seen.n_most, ==, 2);
  g_assert_cmpint(seen.n_shown, ==, 1);
  g_assert_cmpint(seen.shown, ==, N_REQUESTS);
  g_assert_cmpint(seen.n_results_freed, ==, 2); /* results of the first two */
}

/* The same without a gate: arbitrary interleaving of threads and main loop. */
static void
test_requests_race(void)
{
  g_autoptr(LacLatestJob) job = lac_latest_job_new(NULL, &kind);
  begin_test();
  for (int i = 1; i <= N_RACES; i++) {
    start(job, (Request){.number = i});
    g_main_context_iteration(NULL, i % 3 == 0);
    g_assert_cmpint(seen.shown, <=, i);
  }
  wait_for_freed(N_RACES);
  g_assert_cmpint(seen.n_most, <=, 2);
  g_assert_cmpint(seen.shown, ==, N_RACES);
  g_assert_false(lac_latest_job_is_busy(job));
}

/* ---- waiting for a pause ---- */

static void
test_a_pause_is_waited_for(void)
{
  LacJobKind patient = kind;
  patient.delay_ms = 30;
  g_autoptr(LacLatestJob) job = lac_latest_job_new(NULL, &patient);
  begin_test();
  for (int i = 1; i <= 5; i++)
    start(job, (Request){.number = i});
  g_assert_true(lac_latest_job_is_busy(job));
  g_assert_cmpint(seen.n_requests_freed, ==, 4);
  const gint64 since = g_get_monotonic_time();
  wait_for_freed(5);
  g_assert_cmpint(g_get_monotonic_time() - since, >=, 29000);
  g_assert_cmpint(seen.n_shown, ==, 1);
  g_assert_cmpint(seen.shown, ==, 5);
  start(job, (Request){.number = 6});
  lac_latest_job_cancel(job);
  g_assert_cmpint(seen.n_requests_freed, ==, 6);
  g_usleep(40000);
  while (g_main_context_iteration(NULL, FALSE))
    ;
  g_assert_cmpint(seen.n_shown, ==, 1);
}

/* ---- owners ---- */

/* The owner ends while two requests are running and another waits. */
static void
test_an_owner_ends(void)
{
  LacLatestJob *job = lac_latest_job_new(&seen, &kind);
  begin_test();
  start(job, (Request){.number = 1, .waits_at_gate = TRUE});
  wait_for_working(1);
  start(job, (Request){.number = 2, .waits_at_gate = TRUE});
  wait_for_working(2);
  start(job, (Request){.number = 3});
  lac_latest_job_free(job);
  set_gate(TRUE);
  wait_for_freed(3);
  g_assert_cmpint(seen.n_shown, ==, 0);
  g_assert_cmpint(seen.n_cancelled, ==, 2);
  g_assert_cmpint(seen.n_results_freed, ==, 2);
}

static LacLatestJob *own;

/* Starts the next request from the callback, and ends the owner with the third. */
static void
show_and_go_on(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  const int number = ((Request *) request)->number;
  show(owner, request, result, error);
  if (number < 3)
    start(own, (Request){.number = number + 1});
  else
    g_clear_pointer(&own, lac_latest_job_free);
}

static void
test_an_owner_goes_on_while_one_is_shown(void)
{
  LacJobKind going_on = kind;
  going_on.show = show_and_go_on;
  own = lac_latest_job_new(NULL, &going_on);
  begin_test();
  start(own, (Request){.number = 1});
  wait_for_freed(3);
  g_assert_cmpint(seen.n_shown, ==, 3);
  g_assert_null(own);
}

/* ---- single jobs ---- */

static int n_gone, n_gone_elsewhere; /* atomic */

static void
on_gone(gpointer data, GObject *owner)
{
  g_atomic_int_inc(&n_gone);
  if (g_thread_self() != main_thread)
    g_atomic_int_inc(&n_gone_elsewhere);
}

static void
show_owned(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  g_assert_cmpuint(((GObject *) owner)->ref_count, ==, 1); /* the last reference */
  show(owner, request, result, error);
}

static void
test_an_owner_goes_where_it_lives(void)
{
  LacJobKind owned = kind;
  owned.show = show_owned;
  begin_test();
  for (int i = 1; i <= N_RACES; i++) {
    const Request      request = {.number = i, .fails = i % 2 == 0};
    g_autoptr(GObject) owner = g_object_new(G_TYPE_OBJECT, NULL);
    g_object_weak_ref(owner, on_gone, NULL);
    lac_job_run(owner, &owned, g_memdup2(&request, sizeof request));
    g_clear_object(&owner);
    g_assert_cmpint(g_atomic_int_get(&n_gone), ==, i - 1);
    while (seen.n_shown < i)
      g_main_context_iteration(NULL, TRUE);
    g_assert_cmpint(g_atomic_int_get(&n_gone), ==, i);
  }
  wait_for_freed(N_RACES);
  g_assert_cmpint(seen.n_errors, ==, N_RACES / 2);
  g_assert_cmpint(g_atomic_int_get(&n_gone_elsewhere), ==, 0);
}

/* All requests run to the end without cancellation. */
static void
test_several_run_once(void)
{
  begin_test();
  for (int i = 1; i <= 3; i++) {
    const Request request = {.number = i, .waits_at_gate = TRUE};
    lac_job_run(NULL, &kind, g_memdup2(&request, sizeof request));
  }
  wait_for_working(3);
  set_gate(TRUE);
  wait_for_freed(3);
  g_assert_cmpint(seen.n_shown, ==, 3);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  main_thread = g_thread_self();
  g_test_add_func("/app/latest-job/the-latest-wins", test_the_latest_wins);
  g_test_add_func("/app/latest-job/what-is-done-is-superseded-too",
                  test_what_is_done_is_superseded_too);
  g_test_add_func("/app/latest-job/what-is-cancelled-is-not-shown",
                  test_what_is_cancelled_is_not_shown);
  g_test_add_func("/app/latest-job/an-error-arrives-once", test_an_error_arrives_once);
  g_test_add_func("/app/latest-job/many-requests-take-two-threads",
                  test_many_requests_take_two_threads);
  g_test_add_func("/app/latest-job/requests-race", test_requests_race);
  g_test_add_func("/app/latest-job/a-pause-is-waited-for", test_a_pause_is_waited_for);
  g_test_add_func("/app/latest-job/an-owner-ends", test_an_owner_ends);
  g_test_add_func("/app/latest-job/an-owner-goes-on-while-one-is-shown",
                  test_an_owner_goes_on_while_one_is_shown);
  g_test_add_func("/app/latest-job/an-owner-goes-where-it-lives",
                  test_an_owner_goes_where_it_lives);
  g_test_add_func("/app/latest-job/several-run-once", test_several_run_once);
  return g_test_run();
}
