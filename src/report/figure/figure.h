/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Publication figures of every view, laid out in millimetres. */
#pragma once

#include "io/runfile/run-file.h"
#include "report/canvas/canvas.h"
#include "report/canvas/flow-lines.h"
#include "report/volume/scene.h"

G_BEGIN_DECLS

#define LAC_FIGURE_VERSION 1

/* What a figure shows. */
typedef enum {
  LAC_FIGURE_FIELDS,     /* a channel: truth, reconstructions and errors, a volume or a chart */
  LAC_FIGURE_SPECTRUM,   /* energy by wavenumber */
  LAC_FIGURE_CURVES,     /* metrics; of several runs over each other */
  LAC_FIGURE_TIMELINE,   /* operations of some steps */
  LAC_FIGURE_COMPARISON, /* a channel of several runs beside each other, and their key result */
  LAC_N_FIGURES
} LacFigureKind;

/* "fields", "spectrum" ... Returns: FALSE where the word is unknown. */
gboolean    lac_figure_kind_find(const char *word, LacFigureKind *kind);
const char *lac_figure_kind_word(LacFigureKind kind);
const char *lac_figure_kind_title(LacFigureKind kind); /* translatable */

#define LAC_FIGURE_MOST_RUNS 4 /* beside each other */

/* Between two values; not given: those of what is drawn. */
typedef struct {
  gboolean is_given;
  double   low, high;
} LacFigureRange;

/* Which fields of a channel's quantity. */
typedef enum {
  LAC_PANELS_ALL,        /* the truth, every source, the error of each */
  LAC_PANELS_ERRORS,     /* the truth and the errors */
  LAC_PANELS_DEVIATION,  /* what the sources say of their own uncertainty */
  LAC_PANELS_PAIR,       /* the truth, or else the first source, and the channel */
  LAC_PANELS_DIFFERENCE, /* the second of them minus the first */
  LAC_PANELS_ONE,        /* the channel alone */
  LAC_N_PANELS
} LacPanels;
const char *lac_panels_word(LacPanels panels);
LacPanels   lac_panels_find(const char *word); /* all where it is unknown */

/* How values become colours. A member that is 0 or NULL takes its default; words are those of report/figure/members.h. */
typedef struct {
  char          *panels;                        /* all */
  char          *colour_map, *error_colour_map; /* the channel's own; balance */
  char          *transfer, *error_transfer;     /* linear */
  LacFigureRange limits, error_limits;
  gboolean       isolines;
  LacFlowLook    flow; /* of fields that have a velocity */
} LacFigureLook;

/* What a figure is made of; a side file in JSON keeps it. A member that is 0 or NULL takes its default. */
typedef struct {
  LacFigureKind kind;
  char         *run;    /* the run folder; only of a side file */
  GStrv         others; /* more run folders, that are compared with it; only of a side file */
  GStrv         units; /* keys of base/unit.h that its numbers were shown in; only of a side file */
  char         *channel;    /* the first reconstruction */
  gint64        step;       /* the kept frame nearest to it; -1: the last */
  gint64        n_steps;    /* of a timeline; 3 */
  LacFigureRange between;   /* of a timeline, in place of steps: seconds since its records begin */
  gboolean against_seconds; /* of curves and comparisons: frames and axis go by compute time */
  char  *journal; /* a key of report/figure/journal.h: what sizes follow where they are not given */
  char  *columns; /* a word of report/figure/journal.h; "double" */
  double width_mm;    /* 183 */
  double font_size;   /* points; 7 */
  double line_width;  /* points, of a frame; 0.6 */
  double dpi;         /* of a PNG; 300 */
  char  *caption;     /* its words; "": none; NULL: made from the run */
  LacFigureLook look; /* of fields */
  gboolean      without_scale_bar;
  gboolean      transparent; /* no white ground */
  gboolean      has_view;
  LacVolumeView volume_view; /* of a volume; as it is seen at first */
} LacFigureSpec;

void lac_figure_spec_clear(LacFigureSpec *spec);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacFigureSpec, lac_figure_spec_clear)
void lac_figure_spec_copy(const LacFigureSpec *spec, LacFigureSpec *copy); /* @copy: cleared */

/* Reads a side file. Returns: FALSE with %LAC_ERROR_BAD_FILE set. */
gboolean lac_figure_spec_load(const char *path, LacFigureSpec *spec, GError **error);

/* The same as text in one line, of a figure that need not be laid out: what is not given stays so. @folders: NULL-terminated: its run
 * and those beside it. Returns: (transfer full) */
char    *lac_figure_spec_dup_order(const LacFigureSpec *spec, const char *const *folders);
gboolean lac_figure_spec_parse(const char *text, LacFigureSpec *spec, GError **error);

/* @pair: (out): the components of the velocity of what channel @of is of. Returns: FALSE where it has none. */
gboolean lac_figure_find_velocity(const LacRunFile *run, gsize of, gsize pair[2]);
/* Whether any channel has one. */
gboolean lac_figure_has_velocity(const LacRunFile *run);

/* A figure that is laid out; frozen. */
typedef struct _LacFigure LacFigure;

/**
 * lac_figure_new:
 * @runs: [n_runs], the first is what the figure is of
 *
 * Thread: any; one at a time for a run.
 * Returns: %NULL with %LAC_ERROR_USAGE, %LAC_ERROR_UNKNOWN_KEY or %LAC_ERROR_BAD_FILE set.
 */
LacFigure *
lac_figure_new(LacRunFile *const *runs, gsize n_runs, const LacFigureSpec *spec, GError **error);
void lac_figure_free(LacFigure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacFigure, lac_figure_free)

/* In points, margins included; both (transfer none). */
const LacDrawing    *lac_figure_get_drawing(const LacFigure *figure);
const LacFigureSpec *lac_figure_get_spec(const LacFigure *figure); /* every default filled in */
void lac_figure_get_size(const LacFigure *figure, double *width_mm, double *height_mm);

/**
 * lac_figure_save:
 * @path: its ending chooses the format: .pdf .eps .svg .png; PATH.json is written beside it, from which `lacuna figure` makes the
 *   same bytes
 *
 * Returns: FALSE with %LAC_ERROR_USAGE, %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL set.
 */
gboolean lac_figure_save(const LacFigure *figure, const char *path, GError **error);

/* Both at once. */
gboolean lac_figure_write(LacRunFile *const   *runs,
                          gsize                n_runs,
                          const LacFigureSpec *spec,
                          const char          *path,
                          GError             **error);

/* Colour scales: of the fields, and of the error, which is symmetric. */
typedef struct {
  double low, high, error_high;
} LacFigureScales;

/* Those of one frame with its limits where @look gives them, and what holds both. @look: (nullable) */
LacFigureScales lac_figure_measure(const LacRunFile    *run,
                                   const LacFrame      *frame,
                                   gsize                channel,
                                   const LacFigureLook *look);
LacFigureScales lac_figure_join(const LacFigureScales *a, const LacFigureScales *b);

/**
 * lac_figure_draw:
 * @x, @y: upper left corner; @width: points; @font_size: points
 * @channel: index of the channel to show
 * @caption: draw panels and caption, or the panels alone
 * @scales: (nullable): NULL: those of the frame
 * @volume_view: (nullable): how a volume is looked at; NULL: as it is seen at first
 * @scale_bar: in the first panel, where both axes are lengths of one unit
 *
 * Returns: the height used. @drawing: NULL to measure only.
 */
typedef struct {
  double                 x, y, width, font_size;
  gsize                  channel;
  gboolean               caption;
  const LacFigureScales *scales;
  const LacVolumeView   *volume_view;
  char                   letter;       /* of the first panel; 0: a */
  const char            *caption_text; /* (nullable): in place of the one that is made */
  gboolean               scale_bar;
  gboolean without_results;  /* in the caption that is made: a table beside it has them */
  const LacFigureLook *look; /* (nullable) */
} LacFigurePlace;
double lac_figure_draw(LacDrawing           *drawing,
                       const LacRunFile     *run,
                       const LacFrame       *frame,
                       const LacFigurePlace *place);

G_END_DECLS
