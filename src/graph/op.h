/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An op. One file of ops/ holds its shape rule and builder, its forward and reverse kernels, its cost and its test
 * cases. */
#pragma once

#include "graph/graph.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_OP_MAX_INPUTS 3 /* maximum for a per-point op */

typedef struct _LacOp LacOp;

typedef enum {
  LAC_NODE_PER_POINT, /* [n_points][jet.n_streams][n_columns] */
  LAC_NODE_PARAMETER, /* [n_points][n_columns], a matrix with n_points rows: a slice of theta, a fixed matrix, or one computed from these before any tile */
  LAC_NODE_SCALAR,    /* one double on the host for the whole set */
} LacNodeKind;

/* A node of a graph. */
typedef struct {
  const LacOp *op;
  LacNodeKind  kind;
  guint        id;
  guint       *inputs; /* ids; owned */
  guint        n_inputs;
  guint        set; /* id of the point set */
  gsize        n_points, n_columns;
  LacJet       jet;
  char        *name;   /* name of a leaf or parameter; owned */
  gsize        offset; /* offset of a parameter within theta */
  gboolean     fixed;  /* a constant matrix, with values in numbers */
  /* attributes of the op besides its operands */
  LacScalar scalar; /* map, layer */
  double    factor; /* scale; factor of the second operand of add */
  gsize     first;  /* columns: index of the first column; stream: index of the stream */
  double     *
    numbers; /* seed, offset: constants, copied to device memory for the kernels; weighted_sum: factors; owned */
  gsize n_numbers;
} LacNodeInfo;

/* One call of an op for one tile. x, y and the following pointers are device memory, not dereferenced here. */
typedef struct {
  LacDevice           device;
  LacType             type;
  gsize               n_points; /* points in the tile */
  const LacNodeInfo  *node;
  const LacNodeInfo **inputs;
  const void         *x[LAC_OP_MAX_INPUTS]; /* operands, including parameters */
  void  *x_bar[LAC_OP_MAX_INPUTS]; /* derivatives with respect to the operands; NULL: not needed */
  double keep[LAC_OP_MAX_INPUTS];  /* 0: x_bar is uninitialised, overwrite; 1: accumulate */
  void  *y, *y_bar;
  void  *saved;          /* values saved for the reverse; same size as y */
  gboolean    fused;     /* LacLayer.fused */
  const void *constants; /* node->numbers in device memory */
  const void *packed_forward, *packed_reverse;
  double     *sum;  /* host: partial sum of a scalar node over this tile */
  double      seed; /* derivative of the loss with respect to the sum of a scalar node */
  /* device memory: device_sum replaces sum, device_seed multiplies seed; NULL when steps are not recorded */
  double       *device_sum;
  const double *device_seed;
} LacOpCall;

/* Pass and variant of an op, on a device that has several variants of it. */
typedef struct {
  gboolean reverse, fused;
  gboolean saves;    /* forward: save values because a reverse follows */
  gboolean to_input; /* reverse: compute x_bar */
} LacOpPasses;

/* A test case of an op, checked on every backend and element type. */
typedef struct {
  const char *name;
  gsize       columns[2]; /* columns of the per-point operands; 0: none */
  double      low, high;  /* range of the operands */
  /* Builds the node under test. @operands: jets, smooth functions of a point. Declares its parameters in the order in
   * which the oracle reads them. */
  LacNode (*build)(LacGraph *graph, const LacNode *operands);
  /* Computes the value stream at one point in double precision; for a scalar op, the point's contribution to the
   * mean. */
  void (*oracle)(const double *const *operands, const double *theta, double *y);
} LacOpCase;

struct _LacOp {
  const char *name;
  const char *formula;
  LacStatus (*forward)(const LacOpCall *call); /* NULL: a leaf, or computed from sums on the host */
  LacStatus (*reverse)(
    const LacOpCall *call); /* accumulates into each x_bar that is not NULL, see writes_bars */
  gboolean
           writes_bars; /* the reverse overwrites or accumulates as LacOpCall.keep requires; FALSE: bars are zeroed before the first accumulation */
  gboolean reads_inputs,
    reads_output; /* buffers that the reverse reads and that must stay valid until then */
  gboolean saves; /* needs LacOpCall.saved */
  gboolean packs; /* needs its weight, input 1, to be packed by layer_pack */
  gboolean small_forward,
    small_reverse; /* the forward or reverse uses only kernels allowed between together_begin and together_end */
  /* (optional) floating-point operations per point; default: one per element of y in the forward pass, two in the
   * reverse */
  double (*flops)(const LacNodeInfo *node, const LacNodeInfo **inputs, gboolean reverse);
  /* (optional) elements read and written per point, on a device with several variants; default: each operand and the
   * result once in the forward pass, and their bars as well in the reverse */
  gsize (*moved)(const LacNodeInfo *node, const LacNodeInfo **inputs, const LacOpPasses *passes);
  const LacOpCase *cases;
  gsize            n_cases;
};

/* Every op, in the order of ops/meson.build. */
const LacOp *const *lac_ops(gsize *n_ops);

/* ---- for the builders in ops/ ---- */

/* Appends a node of @op. It inherits set, points, columns and jet from its first operand until the builder changes
 * them. @operands: of one graph; trailing LAC_NO_NODE are dropped. */
LacNodeInfo *lac_graph_record(const LacOp *op, const LacNode *operands, guint n_operands);

/* Appends a node without operands. */
LacNodeInfo *lac_graph_record_leaf(LacGraph *graph, const LacOp *op, const char *name);

/* Returns TRUE when two operands may be added or multiplied: their kind, set and jet agree, and they have equally
 * many columns or one of them has a single column. */
gboolean lac_nodes_match(LacNode a, LacNode b);

LacNode lac_graph_handle(LacGraph *graph, const LacNodeInfo *info);

/* Returns: (transfer none): the data of @node, valid as long as the graph. */
LacNodeInfo *lac_node_info(LacNode node);

/* Returns the number of elements per point of a per-point node: streams times columns. */
static inline gsize
lac_node_width(const LacNodeInfo *info)
{
  return info->jet.n_streams * info->n_columns;
}

G_END_DECLS
