/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run: the compute thread, the channels to and from it, the clock, the checkpoint cadence. The only room that
 * wires experiment, io and perf together; app/ and cli/ both drive this. */
#pragma once

#include "experiment/experiment.h"
#include "io/format/content-cache.h"
#include "io/runfile/folder.h"
#include "perf/recorder/memory-scope.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacRun LacRun;

typedef struct {
  const LacExperiment *experiment;
  const LacDraft      *draft; /* copied */
  guint64              seed;
  const char          *backend;   /* auto, cpu, strict, cuda, cuda:N */
  const char          *precision; /* auto, f64, f32 */
  guint                threads;   /* 0: all */
  gboolean             gives_way; /* its threads leave the processors to those of the window */
  LacPerfDetail        detail;
  const char          *out;        /* parent folder; NULL: the user's data directory */
  double               time_limit; /* seconds; 0: none */
  const char
    *resume; /* a run folder: experiment, draft, seed, precision come from there; NULL: a new run */
  const char       *
    again; /* a run folder: what it was is done again in a folder of its own, to the bit: settings, seed, precision,
                      * backend, FFT plans, changes on the way; where it was stopped it stops; NULL: a run like any other */
  guint64 frame_budget_bytes; /* kept frames are thinned to it; 0: the default, 256 MB */
  guint64 disk_budget_bytes;  /* of all the run records (run/core/budget.h); 0: the default, 1 GB */
  double  checkpoint_seconds; /* cadence; 0: the default, 10 s */
  LacContentCache
    *cache; /* (nullable): of what earlier runs computed at a cost; the run takes a reference */
} LacRunSettings;

typedef enum {
  LAC_RUN_SETTING_UP,
  LAC_RUN_RUNNING,
  LAC_RUN_PAUSED,
  LAC_RUN_ENDED,
} LacRunState;

/* A consistent copy of where the run stands. */
typedef struct {
  LacRunState state;
  gint64      step, n_steps;
  double      seconds, setup_seconds, seconds_left; /* seconds_left < 0: not known yet */
  double      fraction;                             /* 0...1, of the set-up while setting up */
  char        phase[96];                            /* what the set-up does */
  char        outcome[16];    /* once ended: finished, stopped, diverged, failed */
  gboolean    is_unassembled; /* once ended: it failed only in that run.h5 could not be assembled */
  char        message[1024];  /* once ended: why, when not finished; while running: a warning */
  guint64     frames_published;
  guint64     records_pushed; /* that are handed over: all but those let go for the disk budget */
  gint64      record_stride;  /* of how many steps one is recorded now; 0: none */
  gsize
    arena_bytes; /* the most that any operation so far had live, as the planner knows; 0: unknown */
  char            device[256]; /* what it computes on now; empty: the processor */
  char            choice[256]; /* why that was chosen; empty: nothing was measured */
  LacDeviceMemory memory;      /* of the device; all 0 without one */
  char            fallback
    [512]; /* from when the run could not go on on its device: when, why; empty: no such thing */
} LacRunStatus;

/* What the journal tells of the device, as LacRunEvent.what; the detail is a sentence. */
#define LAC_RUN_EVENT_DEVICE \
  "device" /* why it was chosen; what of the run stays on the processor */
#define LAC_RUN_EVENT_FALLBACK "fallback" /* from when on it is the processor's, and why */

/**
 * lac_run_new:
 *
 * Checks the settings, loads the files that parameters name, opens device and folder. Starts nothing.
 * Returns: %NULL with an error for the person.
 */
LacRun *lac_run_new(const LacRunSettings *settings, GError **error);
void    lac_run_free(LacRun *run); /* stops and joins first */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRun, lac_run_free)

/* Starts the compute thread. @paused: wait at step 0 for a command. */
void lac_run_start(LacRun *run, gboolean paused);
/* Blocks until the thread has ended; the folder is then complete. Returns: FALSE with the error of a failed run. */
gboolean lac_run_wait(LacRun *run, GError **error);

/* Whether the run is busy with its folder: a checkpoint, or everything from its last step on. Any thread, a signal handler too. */
gboolean lac_run_is_writing(LacRun *run);

/* Called on the compute thread, coalesced, when there is something new: a frame, records, a state. Set before start.
 * Must only wake another thread. */
void lac_run_set_wake(LacRun *run, void (*wake)(gpointer user_data), gpointer user_data);

/* ---- commands: any one controlling thread; acknowledged in the journal with the step ---- */
void     lac_run_pause(LacRun *run);
void     lac_run_resume(LacRun *run);
void     lac_run_step(LacRun *run); /* one step, then paused */
void     lac_run_stop(LacRun *run); /* after a checkpoint */
void     lac_run_checkpoint(LacRun *run);
gboolean lac_run_set_live(LacRun *run, const char *key, const char *text, GError **error);

/* ---- what comes back: the same controlling thread ---- */
void lac_run_get_status(LacRun *run, LacRunStatus *status);

/* Newest wins. Returns: (transfer full) (nullable): a frame newer than the last one taken. Asks for the next. */
LacFrame *lac_run_take_frame(LacRun *run);

/* Hands over the records and metric rows since the last call, all of them, in order. */
void lac_run_drain(
  LacRun       *run,
  LacRecordFunc on_records,
  void (*on_metrics)(gint64 step, double seconds, const double *metrics, gpointer user_data),
  gpointer user_data);

/* One picture that the window drew of this run, as spans of a lane of its own, while the run records: the drawing and, within
 * it, the nanoseconds of it that bringing data to the graphics card took. */
void lac_run_record_drawing(LacRun *run, gint64 begin_ns, gint64 upload_ns, gint64 end_ns);
/* A stretch in which the window did not look for input, as a span of another lane. */
void lac_run_record_stall(LacRun *run, gint64 begin_ns, gint64 end_ns);

LacPerf             *lac_run_get_perf(LacRun *run); /* names of records */
const LacExperiment *lac_run_get_experiment(LacRun *run);
/* (transfer none): the channels and metrics of this run. */
const LacOutline *lac_run_get_outline(LacRun *run);
const char       *lac_run_get_folder(LacRun *run);
const double *lac_run_get_metrics(LacRun *run); /* after it ended: the last finite value of each */
guint         lac_run_get_threads(LacRun *run);
const char   *lac_run_get_backend(LacRun *run); /* the one it computes on now */
/* After it ended. Returns: (nullable): the sentence of a run that its device could not go on with. Other threads look at the
 * status. */
const char *lac_run_get_fallback(LacRun *run);
guint64     lac_run_get_seed(LacRun *run);

/* The user's data directory for runs. */
char *lac_run_dup_default_folder(void);

G_END_DECLS
