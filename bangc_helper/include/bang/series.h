/* SPDX-License-Identifier: MIT
 *
 * Coefficients of the polynomials that approximate the elementary functions, highest power first.
 * Every root evaluates them by Horner's scheme without fused multiply-add, so that all roots give
 * the same bits.
 */
#ifndef BANG_SERIES_H_
#define BANG_SERIES_H_

/* (e^x - 1 - x) / x^2 for |x| <= ln2 / 2 */
#define BANG_EXP_SERIES(FIRST, NEXT) \
  FIRST(1.9875691500e-4f)            \
  NEXT(1.3981999507e-3f)             \
  NEXT(8.3334519073e-3f)             \
  NEXT(4.1665795894e-2f)             \
  NEXT(1.6666665459e-1f)             \
  NEXT(5.0000001201e-1f)

/* (ln(1 + x) - x + x^2 / 2) / x^3 for x in [sqrt(1/2) - 1, sqrt(2) - 1] */
#define BANG_LOG_SERIES(FIRST, NEXT) \
  FIRST(7.0376836292e-2f)            \
  NEXT(-1.1514610310e-1f)            \
  NEXT(1.1676998740e-1f)             \
  NEXT(-1.2420140846e-1f)            \
  NEXT(1.4249322787e-1f)             \
  NEXT(-1.6668057665e-1f)            \
  NEXT(2.0000714765e-1f)             \
  NEXT(-2.4999993993e-1f)            \
  NEXT(3.3333331174e-1f)

/* ---- in double, where intermediate results need more bits than a float has ---- */

/* (e^x - 1 - x) / x^2 */
#define BANG_EXP_DOUBLE_SERIES(FIRST, NEXT) \
  FIRST(1.0 / 3628800)                      \
  NEXT(1.0 / 362880)                        \
  NEXT(1.0 / 40320)                         \
  NEXT(1.0 / 5040)                          \
  NEXT(1.0 / 720)                           \
  NEXT(1.0 / 120)                           \
  NEXT(1.0 / 24)                            \
  NEXT(1.0 / 6)                             \
  NEXT(0.5)

/* atanh(s) / s in x = s^2, for s up to 1/3 */
#define BANG_ATANH_SERIES(FIRST, NEXT) \
  FIRST(1.0 / 23)                      \
  NEXT(1.0 / 21)                       \
  NEXT(1.0 / 19)                       \
  NEXT(1.0 / 17)                       \
  NEXT(1.0 / 15)                       \
  NEXT(1.0 / 13)                       \
  NEXT(1.0 / 11)                       \
  NEXT(1.0 / 9)                        \
  NEXT(1.0 / 7)                        \
  NEXT(1.0 / 5)                        \
  NEXT(1.0 / 3)                        \
  NEXT(1.0)

/* (1 + 2 t) * e^(t * t) * erfc(t) for 0 <= t <= 12, fitted in x = (t - 2.5) / (t + 2.5) to 4e-12 */
#define BANG_ERFC_SERIES(FIRST, NEXT) \
  FIRST(4.4915421532453686321e-6)     \
  NEXT(1.8749570333972634962e-5)      \
  NEXT(2.0873758449140078691e-6)      \
  NEXT(-1.1269147469014021882e-4)     \
  NEXT(-8.5983335818526864069e-5)     \
  NEXT(6.3249079334685642002e-4)      \
  NEXT(4.9119172502946985422e-4)      \
  NEXT(-4.3822788280681043516e-3)     \
  NEXT(9.3197935568096827351e-4)      \
  NEXT(3.2760926918909884147e-2)      \
  NEXT(-1.029670607289149892e-1)      \
  NEXT(1.5762991686179560464e-1)      \
  NEXT(-9.9024539502642772229e-2)     \
  NEXT(-1.2235676304420104632e-1)     \
  NEXT(1.264838184366874806)

/* (sin(r) / r - 1) / r^2 and (cos(r) - 1) / r^2 in x = r^2, for |r| <= pi / 4 */
#define BANG_SIN_SERIES(FIRST, NEXT) \
  FIRST(1.0 / 6227020800.0)          \
  NEXT(-1.0 / 39916800.0)            \
  NEXT(1.0 / 362880.0)               \
  NEXT(-1.0 / 5040.0)                \
  NEXT(1.0 / 120.0)                  \
  NEXT(-1.0 / 6.0)
#define BANG_COS_SERIES(FIRST, NEXT) \
  FIRST(-1.0 / 87178291200.0)        \
  NEXT(1.0 / 479001600.0)            \
  NEXT(-1.0 / 3628800.0)             \
  NEXT(1.0 / 40320.0)                \
  NEXT(-1.0 / 720.0)                 \
  NEXT(1.0 / 24.0)                   \
  NEXT(-0.5)

#endif /* BANG_SERIES_H_ */
