/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run: its compute thread, the channels to and from it, its clock and checkpoints. The only room that connects
 * experiment, io and perf; used by app/ and cli/. */
#pragma once

#include "experiment/experiment.h"
#include "io/format/content-cache.h"
#include "io/runfile/folder.h"
#include "io/runfile/run-file.h"
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
  gboolean             gives_way; /* leave processors free for the window's threads */
  LacPerfDetail        detail;
  const char          *out;        /* parent folder; NULL: the user's data directory */
  double               time_limit; /* seconds; 0: none */
  const char *
    resume; /* (nullable): run folder to continue: experiment, draft, seed and precision come from it */
  const char       *
    again; /* (nullable): run folder to repeat bitwise: its settings, FFT plans, live changes, last step */
  guint64 frame_budget_bytes; /* saved frames are decimated to fit; 0: the default, 256 MB */
  guint64 disk_budget_bytes;  /* of all run records (run/core/budget.h); 0: the default, 1 GB */
  double  checkpoint_seconds; /* interval; 0: the default, 10 s */
  const char
    *sweep; /* (nullable): the sweep of a new run: lac_sweep_dup_identity(), saved with the run */
  LacContentCache *cache; /* (nullable): cache of expensive results; the run takes a reference */
} LacRunSettings;

typedef enum {
  LAC_RUN_SETTING_UP,
  LAC_RUN_RUNNING,
  LAC_RUN_PAUSED,
  LAC_RUN_ENDED,
} LacRunState;

/* Snapshot of the run's state. */
typedef struct {
  LacRunState state;
  gint64      step, n_steps;
  double      seconds, setup_seconds, seconds_left; /* seconds_left < 0: unknown */
  double      fraction;                             /* 0...1; of the set-up while setting up */
  char        phase[96];                            /* current part of the set-up */
  char        outcome[16];      /* once ended: finished, stopped, diverged, failed */
  double      assembly_seconds; /* after the end: time that the file took; 0: unknown */
  gboolean    is_unassembled;   /* after the end: only the assembly of run.h5 failed */
  char        message
    [1024]; /* after the end: the reason unless finished as planned; while running: a warning */
  guint64 frames_published;
  guint64 records_pushed; /* records handed over: all except those dropped for the disk budget */
  gint64  record_stride;  /* current step interval of recorded steps; 0: none */
  gsize   arena_bytes;    /* largest arena of any operation so far, from the planner; 0: unknown */
  char    device[256];    /* current device; empty: CPU */
  char    choice[256];    /* why the device or the CPU was chosen; empty: nothing was measured */
  LacDeviceMemory memory; /* device memory; all 0 without a device */
  char fallback[512]; /* step and reason of the switch from the device to the CPU; empty: none */
} LacRunStatus;

/* Journal events about the device, as LacRunEvent.what; the detail is a sentence. */
#define LAC_RUN_EVENT_DEVICE   "device"   /* why it was chosen; which parts run on the CPU */
#define LAC_RUN_EVENT_FALLBACK "fallback" /* step and reason of the switch to the CPU */

/**
 * lac_run_new:
 *
 * Checks the settings, loads the files that parameters name, opens device and folder. Starts no thread.
 * Returns: %NULL with an error for the user.
 */
LacRun *lac_run_new(const LacRunSettings *settings, GError **error);
void    lac_run_free(LacRun *run); /* stops and joins first */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRun, lac_run_free)

/* Reads what the folder of a resumed run holds up to its checkpoint. Call before lac_run_start(); any thread. Returns:
 * %NULL with an error if it cannot be read. */
LacRunFile *lac_run_peek(LacRun *run, GError **error);

/* Starts the compute thread. @paused: wait at step 0 for a command. */
void lac_run_start(LacRun *run, gboolean paused);
/* Blocks until the thread has ended; the folder is then complete. Returns: FALSE with the error of a failed run. */
gboolean lac_run_wait(LacRun *run, GError **error);

/* Returns TRUE while the run writes its folder: during a checkpoint, and during everything after its last step. Any
 * thread, also in a signal handler. */
gboolean lac_run_is_writing(LacRun *run);

/* Sets a callback for new frames, records or states, called on the compute thread; several changes may share one
 * call. Call before lac_run_start(). The callback may do nothing but wake another thread. */
void lac_run_set_wake(LacRun *run, void (*wake)(gpointer user_data), gpointer user_data);

/* ---- commands: any one controlling thread; acknowledged in the journal with the step ---- */
void     lac_run_pause(LacRun *run);
void     lac_run_resume(LacRun *run);
void     lac_run_step(LacRun *run); /* one step, then paused */
void     lac_run_stop(LacRun *run); /* after a checkpoint */
void     lac_run_checkpoint(LacRun *run);
gboolean lac_run_set_live(LacRun *run, const char *key, const char *text, GError **error);

/* ---- results: the same controlling thread ---- */
void lac_run_get_status(LacRun *run, LacRunStatus *status);

/* Takes the newest frame and requests the next. Returns: (transfer full) (nullable): NULL: none newer than the last
 * one taken. */
LacFrame *lac_run_take_frame(LacRun *run);

/* Hands over the records and metric rows since the last call, all of them, in order. */
void lac_run_drain(
  LacRun       *run,
  LacRecordFunc on_records,
  void (*on_metrics)(gint64 step, double seconds, const double *metrics, gpointer user_data),
  gpointer user_data);

/* Records the drawing of one picture as spans of the window's lane, if the run records: the drawing and, within it,
 * the upload to the graphics card, which took @upload_ns. */
void lac_run_record_drawing(LacRun *run, gint64 begin_ns, gint64 upload_ns, gint64 end_ns);
/* Records an interval in which the window did not handle input, as a span of the lane "main loop". */
void lac_run_record_stall(LacRun *run, gint64 begin_ns, gint64 end_ns);

LacPerf             *lac_run_get_perf(LacRun *run); /* names of records */
const LacExperiment *lac_run_get_experiment(LacRun *run);
/* Returns: (transfer none): the channels and metrics of this run. */
const LacOutline *lac_run_get_outline(LacRun *run);
const char       *lac_run_get_folder(LacRun *run);
/* Returns: (transfer none): the settings of the run with its live changes so far; controlling thread. */
const LacDraft *lac_run_get_controls(LacRun *run);
const double   *lac_run_get_metrics(LacRun *run); /* after the end: the last finite value of each */
guint           lac_run_get_threads(LacRun *run);
const char     *lac_run_get_backend(LacRun *run);   /* current backend */
const char     *lac_run_get_precision(LacRun *run); /* f64, f32, bf16x6, bf16x3 */
/* After the end. Returns: (nullable): the message of a switch from the device to the CPU. While the run is in
 * progress, use the status instead. */
const char *lac_run_get_fallback(LacRun *run);
guint64     lac_run_get_seed(LacRun *run);

/* Returns: (transfer full): the user's data directory for runs. */
char *lac_run_dup_default_folder(void);

G_END_DECLS
