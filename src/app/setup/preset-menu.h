/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The presets of an experiment behind a button: the window's commands apply, save, rename and delete them. */
#pragma once

#include "experiment/experiment.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_PRESET_MENU (lac_preset_menu_get_type())
G_DECLARE_FINAL_TYPE(LacPresetMenu, lac_preset_menu, LAC, PRESET_MENU, GtkWidget)

void lac_preset_menu_set_experiment(LacPresetMenu *menu, const LacExperiment *experiment);
void lac_preset_menu_popup(LacPresetMenu *menu);

G_END_DECLS
