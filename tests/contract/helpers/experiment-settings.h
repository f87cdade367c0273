/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings of experiments that the contract tests run, expect to be refused, and expect to be accepted: key=value,
 * separated by spaces. */
#pragma once

#include "base/param.h"

typedef struct {
  const char *experiment, *settings;
  const char *part; /* expected part of the error message */
} ExperimentSettings;

/* A small run of every experiment; settings that check() refuses; edge cases that it accepts. Each ends with a NULL
 * experiment. */
extern const ExperimentSettings small_settings[], refused_settings[], accepted_settings[];

/* @settings: as above; all must be accepted. */
void apply_settings(LacDraft *draft, const char *settings);
