/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User-changeable settings of a part of the window as stateful actions. */
#include "app/script/part-states.h"

typedef struct {
  LacPartStates      *all;
  const LacPartState *state;
  GSimpleAction      *action;
} Row;

struct _LacPartStates {
  gpointer part;
  gsize    n;
  Row     *rows;
  gboolean
    is_given; /* TRUE while a state is applied: the resulting changes are not made by the user */
  LacPartChanged changed;
  gpointer       user_data;
};

static void
look(Row *row, gboolean tells)
{
  g_autoptr(GVariant) now = g_variant_ref_sink(row->state->describe(row->all->part));
  g_autoptr(GVariant) before = g_action_get_state(G_ACTION(row->action));
  if (g_variant_equal(now, before))
    return;
  g_simple_action_set_state(row->action, now);
  if (tells)
    row->all->changed(g_action_get_name(G_ACTION(row->action)), now, row->all->user_data);
}

static void
on_change_state(GSimpleAction *action, GVariant *state, gpointer user_data)
{
  Row *row = user_data;
  row->all->is_given = TRUE;
  row->state->apply(row->all->part, state);
  row->all->is_given = FALSE;
  for (gsize i = 0; i < row->all->n; i++)
    look(&row->all->rows[i], FALSE);
}

LacPartStates *
lac_part_states_new(GActionMap         *map,
                    const char         *prefix,
                    gpointer            part,
                    const LacPartTable *table,
                    LacPartChanged      changed,
                    gpointer            user_data)
{
  g_return_val_if_fail(G_IS_ACTION_MAP(map) && part != NULL && changed != NULL, NULL);
  LacPartStates *self = g_new0(LacPartStates, 1);
  self->part = part;
  self->n = table->n;
  self->rows = g_new0(Row, table->n);
  self->changed = changed;
  self->user_data = user_data;
  for (gsize i = 0; i < table->n; i++) {
    g_autofree char *name = g_strconcat(prefix, table->states[i].name, NULL);
    GSimpleAction   *action =
      g_simple_action_new_stateful(name, NULL, table->states[i].describe(part));
    self->rows[i] = (Row){self, &table->states[i], action};
    g_signal_connect(action, "change-state", G_CALLBACK(on_change_state), &self->rows[i]);
    g_action_map_add_action(map, G_ACTION(action));
  }
  return self;
}

void
lac_part_states_free(LacPartStates *self)
{
  for (gsize i = 0; i < self->n; i++) {
    g_signal_handlers_disconnect_by_data(self->rows[i].action, &self->rows[i]);
    g_object_unref(self->rows[i].action);
  }
  g_free(self->rows);
  g_free(self);
}

void
lac_part_states_look(LacPartStates *self, guint what, gboolean by_person)
{
  g_return_if_fail(self != NULL);
  for (gsize i = 0; i < self->n; i++)
    if (self->rows[i].state->what & what)
      look(&self->rows[i], by_person && !self->is_given);
}
