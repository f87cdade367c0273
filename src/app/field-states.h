/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a person changes in a field view with the pointer, the keys and its menus, as states. */
#pragma once

#include "app/part-states.h"

G_BEGIN_DECLS

/* Of a LacFieldView. */
const LacPartTable *lac_field_states(void);

G_END_DECLS
