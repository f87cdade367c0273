/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command queue to the compute thread: one sender, one receiver, lock-free except for sleeping. */
#include "run/core/commands.h"

#include <string.h>
#include <time.h>

void
lac_commands_init(LacCommands *commands)
{
  pthread_condattr_t clock;

  memset(commands, 0, sizeof *commands);
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_mutex_init(&commands->lock, NULL);
  pthread_cond_init(&commands->wake, &clock);
  pthread_condattr_destroy(&clock);
}

void
lac_commands_clear(LacCommands *commands)
{
  LacCommand command;

  while (lac_commands_receive(commands, &command)) {
    lac_draft_free(command.draft);
    g_free(command.detail);
  }
  pthread_mutex_destroy(&commands->lock);
  pthread_cond_destroy(&commands->wake);
}

static guint
load(const guint *index)
{
  return __atomic_load_n(index, __ATOMIC_ACQUIRE);
}

static void
wake_receiver(LacCommands *commands)
{
  pthread_mutex_lock(&commands->lock);
  pthread_cond_signal(&commands->wake);
  pthread_mutex_unlock(&commands->lock);
}

gboolean
lac_commands_send(LacCommands *commands, const LacCommand *command)
{
  guint head = commands->head;

  if (head - load(&commands->tail) == LAC_COMMANDS_CAPACITY)
    return FALSE;
  commands->slots[head % LAC_COMMANDS_CAPACITY] = *command;
  __atomic_store_n(&commands->head, head + 1, __ATOMIC_RELEASE);
  wake_receiver(commands);
  return TRUE;
}

void
lac_commands_send_stop(LacCommands *commands)
{
  g_atomic_int_set(&commands->stop, 1);
  wake_receiver(commands);
}

gboolean
lac_commands_receive(LacCommands *commands, LacCommand *command)
{
  guint tail = commands->tail;

  if (tail == load(&commands->head))
    return FALSE;
  *command = commands->slots[tail % LAC_COMMANDS_CAPACITY];
  __atomic_store_n(&commands->tail, tail + 1, __ATOMIC_RELEASE);
  return TRUE;
}

gboolean
lac_commands_is_stopped(const LacCommands *commands)
{
  return g_atomic_int_get(&commands->stop) != 0;
}

void
lac_commands_wait(LacCommands *commands, gint64 timeout_us)
{
  gint64          until = g_get_monotonic_time() + timeout_us;
  struct timespec at = {(time_t) (until / G_USEC_PER_SEC), (long) (until % G_USEC_PER_SEC) * 1000};

  pthread_mutex_lock(&commands->lock);
  while (commands->tail == load(&commands->head) && !lac_commands_is_stopped(commands) &&
         pthread_cond_timedwait(&commands->wake, &commands->lock, &at) == 0)
    continue;
  pthread_mutex_unlock(&commands->lock);
}
