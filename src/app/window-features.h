/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The features of the window, each given the workbench and the pages that it is for, and what they may ask of the window. None of them
 * sees into it. They end before the workbench does. */
#pragma once

#include "app/compare-page.h"
#include "app/exporter.h"
#include "app/live-page.h"
#include "app/runs-page.h"
#include "app/setup-page.h"
#include "app/timeline-page.h"
#include "app/window.h"
#include "app/workbench.h"
#include "report/figure/figure.h"

G_BEGIN_DECLS

/* ---- what they may ask ---- */

/* What has to be the case for an action to be enabled. */
typedef enum {
  LAC_NEEDS_IDLE = 1 << 0,       /* no run is going on */
  LAC_NEEDS_RUN = 1 << 1,        /* one is */
  LAC_NEEDS_OWN_RUN = 1 << 2,    /* one is, and in this program */
  LAC_NEEDS_RESULT = 1 << 3,     /* the run that is shown is paused or has ended */
  LAC_NEEDS_EXPERIMENT = 1 << 4, /* one is set up */
  LAC_NEEDS_FORM = 1 << 5,       /* it can be launched */
  LAC_NEEDS_SENSORS = 1 << 6,    /* its sensors can be placed */
  LAC_NEEDS_QUEUE = 1 << 7,      /* something waits in it */
  LAC_NEEDS_CHOICE = 1 << 8,     /* runs are chosen in the list */
  LAC_NEEDS_SEVERAL = 1 << 9,    /* as many as can be compared */
  LAC_NEEDS_ONE = 1 << 10,       /* one, which can be read */
  LAC_NEEDS_ENDED = 1 << 11,     /* one, which is not going on */
  LAC_NEEDS_CUT_SHORT = 1 << 12, /* one, which can be resumed */
  LAC_NEEDS_DELETED = 1 << 13,   /* a deletion can be undone */
  LAC_NEEDS_COMPARED = 1 << 14,  /* runs are compared */
} LacNeeds;

/* An action: its name, type and state, its handler, and when it is enabled. */
typedef struct {
  GActionEntry entry;
  guint        needs; /* LacNeeds, all of them; 0: always enabled */
} LacActionRow;

/* The rows live on. @data: of their handlers; outlives their use. */
void lac_window_add_rows(LacWindow *window, const LacActionRow *rows, gsize n, gpointer data);
/* Of an action with a state. @state: floating */
void lac_window_set_state(LacWindow *window, const char *name, GVariant *state);
/* A feature ends with the window. */
void lac_window_keep(LacWindow *window, gpointer feature, GDestroyNotify end);

/* For whoever records. @state: floating */
void lac_window_note_state(LacWindow *window, const char *name, GVariant *state);
/* Where the recording or the replay stands, for scripts, and for the person. @sentence: (nullable) */
void lac_window_set_recording(LacWindow *window, const char *word, const char *sentence);

void        lac_window_show_page(LacWindow *window, const char *page);
const char *lac_window_get_page(LacWindow *window); /* (nullable) */
void        lac_window_show_toast(LacWindow *window, AdwToast *toast);
void        lac_window_dismiss_toast(LacWindow *window, AdwToast *toast);

/* ---- the features ---- */

/* picture-menu.c: the commands of the picture act on the fields of the page that is shown, of the live page where it has none. */
void lac_window_add_picture(LacWindow       *window,
                            LacLivePage     *live,
                            LacTimelinePage *timeline,
                            LacComparePage  *compare);

/* window-queue.c */
void lac_window_add_queue(LacWindow    *window,
                          LacWorkbench *workbench,
                          LacSetupPage *setup,
                          GtkButton    *button);

/* window-plans.c */
void lac_window_add_plans(LacWindow *window, LacWorkbench *workbench, LacSetupPage *setup);
/* Of the form as it stands; what it cannot take is said. Returns: (transfer full) (nullable). */
char *lac_setup_page_dup_plan(LacSetupPage *setup, LacWorkbench *workbench);
/* Fills the form. Returns: FALSE where it cannot be read, which is said. */
gboolean lac_setup_page_open_plan(LacSetupPage *setup, LacWorkbench *workbench, const char *path);

/* window-runs.c */
void lac_window_add_runs(LacWindow    *window,
                         LacWorkbench *workbench,
                         LacRunsPage  *runs,
                         LacSetupPage *setup);

/* window-figures.c: what is seen: the live page as a figure; in windows of their own the page that is open as a figure, and the runs on
 * it as a report. Their states: what is composed in the one opened last, "" where none is open. */
typedef struct _LacComposed LacComposed;
LacComposed                *lac_window_add_composed(LacWindow       *window,
                                                    LacWorkbench    *workbench,
                                                    LacLivePage     *live,
                                                    LacTimelinePage *timeline,
                                                    LacComparePage  *compare);
void                        lac_composed_make_figure(LacComposed *composed);
void                        lac_composed_edit_report(LacComposed *composed);
/* What is kept beside a figure or a report. Returns: FALSE where @path is neither. */
gboolean lac_composed_open(LacComposed *composed, const char *path);
/* The live page, of a session, as a figure, which borrows its texts. Returns: (transfer full) */
LacFigureSpec lac_live_page_describe_view(LacLivePage *live, LacSession *session);

/* window-compare.c */
void lac_window_add_compare(LacWindow      *window,
                            LacComparePage *compare,
                            LacRunsPage    *runs,
                            LacComposed    *composed);

/* window-files.c: choosers, and what is said at the end. */
void lac_window_add_files(LacWindow    *window,
                          LacWorkbench *workbench,
                          LacLivePage  *live,
                          LacComposed  *composed);
void lac_window_choose_recording(LacWindow *window); /* to replay */
void lac_window_choose_plan(LacWindow *window);
void lac_window_choose_runs_folder(LacWindow *window, LacRunStore *store);
void lac_window_show_saved(LacWindow *window, const char *path);
/* LacJobShow of every export: tells the user where the file was saved, or why it was not. @path: (transfer full) (nullable) */
void lac_window_on_exported(gpointer window, gpointer request, gpointer path, const GError *error);
/* Another program's trace on the timeline page, in place of the session's own records. */
void
lac_timeline_page_open_trace(LacTimelinePage *timeline, LacWorkbench *workbench, const char *path);
void lac_timeline_page_close_trace(LacTimelinePage *timeline, LacWorkbench *workbench);

/* window-states.c: what a person changes in the parts of the window, as states that are actions. */
void lac_window_add_states(LacWindow       *window,
                           LacLivePage     *live,
                           LacTimelinePage *timeline,
                           LacComparePage  *compare,
                           LacRunsPage     *runs);
/* Where the keys go, as a state. */
void lac_window_add_focus(LacWindow *window);

/* window-recording.c: recording what a person does. */
typedef struct _LacUiRecording LacUiRecording;
LacUiRecording          *
lac_window_add_recording(LacWindow *window, LacWorkbench *workbench, LacSetupPage *setup);
void     lac_ui_recording_start(LacUiRecording *recording, const char *folder);
void     lac_ui_recording_note(LacUiRecording *recording, const char *action, GVariant *value);
void     lac_ui_recording_note_state(LacUiRecording *recording, const char *name, GVariant *state);
void     lac_ui_recording_stop(LacUiRecording *recording); /* if one is going on */
gboolean lac_ui_recording_leaves_out(const char *action);

/* window-replay.c */
typedef struct _LacReplay LacReplay;
LacReplay                *lac_window_add_replay(LacWindow *window, LacWorkbench *workbench);
void lac_replay_start(LacReplay *replay, const char *path, gboolean computes, double speed);
/* A recording with runs can be shown in two ways: asks which, and how fast. */
void lac_window_ask_how_to_replay(LacWindow *window, const char *path);

G_END_DECLS
