/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features of the window, and the functions of the window that they may call. Each feature is constructed with the
 * workbench and the pages it serves, has no access to the window's internals, and ends before the workbench does. */
#pragma once

#include "app/benchmarks/page.h"
#include "app/live/page.h"
#include "app/output/exporter.h"
#include "app/output/report-page.h"
#include "app/runs/compare-page.h"
#include "app/runs/folder-page.h"
#include "app/session/workbench.h"
#include "app/setup/page.h"
#include "app/shell/sidebar.h"
#include "app/shell/window.h"
#include "app/timeline/page.h"
#include "report/figure/figure.h"

G_BEGIN_DECLS

/* ---- functions of the window for its features ---- */

/* Conditions for an action to be enabled. */
typedef enum {
  LAC_NEEDS_IDLE = 1 << 0,       /* no run and no benchmark is active */
  LAC_NEEDS_RUN = 1 << 1,        /* a run is active */
  LAC_NEEDS_OWN_RUN = 1 << 2,    /* a run is active in this process */
  LAC_NEEDS_RESULT = 1 << 3,     /* the run shown is paused or has ended */
  LAC_NEEDS_EXPERIMENT = 1 << 4, /* an experiment is set up */
  LAC_NEEDS_FORM = 1 << 5,       /* the form is valid */
  LAC_NEEDS_SENSORS = 1 << 6,    /* the experiment's sensors can be placed by hand */
  LAC_NEEDS_QUEUE = 1 << 7,      /* the queue is not empty */
  LAC_NEEDS_CHOICE = 1 << 8,     /* runs are selected in the list */
  LAC_NEEDS_SEVERAL = 1 << 9,    /* enough runs for a comparison are selected */
  LAC_NEEDS_ONE = 1 << 10,       /* one readable run is selected */
  LAC_NEEDS_ENDED = 1 << 11,     /* one run that is not active is selected */
  LAC_NEEDS_CUT_SHORT = 1 << 12, /* one resumable run is selected */
  LAC_NEEDS_DELETED = 1 << 13,   /* a deletion can be undone */
  LAC_NEEDS_COMPARED = 1 << 14,  /* a comparison is shown */
  LAC_NEEDS_SWEEP = 1 << 15,     /* a sweep is shown */
  LAC_NEEDS_MEASURING = 1 << 16, /* a benchmark is active */
  LAC_NEEDS_MEASURED = 1 << 17,  /* the result of a benchmark is shown */
} LacNeeds;

/* An action: its name, type and state, its handler, and when it is enabled. */
typedef struct {
  GActionEntry entry;
  guint        needs; /* mask of LacNeeds; 0: always enabled */
} LacActionRow;

/* Adds actions; @rows are static. @data: passed to their handlers; must outlive them. */
void lac_window_add_rows(LacWindow *window, const LacActionRow *rows, gsize n, gpointer data);
/* Sets the state of an action. @state: floating */
void lac_window_set_state(LacWindow *window, const char *name, GVariant *state);
/* Registers a feature, which is destroyed by @end together with the window. */
void lac_window_keep(LacWindow *window, gpointer feature, GDestroyNotify end);

/* Notifies the UI recording of a changed state. @state: floating */
void lac_window_note_state(LacWindow *window, const char *name, GVariant *state);
/* Reports the progress of the recording or replay: @word to scripts, @sentence (nullable) also to the user. */
void lac_window_set_recording(LacWindow *window, const char *word, const char *sentence);

/* Shows a page in the place it belongs to. */
void lac_window_show_page(LacWindow *window, const char *page);

/* Shows the set-up of a new run, also while a run is on display, whose set-up is its own. */
void lac_window_show_draft(LacWindow *window);
/* Shows the run on display: its fields, or the page of a run that is shown already. */
void lac_window_show_run(LacWindow *window);
/* Returns TRUE while runs are compared, on whatever page. */
gboolean lac_window_shows_comparison(LacWindow *window);
/* Returns: (transfer full): the LacRunItem that commands on runs apply to. */
GPtrArray *lac_window_dup_chosen(LacWindow *window);
/* Compares runs (LacRunItem), the earlier first, a baseline before all. @runs: at least two; is sorted. */
void        lac_window_compare(LacWindow *window, GPtrArray *runs);
const char *lac_window_get_page(LacWindow *window); /* (nullable) */
void        lac_window_show_toast(LacWindow *window, AdwToast *toast);
void        lac_window_dismiss_toast(LacWindow *window, AdwToast *toast);

/* ---- the features ---- */

/* pictures.c: picture commands; they act on the fields of the visible page, or else on those of the live page. */
void lac_window_add_picture(LacWindow       *window,
                            LacLivePage     *live,
                            LacTimelinePage *timeline,
                            LacComparePage  *compare);

/* window-queue.c */
void lac_window_add_queue(LacWindow    *window,
                          LacWorkbench *workbench,
                          LacSetupPage *setup,
                          LacSidebar   *sidebar);

/* window-plans.c */
void lac_window_add_plans(LacWindow *window, LacWorkbench *workbench, LacSetupPage *setup);
/* Returns: (transfer full) (nullable): the plan of the form as text; invalid values are reported. */
char *lac_setup_page_dup_plan(LacSetupPage *setup, LacWorkbench *workbench);
/* Fills the form from a plan. Returns: FALSE, reported to the user, if it cannot be read. */
gboolean lac_setup_page_open_plan(LacSetupPage *setup, LacWorkbench *workbench, const char *path);

/* window-runs.c */
void lac_window_add_runs(LacWindow     *window,
                         LacWorkbench  *workbench,
                         LacFolderPage *runs,
                         LacSetupPage  *setup);

/* figures.c: exports the live page as a figure; opens the figure and report editors for the page shown and its
 * runs. The state of these actions is the figure or report opened last, or "" if none is open. */
typedef struct _LacComposed LacComposed;
LacComposed                *lac_window_add_composed(LacWindow       *window,
                                                    LacWorkbench    *workbench,
                                                    LacLivePage     *live,
                                                    LacTimelinePage *timeline,
                                                    LacComparePage  *compare,
                                                    LacReportPage   *report);
void                        lac_composed_make_figure(LacComposed *composed);
void                        lac_composed_edit_report(LacComposed *composed);
/* Opens the specification saved beside a figure or a report. Returns: FALSE if @path is neither. */
gboolean lac_composed_open(LacComposed *composed, const char *path);
/* Describes the live page of a session as a figure. Returns: (transfer full) */
LacFigureSpec lac_live_page_describe_view(LacLivePage *live, LacSession *session);

/* window-compare.c */
void lac_window_add_compare(LacWindow *window, LacComparePage *compare, LacComposed *composed);

/* benchmarks.c: measures, pins and exports; the state of `bench-answer` is the verdict. */
void lac_window_add_benchmarks(LacWindow         *window,
                               LacWorkbench      *workbench,
                               LacBenchmarksPage *page,
                               LacSidebar        *sidebar);

/* Writes a report of @paths to @path in a thread. */
void lac_window_write_report(LacWindow *window, const char *const *paths, const char *path);

/* folder.c */
void lac_window_add_folder(LacWindow *window, LacWorkbench *workbench, LacFolderPage *page);

/* files.c: file choosers, and the messages after saving. */
void lac_window_add_files(LacWindow    *window,
                          LacWorkbench *workbench,
                          LacLivePage  *live,
                          LacComposed  *composed);
void lac_window_choose_recording(LacWindow *window); /* opens a recording for replay */
void lac_window_choose_plan(LacWindow *window);
void lac_window_choose_runs_folder(LacWindow *window, LacRunStore *store);
void lac_window_show_saved(LacWindow *window, const char *path);
/* LacJobShow of every export: reports where the file was saved, or the error. @path: (transfer full) (nullable) */
void lac_window_on_exported(gpointer window, gpointer request, gpointer path, const GError *error);
/* Shows another program's trace on the timeline page, instead of the session's own records. */
void
lac_timeline_page_open_trace(LacTimelinePage *timeline, LacWorkbench *workbench, const char *path);
void lac_timeline_page_close_trace(LacTimelinePage *timeline, LacWorkbench *workbench);

/* states.c: user settings of the parts of the window, as stateful actions. */
void lac_window_add_states(LacWindow       *window,
                           LacLivePage     *live,
                           LacTimelinePage *timeline,
                           LacComparePage  *compare,
                           LacFolderPage   *runs);
/* Exposes the keyboard focus as a state. */
void lac_window_add_focus(LacWindow *window);

/* recording.c: records the user's actions. */
typedef struct _LacUiRecording LacUiRecording;
LacUiRecording          *
lac_window_add_recording(LacWindow *window, LacWorkbench *workbench, LacSetupPage *setup);
void     lac_ui_recording_start(LacUiRecording *recording, const char *folder);
void     lac_ui_recording_note(LacUiRecording *recording, const char *action, GVariant *value);
void     lac_ui_recording_note_state(LacUiRecording *recording, const char *name, GVariant *state);
void     lac_ui_recording_stop(LacUiRecording *recording); /* if active */
gboolean lac_ui_recording_leaves_out(const char *action);

/* window-replay.c */
typedef struct _LacReplay LacReplay;
LacReplay                *lac_window_add_replay(LacWindow *window, LacWorkbench *workbench);
void lac_replay_start(LacReplay *replay, const char *path, gboolean computes, double speed);
/* Opens the dialog that offers to show or to recompute a recording's runs, and the speed. */
void lac_window_ask_how_to_replay(LacWindow *window, const char *path);

G_END_DECLS
