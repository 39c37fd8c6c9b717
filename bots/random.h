/* A random legal action, in any game: a yardstick for other players. No game offers it as a level. */
#ifndef BW_RANDOM_H
#define BW_RANDOM_H

#include "bots/bots.h"

extern const bw_bot bw_random;

#endif
