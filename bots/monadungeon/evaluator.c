#include "bots/monadungeon/evaluator.h"

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

void bw_dungeon_evaluator_begin(bw_dungeon_evaluator *eval, const bw_dungeon *dungeon, int seat,
                                const bw_dungeon_weights *weights) {
    eval->weights = weights;
    eval->dungeon = dungeon;
    eval->me = &dungeon->players[seat];
    eval->seat = seat;
    eval->bonus = bw_dungeon_weapon_damage(eval->me);
    eval->fireballs = eval->me->bag[BW_DUNGEON_FIREBALL];
    eval->lead = eval->me->points + bw_dungeon_item_points[BW_DUNGEON_RUBY_CHEST] - best_of_others(dungeon, seat);
    eval->chests = 0;
    for (int i = 0; i < dungeon->tile_count; i++) {
        eval->chests += dungeon->tiles[i].loot == BW_DUNGEON_CHEST;
    }
    for (int i = 0; i < BW_DUNGEON_TOKEN_TYPES; i++) {
        eval->fights[i][0] = eval->fights[i][1] = BW_DUNGEON_NOT_EVALUATED;
    }
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
        return eval->chests > 0 ? eval->weights->key : eval->dungeon->tokens_left > 0 ? eval->weights->key_early : 0;
    default: return 0;
    }
}

int32_t bw_dungeon_worth(const bw_dungeon_evaluator *eval, uint8_t item, uint8_t *drop) {
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

int32_t bw_dungeon_loss(const bw_dungeon_evaluator *eval, bool onto_fountain) {
    if (onto_fountain) return eval->weights->idle;
    const bw_dungeon_weights *weights = eval->weights;
    return weights->idle +
           (eval->me->hp <= 1 ? weights->stun : weights->loss + weights->loss_near / (eval->me->hp - 1));
}

int32_t bw_dungeon_win_worth(const bw_dungeon_evaluator *eval, uint8_t monster, uint8_t loot) {
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

static int32_t fight(const bw_dungeon_evaluator *eval, uint8_t monster, uint8_t loot, bool onto_fountain) {
    int hp = bw_dungeon_monster_hp[monster];
    int32_t gain = bw_dungeon_win_worth(eval, monster, loot), loss = bw_dungeon_loss(eval, onto_fountain), sum = 0;
    int32_t each = bw_dungeon_fireball_worth(eval), idle = eval->weights->idle;
    for (int roll = 2; roll <= 12; roll++) {
        int ways = 6 - (roll > 7 ? roll - 7 : 7 - roll), damage = roll + eval->bonus;
        int use = damage > hp ? 0 : bw_dungeon_fireballs_for(eval, damage, hp, gain, loss);
        damage += use;
        sum += ways * ((damage > hp ? gain : damage == hp ? -idle : -loss) - use * each);
    }
    return sum / 36;
}

int32_t bw_dungeon_fight_worth(bw_dungeon_evaluator *eval, uint8_t monster, uint8_t loot, bool onto_fountain) {
    for (int type = 0; type < BW_DUNGEON_TOKEN_TYPES; type++) {
        const bw_dungeon_token_type *token = &bw_dungeon_token_types[type];
        if (token->monster == monster && token->loot == loot) {
            int32_t *known = &eval->fights[type][onto_fountain];
            if (*known == BW_DUNGEON_NOT_EVALUATED) {
                *known = fight(eval, monster, loot, onto_fountain);
            }
            return *known;
        }
    }
    return fight(eval, monster, loot, onto_fountain);
}

int32_t bw_dungeon_unknown_worth(bw_dungeon_evaluator *eval, bool onto_fountain) {
    const bw_dungeon *dungeon = eval->dungeon;
    int32_t sum = 0;
    uint8_t drop;
    if (dungeon->deck_left == 0) return 0;
    for (int i = 0; i < dungeon->tokens_left; i++) {
        const bw_dungeon_token_type *token = &bw_dungeon_token_types[dungeon->tokens[i]];
        if (token->monster == BW_DUNGEON_NONE) {
            int32_t open = bw_dungeon_worth(eval, BW_DUNGEON_CHEST, &drop);
            sum += open > 0 ? open : eval->weights->chest_found;
        } else {
            sum += bw_dungeon_fight_worth(eval, token->monster, token->loot, onto_fountain);
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
