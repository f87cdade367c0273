/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first page: every experiment as a card, the default first and larger, with a search entry. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* ---- a card: picture, name, one sentence, what the experiment needs, how long it takes here ---- */

#define LAC_TYPE_EXPERIMENT_CARD (lac_experiment_card_get_type())
G_DECLARE_FINAL_TYPE(LacExperimentCard, lac_experiment_card, LAC, EXPERIMENT_CARD, GtkWidget)

/* Returns: TRUE if the card is in or near the visible part of the page. Other cards keep their place and are not drawn. */
gboolean lac_experiment_card_is_near(LacExperimentCard *card);

/* ---- the page ---- */

#define LAC_TYPE_GALLERY_PAGE (lac_gallery_page_get_type())
G_DECLARE_FINAL_TYPE(LacGalleryPage, lac_gallery_page, LAC, GALLERY_PAGE, GtkWidget)

void lac_gallery_page_focus_search(LacGalleryPage *page);

/* Whether every experiment has its card: those below the first rows are added while the page is shown and nothing else is to be done. */
gboolean lac_gallery_page_is_complete(LacGalleryPage *page);

/* The tour was taken or put away. */
void lac_gallery_page_end_welcome(LacGalleryPage *page);

G_END_DECLS
