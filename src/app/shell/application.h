/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The application: one instance per user, its options and actions. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_APPLICATION_ID "io.github.lacuna.Lacuna"

#define LAC_TYPE_APPLICATION (lac_application_get_type())
G_DECLARE_FINAL_TYPE(LacApplication, lac_application, LAC, APPLICATION, AdwApplication)

LacApplication *lac_application_new(void);

/**
 * lac_app_run:
 * @argv: --start NAME starts an experiment at once; other arguments are run folders or files in them
 *
 * Opens the window, or hands the request to the instance that is already running.
 * Returns: the exit status of the program.
 */
int lac_app_run(int argc, char **argv);

G_END_DECLS
