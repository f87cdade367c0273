/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first page: every experiment as a card, the default first and larger, with a search entry. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* ---- a card: picture, name, one sentence, what the experiment needs, how long it takes here ---- */

#define LAC_TYPE_EXPERIMENT_CARD (lac_experiment_card_get_type())
G_DECLARE_FINAL_TYPE(LacExperimentCard, lac_experiment_card, LAC, EXPERIMENT_CARD, GtkWidget)

/* Returns: TRUE if the card is in or near the visible part of the page. Other cards keep their space but are not
 * drawn. */
gboolean lac_experiment_card_is_near(LacExperimentCard *card);

/* ---- the page ---- */

#define LAC_TYPE_GALLERY_PAGE (lac_gallery_page_get_type())
G_DECLARE_FINAL_TYPE(LacGalleryPage, lac_gallery_page, LAC, GALLERY_PAGE, GtkWidget)

void lac_gallery_page_focus_search(LacGalleryPage *page);

/* Returns: TRUE if all cards exist: those below the first rows are added in idle time while the page is shown. */
gboolean lac_gallery_page_is_complete(LacGalleryPage *page);

/* Removes the welcome banner, once the tour has been taken or dismissed. */
void lac_gallery_page_end_welcome(LacGalleryPage *page);

G_END_DECLS
