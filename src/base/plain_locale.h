/* Sets this thread's locale to one with a decimal point for reading and printing numbers, whatever the host's locale
 * (e.g. Python's), and restores it afterwards. */
#ifndef SRC_BASE_PLAIN_LOCALE_H
#define SRC_BASE_PLAIN_LOCALE_H

#include <locale.h>

typedef struct PlainLocale {
  locale_t own, before; /* own is 0 if there was no memory; the locale is then unchanged */
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
