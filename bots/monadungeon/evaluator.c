#include "bots/monadungeon/evaluator.h"

#include <string.h>

#define BW_DUNGEON_WEIGHT_SOUND(name, sound, tuned) sound,
#define BW_DUNGEON_WEIGHT_TUNED(name, sound, tuned) tuned,
const bw_dungeon_weights bw_dungeon_sound = {BW_DUNGEON_WEIGHTS(BW_DUNGEON_WEIGHT_SOUND)};
const bw_dungeon_weights bw_dungeon_tuned = {BW_DUNGEON_WEIGHTS(BW_DUNGEON_WEIGHT_TUNED)};

enum { LOSING = -1500 };

int bw_dungeon_rolls_above(int sum) {
    static const uint8_t above[13] = {36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1, 0};
    return sum < 0 ? 36 : sum > 12 ? 0 : above[sum];
}

static int best_of_others(const bw_dungeon *dungeon, int seat) {
    int best = 0;
    for (int other = 0; other < BW_DUNGEON_PLAYERS; other++) {
        if (other != seat && dungeon->active >> other & 1 && dungeon->players[other].points > best) {
            best = dungeon->players[other].points;
        }
    }
    return best;
}

/* The type of the token with this loot: each kind of loot is on one type. BW_DUNGEON_TOKEN_TYPES: no token has both. */
static int type_of(uint8_t monster, uint8_t loot) {
    static const uint8_t by_loot[BW_DUNGEON_ITEM_COUNT] = {
        [BW_DUNGEON_DAGGER] = 0,
        [BW_DUNGEON_TELEPORT] = 1,
        [BW_DUNGEON_PORTAL_OF_HEALING] = 2,
        [BW_DUNGEON_FIREBALL] = 3,
        [BW_DUNGEON_KEY] = 4,
        [BW_DUNGEON_SWORD] = 5,
        [BW_DUNGEON_AXE] = 6,
        [BW_DUNGEON_FALLENS_TREASURE] = 7,
        [BW_DUNGEON_CHEST] = 8,
        [BW_DUNGEON_RUBY_CHEST] = 9,
    };
    int type = loot < BW_DUNGEON_ITEM_COUNT ? by_loot[loot] : 0;
    const bw_dungeon_token_type *token = &bw_dungeon_token_types[type];
    return token->monster == monster && token->loot == loot ? type : BW_DUNGEON_TOKEN_TYPES;
}

static void look_at_the_map(bw_dungeon_evaluator *eval, bw_dungeon_stand *stand) {
    const bw_dungeon *dungeon = eval->dungeon;
    eval->monsters = eval->items = 0;
    for (int i = 0; i < dungeon->tile_count; i++) {
        const bw_dungeon_tile *tile = &dungeon->tiles[i];
        if (tile->monster != BW_DUNGEON_NONE) eval->monsters |= 1u << type_of(tile->monster, tile->loot);
        else if (tile->loot != BW_DUNGEON_NONE) eval->items |= 1u << tile->loot;
        stand->chests = stand->chests || tile->loot == BW_DUNGEON_CHEST;
    }
    eval->odd = eval->monsters >> BW_DUNGEON_TOKEN_TYPES & 1;
}

void bw_dungeon_evaluator_again(bw_dungeon_evaluator *eval, const bw_dungeon *dungeon) {
    bw_dungeon_stand stand = {.known = true, .tokens = dungeon->tokens_left > 0};
    eval->dungeon = dungeon;
    eval->me = &dungeon->players[eval->seat];
    eval->lead = eval->me->points + bw_dungeon_item_points[BW_DUNGEON_RUBY_CHEST] - best_of_others(dungeon, eval->seat);
    memcpy(stand.bag, eval->me->bag, sizeof stand.bag);
    stand.hp = eval->me->hp;
    stand.lead = (int8_t)((eval->lead > 0) - (eval->lead < 0));
    look_at_the_map(eval, &stand);
    if (memcmp(&stand, &eval->stand, sizeof stand) == 0) return;
    eval->stand = stand;
    eval->bonus = bw_dungeon_weapon_damage(eval->me);
    eval->fireballs = eval->me->bag[BW_DUNGEON_FIREBALL];
    for (int i = 0; i < BW_DUNGEON_TOKEN_TYPES; i++) {
        eval->fights[i][0] = eval->fights[i][1] = BW_DUNGEON_NOT_EVALUATED;
    }
    for (int i = 0; i < BW_DUNGEON_ITEM_COUNT; i++) eval->worths[i] = BW_DUNGEON_NOT_EVALUATED;
}

void bw_dungeon_evaluator_begin(bw_dungeon_evaluator *eval, const bw_dungeon *dungeon, int seat,
                                const bw_dungeon_weights *weights) {
    eval->weights = weights;
    eval->seat = seat;
    eval->stand.known = false;
    bw_dungeon_evaluator_again(eval, dungeon);
}

/* More damage is worth less, the more there already is. */
static int32_t damage_worth(const bw_dungeon_weights *weights, int from, int gain) {
    int32_t worth = 0;
    for (int i = 0; i < gain; i++) {
        worth += weights->damage - weights->damage_less * (from + i < 6 ? from + i : 6);
    }
    return worth;
}

int32_t bw_dungeon_fireball_worth(const bw_dungeon_evaluator *eval) {
    return eval->weights->fireball + eval->weights->fireball_more * eval->bonus;
}

static int32_t plain_worth(const bw_dungeon_evaluator *eval, uint8_t item) {
    switch (item) {
    case BW_DUNGEON_FIREBALL: return bw_dungeon_fireball_worth(eval);
    case BW_DUNGEON_TELEPORT: return eval->weights->teleport;
    case BW_DUNGEON_PORTAL_OF_HEALING: return eval->weights->portal;
    case BW_DUNGEON_KEY:
        return eval->stand.chests ? eval->weights->key : eval->stand.tokens ? eval->weights->key_early : 0;
    default: return 0;
    }
}

static int32_t worth_of(const bw_dungeon_evaluator *eval, uint8_t item, uint8_t *drop) {
    const bw_dungeon_player *me = eval->me;
    *drop = BW_DUNGEON_NONE;
    if (item == BW_DUNGEON_CHEST) return me->bag[BW_DUNGEON_KEY] > 0 ? eval->weights->chest : 0;
    bool full = bw_dungeon_bag_full(me, item), weapon = item <= BW_DUNGEON_AXE;
    if (!full) {
        return weapon ? damage_worth(eval->weights, eval->bonus, bw_dungeon_item_damage[item])
                      : plain_worth(eval, item);
    }
    int32_t best = 0;
    for (uint8_t other = bw_dungeon_categories[item].first; other < bw_dungeon_categories[item].end; other++) {
        if (me->bag[other] == 0 || other == item) continue;
        int gain = bw_dungeon_item_damage[item] - bw_dungeon_item_damage[other];
        int32_t worth = weapon ? damage_worth(eval->weights, eval->bonus, gain)
                               : plain_worth(eval, item) - plain_worth(eval, other);
        if (worth > best) {
            best = worth;
            *drop = other;
        }
    }
    return best;
}

int32_t bw_dungeon_worth(bw_dungeon_evaluator *eval, uint8_t item, uint8_t *drop) {
    int32_t *known = &eval->worths[item];
    if (*known == BW_DUNGEON_NOT_EVALUATED) *known = worth_of(eval, item, &eval->drops[item]);
    *drop = eval->drops[item];
    return *known;
}

int32_t bw_dungeon_loss(const bw_dungeon_evaluator *eval, bool onto_fountain) {
    if (onto_fountain) return eval->weights->idle;
    const bw_dungeon_weights *weights = eval->weights;
    return weights->idle +
           (eval->me->hp <= 1 ? weights->stun : weights->loss + weights->loss_near / (eval->me->hp - 1));
}

int32_t bw_dungeon_win_worth(bw_dungeon_evaluator *eval, uint8_t monster, uint8_t loot) {
    uint8_t drop;
    if (monster == BW_DUNGEON_DRAGON) {
        return eval->lead > 0 ? eval->weights->winning : eval->lead == 0 ? eval->weights->sharing : LOSING;
    }
    if (monster == BW_DUNGEON_FALLEN) return eval->weights->fallen;
    int32_t worth = bw_dungeon_worth(eval, loot, &drop);
    return (worth > 0 ? worth : 0) + eval->weights->clear;
}

int bw_dungeon_fireballs_for(const bw_dungeon_evaluator *eval, int damage, int hp, int32_t gain, int32_t loss) {
    int needed = hp + 1 - damage, use = 0;
    int32_t each = bw_dungeon_fireball_worth(eval), idle = eval->weights->idle;
    int32_t best = damage < hp ? -loss : -idle;
    if (needed >= 1 && needed <= eval->fireballs && gain - needed * each > best) {
        best = gain - needed * each;
        use = needed;
    }
    if (needed >= 2 && needed - 1 <= eval->fireballs && -idle - (needed - 1) * each > best) {
        use = needed - 1; /* a draw, which saves a hit point */
    }
    return use;
}

/* Rolls that beat the monster, or fall short of it by more than fireballs can make up, are counted together. */
static int32_t fight(bw_dungeon_evaluator *eval, uint8_t monster, uint8_t loot, bool onto_fountain) {
    int hp = bw_dungeon_monster_hp[monster], wins_above = hp - eval->bonus, near = wins_above - eval->fireballs;
    int32_t gain = bw_dungeon_win_worth(eval, monster, loot), loss = bw_dungeon_loss(eval, onto_fountain);
    int32_t each = bw_dungeon_fireball_worth(eval), idle = eval->weights->idle;
    int32_t sum = bw_dungeon_rolls_above(wins_above) * gain - (36 - bw_dungeon_rolls_above(near - 1)) * loss;
    for (int roll = near < 2 ? 2 : near; roll <= 12 && roll <= wins_above; roll++) {
        int ways = 6 - (roll > 7 ? roll - 7 : 7 - roll), damage = roll + eval->bonus;
        int use = bw_dungeon_fireballs_for(eval, damage, hp, gain, loss);
        damage += use;
        sum += ways * ((damage > hp ? gain : damage == hp ? -idle : -loss) - use * each);
    }
    return sum / 36;
}

int32_t bw_dungeon_fight_worth(bw_dungeon_evaluator *eval, uint8_t monster, uint8_t loot, bool onto_fountain) {
    int type = type_of(monster, loot);
    if (type == BW_DUNGEON_TOKEN_TYPES) return fight(eval, monster, loot, onto_fountain);
    int32_t *known = &eval->fights[type][onto_fountain];
    if (*known == BW_DUNGEON_NOT_EVALUATED) *known = fight(eval, monster, loot, onto_fountain);
    return *known;
}

int32_t bw_dungeon_unknown_worth(bw_dungeon_evaluator *eval, bool onto_fountain) {
    const bw_dungeon *dungeon = eval->dungeon;
    int32_t sum = 0;
    uint8_t drop, hidden[BW_DUNGEON_TOKEN_TYPES] = {0};
    if (dungeon->deck_left == 0) return 0;
    for (int i = 0; i < dungeon->tokens_left; i++) hidden[dungeon->tokens[i]]++;
    for (int type = 0; type < BW_DUNGEON_TOKEN_TYPES; type++) {
        const bw_dungeon_token_type *token = &bw_dungeon_token_types[type];
        if (hidden[type] == 0) continue;
        if (token->monster == BW_DUNGEON_NONE) {
            int32_t open = bw_dungeon_worth(eval, BW_DUNGEON_CHEST, &drop);
            sum += hidden[type] * (open > 0 ? open : eval->weights->chest_found);
        } else {
            sum += hidden[type] * bw_dungeon_fight_worth(eval, token->monster, token->loot, onto_fountain);
        }
    }
    int rooms = dungeon->rooms_left > dungeon->tokens_left ? dungeon->rooms_left : dungeon->tokens_left;
    return eval->weights->opening + (rooms > 0 ? sum * dungeon->rooms_left / rooms / dungeon->deck_left : 0);
}

int32_t bw_dungeon_healing_worth(const bw_dungeon_evaluator *eval) {
    int hp = eval->me->hp, missing = eval->dungeon->max_hp - hp;
    if (missing <= 0) return 0;
    return eval->weights->heal * missing + (hp <= 1 ? eval->weights->heal_one : hp == 2 ? eval->weights->heal_two : 0);
}

bool bw_dungeon_worth_trying(const bw_dungeon_evaluator *eval, uint8_t monster) {
    int hp = bw_dungeon_monster_hp[monster];
    return bw_dungeon_rolls_above(hp - eval->bonus - eval->fireballs) > 0 &&
           (monster != BW_DUNGEON_DRAGON || eval->lead >= 0);
}

int32_t bw_dungeon_most_worth(bw_dungeon_evaluator *eval) {
    /* A retreat onto a fountain costs less: no battle and no unknown tile is worth more elsewhere. */
    int32_t most = bw_dungeon_healing_worth(eval), unknown = bw_dungeon_unknown_worth(eval, true);
    uint8_t drop;
    if (eval->odd) return INT32_MAX / 1000;
    if (unknown > most) most = unknown;
    for (uint32_t left = eval->monsters; left; left &= left - 1) {
        const bw_dungeon_token_type *token = &bw_dungeon_token_types[__builtin_ctz(left)];
        if (!bw_dungeon_worth_trying(eval, token->monster)) continue;
        int32_t worth = bw_dungeon_fight_worth(eval, token->monster, token->loot, true);
        if (worth > most) most = worth;
    }
    for (uint32_t left = eval->items; left; left &= left - 1) {
        int32_t worth = bw_dungeon_worth(eval, (uint8_t)__builtin_ctz(left), &drop);
        if (worth > most) most = worth;
    }
    return most;
}
