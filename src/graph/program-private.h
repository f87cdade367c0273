/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a program: the plan (where everything lies, what is called in which order) and its replay. */
#pragma once

#include "graph/graph-private.h"
#include "graph/program.h"

G_BEGIN_DECLS

/* Where a buffer begins; the bases are known only when a tile is computed. */
typedef enum {
  LAC_AT_NOTHING,
  LAC_AT_TILE,     /* scratch of the worker, used again by every tile */
  LAC_AT_ARENA,    /* one place for all */
  LAC_AT_THETA,    /* the vector the caller evaluates at */
  LAC_AT_GRADIENT, /* the gradient of the chunk */
  LAC_N_PLACES,
} LacPlace;

typedef struct {
  LacPlace place;
  gsize    offset; /* bytes */
  gsize    stride; /* bytes a point, where the buffer spans the whole set */
} LacSpot;

typedef struct {
  const LacNodeInfo *node;
  const LacNodeInfo *inputs[LAC_OP_MAX_INPUTS];
  gboolean           reverse;
  LacSpot            x[LAC_OP_MAX_INPUTS], x_bar[LAC_OP_MAX_INPUTS];
  LacSpot            y, y_bar, saved, constants, packed_forward, packed_reverse;
  double             keep[LAC_OP_MAX_INPUTS];
  gsize  zero[LAC_OP_MAX_INPUTS]; /* elements a point of x_bar to be zeroed before the call */
  double seed;                    /* LacOpCall.seed */
  guint  timer;
} LacStep;

/* Calls that are summed under one name: "layer tanh 128x128 forward". */
typedef struct {
  char  *name;
  double flops, bytes; /* of one replay */
  gsize  live_bytes;   /* most bytes of the arena that hold something while it runs */
} LacTimer;

/* The nodes of one point set, computed tile by tile: all of them forward, then in reverse. */
typedef struct {
  guint   set;
  gsize   n_points, tile_points, n_tiles;
  GArray *steps; /* LacStep */
  gsize   scratch_bytes;
} LacRegion;

/* A weight that layer_pack lays out anew in every replay. */
typedef struct {
  const LacNodeInfo *node; /* the layer */
  const LacNodeInfo *weight;
  gsize              n_in, n_out;
  LacSpot            forward, reverse;
} LacPack;

typedef struct {
  LacGraph      *graph;
  const LacNode *outputs; /* read while planning */
  gsize          n_outputs;
  LacNode        loss;
  LacDevice      device;
  LacType        type;
  gboolean       gradient;
  gsize          tile_points; /* 0: chosen */
  gboolean       whole; /* in place of tiles: all points, in as many parts as there are workers */
  guint          n_workers;
  gsize
    guard_bytes; /* after every buffer of a tile, and no buffer shares memory: for tests; else 0 */
} LacPlanRequest;

typedef struct {
  LacPlanRequest request;
  guint          n_nodes;
  gsize          n_parameters;
  gboolean      *live;        /* [n_nodes] computed at all */
  gboolean      *wants_bar;   /* [n_nodes] lies between a parameter and the loss */
  double        *coefficient; /* [n_nodes] of a scalar: derivative of the loss with respect to it */
  double       **factors;     /* [n_nodes] of a weighted sum: its factors in this program */
  gsize    n_bars;     /* elements of a gradient: of theta, then of the matrices computed from it */
  gsize   *bar_offset; /* [n_nodes] of a matrix: where its part of a gradient begins */
  LacSpot *spots;      /* [n_nodes] leaves, outputs, matrices that are not part of theta */
  LacSpot *constants;  /* [n_nodes] */
  GArray  *weights;    /* LacStep: matrices before the tiles, then their reverse after them */
  GArray  *regions;    /* LacRegion */
  GArray  *packs;      /* LacPack */
  GArray  *timers;     /* LacTimer */
  GArray  *guards;     /* gsize: offsets of guard zones within the scratch of a worker */
  guint    n_chunks;
  gsize    theta_offset, gradient_offset, gradient_stride; /* bytes; a gradient a chunk */
  gsize    scratch_offset, scratch_stride;                 /* bytes; scratch a worker */
  gsize    arena_bytes;
} LacPlan;

LacPlan *lac_plan_new(const LacPlanRequest *request);
void     lac_plan_free(LacPlan *plan);

/* Whether the layer packed its weight the way @layer needs it. */
gboolean lac_pack_serves(const LacPack *pack, const LacNodeInfo *layer);

/* Elements of a node in its whole set, or of a parameter. */
gsize lac_node_length(const LacNodeInfo *info);

/* Sets the seeds of all steps from the factors. */
void lac_plan_seed(LacPlan *plan);

/* The timer of @step, which covers @n_points in a replay; makes it known the first time. */
guint lac_plan_timer(LacPlan *plan, const LacStep *step, gsize n_points);

/* Lists the steps of the matrices. */
void lac_weights_build(LacPlan *plan);

/* Fills in the tile buffers of @region; its steps are complete afterwards. */
void lac_region_build(LacPlan *plan, LacRegion *region);

/* What a worker writes: nobody else reads it before the pool has come to rest. */
typedef struct {
  guint64 *ticks; /* [n_timers] of the calls that were timed */
  guint64 *calls; /* [n_timers] all of them */
  guint64 *timed; /* [n_timers] those that were timed */
  LacLane *lane;
} LacWorker;

typedef struct {
  double        *sums; /* [n_nodes] of the scalars */
  LacStatus      status;
  const LacStep *culprit;
} LacChunk;

struct _LacProgram {
  LacProgramOptions options;
  LacGraph         *graph; /* a reference */
  LacPlan          *plan;
  LacNode           loss;
  guint8           *arena;   /* device memory */
  double           *scalars; /* [n_nodes] values after a replay */
  LacChunk         *chunks;
  LacStatus        *pack_status; /* [n_packs] */
  LacStatus         feed_status; /* first trouble of a transfer, told by the next replay */
  LacWorker        *workers;
  guint             n_workers;
  gboolean          timed, tile_spans; /* decided at creation */
  guint32          *timer_names;
  guint32           span_pack, span_tiles, span_reduce, span_tile;
  gpointer          staging; /* host; as large as the largest vector that is fed or read */
  /* of the replay that is going on */
  const guint8 *theta;
  gint64        step;
};

/* Runs pack, tiles and reduction. Returns: the first failure in the order of the chunks, with the step it happened at. */
LacStatus lac_program_execute(LacProgram *program, const LacStep **culprit);

void lac_program_init_timing(LacProgram *program);
void lac_program_emit_timing(LacProgram *program, gint64 start_ns);

/* As lac_program_new(), with guard zones; lac_program_check_guards() counts the bytes of them that were overwritten. */
LacProgram *lac_program_new_planned(const LacPlanRequest    *request,
                                    const LacProgramOptions *options,
                                    GError                 **error);
gsize       lac_program_check_guards(LacProgram *program);

G_END_DECLS
