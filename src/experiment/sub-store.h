/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A store within a store: what one part of an experiment keeps, under its name. */
#pragma once

#include "field/store.h"

G_BEGIN_DECLS

/* Copies every entry of @part into @store as "NAME.entry". */
void lac_store_put_all(LacStore *store, const char *name, const LacStore *part);

/* Returns: (transfer full): the entries that were put under @name. */
LacStore *lac_store_take_all(const LacStore *store, const char *name);

G_END_DECLS
