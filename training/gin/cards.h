// Gin rules on 52-bit sets, for training: deadwood, lay-offs, a deal between two players.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

typedef uint64_t u64;
#define PACK ((1ULL << 52) - 1)
#define SUIT 8191
#define FOUR (1ULL | 1ULL << 13 | 1ULL << 26 | 1ULL << 39)
#define BIT(c) (1ULL << (c))
#define COUNT(x) __builtin_popcountll(x)
#define LOW(x) __builtin_ctzll(x)
#define EACH(c, set) for (u64 _s##c = (set); _s##c && ((c = LOW(_s##c)), 1); _s##c &= _s##c - 1)

static uint8_t VALUE[52];
static uint8_t LOOSE[8192];

static u64 rng_state = 88172645463325252ULL;
static inline u64 rnd(void) {
    u64 x = rng_state;
    x ^= x << 13; x ^= x >> 7; x ^= x << 17;
    return rng_state = x;
}
static inline double uniform(void) { return (rnd() >> 11) * (1.0 / 9007199254740992.0); }
static inline int below(int n) { return (int)((rnd() >> 33) % n); }

static void tables(void) {
    for (int c = 0; c < 52; c++) VALUE[c] = c % 13 < 9 ? c % 13 + 1 : 10;
    static int melded[8192];
    for (int m = 1; m < 8192; m++) {
        int top = 31 - __builtin_clz(m), low = top, total = 0;
        melded[m] = melded[m ^ 1 << top];
        while (low && m >> (low - 1) & 1) {
            low--;
            if (top - low >= 2) {
                int run = (1 << (top + 1)) - (1 << low), v = melded[m ^ run];
                for (int r = low; r <= top; r++) v += VALUE[r];
                if (v > melded[m]) melded[m] = v;
            }
        }
        for (int r = 0; r < 13; r++) if (m >> r & 1) total += VALUE[r];
        LOOSE[m] = total - melded[m];
    }
}

static inline int value(u64 cards) { int c, v = 0; EACH(c, cards) v += VALUE[c]; return v; }

static int least(int c, int d, int h, int s, int ranks) {
    int best = LOOSE[c] + LOOSE[d] + LOOSE[h] + LOOSE[s];
    while (ranks && best) {
        int r = ranks & -ranks, n = ~r, v, w;
        ranks ^= r;
        v = least(c & n, d & n, h & n, s & n, ranks);
        if (c & d & h & s & r) {
            if ((w = least(c, d & n, h & n, s & n, ranks)) < v) v = w;
            if ((w = least(c & n, d, h & n, s & n, ranks)) < v) v = w;
            if ((w = least(c & n, d & n, h, s & n, ranks)) < v) v = w;
            if ((w = least(c & n, d & n, h & n, s, ranks)) < v) v = w;
        }
        if (v < best) best = v;
    }
    return best;
}
static inline int deadwood(u64 hand) {
    int c = hand & SUIT, d = hand >> 13 & SUIT, h = hand >> 26 & SUIT, s = hand >> 39 & SUIT;
    int ranks = (c & d & (h | s)) | (h & s & (c | d));
    return ranks ? least(c, d, h, s, ranks) : LOOSE[c] + LOOSE[d] + LOOSE[h] + LOOSE[s];
}

#define ABOVE_ACES (FOUR * 8192 - FOUR * 2)
#define BELOW_KINGS (FOUR * 4096 - FOUR)
#define FIRST_OF_RUNS (FOUR * 2048 - FOUR)

static inline u64 in_melds(u64 x) {
    u64 f = x & x >> 1 & x >> 2 & FIRST_OF_RUNS;
    u64 c = x & SUIT, d = x >> 13 & SUIT, h = x >> 26 & SUIT, s = x >> 39;
    u64 ranks = (c & d & (h | s)) | (h & s & (c | d));
    return f | f << 1 | f << 2 | (x & ranks * FOUR);
}
static inline u64 completing(u64 x) {
    u64 b = x << 1 & ABOVE_ACES, a = x >> 1 & BELOW_KINGS;
    u64 runs = (b & a) | (b & (b << 1) & ABOVE_ACES) | (a & (a >> 1) & BELOW_KINGS);
    u64 c = x & SUIT, d = x >> 13 & SUIT, h = x >> 26 & SUIT, s = x >> 39;
    u64 pairs = (c & d) | ((c | d) & (h | s)) | (h & s);
    return (runs | pairs * FOUR) & ~x;
}
static inline u64 fits(u64 meld) {
    int first = LOW(meld), last = 63 - __builtin_clzll(meld);
    if (meld >> (first + 1) & 1 && last - first < 13 && (last / 13 == first / 13))
        return (first % 13 ? BIT(first - 1) : 0) | (last % 13 < 12 ? BIT(last + 1) : 0);
    return FOUR << first % 13 & ~meld;
}
// How many melds of three the card would make with two of these cards.
static inline int ways(int card, u64 with) {
    int r = card % 13, n = COUNT(with & (FOUR << r) & ~BIT(card)), w = n * (n - 1) / 2;
    u64 suit = with >> (card / 13 * 13) & SUIT;
    int b1 = r > 0 && suit >> (r - 1) & 1, b2 = r > 1 && suit >> (r - 2) & 1;
    int a1 = r < 12 && suit >> (r + 1) & 1, a2 = r < 11 && suit >> (r + 2) & 1;
    return w + (b1 && b2) + (b1 && a1) + (a1 && a2);
}

static int melds_in(u64 hand, u64 *out) {
    int n = 0, c;
    hand = in_melds(hand);
    for (int r = 0; r < 13; r++) {
        u64 all = hand & FOUR << r;
        if (COUNT(all) >= 3) {
            out[n++] = all;
            if (COUNT(all) == 4) EACH(c, all) out[n++] = all ^ BIT(c);
        }
    }
    EACH(c, hand) {
        u64 run = BIT(c);
        for (int k = c + 1; k % 13 && k < 52 && hand >> k & 1; k++) {
            run |= BIT(k);
            if (k - c >= 2) out[n++] = run;
        }
    }
    return n;
}
typedef struct { u64 meld[4]; int n; } Melds;
typedef struct { u64 *melds; int n, need, fewest; u64 seen; Melds best; } Search;
static void arrange(Search *s, int from, u64 free, int left, Melds *chosen) {
    if (left <= s->need) {
        u64 fit = 0;
        for (int i = 0; i < chosen->n; i++) fit |= fits(chosen->meld[i]);
        int n = COUNT(fit & ~s->seen);
        if (n < s->fewest) { s->fewest = n; s->best = *chosen; }
        return;
    }
    for (int i = from; i < s->n && chosen->n < 3; i++)
        if (!(s->melds[i] & ~free)) {
            chosen->meld[chosen->n++] = s->melds[i];
            arrange(s, i + 1, free ^ s->melds[i], left - value(s->melds[i]), chosen);
            chosen->n--;
        }
}
// The melds of least deadwood that the fewest unseen cards fit.
static Melds arrangement(u64 hand, u64 seen) {
    u64 melds[64];
    Melds none = {{0}, 0};
    Search s = {melds, melds_in(hand, melds), deadwood(hand), 99, hand | seen, none};
    Melds chosen = none;
    arrange(&s, 0, hand, value(hand), &chosen);
    return s.best;
}
static int after_layoffs(u64 hand, u64 *meld, int n) {
    if (!n) return deadwood(hand);
    int best = after_layoffs(hand, meld + 1, n - 1), c, v;
    int first = LOW(*meld);
    if (*meld >> (first + 1) & 1) {
        u64 low = 0, last = 63 - __builtin_clzll(*meld);
        for (int b = first;; b--) {
            if (b < first) low |= BIT(b);
            u64 high = 0;
            for (int a = (int)last;; a++) {
                if (a > (int)last) high |= BIT(a);
                if ((low | high) && (v = after_layoffs(hand & ~(low | high), meld + 1, n - 1)) < best) best = v;
                if (a % 13 == 12 || !(hand >> (a + 1) & 1)) break;
            }
            if (b % 13 == 0 || !(hand >> (b - 1) & 1)) break;
        }
    } else
        EACH(c, fits(*meld) & hand)
            if ((v = after_layoffs(hand ^ BIT(c), meld + 1, n - 1)) < best) best = v;
    return best;
}
