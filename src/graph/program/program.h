/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program: a graph planned once for one element type and device, then replayed without allocating. */
#pragma once

#include "backend/registry.h"
#include "base/pool.h"
#include "graph/graph.h"
#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacProgram LacProgram;

/* What can be done the plain way, to measure what the other way is worth. Results are the same but for rounding. */
typedef enum {
  LAC_WITHOUT_TILES = 1 << 0,  /* node by node, over all points that a thread computes */
  LAC_WITHOUT_FUSION = 1 << 1, /* lac_graph_set_plain_layers() */
  LAC_WITHOUT_REPLAY =
    1 << 2, /* what is trained is recorded and planned anew in every step, without a warm-up */
  LAC_WITHOUT_FUSED_JETS = 1 << 3,  /* a device's layers as product, then formula, all of them */
  LAC_WITHOUT_FUSION_RULE = 1 << 4, /* its layers in one kernel wherever there is one for them */
  LAC_WITHOUT_TOGETHER = 1 << 5,    /* its small kernels one by one */
} LacWithout;

typedef struct {
  LacDevice device;
  LacType   type;
  LacPool  *pool;        /* borrowed */
  LacPerf  *perf;        /* borrowed; NULL: nothing is recorded */
  LacLane  *lane;        /* of the calling thread; NULL with perf NULL */
  gboolean  gradient;    /* record the reverse pass too */
  gsize     tile_points; /* 0: chosen so that a tile stays in the L2 cache */
  gsize     n_watched;   /* numbers at the beginning of theta that lac_program_collect() brings */
  guint     without;     /* LacWithout, together; 0: nothing */
} LacProgramOptions;

/**
 * lac_program_new:
 * @loss: a scalar node, or LAC_NO_NODE for a program that only evaluates outputs
 * @outputs: per-point nodes to keep for lac_program_read()
 *
 * Plans every buffer into one arena of device memory, packs and warms up. @graph may be freed or grow afterwards.
 *
 * Memory: leaves and outputs whole, scratch of one tile a worker, and with a gradient the gradients of all chunks side by
 * side: 16 times theta and the matrices made of it, from 131072 parameters on 8 times.
 *
 * Returns: %NULL with %LAC_ERROR_DEVICE set; the message names the op and its shapes.
 */
LacProgram *lac_program_new(LacGraph                *graph,
                            LacNode                  loss,
                            const LacNode           *outputs,
                            gsize                    n_outputs,
                            const LacProgramOptions *options,
                            GError                 **error);
void        lac_program_free(LacProgram *program);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacProgram, lac_program_free)

/* Feeds a points leaf or a fixed matrix; @values: [n_points][n_columns], converted to the program's type. */
void lac_program_feed(LacProgram *program, LacNode leaf, const double *values);

/* The flat vectors, in device memory of the program's type, length lac_program_get_n_parameters(). */
gpointer lac_program_get_theta(LacProgram *program);
gpointer lac_program_get_gradient(LacProgram *program);
gsize    lac_program_get_n_parameters(const LacProgram *program);
void     lac_program_set_theta(LacProgram *program, const double *theta); /* host, converted */
void     lac_program_dup_theta(LacProgram *program, double *theta);       /* to host */

/**
 * lac_program_run:
 * @theta: device vector to evaluate at, or NULL for the program's own
 * @loss: (out) (optional): the loss, summed in double
 *
 * One replay: forward and, where asked for, the gradient into lac_program_get_gradient().
 * Bitwise the same for any number of threads. Does not allocate.
 */
gboolean lac_program_run(LacProgram   *program,
                         gconstpointer theta,
                         gint64        step,
                         double       *loss,
                         GError      **error);

/* Copies an output to the host; @values: [n_points][n_columns], with [n_streams] in between where it carries derivatives.
 * A scalar node that the loss is made of may be read too: one number. */
void lac_program_read(LacProgram *program, LacNode output, double *values);

/* Puts the first @n points of an output into a parcel of the device, from byte @at on, as they are: in the program's type. For a
 * device that has parcels. Returns: bytes put; trouble is told by the next replay */
gsize lac_program_put(LacProgram *program, LacNode output, gsize n, gpointer buffer, gsize at);

/* A program's loss as an objective for lac_optimiser_step(): pass it as user data of lac_program_evaluate(). */
typedef struct {
  LacProgram *program;
  gint64      step; /* goes into the records */
  gboolean later; /* nothing waits: the loss is NaN, and comes by lac_program_collect(). Only where
                      * lac_program_is_posted(). The gradient is always there. */
  /* (optional): kernels asked for once the gradient is there, always the same ones: where steps are recorded they are
   * recorded with them. */
  LacStatus (*follow)(gpointer user_data);
  gpointer user_data;
} LacObjective;

/* A LacEvaluate over a LacObjective. */
gboolean lac_program_evaluate(gconstpointer theta,
                              gpointer      gradient,
                              double       *loss,
                              gpointer      objective,
                              GError      **error);

/* Whether losses may come later: steps are recorded, and what they tell is sent as a letter. */
gboolean lac_program_is_posted(const LacProgram *program);

/* The number of the last evaluation, for lac_program_collect(). */
guint64 lac_program_get_run(const LacProgram *program);

/**
 * lac_program_collect:
 * @run_number: of lac_program_get_run(); fewer than LAC_POSTS letters were sent by anybody on the device since
 * @watched: (out) (optional): [n_watched] of theta, as they were after what followed
 *
 * Waits for that evaluation; lac_program_read() of scalars then tells its numbers. Where no letters are sent: of the last one.
 */
gboolean lac_program_collect(LacProgram *program,
                             guint64     run_number,
                             double     *loss,
                             double     *watched,
                             GError    **error);

gsize lac_program_get_arena_bytes(const LacProgram *program); /* high-water mark of the plan */
double
lac_program_get_flops(const LacProgram *program); /* of one replay, from the op descriptors */
LacDevice lac_program_get_device(const LacProgram *program);
LacType   lac_program_get_type(const LacProgram *program);
LacPool  *lac_program_get_pool(const LacProgram *program);

G_END_DECLS
