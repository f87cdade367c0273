/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Normal equations of a pupil. */
#include "experiment/imaging/methods/k-space-private.h"

static void
enqueue_normals(LacKSpace *k)
{
  lac_k_space_note(k, k->device.table->waves->normals(k->device.self, &k->waves));
}

void
lac_k_space_find_normals(LacKSpace *k, const double complex *derivatives, double *normals)
{
  const gsize n = k->waves.n_terms, n_box = k->waves.box * k->waves.box;

  g_return_if_fail(k->h->has_field);
  lac_k_space_refresh(k);
  lac_exposure_memory_upload(&k->memory, k->derivatives, derivatives,
                             n * n_box * sizeof *derivatives);
  lac_k_space_order_slots(k);
  lac_k_space_run(k, LAC_K_SPACE_NORMALS, enqueue_normals);
  lac_exposure_memory_download(&k->memory, normals, k->waves.normals,
                               k->waves.n_slots * n * (n + 1) * sizeof *normals);
}
