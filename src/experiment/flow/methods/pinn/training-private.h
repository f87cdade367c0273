/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internals shared by the parts of a member's training. */
#pragma once

#include "experiment/flow/methods/pinn/training.h"

G_BEGIN_DECLS

/* Random streams; each member uses a separate range. */
#define LAC_PINN_STREAM_NETWORK    G_GUINT64_CONSTANT(1)
#define LAC_PINN_STREAM_FIT        G_GUINT64_CONSTANT(2)
#define LAC_PINN_STREAM_POINTS     (G_GUINT64_CONSTANT(1) << 20)
#define LAC_PINN_STREAM_CONDITIONS (G_GUINT64_CONSTANT(1) << 31)
#define LAC_PINN_STREAM_BALANCE    (G_GUINT64_CONSTANT(1) << 32)
#define LAC_PINN_STREAM_MEMBER     (G_GUINT64_CONSTANT(1) << 40)

static inline LacRng
lac_pinn_member_get_rng(const LacPinnMember *member, guint64 stream, gint64 number)
{
  return lac_rng(member->training->context.seed,
                 stream + (guint64) number + LAC_PINN_STREAM_MEMBER * member->index);
}

/* Starts the record of this iteration (numbers.c). The record is complete at once when the caller @waited for the
 * values. */
void lac_pinn_member_note(LacPinnMember *member, gboolean waited);

/* Samples the same points at every call between two refreshes, of the member's loss or a copy. */
static inline void
lac_pinn_member_sample_conditions(const LacPinnMember *member, LacPinnLoss *loss)
{
  LacRng rng =
    lac_pinn_member_get_rng(member, LAC_PINN_STREAM_CONDITIONS, member->state.n_refreshed);

  lac_pinn_loss_sample_conditions(loss, &rng);
}

G_END_DECLS
