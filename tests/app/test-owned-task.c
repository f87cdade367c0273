/* SPDX-License-Identifier: GPL-3.0-or-later */
/* However long a thread keeps its task, the task's owner goes in the main loop, as soon as it was answered. */
#include "app/owned-task.h"

#define N_RACES 2000

static GThread *main_thread;
static int      n_gone, n_gone_elsewhere; /* atomic */

static void
on_gone(gpointer data, GObject *owner)
{
  g_atomic_int_inc(&n_gone);
  if (g_thread_self() != main_thread)
    g_atomic_int_inc(&n_gone_elsewhere);
}

static GObject *
make_owner(void)
{
  GObject *owner = g_object_new(G_TYPE_OBJECT, NULL);
  g_object_weak_ref(owner, on_gone, NULL);
  return owner;
}

static void
work(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_assert_null(source);
  if (data != NULL)
    *(GTask **) data = g_object_ref(task); /* as a thread that is not done with it */
  g_assert_true(G_IS_OBJECT(lac_owned_task_get_owner(task)));
  g_task_return_int(task, 7);
}

static int n_answers;

static void
on_answer(GObject *owner, GAsyncResult *result, gpointer user_data)
{
  n_answers++;
  g_assert_true(g_thread_self() == main_thread);
  g_assert_true(lac_owned_task_get_owner(G_TASK(result)) == owner);
  g_assert_cmpuint(owner->ref_count, ==, 1); /* nobody else has it */
}

static void
ask(GCancellable *cancellable, GTask **kept)
{
  g_autoptr(GObject) owner = make_owner();
  g_autoptr(GTask)   task = lac_owned_task_new(owner, cancellable, on_answer);
  g_task_set_task_data(task, kept, NULL);
  g_task_run_in_thread(task, work);
}

static void
forget(void)
{
  n_answers = 0;
  g_atomic_int_set(&n_gone, 0);
  g_atomic_int_set(&n_gone_elsewhere, 0);
}

static void
test_an_owner_does_not_wait_for_the_thread(void)
{
  g_autoptr(GTask) kept = NULL;
  forget();
  ask(NULL, &kept);
  while (n_answers == 0)
    g_main_context_iteration(NULL, TRUE);
  g_assert_cmpint(g_atomic_int_get(&n_gone), ==, 1);
  g_assert_cmpint(g_task_propagate_int(kept, NULL), ==, 7); /* while the task is still there */
}

static void
test_an_owner_goes_where_it_lives(void)
{
  forget();
  for (int i = 0; i < N_RACES; i++) {
    ask(NULL, NULL);
    while (n_answers <= i)
      g_main_context_iteration(NULL, TRUE);
    g_assert_cmpint(g_atomic_int_get(&n_gone), ==, i + 1);
  }
  g_assert_cmpint(g_atomic_int_get(&n_gone_elsewhere), ==, 0);
}

static void
test_a_cancelled_task_is_answered(void)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new();
  g_cancellable_cancel(cancellable);
  forget();
  ask(cancellable, NULL);
  while (n_answers == 0)
    g_main_context_iteration(NULL, TRUE);
  g_assert_cmpint(g_atomic_int_get(&n_gone), ==, 1);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  main_thread = g_thread_self();
  g_test_add_func("/app/owned-task/an-owner-does-not-wait-for-the-thread",
                  test_an_owner_does_not_wait_for_the_thread);
  g_test_add_func("/app/owned-task/an-owner-goes-where-it-lives",
                  test_an_owner_goes_where_it_lives);
  g_test_add_func("/app/owned-task/a-cancelled-task-is-answered",
                  test_a_cancelled_task_is_answered);
  return g_test_run();
}
