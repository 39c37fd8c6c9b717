#include "cli/matrix_game.h"

#include <stdbool.h>
#include <string.h>

#define TINY 1e-12

/* Pivots: few are needed; after very many it may be going in circles, which Bland's rule ends. */
enum { USUAL = 2000, LONGEST = 20000 };

typedef struct tableau {
    double *at; /* rows of columns + 1: the last column and the last row are the borders */
    int rows, columns;
    int left[MATRIX_MAX], top[MATRIX_MAX]; /* what stands there: row i is i, column j is MATRIX_MAX + j */
} tableau;

static double *cell(const tableau *t, int row, int column) { return &t->at[row * (t->columns + 1) + column]; }

/* The column to bring in: the one with the lowest border, or, `careful`, of the negative ones that with the least name;
 * -1: the game is solved. */
static int entering(const tableau *t, bool careful) {
    int best = -1;
    for (int j = 0; j < t->columns; j++) {
        double border = *cell(t, t->rows, j);
        if (border >= -TINY) continue;
        if (best < 0 || (careful ? t->top[j] < t->top[best] : border < *cell(t, t->rows, best))) best = j;
    }
    return best;
}

/* The row that gives way: of those that stop the column first the one with the largest pivot, for rounding's sake, or,
 * `careful`, with the least name. */
static int leaving(const tableau *t, int column, bool careful) {
    int best = -1;
    double least = 0;
    for (int i = 0; i < t->rows; i++) {
        double pivot = *cell(t, i, column);
        if (pivot <= TINY) continue;
        double ratio = *cell(t, i, t->columns) / pivot;
        bool tied = best >= 0 && ratio == least;
        bool rather = tied && (careful ? t->left[i] < t->left[best] : pivot > *cell(t, best, column));
        if (best < 0 || ratio < least || rather) {
            best = i;
            least = ratio;
        }
    }
    return best;
}

static void pivot(tableau *t, int row, int column) {
    double inverse = 1 / *cell(t, row, column);
    for (int i = 0; i <= t->rows; i++) {
        double factor = *cell(t, i, column) * inverse;
        if (i == row || factor == 0) continue;
        for (int j = 0; j <= t->columns; j++) {
            if (j != column) *cell(t, i, j) -= factor * *cell(t, row, j);
        }
    }
    for (int j = 0; j <= t->columns; j++) *cell(t, row, j) *= inverse;
    for (int i = 0; i <= t->rows; i++) *cell(t, i, column) *= -inverse;
    *cell(t, row, column) = inverse;
    int name = t->left[row];
    t->left[row] = t->top[column];
    t->top[column] = name;
}

/* Rounding may leave a share below 0, or a sum that is not quite 1. */
static void tidy(double *mix, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += mix[i] = mix[i] > 0 ? mix[i] : 0;
    for (int i = 0; i < count; i++) mix[i] /= sum;
}

double matrix_solve(const double *payoff, int rows, int columns, double *work, double *row_mix, double *column_mix) {
    tableau t = {.at = work, .rows = rows, .columns = columns};
    double least = payoff[0];
    for (int k = 1; k < rows * columns; k++) least = payoff[k] < least ? payoff[k] : least;
    for (int i = 0; i < rows; i++) { /* all payoffs at least 1, so that the value is above 0 */
        for (int j = 0; j < columns; j++) *cell(&t, i, j) = payoff[i * columns + j] - least + 1;
        *cell(&t, i, columns) = 1;
        t.left[i] = i;
    }
    for (int j = 0; j < columns; j++) {
        *cell(&t, rows, j) = -1;
        t.top[j] = MATRIX_MAX + j;
    }
    *cell(&t, rows, columns) = 0;
    for (int n = 0, column, row; n < LONGEST; n++) {
        if ((column = entering(&t, n > USUAL)) < 0 || (row = leaving(&t, column, n > USUAL)) < 0) break;
        pivot(&t, row, column);
    }
    double corner = *cell(&t, rows, columns);
    if (row_mix) memset(row_mix, 0, (size_t)rows * sizeof *row_mix);
    if (column_mix) memset(column_mix, 0, (size_t)columns * sizeof *column_mix);
    for (int j = 0; j < columns && row_mix; j++) {
        if (t.top[j] < MATRIX_MAX) row_mix[t.top[j]] = *cell(&t, rows, j) / corner;
    }
    for (int i = 0; i < rows && column_mix; i++) {
        if (t.left[i] >= MATRIX_MAX) column_mix[t.left[i] - MATRIX_MAX] = *cell(&t, i, columns) / corner;
    }
    if (row_mix) tidy(row_mix, rows);
    if (column_mix) tidy(column_mix, columns);
    return 1 / corner + least - 1;
}

void matrix_guarantees(const double *payoff, int rows, int columns, const double *row_mix, const double *column_mix,
                       double *low, double *high) {
    for (int j = 0; j < columns; j++) {
        double mean = 0;
        for (int i = 0; i < rows; i++) mean += row_mix[i] * payoff[i * columns + j];
        if (j == 0 || mean < *low) *low = mean;
    }
    for (int i = 0; i < rows; i++) {
        double mean = 0;
        for (int j = 0; j < columns; j++) mean += column_mix[j] * payoff[i * columns + j];
        if (i == 0 || mean > *high) *high = mean;
    }
}
