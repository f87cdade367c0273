/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects as they are shown and scored: as a method has them, or aligned with the truth. */
#include "experiment/imaging/laboratory/laboratory-private.h"

#include <math.h>

static LacAlignParts
get_parts(const LacImagingState *state)
{
  static const LacAlignParts parts[] = {
    [LAC_ALIGNED_NOT] = 0,
    [LAC_ALIGNED_SHIFT] = LAC_ALIGN_SHIFT,
    [LAC_ALIGNED_TWIN] = LAC_ALIGN_SHIFT | LAC_ALIGN_TWIN,
  };
  const LacAlignParts chosen = parts[lac_imaging_common(state->laboratory, state->params)->align];

  return chosen != 0 && !state->problem.is_real ? chosen | LAC_ALIGN_PHASE : chosen;
}

double
lac_imaging_take_object(LacImagingState *state, guint s)
{
  LacImagingSlot     *slot = &state->slots[s];
  const LacAlignParts parts = get_parts(state);

  slot->solver->object(slot->self, state->object);
  if (state->propagator != NULL)
    lac_propagator_run_back(state->propagator, state->object);
  if (state->truth == NULL || parts == 0)
    return 0;
  if (slot->alignment_at != state->scheduler.step + 1) /* the pictures of a frame share it */
    slot->alignment =
      lac_alignment_find(state->object, state->truth, state->side, parts, state->scratch);
  slot->alignment_at = state->scheduler.step + 1;
  lac_alignment_apply(&slot->alignment, state->object, state->side, state->scratch, state->object);
  return hypot(slot->alignment.y, slot->alignment.x);
}
