/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a program: the plan (where everything lies, what is called in which order) and its replay. */
#pragma once

#include "graph/graph-private.h"
#include "graph/program/program.h"

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

/* How a layer is computed, where the device has more than one way. */
typedef enum {
  LAC_STEP_PLAIN, /* there is no choice */
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
  gsize  zero[LAC_OP_MAX_INPUTS]; /* elements a point of x_bar to be zeroed before the call */
  double seed;                    /* LacOpCall.seed */
  guint  timer;
} LacStep;

/* Calls that are summed under one name: "layer tanh 128x128 forward". */
typedef struct {
  char   *name;
  double  flops, bytes; /* of one replay */
  guint64 calls;        /* in one replay */
  gsize   live_bytes;   /* most bytes of the arena that hold something while it runs */
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
  gboolean       whole;   /* in place of tiles: all points, in as many parts as there are workers */
  guint          without; /* LacWithout */
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

/* The timer of @step, which covers @n_points in a replay; makes it known the first time. */
guint lac_plan_timer(LacPlan *plan, const LacStep *step, gsize n_points);

/* Fills in the tile buffers of @region; its steps are complete afterwards. */
void lac_region_build(LacPlan *plan, LacRegion *region);

/* What a worker writes: nobody else reads it before the pool has come to rest. */
typedef struct {
  double  *tile_ticks;   /* [n_timers] of all tiles, as those say that were timed */
  guint64 *weight_ticks; /* [n_timers] of what is done once a replay */
  guint64  chunk_ticks;  /* of the chunks it worked on */
  LacLane *lane;
} LacWorker;

typedef struct {
  double        *sums; /* [n_nodes] of the scalars */
  LacStatus      status;
  const LacStep *culprit;
} LacChunk;

/* What is done in one evaluation: what is different is another recording. */
typedef struct {
  const guint8 *theta;
  void         *gradient; /* where it is copied to; NULL: nowhere */
  LacStatus (*follow)(gpointer user_data);
  gpointer user_data;
} LacWanted;

#define LAC_MAX_RECORDINGS 4 /* vectors that are evaluated at in turn */

/* A second recording of what is wanted most, with moments between its kernels, that is replayed now and then instead. */
typedef struct {
  LacWanted wanted;
  void     *recording; /* NULL: not yet */
  gboolean  is_marking;
  GArray   *nodes; /* LacMarkedNode: what comes after each moment; one moment more than these */
  float    *ms;    /* [nodes + 1] */
  guint64   run;   /* whose moments have not been read; 0: none */
  gint64    asked_ns, step;
  LacLane  *lane;
  guint32   name_follow;
} LacDeviceTiming;

typedef struct {
  guint32         name;
  const LacTimer *timer; /* (nullable) */
} LacMarkedNode;

/* Steps on a device that records them: sums and seeds stay in its memory, and a replay is one call. */
typedef struct {
  gboolean wanted;
  gboolean warm;     /* it ran once as single calls: libraries have set up what they keep */
  gboolean is_plain; /* it cannot be recorded: single calls for good */
  gboolean seeds_sent;
  guint   *slots; /* [n_nodes] number of a scalar among the sums and seeds */
  guint    n_slots;
  double  *sums, *seeds; /* [n_slots] in device memory, one block: sums, what is watched, seeds */
  gsize    n_watched;
  gsize    n_bytes; /* of a letter: sums and what is watched */
  double  *numbers; /* host, n_bytes: seeds going there, a letter coming back */
  struct {
    LacWanted wanted;
    void     *recording; /* NULL: it was done once as single calls */
  } recordings[LAC_MAX_RECORDINGS];
  guint   n_recordings; /* noted so far; the oldest gives way */
  guint64 tickets[LAC_POSTS];
  guint64 n_runs;
} LacRecorded;

struct _LacProgram {
  LacProgramOptions options;
  LacGraph         *graph; /* a reference */
  LacPlan          *plan;
  LacNode           loss;
  guint8           *arena;   /* device memory */
  double           *scalars; /* [n_nodes] values after a replay */
  LacChunk         *chunks;
  LacRecorded       recorded;
  LacDeviceTiming   device_timing;
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
  LacWanted     wanted;
  gboolean      later; /* LacObjective.later */
  gint64        step;
};

/* Runs pack, tiles and reduction. Returns: the first failure in the order of the chunks, with the step it happened at. */
LacStatus lac_program_execute(LacProgram *program, const LacStep **culprit);
/* The same as calls of kernels, for which nothing waits. */
LacStatus lac_program_call(LacProgram *program, const LacStep **culprit);
/* What is wanted beside: the copy of the gradient, and what follows it. */
LacStatus lac_program_conclude(LacProgram *program);

/* recorded.c */
LacStatus lac_recorded_open(LacProgram *program);
void      lac_recorded_close(LacProgram *program);
/* Waits for the letter of run @run, the first of which is 1, and opens it. */
LacStatus lac_recorded_collect(LacProgram *program, guint64 run);

/* device-timing.c: times of what is asked of a device that records steps. */
void lac_device_timing_open(LacProgram *program);
void lac_device_timing_close(LacProgram *program);
/* A moment, where some are noted just now; from it on the device does what is @name, with what @timer, (nullable), says of it. */
LacStatus lac_device_timing_mark(LacProgram *program, const LacTimer *timer, guint32 name);
static inline LacStatus
lac_device_timing_mark_step(LacProgram *program, const LacStep *step)
{
  if (!program->device_timing.is_marking)
    return LAC_STATUS_OK;
  return lac_device_timing_mark(program,
                                &g_array_index(program->plan->timers, LacTimer, step->timer),
                                program->timer_names[step->timer]);
}
/* Whether the run that comes next is replayed with moments. */
gboolean lac_device_timing_is_due(const LacProgram *program);
void     lac_device_timing_requested(LacProgram *program);
void     lac_device_timing_give_up(LacProgram *program); /* for good */
/* Hands over the times where run @run, or one before it, had moments. */
void lac_device_timing_read(LacProgram *program, guint64 run);

void lac_program_init_timing(LacProgram *program);

/* How many tiles of @region the time of @tile is taken for; 0: it is not timed. */
double lac_program_tiles_timed(const LacProgram *program, const LacRegion *region, gsize tile);
void   lac_program_emit_timing(LacProgram *program, gint64 start_ns);

/* As lac_program_new(), with guard zones; lac_program_check_guards() counts the bytes of them that were overwritten. */
LacProgram *lac_program_new_planned(const LacPlanRequest    *request,
                                    const LacProgramOptions *options,
                                    GError                 **error);
gsize       lac_program_check_guards(LacProgram *program);

G_END_DECLS
