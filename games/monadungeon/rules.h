/* What the files of Monadungeon's rules share with one another, and with nobody else.
 *
 *   tiles.c   the box of tiles and tokens, and how a tile is placed
 *   setup.c   shuffling a dungeon
 *   turn.c    whose turn it is: ends, stuns, torches, resigning
 *   battle.c  dice, fireballs, winning, retreating
 *   loot.c    picking up, dropping, chests, spells
 *   apply.c   which action is for which of them
 *   legal.c   what is legal: exactly what apply.c accepts
 *   view.c guess.c text.c map.c   what is seen, told, and guessed from it */
#ifndef BW_MONADUNGEON_RULES_H
#define BW_MONADUNGEON_RULES_H

#include "games/monadungeon/monadungeon.h"

/* R(constant, sentence): each names what would be right. */
#define BW_DUNGEON_REFUSALS(R)                                                                             \
    R(NOBODY_LEFT, "Nobody else plays any more: there is nobody to win against by waiting.")               \
    R(OVER, "The game is over: propose a rematch to enter another dungeon.")                               \
    R(NOT_YOUR_TURN, "It is another player's turn: wait until yours begins.")                              \
    R(PLACE_FIRST, "A tile is waiting: put it down first, with place and one of the rotations shown.")     \
    R(BATTLE_FIRST, "The battle is open: settle it first, with battle and a number of fireballs.")         \
    R(LOOT_FIRST, "The monster is beaten: choose pick_up or leave_loot; either ends the turn.")            \
    R(NO_MOVES, "No moves are left: pick_up, open_chest or end_turn.")                                     \
    R(FAR, "That cell is not next to yours: choose one that is, or, on a gate, the other gate.")           \
    R(WALL, "A wall stands between: choose a tile where both facing sides are open.")                      \
    R(UNDISCOVERED, "No tile lies there yet: use explore for an empty cell.")                              \
    R(DISCOVERED, "A tile lies there already: use move, or explore an empty cell.")                        \
    R(OWN_WALL, "Your tile has a wall on that side: explore through one of its open sides.")               \
    R(DECK_EMPTY, "The deck is empty, nothing can be explored any more: move on discovered tiles.")        \
    R(NO_TILE, "No tile is waiting to be placed: explore an empty cell first.")                            \
    R(ROTATION, "Turned like that, a wall would face you: use one of the rotations listed with the tile.") \
    R(NO_BATTLE, "No battle is open: fireballs can be used once a monster has withstood your dice.")       \
    R(FIREBALLS, "You do not carry that many fireballs: choose from 0 to the number carried.")             \
    R(NO_LOOT, "Nothing lies here to pick up: go to a tile with loot.")                                    \
    R(CHEST, "A chest cannot be carried: use open_chest, with a key.")                                     \
    R(NAME_DROP, "Your bag is full for this kind of item: name one of the same kind to drop.")             \
    R(NO_DROP, "There is room in your bag: pick it up without dropping anything.")                         \
    R(DROP_KIND, "Drop an item of the same kind as the one you pick up.")                                  \
    R(DROP_NONE, "You do not carry what you want to drop: name an item that you carry.")                   \
    R(NO_LEAVE, "Nothing was won just now: use end_turn to end your turn.")                                \
    R(NO_CHEST, "No chest stands here: go to a tile with a locked chest.")                                 \
    R(NO_KEY, "The chest is locked and you carry no key: turnkeys guard them. No time is lost.")           \
    R(NO_SPELL, "You do not carry that spell: cast one that you carry.")                                   \
    R(NO_FIGHT, "A fireball is used in a battle, with battle and a number of fireballs.")                  \
    R(NO_TARGET, "Teleport leads to a fountain: name its cell in to.")                                     \
    R(NO_FOUNTAIN, "No fountain lies there: name the start or a fountain that was discovered.")            \
    R(NEEDS_NO_CELL, "The portal of healing works where you stand: leave out to.")                         \
    R(REST_FOUNTAIN, "Rest is taken on a fountain: go to one, or use end_turn.")                           \
    R(UNKNOWN, "That is no action of this game: use one that is listed.")                                  \
    R(NOT_PLAYING, "You have no part in this dungeon any more: watch the others.")                         \
    R(BAD_VIEW, "That view is of no position of this game.")

#define BW_DUNGEON_REFUSAL_INDEX(constant, sentence) BW_DUNGEON_AT_##constant,
enum { BW_DUNGEON_REFUSALS(BW_DUNGEON_REFUSAL_INDEX) BW_DUNGEON_REFUSAL_COUNT };
#define BW_DUNGEON_REFUSAL_CODE(constant, sentence) BW_DUNGEON_REFUSES_##constant = -(BW_DUNGEON_AT_##constant + 1),
enum { BW_DUNGEON_REFUSALS(BW_DUNGEON_REFUSAL_CODE) };

/* ---- tiles.c ---- */

/* Lays a tile on an empty cell and joins it to its neighbours; a gate or fountain is noted. `monster`
 * and `loot` are its token's. Returns its index. */
uint8_t bw_dungeon_lay(bw_dungeon *dungeon, int x, int y, uint8_t sides, uint8_t kind, uint8_t monster, uint8_t loot);
/* The side on which a cell lies next to a tile, or -1. */
static inline int bw_dungeon_side_to(const bw_dungeon_tile *tile, int x, int y) {
    int64_t dx = x - tile->x, dy = y - tile->y; /* cells are within BW_DUNGEON_REACH */
    return dx * dx + dy * dy != 1 ? -1 : (int)(dx ? 2 - dx : 1 + dy);
}
void bw_dungeon_show_sides(bool openings[4], uint16_t *count, uint8_t sides);
static inline bw_dungeon_cell bw_dungeon_cell_of(const bw_dungeon_tile *tile) {
    return (bw_dungeon_cell){.x = tile->x, .y = tile->y};
}

/* ---- guess.c ---- */

/* The cell of a tile's key in a view, "-3,12"; false: it is none. */
bool bw_dungeon_read_key(const char *key, bw_dungeon_cell *cell);

/* ---- map.c ---- */

/* The map around a cell, 19 columns and 11 rows of it at most, with its legend. */
void bw_dungeon_write_map(bw_out *out, const bw_dungeon_view *view);

/* ---- turn.c ---- */

/* Ends the current player's turn, wherever he stands, and finds who is next. */
void bw_dungeon_end_turn(bw_dungeon *dungeon, bw_events *events);
/* After the last move: ends the turn unless there is something to take. */
void bw_dungeon_after_move(bw_dungeon *dungeon, bw_events *events);
/* Lights the torches once nothing can be explored any more. */
void bw_dungeon_watch_torches(bw_dungeon *dungeon);
/* The next seat in the turn order after `seat`, or `seat` itself. */
uint8_t bw_dungeon_next_seat(uint8_t active, uint8_t seat);

/* ---- battle.c ---- */

/* Rolls for the current player, who has just entered a monster's tile from `came_from`. */
void bw_dungeon_open_battle(bw_dungeon *dungeon, uint8_t came_from, bw_events *events);
void bw_dungeon_settle_battle(bw_dungeon *dungeon, uint8_t fireballs, bw_events *events);
void bw_dungeon_go(bw_dungeon *dungeon, uint8_t to, uint8_t by, bw_events *events);

/* ---- loot.c ---- */

/* Could the player take this tile's loot (by swapping, too) or open its chest? */
bool bw_dungeon_can_take(const bw_dungeon_player *player, uint8_t loot);
int bw_dungeon_pick_up_loot(bw_dungeon *dungeon, const bw_dungeon_pick_up *pick_up, bw_events *events);
int bw_dungeon_open_the_chest(bw_dungeon *dungeon, bw_events *events);
int bw_dungeon_cast_spell(bw_dungeon *dungeon, const bw_dungeon_cast *cast, bw_events *events);
/* Into the bag, with its points. */
void bw_dungeon_take(bw_dungeon *dungeon, uint8_t item, bw_events *events);

#endif
