/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the set-up page. */
#pragma once

#include "app/setup/cost-card.h"
#include "app/setup/page.h"
#include "app/setup/param-row.h"
#include "app/setup/preset-menu.h"
#include "app/setup/preview.h"
#include "app/setup/sensor-page.h"
#include "app/setup/sweep-builder.h"
#include "app/toolkit/device-note.h"

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
  GPtrArray           *rows;   /* LacParamRow, borrowed: those built so far, in table order */
  guint                making; /* GSource that builds some rows in each frame; 0: none */
  AdwActionRow        *place;  /* opens the sensor page; NULL: no sensors to place */
  char                *why;
  LacDeviceNote       *device;
  double               memory_bytes; /* estimated memory of the run; 0: unknown */
};

/* Builds the remaining rows. Returns: (nullable): the row of @key. */
LacParamRow *lac_setup_page_find_row(LacSetupPage *page, const char *key);

/* setup-page-sensors.c */
void     lac_setup_page_add_place(LacSetupPage *page, GtkWidget *group);
void     lac_setup_page_show_place(LacSetupPage *page); /* updates the sensor row */
gboolean lac_setup_page_is_placing(LacSetupPage *page);
void     lac_setup_page_on_sensors_changed(LacSetupPage *page);
void     lac_setup_page_on_sensors_closed(LacSetupPage *page);

G_END_DECLS
