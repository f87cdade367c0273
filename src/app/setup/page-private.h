/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the set-up page. */
#pragma once

#include "app/setup/form.h"
#include "app/setup/page.h"
#include "app/setup/place-list.h"
#include "app/setup/preset-menu.h"
#include "app/setup/preview.h"
#include "app/setup/sensor-pane.h"
#include "app/setup/sweep-builder.h"
#include "app/toolkit/bottom-bar.h"
#include "app/toolkit/device-note.h"

#include <adwaita.h>

G_BEGIN_DECLS

struct _LacSetupPage {
  GtkWidget         parent_instance;
  GtkWidget        *content, *form_half, *side_half, *halves, *tools, *about_group, *warning;
  GtkStack         *forms, *sides;
  GtkToggleButton  *show_form, *show_side;
  LacPresetMenu    *presets;
  LacSetupForm     *form, *frozen; /* the draft; the settings of @run */
  LacSensorPane    *sensors;
  LacSetupPreview  *preview;
  LacPlaceList     *places;
  LacSweepBuilder  *sweep;
  AdwExpanderRow   *about;
  AdwActionRow     *ran; /* where @run was computed */
  GtkLabel         *source, *caution, *changed;
  GtkWidget        *reset, *copy;
  AdwButtonContent *reset_content;
  GtkWidget        *bar, *start, *queue, *build, *duplicate; /* the bar and its actions */

  const LacExperiment *experiment; /* (nullable) */
  LacDraft            *draft, *launch_draft;
  LacDraft            *usual_launch;           /* the launch settings before the user changed any */
  LacRunFile          *run;                    /* (nullable): whose settings are shown */
  LacDraft            *run_draft, *run_launch; /* (nullable): its settings */
  char                *why;                    /* (nullable): why the draft cannot be started */
  LacDeviceNote       *device;
  double               memory_bytes; /* estimated memory of the run; 0: unknown */
  guint                n_changed;
  gboolean             is_narrow;  /* one half at a time */
  int                  least_wide; /* px: minimum width of both halves beside each other */
  guint                fitting;    /* idle source that changes @is_narrow; 0: none */
};

/* page-cost.c: the bottom bar, the places and the warnings. */
void lac_setup_page_make_bar(LacSetupPage *page);
void lac_setup_page_show_cost(LacSetupPage *page);

/* page-run.c: the settings of a run that has ended. */
void lac_setup_page_show_run(LacSetupPage *page);
void lac_setup_page_forget_run(LacSetupPage *page);

G_END_DECLS
