/* The value of a matrix game, and how each side plays it best.
 *
 * The row player gets payoff[i * columns + j], the column player loses it. Solved by pivoting, as in J. D. Williams, "The
 * Compleat Strategyst" (1954): it is the simplex method on the game's linear programme. Doubles: exact but for rounding, and
 * the mixes show how far the result may be off, because each is a guarantee (matrix_guarantees). */
#ifndef BW_CLI_MATRIX_GAME_H
#define BW_CLI_MATRIX_GAME_H

enum { MATRIX_MAX = 128 }; /* rows, and columns */

/* `work`: (rows + 1) * (columns + 1) doubles. The mixes may be NULL. Returns the value. */
double matrix_solve(const double *payoff, int rows, int columns, double *work, double *row_mix, double *column_mix);
/* What the row player gets at least by its mix, and at most against the column player's: the value is in between. */
void matrix_guarantees(const double *payoff, int rows, int columns, const double *row_mix, const double *column_mix,
                       double *low, double *high);

#endif
