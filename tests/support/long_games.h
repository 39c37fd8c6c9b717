/* Games that can be made long: what two players say, again and again. For measuring rooms. ' stands for ". */
#ifndef BW_LONG_GAMES_H
#define BW_LONG_GAMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct long_game {
    const char *id, *roles[2]; /* NULL: one player */
    const char *settings;
    int64_t step_ms;      /* time that passes after each turn */
    const char *turns[6]; /* who speaks (1 or 2), and the message without its end; none: random legal actions */
} long_game;

static const long_game long_games[] = {
    {.id = "flooded_island",
     .roles = {"journeyman", "weather"},
     .settings = "{'type':'configure_grid','size':10}",
     .step_ms = 500,
     .turns = {"1{'type':'move','position':{'x':1,'y':0}", "1{'type':'end_turn'", "2{'type':'end_turn'",
               "1{'type':'move','position':{'x':0,'y':0}", "1{'type':'end_turn'", "2{'type':'end_turn'"}},
    {.id = "flag_war",
     .roles = {"blue", "red"},
     .settings = "{'type':'configure','max_rounds':0,'round_ms':1000,'ready_ms':0}",
     .step_ms = 1000,
     .turns = {"1{'type':'command','piece':1,'direction':'left','distance':1",
               "1{'type':'command','piece':1,'direction':'right','distance':1"}},
    {.id = "monadungeon",
     .roles = {"player1", "player2"},
     .settings = "{'type':'configure','deck_size':99,'max_hp':20}",
     .step_ms = 500},
    {.id = "flood_it",
     .roles = {"player"},
     .settings = "{'type':'configure','rows':14,'cols':14,'colors':6,'move_limit':0,'seed':'long'}",
     .step_ms = 500,
     .turns = {"1{'type':'select_color','color':'red'", "1{'type':'select_color','color':'green'", "1{'type':'undo'",
               "1{'type':'undo'", "1{'type':'select_color','color':'blue'", "1{'type':'undo'"}},
};

enum { LONG_GAMES = sizeof long_games / sizeof long_games[0] };

#endif
