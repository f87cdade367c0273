/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A figure's scene: what it is drawn from at one step, and its parts that are no fields. */
#pragma once

#include "report/figure/derived-run.h"
#include "report/figure/figure.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* spec.c */
void  lac_figure_spec_resolve(LacFigureSpec *spec);
void  lac_figure_spec_fill_from_runs(LacFigureSpec *spec, LacRunFile *const *runs, gsize n_runs);
char *lac_figure_spec_dup_text(const LacFigureSpec *spec, LacRunFile *const *runs, gsize n_runs);

/* members.c: of the members in the table */
void lac_figure_members_clear(LacFigureSpec *spec);
void lac_figure_members_own(LacFigureSpec *copy); /* of what is another's until then */
void lac_figure_members_load(JsonObject *object, LacFigureSpec *spec);
void lac_figure_members_add(JsonBuilder *builder, const LacFigureSpec *spec);

typedef struct {
  LacRunFile          *runs[LAC_FIGURE_MOST_RUNS]; /* borrowed */
  gsize                n_runs;
  const LacFigureSpec *spec;                     /* resolved */
  gsize          channels[LAC_FIGURE_MOST_RUNS]; /* that are shown, of each run that has frames */
  LacFrame      *frames[LAC_FIGURE_MOST_RUNS];   /* (nullable): of each run */
  LacDerivedRun *derived[LAC_FIGURE_MOST_RUNS];  /* (nullable): what the runs are then of */
  gboolean       is_film; /* where a step is one of many: curves are marked there */
} LacFigureScene;

/* Borrows its arguments. Returns: FALSE with an error. */
gboolean lac_figure_scene_init(LacFigureScene      *scene,
                               LacRunFile *const   *runs,
                               gsize                n_runs,
                               const LacFigureSpec *spec,
                               GError             **error);
void     lac_figure_scene_clear(LacFigureScene *scene);
/* Whether its kind shows one. */
gboolean lac_figure_scene_has_channel(const LacFigureScene *scene);
/* Takes kept frame @i of the first run, and of the others those that belong to it. */
gboolean lac_figure_scene_load(LacFigureScene *scene, gsize i, GError **error);
/* Returns: (nullable): the quantity of the channel that was asked for; NULL where none was. Valid as long as the run. */
const char *lac_figure_scene_get_quantity(const LacFigureScene *scene);
/* Of the frames it has: scales of fields; all 0 where it has none. */
LacFigureScales lac_figure_scene_measure(const LacFigureScene *scene);
/* Returns: the height used. @drawing: NULL to measure only. */
double lac_figure_scene_draw(const LacFigureScene *scene,
                             LacDrawing           *drawing,
                             const LacFigurePlace *place);

/* Of a plane. */
gsize
lac_figure_count_panels(const LacRunFile *run, const LacFrame *frame, const LacFigurePlace *place);

/* Kinds of figures; captions included. Return: the height used. */
double lac_figure_draw_spectrum(LacDrawing           *drawing,
                                const LacFigureScene *scene,
                                const LacFigurePlace *place);
double lac_figure_draw_curves(LacDrawing           *drawing,
                              const LacFigureScene *scene,
                              const LacFigurePlace *place);
double lac_figure_draw_comparison(LacDrawing           *drawing,
                                  const LacFigureScene *scene,
                                  const LacFigurePlace *place);
/* The first metric that goes on in several runs; nothing, 0, where there is none. */
double lac_figure_draw_key_curve(LacDrawing           *drawing,
                                 const LacFigureScene *scene,
                                 const LacFigurePlace *place);
/* runs.c */
/* What sets a run apart: its experiment, or the settings that differ, at most @most of them; else its seed, or its name. */
char *lac_figure_dup_difference(const LacFigureScene *scene, gsize r, gsize most);
/* What sets each run apart from the others, in a few words; and as the end of a caption, with the names of their folders. */
GStrv           lac_figure_dup_names(const LacFigureScene *scene);
void            lac_figure_append_runs(const LacFigureScene *scene, GString *text);
LacFigureScales lac_figure_measure_comparison(const LacFigureScene *scene);

/* "(b)", bold, and @title beside it, no wider than @width. @letter: 0: none */
void lac_figure_draw_title(LacDrawing *drawing,
                           LacPoint    at,
                           double      width,
                           double      size,
                           char        letter,
                           const char *title);
/* Returns: (transfer full): @n_fields: panels under the truth's scale */
char *lac_figure_dup_caption(const LacRunFile     *run,
                             const LacFrame       *frame,
                             const LacFigurePlace *place,
                             gsize                 n_fields);
/* Below @y, in the place's own words where it has some. Returns: the height used. */
double lac_figure_draw_caption(LacDrawing           *drawing,
                               const LacFigurePlace *place,
                               double                y,
                               const char           *made);
/* A length of the axis across, white on dark or dark on white, in a lower corner of the box. */
void lac_figure_draw_scale_bar(LacDrawing  *drawing,
                               const double box[4],
                               double       span,
                               const char  *unit,
                               double       size);

G_END_DECLS
