/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the window share: pages and session. */
#pragma once

#include "app/compare-page.h"
#include "app/exporter.h"
#include "app/fallback-banner.h"
#include "app/figure-window.h"
#include "app/gallery-page.h"
#include "app/live-page.h"
#include "app/part-states.h"
#include "app/report-window.h"
#include "app/run-bar.h"
#include "app/run-store.h"
#include "app/runs-page.h"
#include "app/setup-page.h"
#include "app/sweep-page.h"
#include "app/timeline-page.h"
#include "app/window.h"
#include "run/library/queue.h"
#include "run/plan/launch.h"
#include "run/plan/yaml.h"

G_BEGIN_DECLS

/* The text that the form was filled from: its comments go into what is written. */
typedef struct {
  char       *text; /* (nullable) */
  LacRunPlan *plan; /* (nullable): what it said */
} LacPlanSource;

typedef struct _LacSitting      LacSitting;      /* window-sitting.c */
typedef struct _LacReplay       LacReplay;       /* window-replay.c */
typedef struct _LacWindowStates LacWindowStates; /* window-states.c */
typedef struct _LacWindowChild  LacWindowChild;  /* window-child.c */

typedef struct {
  GPtrArray *aside; /* (nullable): paths of runs that are deleted unless that is undone */
  AdwToast  *toast; /* (nullable): borrowed: offers to undo it */
} LacDeletedRuns;

struct _LacWindow {
  AdwApplicationWindow  parent_instance;
  AdwToastOverlay      *toasts;
  AdwToast             *sentence; /* (nullable), weak: the last one said */
  AdwViewStack         *stack;
  AdwViewSwitcherTitle *switcher;
  LacRunBar            *run_bar;
  LacFallbackBanner    *fallback;
  GtkMenuButton        *export_menu, *main_menu;
  GMenu                *recent_items; /* of the main menu */
  LacGalleryPage       *gallery;
  LacSetupPage         *setup;
  LacLivePage          *live;
  LacTimelinePage      *timeline;
  LacSweepPage         *sweep;
  AdwViewStackPage     *sweep_page;
  LacSweepSeries       *series; /* (nullable): a sweep whose runs are going on */
  LacRunsPage          *runs;
  LacComparePage       *compare;
  LacRunStore          *run_store;
  char                 *repeated; /* (nullable): the run that the session does again */
  LacDeletedRuns        deleted;
  LacPlanSource         source;
  LacRunQueue          *queue;
  gboolean              queue_goes;   /* the next one starts when a run ends */
  GtkWindow            *queue_window; /* (nullable): borrowed while it is there */
  GtkButton            *queue_button;
  guint                 inhibited; /* cookie of the session manager; 0: the machine may sleep */
  LacSession           *session;
  LacWindowChild       *child;   /* (nullable): a run that goes on in a process of its own */
  GtkFileChooserNative *chooser; /* is no widget: kept until it answers */
  LacExportKind         chooser_kind;
  LacSitting           *sitting;
  LacReplay            *replay;
  LacWindowStates      *states;
  LacFigureWindow      *figure; /* (nullable), weak: the one opened last */
  LacReportWindow      *report; /* likewise */
  LacPartStates        *composed;
  guint                 focus_source;
  gboolean              held;     /* the application is kept alive for a run in a hidden window */
  gboolean              quitting; /* quit when the run has ended */
};

/* window-actions.c */
void lac_window_add_actions(LacWindow *window);
void lac_window_update_actions(LacWindow *window);
void lac_window_update_stalls(LacWindow *window);

/* window-picture.c: the commands of the picture act on the fields of the page that is shown, of the live page where it has none. */
LacFieldView *lac_window_get_shown_view(LacWindow *window);
void          lac_window_add_picture_actions(LacWindow *window);

/* window-files.c */
void lac_window_choose_run(LacWindow *window);
void lac_window_choose_data(LacWindow *window);
/* Shows another program's trace on the timeline page, in place of the session's own records. */
void lac_window_open_trace(LacWindow *window, const char *path);
void lac_window_close_trace(LacWindow *window);
void lac_window_choose_export(LacWindow *window, LacExportKind kind);
void lac_window_choose_comparison(LacWindow *window);
/* Of whatever was written: says where it is. @window: (transfer full) */
void lac_window_on_exported(GObject *source, GAsyncResult *result, gpointer window);
void lac_window_export(LacWindow *window, LacExportKind kind, const char *path);

void lac_window_choose_plan(LacWindow *window);
void lac_window_choose_sitting(LacWindow *window);   /* to replay */
void lac_window_choose_plan_file(LacWindow *window); /* to write */
void lac_window_say_saved(LacWindow *window, const char *path);

/* window-queue.c */
void lac_window_add_queue_actions(LacWindow *window);
void lac_window_update_queue(LacWindow *window);
/* After a run or a sweep has ended. @stopped: by the person, who then has the queue held too. */
void lac_window_go_on_with_queue(LacWindow *window, gboolean stopped);
/* The machine does not fall asleep while a run goes on. */
void lac_window_update_inhibition(LacWindow *window);

/* window-plans.c */
/* Of the form as it stands; what it cannot take is said. Returns: (transfer full) (nullable). */
char *lac_window_dup_form(LacWindow *window);
void  lac_plan_source_clear(LacPlanSource *source);
void  lac_window_add_plan_actions(LacWindow *window);
/* Returns: FALSE where it cannot be read, which is said. */
gboolean lac_window_open_plan(LacWindow *window, const char *path);
/* Fills the form. Takes both: @text is what @plan was read from. */
void lac_window_take_plan(LacWindow *window, LacRunPlan *plan, char *text);
void lac_window_write_plan(LacWindow *window, const char *path);
/* Returns: (transfer full): as YAML, with the comments of the text that the form came from; %NULL with an error. */
char *lac_window_dup_plan(LacWindow            *window,
                          const LacRunSettings *settings,
                          const char           *sweep,
                          GError              **error);

/* window-figures.c: what is seen: the live page as a figure, which borrows its texts; in windows of their own the page that is
 * open as a figure, and the runs on it as a report. */
/* Returns: (transfer full) */
LacFigureSpec lac_window_describe_view(LacWindow *window);
void          lac_window_make_figure(LacWindow *window);
void          lac_window_edit_report(LacWindow *window);
/* Their states: what is composed in the one opened last, "" where none is open. */
void lac_window_add_composed(LacWindow *window);
void lac_window_end_composed(LacWindow *window);
/* What is kept beside a figure or a report. Returns: FALSE where @path is neither. */
gboolean lac_window_open_composed(LacWindow *window, const char *path);

/* Where the runs are listed from, and launched into. */
void lac_window_choose_runs_folder(LacWindow *window);

/* window-runs.c */
void lac_window_add_run_actions(LacWindow *window);
void lac_window_update_runs(LacWindow *window);
void lac_window_set_runs_folder(LacWindow *window, const char *folder); /* (nullable) */
/* Of a session that did a run again: whether every bit is the same is said. */
void lac_window_judge_repetition(LacWindow *window);

/* window-sitting.c: of what is not an action, @action is what would do the same. @value: (nullable): floating */
void lac_window_add_sitting_actions(LacWindow *window);
void lac_window_note(LacWindow *window, const char *action, GVariant *value);
void lac_window_note_state(LacWindow *window, const char *name, GVariant *state);
void lac_window_note_run(LacWindow *window, const char *folder); /* it has begun */
void lac_window_note_run_ended(LacWindow *window, const char *folder);
void lac_window_stop_recording(LacWindow *window); /* if one is going on */
void lac_window_end_sitting(LacWindow *window);
/* Where it stands, for scripts, and for the person. @sentence: (nullable) */
void     lac_window_set_sitting(LacWindow *window, const char *word, const char *sentence);
gboolean lac_sitting_leaves_out(const char *action);

/* window-replay.c */
void lac_window_add_replay_actions(LacWindow *window);
void lac_window_end_replay(LacWindow *window);
/* A sitting with runs can be shown in two ways: asks which, and how fast. */
void lac_window_ask_how_to_replay(LacWindow *window, const char *path);
/* Returns: (transfer full) (nullable): while a sitting is shown as it was recorded: the run that began in it next. */
LacRunFile *lac_window_take_recorded(LacWindow *window);
void        lac_window_tell_launched(LacWindow *window, const char *folder); /* in its place */
void        lac_window_tell_ended(LacWindow *window, const char *folder);

/* window-focus.c */
void lac_window_add_focus(LacWindow *window);
void lac_window_end_focus(LacWindow *window);

/* window-states.c: what a person changes in the parts of the window, as states that are actions. */
void lac_window_add_states(LacWindow *window);
void lac_window_end_states(LacWindow *window);

/* window-compare.c */
void lac_window_add_compare_actions(LacWindow *window);
void lac_window_update_comparison(LacWindow *window);
void lac_window_export_comparison(LacWindow *window, const char *path);

/* window-child.c: runs of this window in processes of their own. */
/* @model: (nullable): the text of @settings, which the queue gets back where the run cannot begin. Returns: FALSE where there can be no
 * such process. */
gboolean
lac_window_launch_child(LacWindow *window, const LacRunSettings *settings, const char *model);
/* Stops the run, with a checkpoint. Returns: FALSE where none goes on. */
gboolean lac_window_stop_child(LacWindow *window);
void     lac_window_leave_child(LacWindow *window); /* stops it and does not wait */

/* window-close.c */
gboolean lac_window_ask_before_close(LacWindow *window); /* TRUE: stay open for now */
void     lac_window_end_hold(LacWindow *window);

/* window-sweep.c */
void lac_window_launch_sweep(LacWindow *window, const LacRunSettings *settings, const char *text);
void lac_window_end_sweep(LacWindow *window); /* no other run of it follows */
/* The session has ended: the next run of the sweep follows. Returns: whether it was of a sweep. */
gboolean lac_window_go_on_with_sweep(LacWindow *window);

/* window.c */
gboolean lac_window_launch(LacWindow            *window,
                           const LacRunSettings *settings); /* FALSE: has said why */
void     lac_window_show_page(LacWindow *window, const char *page);
/* @session, @draft: (nullable) */
void lac_window_set_session(LacWindow *window, LacSession *session, const LacDraft *draft);
/* Of the session that has ended: what follows it. */
void lac_window_finish_run(LacWindow *window);
/* Returns: (transfer full) (nullable): a run that another process is writing, as it stands. */
LacRunFile *lac_window_open_growing(const char *path);

G_END_DECLS
