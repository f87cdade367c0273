/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An op: its shape rule and builder, its kernels forward and reverse, its cost and its test cases stand in one file of ops/. */
#pragma once

#include "graph/graph.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_OP_MAX_INPUTS 3 /* of a per-point op */

typedef struct _LacOp LacOp;

typedef enum {
  LAC_NODE_PER_POINT, /* [n_points][jet.n_streams][n_columns] */
  LAC_NODE_PARAMETER, /* [n_points][n_columns], a matrix: a slice of theta, fixed, or computed from such before the
                         tiles; n_points counts its rows */
  LAC_NODE_SCALAR, /* one double on the host for the whole set */
} LacNodeKind;

/* What a graph keeps of a node. */
typedef struct {
  const LacOp *op;
  LacNodeKind  kind;
  guint        id;
  guint       *inputs; /* ids; owned */
  guint        n_inputs;
  guint        set; /* of points */
  gsize        n_points, n_columns;
  LacJet       jet;
  char        *name;   /* of a leaf or parameter; owned */
  gsize        offset; /* of a parameter within theta */
  gboolean     fixed;  /* a matrix that is not trained; numbers are its values */
  /* what the op needs to know beside its operands */
  LacScalar scalar; /* map, layer */
  double    factor; /* scale; of the second operand of add */
  gsize     first;  /* columns: the first one; stream: which one */
  double     *
    numbers; /* seed, offset: constants, in device memory for the kernels; weighted_sum: factors; owned */
  gsize n_numbers;
} LacNodeInfo;

/* One call of an op for one tile. x, y and what follows are device memory, none of it dereferenced here. */
typedef struct {
  LacDevice           device;
  LacType             type;
  gsize               n_points; /* of the tile */
  const LacNodeInfo  *node;
  const LacNodeInfo **inputs;
  const void         *x[LAC_OP_MAX_INPUTS];     /* operands; parameters too */
  void               *x_bar[LAC_OP_MAX_INPUTS]; /* NULL: not wanted */
  double              keep[LAC_OP_MAX_INPUTS];  /* 0: x_bar holds nothing yet, overwrite; 1: add */
  void               *y, *y_bar;
  void               *saved;     /* for the reverse; as large as y */
  gboolean            fused;     /* LacLayer.fused */
  const void         *constants; /* node->numbers */
  const void         *packed_forward, *packed_reverse;
  double             *sum;  /* a scalar's partial sum over this tile, host */
  double              seed; /* derivative of the loss with respect to a scalar's sum */
  /* both in device memory, in place of sum, and as a factor of seed; NULL where steps are not recorded */
  double       *device_sum;
  const double *device_seed;
} LacOpCall;

/* How an op is computed on a device that has more than one way for it. */
typedef struct {
  gboolean reverse, fused;
  gboolean saves;    /* forward: for a reverse that comes */
  gboolean to_input; /* reverse: x_bar is wanted */
} LacOpPasses;

/* One way of using an op, for the tests: each is checked on every backend and element type. */
typedef struct {
  const char *name;
  gsize       columns[2]; /* of the per-point operands; 0: there is none */
  double      low, high;  /* where the operands lie */
  /* @operands: jets, smooth functions of a point; declares its parameters in the order the oracle reads them */
  LacNode (*build)(LacGraph *graph, const LacNode *operands);
  /* The value stream in double for one point; of a scalar op what the point adds to the mean. */
  void (*oracle)(const double *const *operands, const double *theta, double *y);
} LacOpCase;

struct _LacOp {
  const char *name;
  const char *formula;
  LacStatus (*forward)(const LacOpCall *call); /* NULL: a leaf, or computed from sums on the host */
  LacStatus (*reverse)(const LacOpCall *call); /* adds (see writes_bars) to each wanted x_bar */
  gboolean
    writes_bars; /* reverse obeys keep; otherwise bars are zeroed before the first addition */
  gboolean reads_inputs, reads_output; /* by the reverse: they must live until then */
  gboolean saves;                      /* wants LacOpCall.saved */
  gboolean packs;                      /* wants its weight, input 1, packed by layer_pack */
  gboolean small_forward,
    small_reverse; /* asks for nothing but what may stand between together_begin and _end */
  /* (optional) floating-point operations a point; default: one an element of y forward, two reverse */
  double (*flops)(const LacNodeInfo *node, const LacNodeInfo **inputs, gboolean reverse);
  /* (optional) elements a point that a device reads and writes, where it has more than one way; default: each operand and the
   * result once forward, with their bars in reverse */
  gsize (*moved)(const LacNodeInfo *node, const LacNodeInfo **inputs, const LacOpPasses *passes);
  const LacOpCase *cases;
  gsize            n_cases;
};

/* Every op, in the order of ops/meson.build. */
const LacOp *const *lac_ops(gsize *n_ops);

/* ---- for the builders in ops/ ---- */

/* Appends a node of @op; the node belongs to the set and has the points, columns and jet of its first operand
 * until the builder says otherwise. @operands: of one graph, LAC_NO_NODE at the end is dropped. */
LacNodeInfo *lac_graph_record(const LacOp *op, const LacNode *operands, guint n_operands);

/* Appends a node without operands. */
LacNodeInfo *lac_graph_record_leaf(LacGraph *graph, const LacOp *op, const char *name);

/* Whether two operands may be added or multiplied: one kind, set and jet, and equal columns or one. */
gboolean lac_nodes_match(LacNode a, LacNode b);

LacNode lac_graph_handle(LacGraph *graph, const LacNodeInfo *info);

/* Returns: (transfer none): what is known of @node; valid as long as the graph. */
LacNodeInfo *lac_node_info(LacNode node);

/* Elements of a point of a per-point node: streams times columns. */
static inline gsize
lac_node_width(const LacNodeInfo *info)
{
  return info->jet.n_streams * info->n_columns;
}

G_END_DECLS
