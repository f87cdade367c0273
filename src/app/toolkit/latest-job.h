/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Background work for a main-thread object: once, or repeatedly, where the latest request wins.
 *
 * Only @work runs in a worker thread. Requests and results are freed in the main loop, shown or not, so they may hold
 * references to widgets. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* @request: used only by the thread until @show is called; it may store results there. @cancellable: (nullable)
 * Returns: (transfer full) (nullable): the result, or NULL with @error. */
typedef gpointer (*LacJobWork)(gpointer request, GCancellable *cancellable, GError **error);
/* @result: (transfer full) (nullable). @error: (nullable) */
typedef void (*LacJobShow)(gpointer owner, gpointer request, gpointer result, const GError *error);

typedef struct {
  LacJobWork     work;
  LacJobShow     show;                      /* (nullable) */
  GDestroyNotify free_request, free_result; /* (nullable) */
  guint          delay_ms;                  /* delay before a request of a LacLatestJob starts */
  int            priority;                  /* GSource priority of the task and its callback */
} LacJobKind;

/* Runs a job once. @owner: (nullable): a GObject, referenced until @show has returned. @request: (transfer full) */
void lac_job_run(gpointer owner, const LacJobKind *kind, gpointer request);

typedef struct _LacLatestJob LacLatestJob;

/* @owner: not referenced; it frees the job in its dispose() */
LacLatestJob *lac_latest_job_new(gpointer owner, const LacJobKind *kind);
/* Cancels; nothing is shown afterwards. May be called from @show. */
void lac_latest_job_free(LacLatestJob *self);
/* Cancels the previous request, which is never shown. At most two threads run: while two cancelled requests have not
 * returned, the new one waits. @request: (transfer full) */
void lac_latest_job_start(LacLatestJob *self, gpointer request);
/* @self: (nullable) */
void lac_latest_job_cancel(LacLatestJob *self);
/* @self: (nullable). Returns: TRUE if a request is waiting or running */
gboolean lac_latest_job_is_busy(const LacLatestJob *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacLatestJob, lac_latest_job_free)

G_END_DECLS
