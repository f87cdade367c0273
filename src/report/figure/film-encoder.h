/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encoder of pictures to WebM (VP9), by libavcodec. */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  int         width, height; /* pixels, both even */
  double      frames_per_second;
  const char *title, *comment;
} LacEncoderSettings;

typedef struct _LacEncoder LacEncoder;

/* Returns: %NULL with an error when the file cannot be created or this build has no encoder. */
LacEncoder *lac_encoder_new(const char *path, const LacEncoderSettings *settings, GError **error);
void        lac_encoder_free(LacEncoder *encoder); /* leaves an unfinished file behind */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacEncoder, lac_encoder_free)

/* @picture: CAIRO_FORMAT_RGB24 of the size in the settings. */
gboolean lac_encoder_add(LacEncoder *encoder, cairo_surface_t *picture, GError **error);
gboolean lac_encoder_finish(LacEncoder *encoder, GError **error);

G_END_DECLS
