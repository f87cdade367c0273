/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings of experiments that the contract tests run, see refused, and see accepted: key=value, separated by spaces. */
#pragma once

#include "base/param.h"

typedef struct {
  const char *experiment, *settings;
  const char *part; /* of the sentence of a refusal */
} ExperimentSettings;

/* A small run of every experiment; settings that check() refuses; settings that it accepts, on the edge. Each ends with a NULL
 * experiment. */
extern const ExperimentSettings small_settings[], refused_settings[], accepted_settings[];

/* @settings: as above; none is refused. */
void apply_settings(LacDraft *draft, const char *settings);
