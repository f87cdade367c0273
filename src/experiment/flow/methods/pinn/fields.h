/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ensemble estimate on the grid: mean and deviation over the members, computed synchronously or in parallel with
 * training. */
#pragma once

#include "experiment/flow/methods/pinn/training.h"

G_BEGIN_DECLS

typedef struct _LacPinnFields LacPinnFields;

/* @members: borrowed, [n_members]. Returns: %NULL with an error. */
LacPinnFields *lac_pinn_fields_new(LacPinnTrainingData  *training,
                                   LacPinnMember *const *members,
                                   guint                 n_members,
                                   const LacContext     *context,
                                   GError              **error);
void           lac_pinn_fields_free(LacPinnFields *fields);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPinnFields, lac_pinn_fields_free)

/* Discards cached values after the members have been loaded. */
void lac_pinn_fields_forget(LacPinnFields *fields);

/* See field() and request() of LacFlowMethod. */
gboolean lac_pinn_fields_get(LacPinnFields *fields,
                             gsize          k,
                             double        *result,
                             double        *deviation,
                             GError       **error);
gboolean
lac_pinn_fields_request(LacPinnFields *fields, const gsize *ks, gsize n, LacPending *pending);

G_END_DECLS
