/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The convolutions of a decoder: layers[@i] of its plan, between the planes of its input and the phases of its output. */
#pragma once

#include "experiment/imaging/decoder-network-private.h"

G_BEGIN_DECLS

void lac_convolution_forward(LacDecoder *decoder, gsize i);       /* y of x */
void lac_convolution_reverse_image(LacDecoder *decoder, gsize i); /* x_bar of y_bar */
void lac_convolution_reverse_weights(LacDecoder *decoder,
                                     gsize       i); /* the gradient of x and y_bar */

G_END_DECLS
