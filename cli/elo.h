/* The difference in strength that a match shows.
 *
 * score = (wins + draws / 2) / games; elo = 400 log10(score / (1 - score)) (Elo 1978, logistic form). The interval
 * contains the true difference with 95 % probability: normal approximation of the mean, with the games' own
 * variance; if all games had the same result, the exact bound for a run of that length (0.025^(1/n)). */
#ifndef BW_CLI_ELO_H
#define BW_CLI_ELO_H

#include <stdint.h>

typedef struct elo {
    double score;      /* of the first player, 0 .. 1 */
    double low, high;  /* Elo, 95 %; +-INFINITY if there is no bound */
    double difference; /* Elo of the first minus that of the second; +-INFINITY at 1 and 0 */
} elo;

/* games = wins + draws + losses >= 1. */
elo elo_of(uint64_t wins, uint64_t draws, uint64_t losses);

/* A sequential probability ratio test (Wald 1945; for games as in chess engine testing, with the variance of the
 * results so far): is the first player `difference` Elo stronger, or not stronger at all? 1 yes, -1 no, 0 undecided;
 * each answer is wrong in 5 % of matches. Call it after pairs of games. */
int sprt_of(uint64_t wins, uint64_t draws, uint64_t losses, double difference);

/* Ratings of players who met each other (Bradley, Terry 1952). Player i scored points[i][k] in games[i][k] games
 * against k; a draw counts half. Half a drawn game is added for each pair that met, so that nobody is infinitely
 * strong. Elo relative to player 0, and its 95 % error (from the curvature of the likelihood). */
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
