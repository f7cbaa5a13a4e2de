/* SPDX-License-Identifier: BSD-2-Clause */
/* Sets a locale with a decimal point for this thread, and restores the previous one afterwards. Numbers are then read
 * and printed in the same way whatever locale the host program (e.g. Python) has set. */
#ifndef SRC_BASE_PLAIN_LOCALE_H
#define SRC_BASE_PLAIN_LOCALE_H

#include <locale.h>

typedef struct PlainLocale {
  locale_t own, before; /* own is 0 if there was no memory; the locale is then not changed */
} PlainLocale;

static inline PlainLocale plain_locale_enter(void) {
  locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return (PlainLocale){own, own ? uselocale(own) : (locale_t)0};
}

static inline void plain_locale_leave(PlainLocale locale) {
  if (!locale.own) return;
  uselocale(locale.before);
  freelocale(locale.own);
}

#endif
