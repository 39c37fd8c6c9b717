/* The dungeon as ASCII art: three characters for a tile, one between two tiles.
 *
 *   [o]-M -?      the current player stands in a corridor; east of it a mummy, then an unexplored cell */
#include "games/monadungeon/rules.h"

enum {
    ACROSS = 9, /* cells shown on each side of the middle */
    DOWN = 5,
    LINE = (2 * ACROSS + 1) * 4 + 1,
};

typedef struct map {
    const bw_dungeon_view *view;
    bw_dungeon_cell cells[BW_DUNGEON_TILES];
    int left, right, top, bottom;
} map;

static const bw_dungeon_tile_view *tile_at(const map *drawn, int x, int y) {
    for (int i = 0; i < drawn->view->tiles_count; i++) {
        if (drawn->cells[i].x == x && drawn->cells[i].y == y) return &drawn->view->tiles[i];
    }
    return 0;
}

static bool opens(const map *drawn, int x, int y, int side) {
    const bw_dungeon_tile_view *tile = tile_at(drawn, x, y);
    return tile && tile->openings[side];
}

/* A passage, or an open side onto an empty cell, between a cell and its neighbour on `side`. */
static bool joined(const map *drawn, int x, int y, int side) {
    int ox = x + bw_dungeon_dx[side], oy = y + bw_dungeon_dy[side];
    bool here = opens(drawn, x, y, side), there = opens(drawn, ox, oy, side ^ 2);
    return (here || there) && (here || !tile_at(drawn, x, y)) && (there || !tile_at(drawn, ox, oy));
}

static char letter_of(const bw_dungeon_tile_view *tile) {
    if (tile->has_monster) return "RPMTWKXD"[tile->monster.name];
    if (tile->has_loot) return tile->loot == BW_DUNGEON_CHEST ? 'C' : '$';
    return "Sorgf"[tile->kind];
}

static bool stands(const bw_dungeon_info *info, int x, int y) { return info->x == x && info->y == y; }

static void draw_tile(bw_out *out, const map *drawn, int x, int y) {
    const bw_dungeon_tile_view *tile = tile_at(drawn, x, y);
    char letters[4] = "   ";
    if (!tile) {
        for (int side = 0; side < BW_DUNGEON_SIDES; side++) {
            if (joined(drawn, x, y, side)) letters[1] = '?';
        }
        bw_out_text(out, letters);
        return;
    }
    letters[1] = letter_of(tile);
    for (int i = 0; i < drawn->view->players_info_count; i++) {
        const bw_dungeon_info *info = &drawn->view->players_info[i];
        if (!stands(info, x, y) || info->resigned) continue;
        if (drawn->view->has_to_move && info->key[6] - '1' == drawn->view->to_move) {
            letters[0] = '[', letters[2] = ']';
        } else if (letters[0] == ' ') {
            letters[0] = info->key[6];
        }
    }
    bw_out_text(out, letters);
}

/* The area to show: all tiles and the cells around them, or as much as fits around the current player. */
static void frame(map *drawn) {
    bw_dungeon_cell middle = {0, 0};
    const bw_dungeon_view *view = drawn->view;
    for (int i = 0; i < view->players_info_count; i++) {
        const bw_dungeon_info *info = &view->players_info[i];
        if (view->has_to_move && info->key[6] - '1' == view->to_move) {
            middle = (bw_dungeon_cell){.x = info->x, .y = info->y};
        }
    }
    int reach[4] = {middle.x, middle.x, middle.y, middle.y};
    for (int i = 0; i < view->tiles_count; i++) {
        int x = drawn->cells[i].x, y = drawn->cells[i].y;
        reach[0] = x - 1 < reach[0] ? x - 1 : reach[0];
        reach[1] = x + 1 > reach[1] ? x + 1 : reach[1];
        reach[2] = y - 1 < reach[2] ? y - 1 : reach[2];
        reach[3] = y + 1 > reach[3] ? y + 1 : reach[3];
    }
    drawn->left = reach[0] < middle.x - ACROSS ? middle.x - ACROSS : reach[0];
    drawn->right = reach[1] > middle.x + ACROSS ? middle.x + ACROSS : reach[1];
    drawn->top = reach[2] < middle.y - DOWN ? middle.y - DOWN : reach[2];
    drawn->bottom = reach[3] > middle.y + DOWN ? middle.y + DOWN : reach[3];
}

/* Writes a line without trailing blanks. */
static void write_line(bw_out *out, const bw_out *line) {
    size_t length = line->length;
    while (length > 0 && line->at[length - 1] == ' ') length--;
    bw_out_bytes(out, line->at, length);
    bw_out_text(out, "\n");
}

static void draw_row(bw_out *out, const map *drawn, int y) {
    char text[LINE];
    bw_out line = bw_out_to(text, sizeof text);
    for (int x = drawn->left; x <= drawn->right; x++) {
        draw_tile(&line, drawn, x, y);
        bw_out_text(&line, x < drawn->right && joined(drawn, x, y, 1) ? "-" : " ");
    }
    write_line(out, &line);
}

static void draw_passages(bw_out *out, const map *drawn, int y) {
    char text[LINE];
    bw_out line = bw_out_to(text, sizeof text);
    for (int x = drawn->left; x <= drawn->right; x++) {
        bw_out_text(&line, joined(drawn, x, y, 2) ? " |  " : "    ");
    }
    write_line(out, &line);
}

void bw_dungeon_write_map(bw_out *out, const bw_dungeon_view *view) {
    map drawn = {.view = view};
    for (int i = 0; i < view->tiles_count; i++) {
        bw_dungeon_read_key(view->tiles[i].key, &drawn.cells[i]);
    }
    frame(&drawn);
    bw_out_format(out, "Map from %d,%d to %d,%d, the start at 0,0:\n", drawn.left, drawn.top, drawn.right,
                  drawn.bottom);
    for (int y = drawn.top; y <= drawn.bottom; y++) {
        draw_row(out, &drawn, y);
        if (y < drawn.bottom) draw_passages(out, &drawn, y);
    }
    bw_out_text(out, "S start  o corridor  r room  g gate  f fountain  $ loot  C chest  ? unexplored\n"
                     "R rat  P spider  M mummy  T turnkey  W warrior  K king  X fallen  D dragon\n");
}
