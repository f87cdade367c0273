/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxes searched from the last drawn to the first. */
#include "report/timeline/hits.h"

GArray *
lac_hits_new(void)
{
  return g_array_new(FALSE, FALSE, sizeof(LacHit));
}

void
lac_hits_add(GArray *hits, LacBox box, guint32 name, gsize part)
{
  const LacHit hit = {box, name, part};
  if (hits != NULL)
    g_array_append_val(hits, hit);
}

const LacHit *
lac_hits_find(const GArray *hits, double x, double y)
{
  g_return_val_if_fail(hits != NULL, NULL);
  for (guint i = hits->len; i-- > 0;) {
    const LacHit *hit = &g_array_index(hits, LacHit, i);
    if (x >= hit->box.x && x < hit->box.x + hit->box.width && y >= hit->box.y &&
        y < hit->box.y + hit->box.height)
      return hit;
  }
  return NULL;
}
