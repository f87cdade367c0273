/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command queue to the compute thread: one sender, one receiver, lock-free except for sleeping. */
#pragma once

#include "base/param.h"

#include <glib.h>

#include <pthread.h>

G_BEGIN_DECLS

typedef enum {
  LAC_COMMAND_PAUSE,
  LAC_COMMAND_RESUME,
  LAC_COMMAND_STEP,
  LAC_COMMAND_CHECKPOINT,
  LAC_COMMAND_SET,
  LAC_N_COMMANDS,
} LacCommandKind;

typedef struct {
  LacCommandKind kind;
  LacDraft      *draft;  /* for SET: (transfer full): every value after the change */
  char          *detail; /* for SET: (transfer full): "key = text", for the journal */
} LacCommand;

#define LAC_COMMANDS_CAPACITY 256 /* a power of two */

typedef struct {
  LacCommand      slots[LAC_COMMANDS_CAPACITY];
  guint           head, tail; /* atomic; head is the sender's, tail the receiver's */
  gint            stop;       /* atomic; also polled during the set-up */
  pthread_mutex_t lock;       /* only for sleeping; ThreadSanitizer understands pthreads */
  pthread_cond_t  wake;
} LacCommands;

void lac_commands_init(LacCommands *commands);
void lac_commands_clear(LacCommands *commands);

/* Queues a command; called by the sender. Returns: FALSE when 256 commands are queued: the sender then retains
 * ownership of @command. */
gboolean lac_commands_send(LacCommands *commands, const LacCommand *command);
void     lac_commands_send_stop(LacCommands *commands);

/* Takes the oldest command; called by the receiver. Returns: FALSE when there is none. */
gboolean lac_commands_receive(LacCommands *commands, LacCommand *command);
gboolean lac_commands_is_stopped(const LacCommands *commands);
/* Sleeps until there is a command, a stop, or @timeout_us has passed. */
void lac_commands_wait(LacCommands *commands, gint64 timeout_us);

G_END_DECLS
