/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PNG chunks that Cairo does not write: resolution and metadata. */
#pragma once

#include "report/canvas/paper-private.h"

G_BEGIN_DECLS

G_END_DECLS
