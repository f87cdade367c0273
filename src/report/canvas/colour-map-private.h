/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generated table of colour maps. */
#pragma once

#include "report/canvas/colour-map.h"

G_BEGIN_DECLS

extern const LacColourMap lac_colour_map_table[];
extern const gsize        lac_colour_map_table_length;

G_END_DECLS
