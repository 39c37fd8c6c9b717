#include "server/journal_node.h"

#include <stdio.h>

enum { BATCH_BYTES = 4 << 20 };

static void take_batch(bw_node_journal *j, int64_t now, double seconds) {
    j->batch = bw_journal_take(&j->base, BATCH_BYTES, seconds, &j->batch_count, &j->batch_last);
    j->batch_since = now;
    for (const bw_waiting *n = j->batch.first; n; n = n->next) j->grown += (int64_t)n->entry.length;
    if (j->base.options.max_bytes > 0 && j->grown > j->base.options.max_bytes / 32) j->node.weigh_at = now;
}

/* The rooms that are to be given next are given in the same transaction. */
static void add_hands(bw_node_journal *j) {
    bw_reading *last = j->reading;
    for (int i = 1; i < BW_ROOMS_AT_ONCE && bw_journal_may_read(&j->base) && j->base.reads->kind == BW_READ_HAND; i++) {
        last->next = bw_journal_next_read(&j->base);
        last = last->next;
    }
    last->next = NULL;
}

/* What was given together is claimed at about the same time, and is taken together. */
static void note_awaited(bw_node_journal *j) {
    j->awaited_count = 0;
    const bw_reading *r = j->base.reads;
    for (int i = 0; r && i < BW_ROOMS_AT_ONCE; i++, r = r->next) {
        if (r->kind != BW_READ_CLAIM) continue;
        snprintf(j->awaited[j->awaited_count++], sizeof j->awaited[0], "%.*s", BW_ROOM_ID_MAX, r->id);
    }
}

static void take_reading(bw_node_journal *j) {
    j->reading = bw_journal_next_read(&j->base);
    bw_read_kind kind = j->reading->kind;
    if (kind == BW_READ_HAND) add_hands(j);
    bw_want step = kind == BW_READ_CLAIM ? BW_WANT_LOOK : kind == BW_READ_HAND ? BW_WANT_HAND : BW_WANT_READ;
    bw_node_reads(&j->node, step, j->reading->creates);
}

static void answer_reading(bw_node_journal *j, const char *reason) {
    bw_reading *r = j->reading;
    j->reading = r->kind == BW_READ_HAND ? r->next : NULL;
    r->reason = reason;
    if (reason) r->found = -1;
    else if (r->kind == BW_READ_CLAIM) snprintf(r->owner, sizeof r->owner, "%s", j->node.address);
    j->base.figures.handed_total += !reason && r->kind == BW_READ_HAND;
    j->base.figures.adopted_total += !reason && r->kind == BW_READ_CLAIM && j->node.adopted;
    bw_journal_answered(&j->base, r);
}

static void settle(bw_node_journal *j, int64_t now) {
    bw_node *node = &j->node;
    double took = (double)(now - j->batch_since) * 1e-3;
    switch (node->verdict) {
    case BW_VERDICT_STORED: bw_journal_committed(&j->base, &j->batch, j->batch_count, j->batch_last, took); break;
    case BW_VERDICT_REFUSED: bw_journal_refused(&j->base, &j->batch, node->reason, node->in_doubt); break;
    case BW_VERDICT_READ:
    case BW_VERDICT_UNREAD:
        while (j->reading) answer_reading(j, node->verdict == BW_VERDICT_READ ? NULL : node->reason);
        break;
    case BW_VERDICT_NONE: break;
    }
    bw_node_settled(node);
}

static void tell_lost(bw_node_journal *j) {
    bw_log_write(j->base.options.log, BW_LOG_ERROR, "database_lost", "reason=\"%s\"", j->node.lost);
    j->base.lost = j->node.lost;
    j->base.failing = true;
    j->base.options.wake(j->base.options.user);
}

/* Whether it works, for the figures and the log. */
static void follow(bw_node_journal *j, int64_t now) {
    bw_journal *base = &j->base;
    int64_t until = bw_node_may_tell_until(&j->node);
    base->lapses += now >= base->tell_until && until > base->tell_until;
    base->tell_until = until;
    if (j->node.drains && !base->drains) {
        base->drains = true;
        base->options.wake(base->options.user);
    }
    if (now < base->tell_until) {
        j->silent = false;
    } else if (!j->silent) {
        j->silent = true;
        base->options.wake(base->options.user); /* so that the loop sees it */
    }
    if (j->node.failing == base->failing) return;
    base->failing = j->node.failing;
    if (base->failing) {
        bw_log_write(base->options.log, BW_LOG_ERROR, "journal_failed",
                     "doing=waiting reason=\"The server's database does not answer.\"");
    } else {
        bw_log_write(base->options.log, BW_LOG_INFO, "journal_recovered", "by=probe");
    }
}

bw_want bw_node_journal_next(bw_node_journal *j, int64_t now, double seconds) {
    for (;;) {
        double paced = 0;
        bool has = j->base.waiting.first && !j->base.failure;
        bool may = has && (j->node.link == BW_LINK_AWAY || bw_journal_may_commit(&j->base, seconds, &paced));
        /* In the end: while nobody will be told any more, nothing is tried again. */
        if (j->base.stopping && !j->node.work && (!has || j->node.failing)) return BW_WANT_END;
        int64_t untold = j->base.untold_since;
        j->node.hangs = untold && now - untold >= j->node.row.lease_ms && !BW_PLANTED(RENEWS_WHILE_HUNG);
        bw_want want = bw_node_next(&j->node, now, may, bw_journal_may_read(&j->base));
        switch (want) {
        case BW_WANT_BATCH: take_batch(j, now, seconds); break;
        case BW_WANT_READING: take_reading(j); break;
        case BW_WANT_SETTLE: settle(j, now); break;
        case BW_WANT_TELL_LOST: tell_lost(j); break;
        case BW_WANT_WAIT: {
            int64_t then = now + (int64_t)((paced - seconds) * 1e3) + 1;
            if (has && !may && then < j->node.until) j->node.until = then;
            follow(j, now);
            return want;
        }
        default:
            if (want == BW_WANT_TAKE) note_awaited(j);
            follow(j, now);
            return want;
        }
    }
}

void bw_node_journal_answered(bw_node_journal *j, int64_t now, const bw_answer *answer) {
    if (j->node.asked == BW_WANT_RENEW && answer->outcome == BW_OUTCOME_DONE && !j->base.untold_since) {
        j->base.untold_since = now;
        j->base.options.wake(j->base.options.user);
    }
    bw_node_answered(&j->node, now, answer);
    follow(j, now);
}
