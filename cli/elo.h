/* What a match says about the difference in strength of two players.
 *
 * score = (wins + draws / 2) / games; elo = 400 log10(score / (1 - score)) (Elo 1978, logistic form). The
 * interval holds the true difference with 95 % probability: normal approximation of the mean over the games'
 * own variance; where every game had the same result, the exact bound of a run of that length (0.025^(1/n)). */
#ifndef BW_CLI_ELO_H
#define BW_CLI_ELO_H

#include <stdint.h>

typedef struct elo {
    double score;      /* of the first player, 0 .. 1 */
    double low, high;  /* Elo, 95 %; +-INFINITY where nothing bounds it */
    double difference; /* Elo of the first less that of the second; +-INFINITY at 1 and 0 */
} elo;

/* games = wins + draws + losses >= 1. */
elo elo_of(uint64_t wins, uint64_t draws, uint64_t losses);

#endif
