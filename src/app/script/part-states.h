/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User-changeable settings of a part of the window as stateful actions. One table of them serves D-Bus access, UI
 * recording and replay. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;                     /* name of the action, without the prefix */
  guint       what;                     /* mask of the part's change flags that affect this state */
  GVariant *(*describe)(gpointer part); /* Returns: (transfer floating): always of the same type */
  void (*apply)(gpointer part, GVariant *state); /* of that type; invalid values are ignored */
} LacPartState;

typedef struct {
  const LacPartState *states;
  gsize               n;
} LacPartTable;

typedef struct _LacPartStates LacPartStates;

/* Called when the user or another action has changed the setting behind @action, for example "swipe", to @state. */
typedef void (*LacPartChanged)(const char *action, GVariant *state, gpointer user_data);

/**
 * lac_part_states_new:
 * @map: receives one action per state; must outlive the result
 * @prefix: prefix of the action names: "field-"
 * @part: borrowed; must outlive the result
 * @table: static
 */
LacPartStates *lac_part_states_new(GActionMap         *map,
                                   const char         *prefix,
                                   gpointer            part,
                                   const LacPartTable *table,
                                   LacPartChanged      changed,
                                   gpointer            user_data);
void           lac_part_states_free(LacPartStates *states);

/* Updates the states of the actions after the changes @what of the part. @by_person: the change was not made by
 * setting the state of such an action; the states that differ are then reported. */
void lac_part_states_look(LacPartStates *states, guint what, gboolean by_person);

G_END_DECLS
