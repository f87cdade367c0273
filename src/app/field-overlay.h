/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is drawn over and around the panes: titles, sensors, probe, colour bars with numbers. */
#pragma once

#include "app/field-scene.h"
#include "report/canvas.h"

G_BEGIN_DECLS

typedef struct {
  gboolean shown;
  double   u, v;
} LacProbe;

#define LAC_FIELD_TOP    26.0 /* above the panes: titles */
#define LAC_FIELD_BOTTOM 50.0 /* below them: colour bars */
#define LAC_FIELD_MARGIN 8.0  /* below them where the bars are in the corner */

void lac_field_overlay_draw(LacDrawing          *drawing,
                            const LacFieldScene *scene,
                            const LacPaneLayout *layout,
                            const LacCamera     *camera,
                            const LacProbe      *probe);

/* Returns: (transfer full): where the probe is and what each pane shows there, in one line; NULL without a probe. */
char *lac_field_overlay_dup_reading(const LacFieldScene *scene, const LacProbe *probe);

G_END_DECLS
