#include "server/node.h"

#include <string.h>

enum {
    RENEWALS = 5,      /* in the time of a lease */
    RETRY_MS = 50,     /* between two attempts to connect */
    FAILING_MS = 1000, /* the same, when nobody waits for it any more */
    WEIGH_MS = 20000,
    CLEAN_MS = 600000,
    READS_A_TURN = 32, /* then a batch has its turn */
    CLAIM_TRIES = 8,
};

static const char taken_over[] = "Another server has taken over what this one had in the database.";
static const char gone_back[] =
    "The database has lost what it had confirmed: it was put back, or a standby took over too early.";
static const char away[] = "The server's database does not answer.";
static const char changing[] = "This room is just moving: come back in a moment, please.";

bw_outcome bw_outcome_of(bool whole, bool error, bool fenced, bool warned) {
    if (!whole) return BW_OUTCOME_UNKNOWN;
    if (warned && !BW_PLANTED(CANCEL_IS_SUCCESS)) return BW_OUTCOME_UNKNOWN;
    if (!error) return BW_OUTCOME_DONE;
    return fenced ? BW_OUTCOME_FENCED : BW_OUTCOME_REFUSED;
}

static void lease_runs(bw_node *n, int64_t from) {
    int64_t until = from + n->row.lease_ms / RENEWALS * (RENEWALS - 1);
    n->told_until = until > n->told_until ? until : n->told_until;
}

void bw_node_start(bw_node *n, const bw_node_row *row, int64_t patience_ms, int64_t begun) {
    *n = (bw_node){.row = *row, .patience_ms = patience_ms, .link = BW_LINK_HELD};
    n->renew_at = begun + row->lease_ms / RENEWALS;
    lease_runs(n, begun);
}

int64_t bw_node_may_tell_until(const bw_node *n) {
    if (n->lost) return INT64_MIN;
    return n->row.address[0] && !BW_PLANTED(TELL_AFTER_THE_LEASE) ? n->told_until : INT64_MAX;
}

bw_route bw_node_route(bool failed, bool others, bool passed) {
    if (failed) return BW_ROUTE_REFUSE;
    if (!others) return BW_ROUTE_HERE;
    return passed ? BW_ROUTE_REFUSE : BW_ROUTE_PASS;
}

/* ---- what is to be done ---- */

static bw_want settle(bw_node *n, bw_verdict verdict, const char *reason) {
    n->verdict = verdict;
    n->reason = reason;
    return BW_WANT_SETTLE;
}

static bw_want fail_work(bw_node *n, const char *reason) {
    bool batch = n->work == BW_WORK_BATCH;
    n->failing = n->failing || batch;
    return settle(n, batch ? BW_VERDICT_REFUSED : BW_VERDICT_UNREAD, reason);
}

static bw_want take_batch(bw_node *n) {
    n->work = BW_WORK_BATCH;
    n->in_doubt = false;
    n->reads_left = READS_A_TURN;
    if (n->batch > 0 && BW_PLANTED(NUMBER_TWICE)) return BW_WANT_BATCH;
    n->number = ++n->batch;
    return BW_WANT_BATCH;
}

static bw_want take_reading(bw_node *n) {
    n->work = BW_WORK_READING;
    n->reads_left -= n->reads_left > 0;
    return BW_WANT_READING;
}

static bw_want wait_until(bw_node *n, int64_t until) {
    n->until = until;
    return BW_WANT_WAIT;
}

/* Nothing is stored any more, and nothing told. */
static bw_want when_lost(bw_node *n, int64_t now, bool writes, bool reads) {
    if (!n->lost_told) {
        n->lost_told = true;
        return BW_WANT_TELL_LOST;
    }
    if (n->work) return fail_work(n, n->lost);
    if (writes) return take_batch(n);
    if (reads) return take_reading(n);
    return wait_until(n, now + FAILING_MS);
}

static bw_want when_away(bw_node *n, int64_t now, bool writes, bool reads) {
    bool patient = now < n->away_since + n->patience_ms;
    if (!patient) n->failing = true;
    if (n->work && n->failing) return fail_work(n, away);
    if (!n->work && writes) return take_batch(n);
    if (!n->work && reads) return take_reading(n);
    if (now >= n->retry_at) return BW_WANT_CONNECT;
    return wait_until(n, n->retry_at);
}

static bw_want continue_work(bw_node *n) {
    if (n->work == BW_WORK_BATCH) return BW_WANT_STORE;
    /* They are numbered as batches are: should they be lost, this server knows it. So a room that was given to it has to be
     * taken, too: else a failover could undo the giving, and this server would go on with what it has read. */
    if (n->step == BW_WANT_ADOPT || n->step == BW_WANT_TAKE || n->step == BW_WANT_HAND) n->number = ++n->batch;
    return n->step;
}

static bw_want when_idle(bw_node *n, int64_t now, bool writes, bool reads) {
    if (now >= n->renew_at && !n->hangs) return BW_WANT_RENEW;
    if (writes && (!reads || n->reads_left == 0)) return take_batch(n);
    if (reads) return take_reading(n);
    if (n->hangs) return wait_until(n, now + RETRY_MS);
    if (n->failing) return wait_until(n, n->renew_at);
    if (now >= n->weigh_at) return BW_WANT_WEIGH;
    if (now >= n->clean_at) return BW_WANT_CLEAN;
    int64_t until = n->renew_at < n->weigh_at ? n->renew_at : n->weigh_at;
    return wait_until(n, until < n->clean_at ? until : n->clean_at);
}

static bw_want decide(bw_node *n, int64_t now, bool writes, bool reads) {
    if (n->verdict != BW_VERDICT_NONE) return BW_WANT_SETTLE;
    if (n->lost) return when_lost(n, now, writes, reads);
    if (n->link == BW_LINK_AWAY) return when_away(n, now, writes, reads);
    if (n->link == BW_LINK_OPEN) return BW_WANT_REJOIN;
    return n->work ? continue_work(n) : when_idle(n, now, writes, reads);
}

bw_want bw_node_next(bw_node *n, int64_t now, bool writes, bool reads) {
    n->asked = decide(n, now, writes, reads);
    n->begun = now;
    return n->asked;
}

void bw_node_reads(bw_node *n, bw_want step, bool creates) {
    n->creates = creates;
    n->step = step;
    n->tries = 0;
    n->adopted = false;
    n->address[0] = '\0';
}

void bw_node_settled(bw_node *n) {
    n->work = BW_WORK_NONE;
    n->verdict = BW_VERDICT_NONE;
}

/* ---- what an answer means ---- */

static void lose(bw_node *n, const char *why) {
    n->lost = why;
    n->failing = true;
    n->link = BW_LINK_AWAY;
}

/* Players have waited since what failed was begun. */
static void disconnected(bw_node *n) {
    n->link = BW_LINK_AWAY;
    n->away_since = n->begun;
    n->retry_at = n->begun;
}

static void not_connected(bw_node *n, int64_t now) {
    n->link = BW_LINK_AWAY;
    n->retry_at = now + (n->failing ? FAILING_MS : RETRY_MS);
}

/* What was stored, or is shown to be: the lease runs from before it was asked for. */
static void held(bw_node *n, int64_t now, int64_t number) {
    n->answered = number > n->answered ? number : n->answered;
    n->failing = false;
    lease_runs(n, BW_PLANTED(LEASE_FROM_THE_ANSWER) ? now : n->begun);
}

static void connected(bw_node *n, int64_t now, bw_outcome outcome) {
    if (outcome != BW_OUTCOME_DONE) {
        not_connected(n, now);
        return;
    }
    n->link = BW_LINK_OPEN;
    if (!BW_PLANTED(READ_WITHOUT_BARRIER)) return;
    n->link = BW_LINK_HELD;
    n->in_doubt = n->failing = false;
}

static void rejoined(bw_node *n, int64_t now, bw_outcome outcome) {
    if (outcome == BW_OUTCOME_FENCED) {
        lose(n, taken_over);
    } else if (outcome != BW_OUTCOME_DONE) {
        not_connected(n, now);
    } else if (n->row.stored < n->answered && !BW_PLANTED(LOSS_UNNOTICED)) {
        lose(n, gone_back);
    } else {
        n->link = BW_LINK_HELD;
        if (n->begun >= n->told_until) n->spare_until = now + n->row.lease_ms;
        held(n, now, n->row.stored);
        bool stored = n->row.stored == n->number;
        if (BW_PLANTED(DOUBT_IS_STORED)) stored = true;
        if (BW_PLANTED(DOUBT_IS_LOST)) stored = false;
        if (n->work == BW_WORK_BATCH && n->in_doubt && stored) settle(n, BW_VERDICT_STORED, NULL);
        n->in_doubt = false; /* if it is not there, it can come no more */
    }
}

/* true: it is neither fenced nor unknown. */
static bool survived(bw_node *n, bw_outcome outcome) {
    if (outcome == BW_OUTCOME_FENCED && BW_PLANTED(GOES_ON_FENCED)) return true;
    if (outcome == BW_OUTCOME_FENCED) lose(n, taken_over);
    if (outcome == BW_OUTCOME_UNKNOWN) disconnected(n);
    return outcome == BW_OUTCOME_DONE || outcome == BW_OUTCOME_REFUSED;
}

static void stored(bw_node *n, int64_t now, const bw_answer *answer) {
    n->in_doubt = answer->outcome == BW_OUTCOME_UNKNOWN && !BW_PLANTED(UNKNOWN_IS_REFUSED);
    if (answer->outcome == BW_OUTCOME_UNKNOWN && BW_PLANTED(UNKNOWN_IS_REFUSED)) fail_work(n, away);
    if (!survived(n, answer->outcome)) return;
    if (answer->outcome == BW_OUTCOME_DONE) {
        held(n, now, n->number);
        settle(n, BW_VERDICT_STORED, NULL);
    } else {
        fail_work(n, answer->reason);
    }
}

static void look_again(bw_node *n) {
    n->step = BW_WANT_LOOK;
    if (++n->tries >= CLAIM_TRIES) settle(n, BW_VERDICT_UNREAD, changing);
}

static void looked(bw_node *n, int64_t now, const bw_answer *answer) {
    bool spared = now < n->spare_until && !answer->ended && !BW_PLANTED(ALL_DEAD_AT_ONCE);
    if (answer->found && answer->dead && !answer->mine && !spared) {
        n->owner = answer->owner;
        n->step = BW_WANT_ADOPT;
    } else if (((!answer->found || (answer->mine && answer->unused)) && n->creates) ||
               (answer->mine && answer->given && !BW_PLANTED(GIVEN_NOT_TAKEN))) {
        n->step = BW_WANT_TAKE;
    } else {
        if (answer->found && !answer->mine) memcpy(n->address, answer->address, sizeof n->address);
        settle(n, BW_VERDICT_READ, NULL);
    }
}

static void read_answered(bw_node *n, int64_t now, const bw_answer *answer) {
    if (!survived(n, answer->outcome)) {
        if (n->step == BW_WANT_ADOPT || n->step == BW_WANT_TAKE) n->step = BW_WANT_LOOK; /* it may be there */
        return;
    }
    if (answer->outcome != BW_OUTCOME_DONE) {
        settle(n, BW_VERDICT_UNREAD, "The server's database cannot be read.");
        return;
    }
    switch (n->asked) {
    case BW_WANT_LOOK: looked(n, now, answer); break;
    case BW_WANT_ADOPT:
        held(n, now, n->number);
        n->adopted = answer->adopted;
        if (answer->adopted) settle(n, BW_VERDICT_READ, NULL);
        else look_again(n);
        break;
    case BW_WANT_TAKE:
        held(n, now, n->number);
        look_again(n);
        break;
    case BW_WANT_HAND:
        held(n, now, n->number);
        settle(n, BW_VERDICT_READ, NULL);
        break;
    default: settle(n, BW_VERDICT_READ, NULL);
    }
}

/* By its own questions alone: what others ask of this node is seen by them, however much it writes. */
static void renewed(bw_node *n, int64_t now, const bw_answer *answer) {
    if (!survived(n, answer->outcome)) return;
    if (answer->outcome == BW_OUTCOME_DONE) held(n, now, 0);
    n->drains = n->drains || answer->drains;
    n->renew_at = n->begun + n->row.lease_ms / RENEWALS;
}

void bw_node_answered(bw_node *n, int64_t now, const bw_answer *answer) {
    switch (n->asked) {
    case BW_WANT_CONNECT: connected(n, now, answer->outcome); break;
    case BW_WANT_REJOIN: rejoined(n, now, answer->outcome); break;
    case BW_WANT_RENEW: renewed(n, now, answer); break;
    case BW_WANT_STORE: stored(n, now, answer); break;
    case BW_WANT_READ:
    case BW_WANT_LOOK:
    case BW_WANT_ADOPT:
    case BW_WANT_TAKE:
    case BW_WANT_HAND: read_answered(n, now, answer); break;
    case BW_WANT_WEIGH:
        survived(n, answer->outcome);
        n->weigh_at = answer->more ? now : now + WEIGH_MS;
        break;
    case BW_WANT_CLEAN:
        survived(n, answer->outcome);
        n->clean_at = answer->more ? now : now + CLEAN_MS;
        break;
    default: break;
    }
}
