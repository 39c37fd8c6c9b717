#include "bots/monadungeon/judge.h"

#define BW_DUNGEON_TASTE_SOUND(name, sound, tuned) sound,
#define BW_DUNGEON_TASTE_TUNED(name, sound, tuned) tuned,
const bw_dungeon_taste bw_dungeon_sound = {BW_DUNGEON_TASTES(BW_DUNGEON_TASTE_SOUND)};
const bw_dungeon_taste bw_dungeon_tuned = {BW_DUNGEON_TASTES(BW_DUNGEON_TASTE_TUNED)};

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

void bw_dungeon_judge_begin(bw_dungeon_judge *judge, const bw_dungeon *dungeon, int seat,
                            const bw_dungeon_taste *taste) {
    judge->taste = taste;
    judge->dungeon = dungeon;
    judge->me = &dungeon->players[seat];
    judge->seat = seat;
    judge->bonus = bw_dungeon_weapon_damage(judge->me);
    judge->fireballs = judge->me->bag[BW_DUNGEON_FIREBALL];
    judge->lead = judge->me->points + bw_dungeon_item_points[BW_DUNGEON_RUBY_CHEST] - best_of_others(dungeon, seat);
    judge->chests = 0;
    for (int i = 0; i < dungeon->tile_count; i++) {
        judge->chests += dungeon->tiles[i].loot == BW_DUNGEON_CHEST;
    }
    for (int i = 0; i < BW_DUNGEON_TOKEN_TYPES; i++) {
        judge->fights[i][0] = judge->fights[i][1] = BW_DUNGEON_NOT_JUDGED;
    }
}

/* More damage is worth less, the more there already is. */
static int32_t damage_worth(const bw_dungeon_taste *taste, int from, int gain) {
    int32_t worth = 0;
    for (int i = 0; i < gain; i++) {
        worth += taste->damage - taste->damage_less * (from + i < 6 ? from + i : 6);
    }
    return worth;
}

int32_t bw_dungeon_fireball_worth(const bw_dungeon_judge *judge) {
    return judge->taste->fireball + judge->taste->fireball_more * judge->bonus;
}

static int32_t plain_worth(const bw_dungeon_judge *judge, uint8_t item) {
    switch (item) {
    case BW_DUNGEON_FIREBALL: return bw_dungeon_fireball_worth(judge);
    case BW_DUNGEON_TELEPORT: return judge->taste->teleport;
    case BW_DUNGEON_PORTAL_OF_HEALING: return judge->taste->portal;
    case BW_DUNGEON_KEY:
        return judge->chests > 0 ? judge->taste->key : judge->dungeon->tokens_left > 0 ? judge->taste->key_early : 0;
    default: return 0;
    }
}

int32_t bw_dungeon_worth(const bw_dungeon_judge *judge, uint8_t item, uint8_t *drop) {
    const bw_dungeon_player *me = judge->me;
    *drop = BW_DUNGEON_NONE;
    if (item == BW_DUNGEON_CHEST) return me->bag[BW_DUNGEON_KEY] > 0 ? judge->taste->chest : 0;
    bool full = bw_dungeon_bag_full(me, item), weapon = item <= BW_DUNGEON_AXE;
    if (!full) {
        return weapon ? damage_worth(judge->taste, judge->bonus, bw_dungeon_item_damage[item])
                      : plain_worth(judge, item);
    }
    int32_t best = 0;
    for (uint8_t other = bw_dungeon_categories[item].first; other < bw_dungeon_categories[item].end; other++) {
        if (me->bag[other] == 0 || other == item) continue;
        int gain = bw_dungeon_item_damage[item] - bw_dungeon_item_damage[other];
        int32_t worth = weapon ? damage_worth(judge->taste, judge->bonus, gain)
                               : plain_worth(judge, item) - plain_worth(judge, other);
        if (worth > best) {
            best = worth;
            *drop = other;
        }
    }
    return best;
}

int32_t bw_dungeon_loss(const bw_dungeon_judge *judge, bool onto_fountain) {
    if (onto_fountain) return judge->taste->idle;
    const bw_dungeon_taste *taste = judge->taste;
    return taste->idle + (judge->me->hp <= 1 ? taste->stun : taste->loss + taste->loss_near / (judge->me->hp - 1));
}

int32_t bw_dungeon_win_worth(const bw_dungeon_judge *judge, uint8_t monster, uint8_t loot) {
    uint8_t drop;
    if (monster == BW_DUNGEON_DRAGON) {
        return judge->lead > 0 ? judge->taste->winning : judge->lead == 0 ? judge->taste->sharing : LOSING;
    }
    if (monster == BW_DUNGEON_FALLEN) return judge->taste->fallen;
    int32_t worth = bw_dungeon_worth(judge, loot, &drop);
    return (worth > 0 ? worth : 0) + judge->taste->clear;
}

int bw_dungeon_fireballs_for(const bw_dungeon_judge *judge, int damage, int hp, int32_t gain, int32_t loss) {
    int needed = hp + 1 - damage, use = 0;
    int32_t each = bw_dungeon_fireball_worth(judge), idle = judge->taste->idle;
    int32_t best = damage < hp ? -loss : -idle;
    if (needed >= 1 && needed <= judge->fireballs && gain - needed * each > best) {
        best = gain - needed * each;
        use = needed;
    }
    if (needed >= 2 && needed - 1 <= judge->fireballs && -idle - (needed - 1) * each > best) {
        use = needed - 1; /* a draw, which saves a hit point */
    }
    return use;
}

static int32_t fight(const bw_dungeon_judge *judge, uint8_t monster, uint8_t loot, bool onto_fountain) {
    int hp = bw_dungeon_monster_hp[monster];
    int32_t gain = bw_dungeon_win_worth(judge, monster, loot), loss = bw_dungeon_loss(judge, onto_fountain), sum = 0;
    int32_t each = bw_dungeon_fireball_worth(judge), idle = judge->taste->idle;
    for (int roll = 2; roll <= 12; roll++) {
        int ways = 6 - (roll > 7 ? roll - 7 : 7 - roll), damage = roll + judge->bonus;
        int use = damage > hp ? 0 : bw_dungeon_fireballs_for(judge, damage, hp, gain, loss);
        damage += use;
        sum += ways * ((damage > hp ? gain : damage == hp ? -idle : -loss) - use * each);
    }
    return sum / 36;
}

int32_t bw_dungeon_fight_worth(bw_dungeon_judge *judge, uint8_t monster, uint8_t loot, bool onto_fountain) {
    for (int type = 0; type < BW_DUNGEON_TOKEN_TYPES; type++) {
        const bw_dungeon_token_type *token = &bw_dungeon_token_types[type];
        if (token->monster == monster && token->loot == loot) {
            int32_t *known = &judge->fights[type][onto_fountain];
            if (*known == BW_DUNGEON_NOT_JUDGED) {
                *known = fight(judge, monster, loot, onto_fountain);
            }
            return *known;
        }
    }
    return fight(judge, monster, loot, onto_fountain);
}

int32_t bw_dungeon_unknown_worth(bw_dungeon_judge *judge, bool onto_fountain) {
    const bw_dungeon *dungeon = judge->dungeon;
    int32_t sum = 0;
    uint8_t drop;
    if (dungeon->deck_left == 0) return 0;
    for (int i = 0; i < dungeon->tokens_left; i++) {
        const bw_dungeon_token_type *token = &bw_dungeon_token_types[dungeon->tokens[i]];
        if (token->monster == BW_DUNGEON_NONE) {
            int32_t open = bw_dungeon_worth(judge, BW_DUNGEON_CHEST, &drop);
            sum += open > 0 ? open : judge->taste->chest_found;
        } else {
            sum += bw_dungeon_fight_worth(judge, token->monster, token->loot, onto_fountain);
        }
    }
    int rooms = dungeon->rooms_left > dungeon->tokens_left ? dungeon->rooms_left : dungeon->tokens_left;
    return judge->taste->opening + (rooms > 0 ? sum * dungeon->rooms_left / rooms / dungeon->deck_left : 0);
}

int32_t bw_dungeon_healing_worth(const bw_dungeon_judge *judge) {
    int hp = judge->me->hp, missing = judge->dungeon->max_hp - hp;
    if (missing <= 0) return 0;
    return judge->taste->heal * missing + (hp <= 1 ? judge->taste->heal_one : hp == 2 ? judge->taste->heal_two : 0);
}
