/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Publication figures of every view, in millimetres. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/canvas/canvas.h"
#include "report/canvas/flow-lines.h"
#include "report/volume/scene.h"

G_BEGIN_DECLS

#define LAC_FIGURE_VERSION 1

/* Kinds of figures. */
typedef enum {
  LAC_FIGURE_FIELDS,   /* a channel: true field, reconstructions and errors; or a volume or chart */
  LAC_FIGURE_SPECTRUM, /* energy by wavenumber */
  LAC_FIGURE_CURVES,   /* metrics; several runs in one plot */
  LAC_FIGURE_TIMELINE, /* operations of a few steps */
  LAC_FIGURE_PHASES, /* wall clock by phase, and own time by operation; several runs on one scale */
  LAC_FIGURE_FLAME,  /* calls by path on the clock; of two runs, their difference */
  LAC_FIGURE_COMPARISON, /* a channel of several runs side by side, with their key result */
  LAC_N_FIGURES
} LacFigureKind;

/* Finds the kind for a word, "fields", "spectrum" ... Returns: FALSE for an unknown word. */
gboolean    lac_figure_kind_find(const char *word, LacFigureKind *kind);
const char *lac_figure_kind_word(LacFigureKind kind);
const char *lac_figure_kind_title(LacFigureKind kind); /* translatable */

#define LAC_FIGURE_MOST_RUNS 4 /* side by side */

/* A range of values; if not given, the range of the data is used. */
typedef struct {
  gboolean is_given;
  double   low, high;
} LacFigureRange;

/* Selection of panels among the fields that share the channel's quantity. */
typedef enum {
  LAC_PANELS_ALL,        /* true field, every source, the error of each */
  LAC_PANELS_ERRORS,     /* true field and errors */
  LAC_PANELS_DEVIATION,  /* uncertainty reported by the sources */
  LAC_PANELS_PAIR,       /* true field (without one, the first source) and the channel */
  LAC_PANELS_DIFFERENCE, /* second field of the pair minus the first */
  LAC_PANELS_ONE,        /* the channel only */
  LAC_N_PANELS
} LacPanels;
const char *lac_panels_word(LacPanels panels);
LacPanels   lac_panels_find(const char *word); /* LAC_PANELS_ALL for an unknown word */

/* Mapping of values to colours. 0 or NULL selects the default; words are those of report/figure/members.h. */
typedef struct {
  char          *panels;                        /* default: all */
  char          *colour_map, *error_colour_map; /* defaults: the channel's own; balance */
  char          *transfer, *error_transfer;     /* default: linear */
  LacFigureRange limits, error_limits;
  gboolean       isolines;
  LacFlowLook    flow; /* fields with a velocity only */
} LacFigureLook;

/* Description of a figure, stored in a JSON side file. 0 or NULL selects the default. */
typedef struct {
  LacFigureKind  kind;
  char          *run;             /* run folder; side file only */
  GStrv          others;          /* folders of the runs compared with it; side file only */
  GStrv          units;           /* keys of base/unit.h for displayed numbers; side file only */
  char          *channel;         /* default: first reconstruction */
  gint64         step;            /* uses the nearest saved frame; -1: the last */
  gint64         n_steps;         /* timeline; default 3 */
  LacFigureRange between;         /* timeline, instead of steps: seconds since the first record */
  gboolean       against_seconds; /* compute time: axis of curves, equal in comparisons */
  char          *journal;         /* key of report/figure/journal.h: source of the default sizes */
  char          *columns;         /* word of report/figure/journal.h; default "double" */
  double         width_mm;        /* default 183 */
  double         font_size;       /* points; default 7 */
  double         line_width;      /* frame line in points; default 0.6 */
  double         dpi;             /* PNG only; default 300 */
  char          *caption;         /* caption text; "": none; NULL: generated from the run */
  LacFigureLook  look;            /* fields only */
  gboolean       without_scale_bar;
  gboolean       transparent; /* no white background */
  gboolean       has_view;
  LacVolumeView  volume_view; /* volume; default: initial view */
} LacFigureSpec;

void lac_figure_spec_clear(LacFigureSpec *spec);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacFigureSpec, lac_figure_spec_clear)
void lac_figure_spec_copy(const LacFigureSpec *spec,
                          LacFigureSpec       *copy); /* @copy: cleared by the caller */

/* Reads a side file. Returns: FALSE with %LAC_ERROR_BAD_FILE set. */
gboolean lac_figure_spec_load(const char *path, LacFigureSpec *spec, GError **error);

/* Serialises the description of a figure to one line of JSON without laying it out; unset members stay unset.
 * @folders: NULL-terminated: folder of the main run, then those of the runs compared with it. Returns: (transfer
 * full) */
char    *lac_figure_spec_dup_order(const LacFigureSpec *spec, const char *const *folders);
gboolean lac_figure_spec_parse(const char *text, LacFigureSpec *spec, GError **error);

/* Finds the velocity components of the source that channel @of comes from. @pair: (out): channels of the components.
 * Returns: FALSE if that source has no velocity. */
gboolean lac_figure_find_velocity(const LacRunFile *run, gsize of, gsize pair[2]);
/* Returns TRUE when any channel has a velocity. */
gboolean lac_figure_has_velocity(const LacRunFile *run);

/* A figure after layout; immutable. */
typedef struct _LacFigure LacFigure;

/**
 * lac_figure_new:
 * @runs: [n_runs], the first is the main run of the figure
 *
 * Thread: any; one at a time for a run.
 * Returns: %NULL with %LAC_ERROR_USAGE, %LAC_ERROR_UNKNOWN_KEY or %LAC_ERROR_BAD_FILE set.
 */
LacFigure *
lac_figure_new(LacRunFile *const *runs, gsize n_runs, const LacFigureSpec *spec, GError **error);
void lac_figure_free(LacFigure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacFigure, lac_figure_free)

/* The drawing is in points and includes the margins. Return: (transfer none) */
const LacDrawing    *lac_figure_get_drawing(const LacFigure *figure);
const LacFigureSpec *lac_figure_get_spec(const LacFigure *figure); /* with all defaults filled in */
void lac_figure_get_size(const LacFigure *figure, double *width_mm, double *height_mm);

/**
 * lac_figure_save:
 * @path: its extension selects the format: .pdf .eps .svg .png; PATH.json is written beside it, from which `lacuna figure`
 *   reproduces the same bytes
 *
 * Returns: FALSE with %LAC_ERROR_USAGE, %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL set.
 */
gboolean lac_figure_save(const LacFigure *figure, const char *path, GError **error);

/* Lays out and saves a figure. */
gboolean lac_figure_write(LacRunFile *const   *runs,
                          gsize                n_runs,
                          const LacFigureSpec *spec,
                          const char          *path,
                          GError             **error);

/* Colour scales: range of the fields, and limit of the error scale, which is symmetric. */
typedef struct {
  double low, high, error_high;
} LacFigureScales;

/* Return the scales of one frame, overridden by the limits of @look (nullable); and the union of two scales. */
LacFigureScales lac_figure_measure(const LacRunFile    *run,
                                   const LacFrame      *frame,
                                   gsize                channel,
                                   const LacFigureLook *look);
LacFigureScales lac_figure_join(const LacFigureScales *a, const LacFigureScales *b);

/**
 * LacFigurePlace:
 * @x, @y: upper left corner; @width: points; @font_size: points
 * @channel: index of the channel to show
 * @caption: draws a caption below the panels
 * @scales: (nullable): default: scales of the frame
 * @volume_view: (nullable): camera and slice of a volume; default: initial view
 * @scale_bar: draws a scale bar in the first panel, if both axes are lengths in the same unit
 *
 * Placement and options of a figure in a drawing.
 */
typedef struct {
  double                 x, y, width, font_size;
  gsize                  channel;
  gboolean               caption;
  const LacFigureScales *scales;
  const LacVolumeView   *volume_view;
  char                   letter;       /* letter of the first panel; 0: a */
  const char            *caption_text; /* (nullable): replaces the generated caption */
  gboolean               scale_bar;
  gboolean without_results;  /* no results in the generated caption: a table beside it has them */
  const LacFigureLook *look; /* (nullable) */
} LacFigurePlace;
/* Draws a figure of one channel. @drawing: (nullable): measures only. Returns: the height used. */
double lac_figure_draw(LacDrawing           *drawing,
                       const LacRunFile     *run,
                       const LacFrame       *frame,
                       const LacFigurePlace *place);

/* Draws where the time of a run went: its phases, its operations and its flame graph, without a caption. Uses the
 * place, the width and the font size of @place. @drawing: (nullable): measures only. Returns: the height used; 0
 * without spans. */
double lac_figure_draw_time(LacDrawing *drawing, LacRunFile *run, const LacFigurePlace *place);

G_END_DECLS
