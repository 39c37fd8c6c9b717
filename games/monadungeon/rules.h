/* What the files of Monadungeon's rules share with one another, and with nobody else.
 *
 *   tiles.c   the box of tiles and tokens, and how a tile is placed
 *   setup.c   shuffling a dungeon
 *   turn.c    whose turn it is: ends, stuns, torches, resigning
 *   battle.c  dice, fireballs, winning, retreating
 *   loot.c    picking up, dropping, chests, spells
 *   apply.c   dispatches an action to its function
 *   legal.c   what is legal: exactly what apply.c accepts
 *   view.c guess.c text.c map.c   the view, a position from a view, the position as text */
#ifndef BW_MONADUNGEON_RULES_H
#define BW_MONADUNGEON_RULES_H

#include "games/monadungeon/monadungeon.h"

/* R(constant, sentence): each sentence says what would be right. */
#define BW_DUNGEON_REFUSALS(R)                                                                              \
    R(NOBODY_LEFT, "Nobody else is still playing: there is nobody to claim a win against.")                 \
    R(OVER, "The game is over: propose a rematch to enter another dungeon.")                                \
    R(NOT_YOUR_TURN, "It is another player's turn: wait until yours begins.")                               \
    R(PLACE_FIRST, "A tile is waiting: put it down first, with place and one of the rotations shown.")      \
    R(BATTLE_FIRST, "The battle is not settled: settle it first, with battle and a number of fireballs.")   \
    R(LOOT_FIRST, "The monster is beaten: choose pick_up or leave_loot; either ends the turn.")             \
    R(NO_MOVES, "No moves are left: pick_up, open_chest or end_turn.")                                      \
    R(FAR, "That cell is not next to yours: choose a neighbouring cell, or, on a gate, the other gate.")    \
    R(WALL, "There is a wall in between: choose a tile where both facing sides are open.")                  \
    R(UNDISCOVERED, "There is no tile yet: use explore for an empty cell.")                                 \
    R(DISCOVERED, "There is already a tile: use move, or explore an empty cell.")                           \
    R(OWN_WALL, "Your tile has a wall on that side: explore through one of its open sides.")                \
    R(DECK_EMPTY, "The deck is empty and nothing is left to explore: move on discovered tiles.")            \
    R(NO_TILE, "No tile is waiting to be placed: explore an empty cell first.")                             \
    R(ROTATION, "With that rotation a wall would face you: use one of the rotations listed with the tile.") \
    R(NO_BATTLE, "There is no battle: fireballs can be used after a monster has withstood your dice.")      \
    R(FIREBALLS, "You do not carry that many fireballs: choose from 0 to the number carried.")              \
    R(NO_LOOT, "Nothing lies here to pick up: go to a tile with loot.")                                     \
    R(CHEST, "A chest cannot be carried: use open_chest, with a key.")                                      \
    R(NAME_DROP, "Your bag is full for this kind of item: name an item of the same kind to drop.")          \
    R(NO_DROP, "There is room in your bag: pick it up without dropping anything.")                          \
    R(DROP_KIND, "Drop an item of the same kind as the one you pick up.")                                   \
    R(DROP_NONE, "You do not carry that item: name an item that you carry to drop it.")                     \
    R(NO_LEAVE, "You have not just won anything: use end_turn to end your turn.")                           \
    R(NO_CHEST, "There is no chest here: go to a tile with a locked chest.")                                \
    R(NO_KEY, "The chest is locked and you carry no key: turnkeys guard them. No time is lost.")            \
    R(NO_SPELL, "You do not carry that spell: cast one that you carry.")                                    \
    R(NO_FIGHT, "A fireball is used in a battle, with battle and a number of fireballs.")                   \
    R(NO_TARGET, "Teleport leads to a fountain: give its cell as `to`.")                                    \
    R(NO_FOUNTAIN, "There is no fountain: name the start or a discovered fountain.")                        \
    R(NEEDS_NO_CELL, "The portal of healing works where you stand: leave out `to`.")                        \
    R(REST_FOUNTAIN, "You can rest only on a fountain: go to one, or use end_turn.")                        \
    R(UNKNOWN, "That is not an action of this game: use one that is listed.")                               \
    R(NOT_PLAYING, "You are no longer in this dungeon: you can watch the others.")                          \
    R(BAD_VIEW, "That view is not a position of this game.")

#define BW_DUNGEON_REFUSAL_INDEX(constant, sentence) BW_DUNGEON_AT_##constant,
enum { BW_DUNGEON_REFUSALS(BW_DUNGEON_REFUSAL_INDEX) BW_DUNGEON_REFUSAL_COUNT };
#define BW_DUNGEON_REFUSAL_CODE(constant, sentence) BW_DUNGEON_REFUSES_##constant = -(BW_DUNGEON_AT_##constant + 1),
enum { BW_DUNGEON_REFUSALS(BW_DUNGEON_REFUSAL_CODE) };

/* ---- tiles.c ---- */

/* Places a tile on an empty cell and connects it with its neighbours; remembers a gate or fountain. `monster` and
 * `loot` are those of its token. Returns its index. */
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

/* Reads the cell from a tile's key in a view, "-3,12"; false if it is not a key. */
bool bw_dungeon_read_key(const char *key, bw_dungeon_cell *cell);

/* ---- map.c ---- */

/* The map around a cell, at most 19 columns and 11 rows, with a legend. */
void bw_dungeon_write_map(bw_out *out, const bw_dungeon_view *view);

/* ---- turn.c ---- */

/* Ends the current player's turn, wherever the player stands, and finds who is next. */
void bw_dungeon_end_turn(bw_dungeon *dungeon, bw_events *events);
/* After the last move: ends the turn unless there is something to take. */
void bw_dungeon_after_move(bw_dungeon *dungeon, bw_events *events);
/* Lights the torches once nothing is left to explore. */
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
/* Puts it into the bag and counts its points. */
void bw_dungeon_take(bw_dungeon *dungeon, uint8_t item, bw_events *events);

#endif
