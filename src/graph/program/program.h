/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program: a graph planned once for one element type and device, then replayed without allocating. */
#pragma once

#include "backend/readback.h"
#include "backend/registry.h"
#include "base/pool.h"
#include "graph/graph.h"
#include "perf/recorder/perf.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacProgram LacProgram;

/* Optimisations that can be disabled, to measure their gain. Results agree up to rounding. */
typedef enum {
  LAC_WITHOUT_TILES = 1 << 0,  /* no tiles: node by node, each over all points of a thread */
  LAC_WITHOUT_FUSION = 1 << 1, /* layers as in lac_graph_set_plain_layers() */
  LAC_WITHOUT_REPLAY =
    1
    << 2, /* no reuse of the plan: re-record and re-plan the trained program in every step, without a warm-up */
  LAC_WITHOUT_FUSED_JETS =
    1 << 3, /* layers on a device always as a product followed by the activation */
  LAC_WITHOUT_FUSION_RULE = 1 << 4, /* layers on a device always in one kernel, if there is one */
  LAC_WITHOUT_TOGETHER = 1 << 5,    /* small kernels of a device launched one by one */
} LacWithout;

typedef struct {
  LacDevice device;
  LacType   type;
  LacPool  *pool;        /* borrowed */
  LacPerf  *perf;        /* borrowed; NULL: nothing is recorded */
  LacLane  *lane;        /* lane of the calling thread; NULL if perf is NULL */
  gboolean  gradient;    /* also record the reverse pass */
  gsize     tile_points; /* 0: chosen so that a tile fits in the L2 cache */
  gsize     n_watched; /* number of leading elements of theta that lac_program_collect() returns */
  guint     without;   /* bitwise or of LacWithout; 0: all optimisations */
} LacProgramOptions;

/**
 * lac_program_new:
 * @loss: a scalar node, or LAC_NO_NODE for a program that only evaluates outputs
 * @outputs: per-point nodes that lac_program_read() may read
 *
 * Plans every buffer into one arena of device memory, packs weights and warms up. @graph may be freed or extended
 * afterwards.
 *
 * Memory: leaves and outputs in full, scratch of one tile per worker and, with a gradient, one vector per chunk, as
 * long as theta and the matrices computed from it: 16 vectors, or 8 from 131072 parameters on; 1 on a device without
 * concurrent calls.
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

/* Return the flat vectors in device memory, in the program's element type. Length: lac_program_get_n_parameters(). */
gpointer lac_program_get_theta(LacProgram *program);
gpointer lac_program_get_gradient(LacProgram *program);
gsize    lac_program_get_n_parameters(const LacProgram *program);
void
lac_program_set_theta(LacProgram   *program,
                      const double *theta); /* from host memory, converted to the program's type */
/* Copy theta and the last gradient to host memory, converted. */
void lac_program_dup_theta(LacProgram *program, double *theta);
void lac_program_dup_gradient(LacProgram *program, double *gradient);

/**
 * lac_program_run:
 * @theta: device vector to evaluate at, or NULL for the program's own
 * @loss: (out) (optional): the loss, summed in double
 *
 * One replay: forward and, if planned, the gradient into lac_program_get_gradient().
 * Bitwise identical for any number of threads. Does not allocate.
 */
gboolean lac_program_run(LacProgram   *program,
                         gconstpointer theta,
                         gint64        step,
                         double       *loss,
                         GError      **error);

/* Copies an output to the host. @values: [n_points][n_columns], or [n_points][n_streams][n_columns] with derivatives.
 * Also reads a scalar node that is a term of the loss: one value. */
void lac_program_read(LacProgram *program, LacNode output, double *values);

/* Puts the first @n points of an output into the next result of @readback, from byte @at on, in the program's type.
 * Returns: the number of bytes put; failures are reported by the next replay. */
gsize
lac_program_put(LacProgram *program, LacNode output, gsize n, LacReadback *readback, gsize at);

/* A program's loss as an objective for lac_optimiser_step(): pass this struct as user data of
 * lac_program_evaluate(). */
typedef struct {
  LacProgram *program;
  gint64      step; /* step number, used only in performance records */
  gboolean
    later; /* do not wait: the loss is NaN, and comes by lac_program_get_pending(); the gradient is available as usual. Requires lac_program_reads_back(). */
  /* (optional): enqueues kernels that run after the gradient, the same ones each time; on devices that record steps,
   * these kernels are recorded with the step. */
  LacStatus (*follow)(gpointer user_data);
  gpointer user_data;
} LacObjective;

/* Evaluates a LacObjective, passed as user data; a LacEvaluate callback. */
gboolean lac_program_evaluate(gconstpointer theta,
                              gpointer      gradient,
                              double       *loss,
                              gpointer      objective,
                              GError      **error);

/* Number of evaluations whose results may be pending. */
#define LAC_PROGRAM_MOST_OPEN 10

/* Returns TRUE when losses may come later: steps are recorded, and their results are read back meanwhile. */
gboolean lac_program_reads_back(const LacProgram *program);

/* Result of an evaluation. */
typedef struct {
  double loss;
  double *
    watched; /* (nullable): [n_watched]: leading elements of theta, after the kernels of LacObjective.follow */
} LacProgramResult;

/* Returns the last evaluation, to be finished with a LacProgramResult; lac_program_read() of scalars then returns the
 * values of that evaluation. Of a device that reads nothing back they are those of the last one. */
LacPending lac_program_get_pending(LacProgram *program);

gsize  lac_program_get_arena_bytes(const LacProgram *program); /* peak memory of the plan */
double lac_program_get_flops(
  const LacProgram *program); /* floating-point operations of one replay, from the op descriptors */
LacDevice lac_program_get_device(const LacProgram *program);
LacType   lac_program_get_type(const LacProgram *program);
LacPool  *lac_program_get_pool(const LacProgram *program);

G_END_DECLS
