/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the set-up page share. */
#pragma once

#include "app/cost-card.h"
#include "app/device-note.h"
#include "app/param-row.h"
#include "app/preset-menu.h"
#include "app/sensor-page.h"
#include "app/setup-page.h"
#include "app/setup-preview.h"
#include "app/sweep-builder.h"

#include <adwaita.h>

G_BEGIN_DECLS

struct _LacSetupPage {
  GtkWidget            parent_instance;
  GtkWidget           *content;
  GtkStack            *stack;
  LacSensorPage       *sensors;
  LacSetupPreview     *preview;
  LacPresetMenu       *presets;
  GtkBox              *groups;
  GtkWidget           *warning;
  GtkLabel            *title, *summary, *caution, *source, *reason;
  LacCostCard         *cost;
  LacSweepBuilder     *sweep;
  GtkButton           *launch, *build;
  const LacExperiment *experiment;
  LacDraft            *draft, *launch_draft;
  GPtrArray     *rows;   /* LacParamRow, borrowed: those made so far, in the order of the tables */
  guint          making; /* more are made with each frame; 0: not now */
  AdwActionRow  *place;  /* opens the sensor page; NULL: there is nothing to place */
  char          *why;
  LacDeviceNote *device;
  double         memory_bytes; /* of the run, as estimated; 0: unknown */
};

/* All rows are there afterwards. */
LacParamRow *lac_setup_page_find_row(LacSetupPage *page, const char *key);

/* setup-page-sensors.c */
void     lac_setup_page_add_place(LacSetupPage *page, GtkWidget *group);
void     lac_setup_page_show_place(LacSetupPage *page); /* whether it can be done */
gboolean lac_setup_page_is_placing(LacSetupPage *page);
void     lac_setup_page_on_sensors_changed(LacSetupPage *page);
void     lac_setup_page_on_sensors_closed(LacSetupPage *page);

G_END_DECLS
