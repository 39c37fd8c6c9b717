#include "cli/crew.h"

#include <stddef.h>

struct crew_offer {
    void (*work)(void *job, unsigned worker);
    void *job;
    unsigned next, most; /* numbers of the threads */
    unsigned inside;     /* threads that help */
    crew_offer *after;
};

void crew_open(crew *c) {
    *c = (crew){.offers = NULL};
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->offered, NULL);
    pthread_cond_init(&c->left, NULL);
}

void crew_end(crew *c) {
    pthread_cond_destroy(&c->left);
    pthread_cond_destroy(&c->offered);
    pthread_mutex_destroy(&c->lock);
}

/* Nobody else joins. */
static void withdraw(crew *c, const crew_offer *offer) {
    for (crew_offer **at = &c->offers; *at; at = &(*at)->after) {
        if (*at == offer) {
            *at = offer->after;
            return;
        }
    }
}

void crew_together(crew *c, void (*work)(void *job, unsigned worker), void *job, unsigned most) {
    pthread_mutex_lock(&c->lock);
    crew_offer offer = {.work = work, .job = job, .next = 1, .most = most, .after = c->offers};
    if (most > 1 && c->idle > 0) {
        c->offers = &offer;
        for (unsigned i = 1; i < most && i <= c->idle; i++) pthread_cond_signal(&c->offered);
    }
    pthread_mutex_unlock(&c->lock);
    work(job, 0);
    pthread_mutex_lock(&c->lock);
    withdraw(c, &offer);
    while (offer.inside > 0) pthread_cond_wait(&c->left, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

void crew_help(crew *c) {
    pthread_mutex_lock(&c->lock);
    c->idle++;
    while (!c->closed) {
        crew_offer *offer = c->offers;
        if (!offer) {
            pthread_cond_wait(&c->offered, &c->lock);
            continue;
        }
        const unsigned number = offer->next++;
        if (offer->next == offer->most) withdraw(c, offer);
        offer->inside++;
        c->idle--;
        pthread_mutex_unlock(&c->lock);
        offer->work(offer->job, number);
        pthread_mutex_lock(&c->lock);
        c->idle++;
        withdraw(c, offer); /* no piece is left */
        if (--offer->inside == 0) pthread_cond_broadcast(&c->left);
    }
    c->idle--;
    pthread_mutex_unlock(&c->lock);
}

void crew_close(crew *c) {
    pthread_mutex_lock(&c->lock);
    c->closed = true;
    pthread_cond_broadcast(&c->offered);
    pthread_mutex_unlock(&c->lock);
}
