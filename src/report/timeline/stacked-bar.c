/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Segments from left to right; a label that does not fit is shortened to its share, then left out. */
#include "report/timeline/stacked-bar.h"

#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#define FADED      0.3F
#define GAP        1.0 /* between segments wider than GAP_FROM */
#define GAP_FROM   3.0
#define LEGEND_ROW 1.65 /* in font sizes */
#define LEGEND_GAP 1.6  /* between entries */
#define SWATCH     0.75
#define TITLE_ROW  1.7

typedef struct {
  const LacTimeParts       *parts;
  const LacSpanLooks       *looks;
  const LacStackedBarPlace *place;
  const LacPalette         *palette;
  LacDrawing               *drawing; /* (nullable) */
  GArray                   *hits;    /* (nullable) */
} Painter;

static gboolean
is_faded(const Painter *painter, guint32 name)
{
  return painter->place->is_selecting && painter->place->selected != name;
}

static char *
dup_share(guint share)
{
  return g_strdup_printf("%u %%", share);
}

/* ---- the bar ---- */

static void
draw_label(const Painter *painter, const LacBox *box, guint32 name, guint share, LacColour colour)
{
  const double     size = painter->place->font_size, padding = 0.55 * size;
  const double     room = box->width - 2 * padding, base = box->y + box->height / 2 + 0.36 * size;
  g_autofree char *title = lac_span_looks_dup_title(painter->looks, name);
  g_autofree char *text = painter->place->without_shares ? g_strdup("") : dup_share(share);
  const double     title_width = lac_text_width(title, size, TRUE);
  const double     text_width = *text != '\0' ? lac_text_width(text, size, FALSE) : 0;
  const double     gap = *text != '\0' ? 0.4 * size : 0;

  if (title_width + gap + text_width <= room) {
    lac_draw_text_bold(painter->drawing, box->x + padding, base, LAC_ALIGN_LEFT, size, colour,
                       title);
    lac_draw_text(painter->drawing, box->x + padding + title_width + gap, base, LAC_ALIGN_LEFT,
                  size, colour, text);
  } else if (text_width > 0 && text_width <= box->width - 0.4 * size) {
    lac_draw_text_bold(painter->drawing, box->x + box->width / 2, base, LAC_ALIGN_CENTRE, size,
                       colour, text);
  }
}

static void
draw_outline(const Painter *painter, const LacBox *box)
{
  const LacPoint corners[] = {{box->x + 1, box->y + 1},
                              {box->x + box->width - 1, box->y + 1},
                              {box->x + box->width - 1, box->y + box->height - 1},
                              {box->x + 1, box->y + box->height - 1},
                              {box->x + 1, box->y + 1}};
  lac_draw_lines(painter->drawing, corners, G_N_ELEMENTS(corners), 2, painter->palette->foreground);
}

static void
draw_segment(const Painter *painter, const LacBox *box, gsize i, guint share)
{
  const LacTimePart *part = &painter->parts->parts[i];
  LacColour colour = lac_span_looks_get_colour(painter->looks, part->name, painter->palette);
  LacColour on = lac_palette_text_on(colour);

  lac_hits_add(painter->hits, *box, part->name, i);
  if (painter->drawing == NULL)
    return;
  if (is_faded(painter, part->name)) {
    colour.alpha = FADED;
    on = painter->palette->foreground;
  }
  lac_draw_rectangle(painter->drawing, box->x, box->y,
                     box->width > GAP_FROM ? box->width - GAP : box->width, box->height, colour);
  draw_label(painter, box, part->name, share, on);
  if (painter->place->is_selecting && !is_faded(painter, part->name) && box->width > 4)
    draw_outline(painter, box);
}

static void
draw_bar(const Painter *painter, double y)
{
  const LacStackedBarPlace *place = painter->place;
  const gint64      scale_ns = place->scale_ns > 0 ? place->scale_ns : painter->parts->whole_ns;
  g_autofree guint *shares = g_new0(guint, painter->parts->n + 1);
  gint64            done_ns = 0;

  lac_time_parts_round(painter->parts, 100, shares);
  for (gsize i = 0; i < painter->parts->n && scale_ns > 0; i++) {
    const double begin = place->width * ((double) done_ns / (double) scale_ns);
    done_ns += painter->parts->parts[i].ns;
    const double end = place->width * ((double) done_ns / (double) scale_ns);
    const LacBox box = {place->x + begin, y, end - begin, place->height};
    draw_segment(painter, &box, i, shares[i]);
  }
}

/* ---- the legend ---- */

typedef struct {
  char  *title, *time;
  double title_width, width;
} Entry;

static Entry
make_entry(const Painter *painter, const LacTimePart *part)
{
  const double size = painter->place->font_size;
  Entry        entry = {.title = lac_span_looks_dup_title(painter->looks, part->name),
                        .time = lac_duration_text((double) part->ns * 1e-9)};
  entry.title_width = lac_text_width(entry.title, size, FALSE);
  entry.width =
    (SWATCH + 0.5 + 0.5) * size + entry.title_width + lac_text_width(entry.time, size, FALSE);
  return entry;
}

static void
draw_entry(const Painter *painter, const Entry *entry, LacPoint at, guint32 name)
{
  const double    size = painter->place->font_size;
  const LacColour foreground =
    is_faded(painter, name) ? painter->palette->faint : painter->palette->foreground;
  LacColour colour = lac_span_looks_get_colour(painter->looks, name, painter->palette);

  colour.alpha = is_faded(painter, name) ? FADED : 1;
  lac_draw_rectangle(painter->drawing, at.x, at.y + 0.45 * size, SWATCH * size, SWATCH * size,
                     colour);
  lac_draw_text(painter->drawing, at.x + (SWATCH + 0.5) * size, at.y + 1.15 * size, LAC_ALIGN_LEFT,
                size, foreground, entry->title);
  lac_draw_text(painter->drawing, at.x + (SWATCH + 1) * size + entry->title_width,
                at.y + 1.15 * size, LAC_ALIGN_LEFT, size, painter->palette->faint, entry->time);
}

/* The rest has no line of its own: the bar shows it, too. Returns the height. */
static double
draw_legend(const Painter *painter, double y)
{
  const LacStackedBarPlace *place = painter->place;
  const double              row = LEGEND_ROW * place->font_size;
  LacPoint                  at = {place->x, y};

  for (gsize i = 0; i < painter->parts->n; i++) {
    const guint32  name = painter->parts->parts[i].name;
    Entry          entry = make_entry(painter, &painter->parts->parts[i]);
    const gboolean is_full = at.x > place->x && at.x + entry.width > place->x + place->width;
    if (!is_full || name != LAC_NO_NAME) {
      if (is_full)
        at = (LacPoint){place->x, at.y + row};
      lac_hits_add(painter->hits, (LacBox){at.x, at.y, entry.width, row}, name, i);
      if (painter->drawing != NULL)
        draw_entry(painter, &entry, at, name);
      at.x += entry.width + LEGEND_GAP * place->font_size;
    }
    g_free(entry.title);
    g_free(entry.time);
  }
  return at.y + row - y;
}

static double
draw_title(const Painter *painter)
{
  const LacStackedBarPlace *place = painter->place;
  const double              size = place->font_size;

  if (place->title == NULL)
    return 0;
  if (painter->drawing != NULL) {
    lac_draw_text_bold(painter->drawing, place->x, place->y + size, LAC_ALIGN_LEFT, size,
                       painter->palette->foreground, place->title);
    if (place->whole != NULL)
      lac_draw_text(painter->drawing, place->x + place->width, place->y + size, LAC_ALIGN_RIGHT,
                    size, painter->palette->faint, place->whole);
  }
  return TITLE_ROW * size;
}

double
lac_stacked_bar_draw(const LacTimeParts       *parts,
                     const LacSpanLooks       *looks,
                     const LacStackedBarPlace *place,
                     const LacPalette         *palette,
                     LacDrawing               *drawing,
                     GArray                   *hits)
{
  g_return_val_if_fail(parts != NULL && looks != NULL && place != NULL && palette != NULL, 0);
  const Painter painter = {parts, looks, place, palette, drawing, hits};
  double        height = draw_title(&painter);

  draw_bar(&painter, place->y + height);
  height += place->height;
  if (place->has_legend && parts->n > 0)
    height +=
      0.3 * place->font_size + draw_legend(&painter, place->y + height + 0.3 * place->font_size);
  return height;
}

char *
lac_stacked_bar_dup_text(const LacTimeParts *parts, const LacSpanLooks *looks, gsize part)
{
  g_return_val_if_fail(parts != NULL && looks != NULL && part < parts->n, NULL);
  g_autofree guint *shares = g_new0(guint, parts->n);
  g_autofree char  *title = lac_span_looks_dup_title(looks, parts->parts[part].name);
  g_autofree char  *time = lac_duration_text((double) parts->parts[part].ns * 1e-9);
  lac_time_parts_round(parts, 100, shares);
  /* Translators: name of a phase or operation, its share of the time, its time */
  return g_strdup_printf(_("%s, %u %%, %s"), title, shares[part], time);
}

char *
lac_stacked_bar_dup_whole(const LacTimeParts *parts)
{
  g_return_val_if_fail(parts != NULL, NULL);
  g_autofree char *time = lac_duration_text((double) parts->whole_ns * 1e-9);
  return g_strdup_printf(_("100 %% = %s"), time);
}
