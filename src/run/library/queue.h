/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that wait their turn: plans as files of YAML in the user's data directory, named by their place, so that they are there
 * again when the program is. One thread. */
#pragma once

#include "run/plan/yaml.h"

G_BEGIN_DECLS

typedef struct {
  char       *path, *text;
  LacRunPlan *plan;  /* (nullable): NULL where the text is not one any more, then @wrong says why */
  char       *wrong; /* (nullable) */
} LacQueued;

typedef struct _LacRunQueue LacRunQueue;

/* @folder: (nullable): NULL: the user's. Reads what waits there. */
LacRunQueue *lac_run_queue_new(const char *folder);
void         lac_run_queue_free(LacRunQueue *queue);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunQueue, lac_run_queue_free)

guint            lac_run_queue_get_n(const LacRunQueue *queue);
const LacQueued *lac_run_queue_get(const LacRunQueue *queue, guint i);

/* @text goes behind the others; @i: G_MAXUINT: at the end. Returns: FALSE with an error of the text or of the disk. */
gboolean lac_run_queue_add(LacRunQueue *queue, const char *text, guint i, GError **error);
gboolean lac_run_queue_move(LacRunQueue *queue, guint from, guint to, GError **error);
/* Returns: (transfer full): its text. */
char *lac_run_queue_remove(LacRunQueue *queue, guint i);

/* Returns: (transfer full): of the settings what is not the default, "sensors = 9, noise = 2"; "" where all is. */
char *lac_run_plan_dup_changes(const LacRunPlan *plan);

G_END_DECLS
