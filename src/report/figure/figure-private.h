/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scene of a figure: its data at one step, and the drawing of kinds other than fields. */
#pragma once

#include "report/figure/derived-run.h"
#include "report/figure/figure.h"
#include "report/timeline/timeline.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* spec.c */
void  lac_figure_spec_resolve(LacFigureSpec *spec);
void  lac_figure_spec_fill_from_runs(LacFigureSpec *spec, LacRunFile *const *runs, gsize n_runs);
char *lac_figure_spec_dup_text(const LacFigureSpec *spec, LacRunFile *const *runs, gsize n_runs);

/* members.c: functions on the members in the table */
void lac_figure_members_clear(LacFigureSpec *spec);
void lac_figure_members_own(
  LacFigureSpec *copy); /* duplicates the members still owned by the original */
void lac_figure_members_load(JsonObject *object, LacFigureSpec *spec);
void lac_figure_members_add(JsonBuilder *builder, const LacFigureSpec *spec);

typedef struct {
  LacRunFile          *runs[LAC_FIGURE_MOST_RUNS]; /* borrowed */
  gsize                n_runs;
  const LacFigureSpec *spec;                /* resolved */
  gsize     channels[LAC_FIGURE_MOST_RUNS]; /* channel shown for each run that has frames */
  LacFrame *frames[LAC_FIGURE_MOST_RUNS];   /* (nullable): one per run */
  LacDerivedRun
    *derived[LAC_FIGURE_MOST_RUNS]; /* (nullable): owns runs[r] if that run has derived channels */
  gboolean is_film;                 /* marks the current step in curves */
} LacFigureScene;

/* Borrows its arguments. Returns: FALSE with an error. */
gboolean lac_figure_scene_init(LacFigureScene      *scene,
                               LacRunFile *const   *runs,
                               gsize                n_runs,
                               const LacFigureSpec *spec,
                               GError             **error);
void     lac_figure_scene_clear(LacFigureScene *scene);
/* Returns TRUE when a figure of this kind shows a channel. */
gboolean lac_figure_scene_has_channel(const LacFigureScene *scene);
/* Loads saved frame @i of the first run and the matching frames of the others. */
gboolean lac_figure_scene_load(LacFigureScene *scene, gsize i, GError **error);
/* Returns: (nullable): the quantity of the selected channel; NULL without a selection. Valid as long as the run. */
const char *lac_figure_scene_get_quantity(const LacFigureScene *scene);
/* Returns the field scales over the loaded frames; all 0 without frames. */
LacFigureScales lac_figure_scene_measure(const LacFigureScene *scene);
/* Draws the figure. @drawing: (nullable): measures only. Returns: the height used. */
double lac_figure_scene_draw(const LacFigureScene *scene,
                             LacDrawing           *drawing,
                             const LacFigurePlace *place);

/* Returns the number of panels of a figure of fields. */
gsize
lac_figure_count_panels(const LacRunFile *run, const LacFrame *frame, const LacFigurePlace *place);

/* Draw one kind of figure with its caption. Return: the height used. */
double lac_figure_draw_spectrum(LacDrawing           *drawing,
                                const LacFigureScene *scene,
                                const LacFigurePlace *place);
double lac_figure_draw_curves(LacDrawing           *drawing,
                              const LacFigureScene *scene,
                              const LacFigurePlace *place);
double lac_figure_draw_comparison(LacDrawing           *drawing,
                                  const LacFigureScene *scene,
                                  const LacFigurePlace *place);
double lac_figure_draw_phases(LacDrawing           *drawing,
                              const LacFigureScene *scene,
                              const LacFigurePlace *place);
double lac_figure_draw_flame(LacDrawing           *drawing,
                             const LacFigureScene *scene,
                             const LacFigurePlace *place);
/* Draws the counters of the visible range, one a row, from y = 0 down. Returns: the height used. */
double lac_figure_draw_counters(LacDrawing            *drawing,
                                const LacCapture      *capture,
                                const LacTimelineView *view);
/* Returns TRUE when a figure of this kind is drawn from records, and needs no frames. */
gboolean lac_figure_is_of_records(LacFigureKind kind);
/* Draws, as one plot over several runs, the first metric that changes over their steps. Returns: the height used; 0
 * without such a metric. */
double lac_figure_draw_key_curve(LacDrawing           *drawing,
                                 const LacFigureScene *scene,
                                 const LacFigurePlace *place);
/* runs.c, comparison.c */
/* Returns what distinguishes a run: its experiment, else at most @most differing settings, else its seed or name. */
char *lac_figure_dup_difference(const LacFigureScene *scene, gsize r, gsize most);
/* Label the runs by their differences: briefly, for plots; and in a sentence with the folder names, for the end of a
 * caption. */
GStrv lac_figure_dup_names(const LacFigureScene *scene);
void  lac_figure_append_runs(const LacFigureScene *scene, GString *text);
/* Returns the common scales of a comparison. */
LacFigureScales lac_figure_measure_comparison(const LacFigureScene *scene);

/* Draws the panel letter in bold, as "(b)", and @title beside it, no wider than @width. @letter: 0: none */
void lac_figure_draw_title(LacDrawing *drawing,
                           LacPoint    at,
                           double      width,
                           double      size,
                           char        letter,
                           const char *title);
/* Returns the generated caption (transfer full). @n_fields: number of panels that use the scale of the true field */
char *lac_figure_dup_caption(const LacRunFile     *run,
                             const LacFrame       *frame,
                             const LacFigurePlace *place,
                             gsize                 n_fields);
/* Draws a caption below @y: the user's text if there is one, else the generated text @made. Returns: the height
 * used. */
double lac_figure_draw_caption(LacDrawing           *drawing,
                               const LacFigurePlace *place,
                               double                y,
                               const char           *made);
/* Draws a scale bar of the horizontal axis, white on dark or dark on white, in a lower corner of the box. */
void lac_figure_draw_scale_bar(LacDrawing  *drawing,
                               const double box[4],
                               double       span,
                               const char  *unit,
                               double       size);

G_END_DECLS
