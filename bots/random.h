/* The player that any game has for free: a legal action at random, level "easy". */
#ifndef BW_RANDOM_H
#define BW_RANDOM_H

#include "bots/bots.h"

extern const bw_bot bw_random;
extern const bw_bot *const bw_random_levels[1];

#endif
