/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands on their way to the compute thread: one sender, one receiver, no lock but for sleeping. */
#include "run/run-commands.h"

#include <string.h>

void
lac_commands_init(LacCommands *commands)
{
  memset(commands, 0, sizeof *commands);
  g_mutex_init(&commands->lock);
  g_cond_init(&commands->wake);
}

void
lac_commands_clear(LacCommands *commands)
{
  LacCommand command;

  while (lac_commands_receive(commands, &command)) {
    lac_draft_free(command.draft);
    g_free(command.detail);
  }
  g_mutex_clear(&commands->lock);
  g_cond_clear(&commands->wake);
}

static guint
load(const guint *index)
{
  return __atomic_load_n(index, __ATOMIC_ACQUIRE);
}

static void
wake_receiver(LacCommands *commands)
{
  g_mutex_lock(&commands->lock);
  g_cond_signal(&commands->wake);
  g_mutex_unlock(&commands->lock);
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
  gint64 until = g_get_monotonic_time() + timeout_us;

  g_mutex_lock(&commands->lock);
  while (commands->tail == load(&commands->head) && !lac_commands_is_stopped(commands) &&
         g_cond_wait_until(&commands->wake, &commands->lock, until))
    continue;
  g_mutex_unlock(&commands->lock);
}
