/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields as sums of modes, and the projection to the modes, on a device: field = sum_i a_i phi_i, a_i = phi_i . field.
 * One thread at a time. */
#pragma once

#include "backend/registry.h"
#include "sensor/pod.h"

G_BEGIN_DECLS

typedef struct _LacExpansion LacExpansion;

/* @pod: borrowed; its modes are copied to a device with memory of its own. Returns: %NULL with %LAC_ERROR_DEVICE. */
LacExpansion *lac_expansion_new(const LacPod *pod, const LacDevice *device, GError **error);
void          lac_expansion_free(LacExpansion *expansion);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacExpansion, lac_expansion_free)

/* Computes @field += sum_i @coefficients[i] phi_i; @coefficients: [pod->n_modes], @field: [pod->n], on the host.
 * Returns: %FALSE with %LAC_ERROR_DEVICE. */
gboolean lac_expansion_add(LacExpansion *expansion,
                           const double *coefficients,
                           double       *field,
                           GError      **error);

/* Computes @coefficients: (out): [pod->n_modes] = phi_i . @field. Returns: %FALSE with %LAC_ERROR_DEVICE. */
gboolean lac_expansion_project(LacExpansion *expansion,
                               const double *field,
                               double       *coefficients,
                               GError      **error);

G_END_DECLS
