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
    if (variance <= 0) { /* all results are equal: bounds the true value */
        double bound = pow(0.025, 1 / n);
        low = score >= 1 ? bound : score <= 0 ? 0 : score * bound;
        high = score <= 0 ? 1 - bound : score >= 1 ? 1 : 1 - (1 - score) * bound;
    }
    result.low = from_score(low);
    result.high = from_score(high);
    return result;
}

int sprt_of(uint64_t wins, uint64_t draws, uint64_t losses, double difference) {
    double n = (double)(wins + draws + losses);
    /* Adds half a game of each result, because the first few games are not representative. */
    double w = (double)wins + 0.5, d = (double)draws + 0.5, l = (double)losses + 0.5, all = w + d + l;
    double mean = (w + d / 2) / all, variance = (w + d / 4) / all - mean * mean;
    double expected = 1 / (1 + pow(10, -difference / 400)), bound = log(0.95 / 0.05);
    double ratio = n * (expected - 0.5) * (2 * mean - 0.5 - expected) / (2 * variance);
    return ratio >= bound ? 1 : ratio <= -bound ? -1 : 0;
}

/* ---- ladders ---- */

static double met(const ladder_results *r, int i, int k) { return r->games[i][k] > 0 ? r->games[i][k] + 0.5 : 0; }
static double scored(const ladder_results *r, int i, int k) { return r->games[i][k] > 0 ? r->points[i][k] + 0.25 : 0; }
static double expected(double a, double b) { return 1 / (1 + exp(b - a)); }

/* The inverse of the negative Hessian without player 0, who is fixed: the variances are on its diagonal. */
static void variances(const ladder_results *r, const double *strength, double *variance) {
    enum { N = LADDER_PLAYERS };
    double m[N][2 * N] = {{0}};
    int n = r->players - 1;
    for (int i = 0; i < n; i++) {
        m[i][n + i] = 1;
        for (int k = 0; k < r->players; k++) {
            double p = expected(strength[i + 1], strength[k]), weight = met(r, i + 1, k) * p * (1 - p);
            if (k == i + 1) continue;
            m[i][i] += weight;
            if (k > 0) m[i][k - 1] -= weight;
        }
    }
    for (int i = 0; i < n; i++) { /* positive definite: no pivoting */
        double pivot = m[i][i] > 1e-12 ? m[i][i] : 1e-12;
        for (int k = 0; k < 2 * n; k++) m[i][k] /= pivot;
        for (int other = 0; other < n; other++) {
            double factor = other == i ? 0 : m[other][i];
            for (int k = 0; k < 2 * n; k++) m[other][k] -= factor * m[i][k];
        }
    }
    variance[0] = 0;
    for (int i = 0; i < n; i++) variance[i + 1] = m[i][n + i];
}

void ladder_rate(const ladder_results *r, ladder_rating ratings[LADDER_PLAYERS]) {
    double strength[LADDER_PLAYERS] = {0}, variance[LADDER_PLAYERS] = {0};
    for (int round = 0; round < 20000; round++) { /* minorization-maximization (Hunter 2004) */
        double moved = 0;
        for (int i = 0; i < r->players; i++) {
            double points = 0, weight = 0;
            for (int k = 0; k < r->players; k++) {
                if (k == i || met(r, i, k) <= 0) continue;
                points += scored(r, i, k);
                weight += met(r, i, k) / (exp(strength[i]) + exp(strength[k]));
            }
            if (weight <= 0) continue;
            double next = log(points / weight);
            moved = fmax(moved, fabs(next - strength[i]));
            strength[i] = next;
        }
        if (moved < 1e-9) break;
    }
    variances(r, strength, variance);
    const double scale = 400 / log(10);
    for (int i = 0; i < r->players; i++) {
        ratings[i] = (ladder_rating){(strength[i] - strength[0]) * scale, 1.959964 * scale * sqrt(variance[i])};
    }
}
