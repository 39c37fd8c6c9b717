#include "cli/elo.h"

#include <math.h>

static double from_score(double score) {
    if (score <= 0) return -INFINITY;
    if (score >= 1) return INFINITY;
    return 400 * log10(score / (1 - score));
}

elo elo_of(uint64_t wins, uint64_t draws, uint64_t losses) {
    double n = (double)(wins + draws + losses);
    double score = ((double)wins + (double)draws / 2) / n;
    elo result = {.score = score, .difference = from_score(score)};
    double squares = (double)wins * (1 - score) * (1 - score) + (double)draws * (0.5 - score) * (0.5 - score) +
                     (double)losses * score * score;
    double variance = squares / n;
    double reach = 1.959964 * sqrt(variance / n);
    double low = score - reach, high = score + reach;
    if (variance <= 0) { /* all games alike: how far from that could the truth be? */
        double bound = pow(0.025, 1 / n);
        low = score >= 1 ? bound : score <= 0 ? 0 : score * bound;
        high = score <= 0 ? 1 - bound : score >= 1 ? 1 : 1 - (1 - score) * bound;
    }
    result.low = from_score(low);
    result.high = from_score(high);
    return result;
}
