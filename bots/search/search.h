/* Players of any game, by search on the game interface alone: easy, normal, hard. A game without bots of its own has these.
 *
 * In turn games they grow a tree of actions (Monte Carlo tree search). Each iteration draws a new guess of what the game
 * hides, walks down the tree among the actions that are legal there, adds one position, plays on at random for a while
 * and adds the scores to the positions on the way: one tree for all guesses (Cowling, Powley, Whitehouse 2012). Where
 * there are too many actions to list, a position gets new ones, drawn at random, as it is visited more (progressive
 * widening). In games of rounds every seat has a pool of orders for the coming round; each seat chooses from its own
 * pool by its own results, at the same moment (decoupled UCT), and the answer is drawn as often as it was chosen, so
 * that it cannot be foreseen.
 *
 * A level is a number of iterations and of blunders. Easy also plays an action that came out worse than the best one,
 * but not by much: a blunder, never a random move. All arithmetic is on whole numbers: the same view, seed and effort
 * give the same answer on every machine, as long as keep_going does not cut the search short.
 *
 * They need a game's guess, legal (or sample), turn, apply and score, and for rounds prepare and collect. They know
 * nothing of what is good in a game but its score, so a specialist should beat them; docs/STRENGTH.md says by how much. */
#ifndef BW_SEARCH_H
#define BW_SEARCH_H

#include "bots/bots.h"

enum { BW_SEARCH_LEVELS = 3 };
extern const bw_bot *const bw_search_levels[BW_SEARCH_LEVELS];

#endif
