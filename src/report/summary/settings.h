/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings of a run for readers: values with units, and those that mattered. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

/* Returns: (transfer full): a value of the setting with its unit; methods by their names: "1 %", "Gappy POD". @text: in
 * the form of lac_draft_dup_text() */
char *lac_setting_dup_value(const LacRunFile *run, const LacRunSetting *setting, const char *text);

/* Returns TRUE when the user changed the setting and the run used it. */
gboolean lac_setting_is_changed(const LacRunSetting *setting);

/* Returns TRUE when the setting is changed, or one of a method that ran and no advanced one. */
gboolean lac_setting_mattered(const LacRunSetting *setting);

typedef struct {
  char *title; /* translated: "Changed", "Ensemble Kalman filter" */
  char *text;  /* translated: "Sensors K 12 · Noise 1 %" */
} LacSettingsLine;

/* Returns: (transfer full): array of LacSettingsLine: first the changed settings, then those left at their defaults of
 * each method that ran. */
GArray *lac_settings_that_mattered(const LacRunFile *run);

G_END_DECLS
