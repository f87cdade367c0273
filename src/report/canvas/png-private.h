/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunks of a PNG that Cairo does not write: its resolution, and what it says of itself. */
#pragma once

#include "report/canvas/paper-private.h"

G_BEGIN_DECLS

G_END_DECLS
