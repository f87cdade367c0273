/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queue of runs: plans as YAML files in the user's data directory, named by their position, so that the queue
 * outlives the program. One thread. */
#pragma once

#include "run/plan/yaml.h"

G_BEGIN_DECLS

typedef struct {
  char       *path, *text;
  LacRunPlan *plan;  /* (nullable): NULL if the text is no longer valid */
  char       *wrong; /* (nullable): the error of an invalid text */
} LacQueued;

typedef struct _LacRunQueue LacRunQueue;

/* Opens the queue and reads its plans. @folder: (nullable): NULL: the folder in the user's data directory. */
LacRunQueue *lac_run_queue_new(const char *folder);
void         lac_run_queue_free(LacRunQueue *queue);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunQueue, lac_run_queue_free)

guint            lac_run_queue_get_n(const LacRunQueue *queue);
const LacQueued *lac_run_queue_get(const LacRunQueue *queue, guint i);

/* Inserts @text at position @i; G_MAXUINT: at the end. Returns: FALSE with an error if the text is invalid or cannot
 * be written. */
gboolean lac_run_queue_add(LacRunQueue *queue, const char *text, guint i, GError **error);
gboolean lac_run_queue_move(LacRunQueue *queue, guint from, guint to, GError **error);
/* Removes plan @i. Returns: (transfer full): its text. */
char *lac_run_queue_remove(LacRunQueue *queue, guint i);

/* Returns: (transfer full): the settings that differ from the default, "sensors = 9, noise = 2"; "" if none does. */
char *lac_run_plan_dup_changes(const LacRunPlan *plan);

G_END_DECLS
