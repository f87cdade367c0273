/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replacement for builds without libavcodec: every film fails with an error that gives the remedy. */
#include "base/error.h"
#include "report/figure/film-encoder.h"

LacEncoder *
lac_encoder_new(const char *path, const LacEncoderSettings *settings G_GNUC_UNUSED, GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_NOT_IN_VERSION,
              "%s: this build has no video encoder; write pictures with -o FOLDER/, or rebuild "
              "with libavcodec, libavformat and libswscale",
              path);
  return NULL;
}

void
lac_encoder_free(LacEncoder *encoder G_GNUC_UNUSED)
{
}

gboolean
lac_encoder_add(LacEncoder *encoder      G_GNUC_UNUSED,
                cairo_surface_t *picture G_GNUC_UNUSED,
                GError **error           G_GNUC_UNUSED)
{
  return FALSE;
}

gboolean
lac_encoder_finish(LacEncoder *encoder G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
  return FALSE;
}
