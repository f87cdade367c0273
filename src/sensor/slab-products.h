/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrix products with slabs of snapshots, summed over the slabs, on any device. A slab is X, [n_snapshots][n_points]. The
 * sum of a pass begins with zeros; a failure of the device ends the pass with an error. */
#pragma once

#include "backend/registry.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct _LacSlabProducts LacSlabProducts;

/* @device: (nullable): NULL, or without a table: the CPU. @most_basis, @most_points: maxima. Returns: %NULL with an error. */
LacSlabProducts *lac_slab_products_new(const LacDevice *device,
                                       gsize            n_snapshots,
                                       gsize            most_basis,
                                       gsize            most_points,
                                       GError         **error);
void             lac_slab_products_free(LacSlabProducts *products);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSlabProducts, lac_slab_products_free)

/* Returns TRUE when the products may be called from another thread while this one fills the next slab. */
gboolean lac_slab_products_are_concurrent(const LacSlabProducts *products);

/* Begins a pass with the products of one kind. @basis: (nullable): B, [n_basis][n_snapshots], unchanged until the end. */
void lac_slab_products_begin(LacSlabProducts *products, const double *basis, gsize n_basis);
/* Adds X X^t; only its lower tiles. */
void lac_slab_products_add_gram(LacSlabProducts *products, const double *slab, gsize n_points);
/* Adds X (B X)^t. @images: (nullable): receives B X, in rows of @row numbers */
void lac_slab_products_add_power(LacSlabProducts *products,
                                 const double    *slab,
                                 gsize            n_points,
                                 double          *images,
                                 gsize            row);
/* Ends the pass. @sum: (out): [n_snapshots][n_snapshots], or [n_snapshots][n_basis] with a basis. */
gboolean lac_slab_products_end(LacSlabProducts *products, double *sum, GError **error);

G_END_DECLS
