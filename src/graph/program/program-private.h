/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals of a program: the plan (memory layout and order of calls) and its replay. */
#pragma once

#include "backend/recorded-step.h"
#include "base/memory-part.h"
#include "graph/graph-private.h"
#include "graph/program/program.h"

G_BEGIN_DECLS

/* Base of a buffer; its address is resolved when a tile is computed. */
typedef enum {
  LAC_AT_NOTHING,
  LAC_AT_TILE,     /* scratch of the worker, reused by every tile */
  LAC_AT_ARENA,    /* shared by all tiles */
  LAC_AT_THETA,    /* the vector theta that the caller evaluates */
  LAC_AT_GRADIENT, /* the gradient of the chunk */
  LAC_N_PLACES,
} LacPlace;

typedef struct {
  LacPlace place;
  gsize    offset; /* bytes */
  gsize    stride; /* bytes per point if the buffer spans the whole set, else 0 */
} LacSpot;

/* Variant of a layer, on a device that has several. */
typedef enum {
  LAC_STEP_PLAIN, /* no variants */
  LAC_STEP_FUSED,
  LAC_STEP_COMPOSED,
} LacStepWay;

typedef struct {
  const LacNodeInfo *node;
  const LacNodeInfo *inputs[LAC_OP_MAX_INPUTS];
  gboolean           reverse;
  LacStepWay         way;
  LacSpot            x[LAC_OP_MAX_INPUTS], x_bar[LAC_OP_MAX_INPUTS];
  LacSpot            y, y_bar, saved, constants, packed_forward, packed_reverse;
  double             keep[LAC_OP_MAX_INPUTS];
  gsize  zero[LAC_OP_MAX_INPUTS]; /* elements per point of x_bar to zero before the call */
  double seed;                    /* LacOpCall.seed */
  guint  timer;
} LacStep;

/* Calls that are summed under one name: "layer tanh 128x128 forward". */
typedef struct {
  char   *name;
  double  flops, bytes; /* per replay */
  guint64 calls;        /* per replay */
  gsize   live_bytes;   /* peak live bytes of the arena while the operation runs */
} LacTimer;

/* The nodes of one point set. Each tile runs them all forward, then in reverse. */
typedef struct {
  guint   set;
  gsize   n_points, tile_points, n_tiles;
  GArray *steps; /* LacStep */
  gsize   scratch_bytes;
} LacRegion;

/* A weight that layer_pack repacks in every replay. */
typedef struct {
  const LacNodeInfo *node; /* the layer that uses the weight */
  const LacNodeInfo *weight;
  gsize              n_in, n_out;
  LacSpot            forward, reverse;
} LacPack;

typedef struct {
  LacGraph      *graph;
  const LacNode *outputs; /* only valid while planning */
  gsize          n_outputs;
  LacNode        loss;
  LacDevice      device;
  LacType        type;
  gboolean       gradient;
  gsize          tile_points; /* 0: automatic */
  gboolean       whole;       /* no tiles: all points, split into one part per worker */
  guint          without;     /* LacWithout */
  guint          n_workers;
  gsize
    guard_bytes; /* for tests: size of the guard zone after every buffer of a tile; these buffers then share no memory; 0: no guard zones */
} LacPlanRequest;

typedef struct {
  LacPlanRequest request;
  guint          n_nodes;
  gsize          n_parameters;
  gboolean      *live;      /* [n_nodes]: the node needs to be computed */
  gboolean      *wants_bar; /* [n_nodes]: the node is on a path from a parameter to the loss */
  double *coefficient;      /* [n_nodes], for a scalar: derivative of the loss with respect to it */
  gsize n_bars; /* length of a gradient in elements: theta, then the matrices computed from theta */
  gsize   *bar_offset; /* [n_nodes], for a matrix: offset of its part of a gradient */
  LacSpot *spots;      /* [n_nodes]: buffers of leaves, outputs and matrices outside theta */
  LacSpot *constants;  /* [n_nodes] */
  GArray  *weights;    /* LacStep: matrices before the tiles, then their reverse */
  GArray  *regions;    /* LacRegion */
  GArray  *packs;      /* LacPack */
  GArray  *timers;     /* LacTimer */
  GArray  *guards;     /* gsize: offsets of guard zones within a worker's scratch */
  guint    n_chunks;
  gsize    theta_offset, gradient_offset, gradient_stride; /* bytes; one gradient per chunk */
  gsize    scratch_offset, scratch_stride;                 /* bytes; scratch per worker */
  gsize    arena_bytes;
} LacPlan;

LacPlan *lac_plan_new(const LacPlanRequest *request);
void     lac_plan_free(LacPlan *plan);

/* Returns TRUE when the packed weight has the layout that @layer needs. */
gboolean lac_pack_serves(const LacPack *pack, const LacNodeInfo *layer);

/* Returns the number of elements of a node over its whole set, or of a parameter. */
gsize lac_node_length(const LacNodeInfo *info);

/* Returns the timer of @step, which covers @n_points in a replay; registers it the first time. */
guint lac_plan_timer(LacPlan *plan, const LacStep *step, gsize n_points);

/* Allocates the tile buffers of @region and so completes its steps. */
void lac_region_build(LacPlan *plan, LacRegion *region);

/* Counters written by one worker; not read by others until the pool is idle. */
typedef struct {
  double  *tile_ticks;   /* [n_timers]: ticks of all tiles, extrapolated from the timed ones */
  guint64 *weight_ticks; /* [n_timers]: ticks of work done once per replay */
  guint64  chunk_ticks;  /* total ticks of the worker's chunks */
  LacLane *lane;
} LacWorker;

typedef struct {
  double        *sums; /* [n_nodes] sums of the scalars */
  LacStatus      status;
  const LacStep *culprit;
} LacChunk;

/* Arguments of one evaluation. Each distinct combination needs a recording of its own. */
typedef struct {
  const guint8 *theta;
  void         *gradient; /* copy the gradient here; NULL: no copy */
  LacStatus (*follow)(gpointer user_data);
  gpointer user_data;
} LacWanted;

#define LAC_MAX_RECORDINGS \
  4 /* maximum number of recordings: enough for the theta vectors evaluated in turn */

/* Steps on a device that records them: sums and seeds stay in device memory, and a replay is one call. */
typedef struct {
  gboolean wanted;
  gboolean seeds_sent;
  guint   *slots; /* [n_nodes]: for a scalar, its index among the sums and seeds */
  guint    n_slots;
  double  *sums, *seeds; /* [n_slots], in one block of device memory: sums, watched values, seeds */
  gsize    n_watched;
  gsize    n_bytes; /* read back: sums and watched values */
  double *
    numbers; /* host memory, n_bytes: holds the seeds on their transfer to the device, and the values read back */
  struct {
    LacWanted        wanted;
    LacRecordedStep *step;
  } recordings[LAC_MAX_RECORDINGS];
  guint            n_recordings; /* recordings so far; the oldest is replaced */
  LacRecordedStep *running;      /* (nullable) */
  const LacStep   *culprit;      /* of the last call */
  LacReadback     *readback;     /* (nullable): of the sums and watched values */
  gboolean         has_room;     /* for LAC_PROGRAM_MOST_OPEN results, instead of one */
  LacPending       sent[LAC_PROGRAM_MOST_OPEN]; /* readback of each of the last runs */
  guint64          n_runs;
} LacRecorded;

struct _LacProgram {
  LacProgramOptions options;
  LacGraph         *graph; /* holds a reference */
  LacPlan          *plan;
  LacNode           loss;
  LacMemoryClaim    claim;   /* of the arena */
  guint8           *arena;   /* device memory */
  double           *scalars; /* [n_nodes] values after a replay */
  LacChunk         *chunks;
  LacRecorded       recorded;
  LacStatus        *pack_status; /* [n_packs] */
  LacStatus         feed_status; /* first failure of a transfer, reported by the next replay */
  LacWorker        *workers;
  guint             n_workers;
  gboolean          timed, tile_spans; /* set at creation */
  guint32          *timer_names;
  guint32           span_pack, span_tiles, span_reduce, span_tile, span_small, span_follow;
  gpointer          staging; /* host; as large as the largest vector fed or read */
  /* arguments of the current replay */
  const guint8 *theta;
  LacWanted     wanted;
  gboolean      later; /* LacObjective.later */
  gint64        step;
};

/* Runs packing, tiles and reduction. Returns: the first failure in the order of the chunks, with the step that
 * failed. */
LacStatus lac_program_execute(LacProgram *program, const LacStep **culprit);
/* Enqueues kernels for the same work, without waiting. */
LacStatus lac_program_call(LacProgram *program, const LacStep **culprit);
/* Enqueues the other requested work: the copy of the gradient, and the kernels of LacWanted.follow. */
LacStatus lac_program_conclude(LacProgram *program);

/* recorded.c */
LacStatus lac_recorded_open(LacProgram *program);
void      lac_recorded_close(LacProgram *program);
/* Makes room for the results of several runs, the first time that they are not waited for. Returns: FALSE if there is none. */
gboolean lac_recorded_make_room(LacProgram *program);
/* Waits for the readback of run @run, counted from 1, and takes its values. */
LacStatus lac_recorded_collect(LacProgram *program, guint64 run);

/* Names the device work that follows in the records of its times. @step: (nullable): @name names it then, else its timer. */
void lac_program_mark(LacProgram *program, const LacStep *step, guint32 name);

void lac_program_init_timing(LacProgram *program);

/* Returns the number of tiles of @region that the measured time of @tile stands for; 0: @tile is not timed. */
double lac_program_tiles_timed(const LacProgram *program, const LacRegion *region, gsize tile);
void   lac_program_emit_timing(LacProgram *program, gint64 start_ns);

/* Does the same as lac_program_new(), with guard zones; lac_program_check_guards() returns the number of their
 * overwritten bytes. */
LacProgram *lac_program_new_planned(const LacPlanRequest    *request,
                                    const LacProgramOptions *options,
                                    GError                 **error);
gsize       lac_program_check_guards(LacProgram *program);

G_END_DECLS
