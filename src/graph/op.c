/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of ops, generated from the list of ops/meson.build. */
#include "graph/op.h"

#define LAC_OP(name) extern const LacOp lac_op_##name;
#include "graph/ops/op-list.h"
#undef LAC_OP

#define LAC_OP(name) &lac_op_##name,
static const LacOp *const ops[] = {
#include "graph/ops/op-list.h"
};
#undef LAC_OP

const LacOp *const *
lac_ops(gsize *n_ops)
{
  *n_ops = G_N_ELEMENTS(ops);
  return ops;
}
