/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work in a thread for an object of the main loop: once, or again and again, where the latest request wins.
 *
 * All but @work is called in the main loop. Requests and results are freed there too, seen or not: they may hold what lives there. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* @request: the thread's alone meanwhile; results may be left in it. @cancellable: (nullable): nobody waits any more.
 * Returns: (transfer full) (nullable): NULL with @error where there is none. */
typedef gpointer (*LacJobWork)(gpointer request, GCancellable *cancellable, GError **error);
/* @result: (transfer full) (nullable). @error: (nullable) */
typedef void (*LacJobShow)(gpointer owner, gpointer request, gpointer result, const GError *error);

typedef struct {
  LacJobWork     work;
  LacJobShow     show;                      /* (nullable) */
  GDestroyNotify free_request, free_result; /* (nullable) */
  guint          delay_ms;                  /* of a latest request: before it is begun */
  int            priority;                  /* in the main loop and among tasks: as of a source */
} LacJobKind;

/* Once. @owner: (nullable): an object, held until what came of it was shown; @request: taken */
void lac_job_run(gpointer owner, const LacJobKind *kind, gpointer request);

typedef struct _LacLatestJob LacLatestJob;

/* @owner: not held: it frees its job when it is disposed of */
LacLatestJob *lac_latest_job_new(gpointer owner, const LacJobKind *kind);
/* Nothing is shown any more. May be called while something is. */
void lac_latest_job_free(LacLatestJob *self);
/* Takes @request. The one before is cancelled and never shown. What does not heed that goes on, but two threads work at most: the
 * latest request waits for one of them. */
void lac_latest_job_start(LacLatestJob *self, gpointer request);
/* @self: (nullable) */
void lac_latest_job_cancel(LacLatestJob *self);
/* @self: (nullable). Returns: whether something is to be shown yet */
gboolean lac_latest_job_is_busy(const LacLatestJob *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacLatestJob, lac_latest_job_free)

G_END_DECLS
