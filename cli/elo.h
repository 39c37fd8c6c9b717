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

/* A sequential probability ratio test (Wald 1945; for games as in chess engine testing, with the variance of the results
 * so far): is the first player `difference` Elo stronger, rather than not stronger at all? 1 yes, -1 no, 0 undecided; each
 * is wrong in 5 % of matches. To be asked after pairs of games. */
int sprt_of(uint64_t wins, uint64_t draws, uint64_t losses, double difference);

/* Ratings of players who met each other (Bradley, Terry 1952). Player i scored points[i][k] in games[i][k] games against
 * k, a draw counting half. Half a drawn game is added for each pair that met, so that nobody is infinitely strong. Elo
 * relative to player 0, and how far that may be off (95 %, from the curvature of the likelihood). */
enum { LADDER_PLAYERS = 16 };
typedef struct ladder_results {
    int players;
    double points[LADDER_PLAYERS][LADDER_PLAYERS], games[LADDER_PLAYERS][LADDER_PLAYERS];
} ladder_results;
typedef struct ladder_rating {
    double elo, error;
} ladder_rating;
void ladder_rate(const ladder_results *results, ladder_rating ratings[LADDER_PLAYERS]);

#endif
