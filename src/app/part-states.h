/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a person changes in a part of the window with pointer and keys, as actions with a state. From one table of them follow: what
 * can be read and set over D-Bus, what a recording records, what it gives again. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  const char *name; /* of the action, after the prefix of its part */
  guint       what; /* of the changes that the part announces, those that it depends on */
  GVariant *(*describe)(gpointer part); /* Returns: (transfer floating): always of the same type */
  void (*apply)(gpointer  part,
                GVariant *state); /* of that type; what does not fit is passed over */
} LacPartState;

typedef struct {
  const LacPartState *states;
  gsize               n;
} LacPartTable;

typedef struct _LacPartStates LacPartStates;

/* A person, or a command, has brought @action, "swipe", to @state. */
typedef void (*LacPartChanged)(const char *action, GVariant *state, gpointer user_data);

/**
 * lac_part_states_new:
 * @map: takes an action for each; outlives what is returned
 * @prefix: of their names: "field-"
 * @part: borrowed; outlives what is returned
 * @table: its rows live on
 */
LacPartStates *lac_part_states_new(GActionMap         *map,
                                   const char         *prefix,
                                   gpointer            part,
                                   const LacPartTable *table,
                                   LacPartChanged      changed,
                                   gpointer            user_data);
void           lac_part_states_free(LacPartStates *states);

/* The part has changed in @what: those of its states that are others now become the actions' states, and are told where it was
 * @by_person and not by a command. */
void lac_part_states_look(LacPartStates *states, guint what, gboolean by_person);

G_END_DECLS
