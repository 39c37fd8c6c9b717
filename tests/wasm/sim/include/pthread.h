/* Only the types: several nodes share a header with the journal's threads, but have no threads. */
#ifndef BW_SIM_PTHREAD_H
#define BW_SIM_PTHREAD_H
typedef struct pthread_mutex_t {
    char none;
} pthread_mutex_t;
typedef struct pthread_cond_t {
    char none;
} pthread_cond_t;
typedef struct pthread_t {
    char none;
} pthread_t;
#endif
