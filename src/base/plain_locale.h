/* The locale in which numbers are read and told with a point, whatever the host's is (Python's, say): this thread's, for a while. */
#ifndef SRC_BASE_PLAIN_LOCALE_H
#define SRC_BASE_PLAIN_LOCALE_H

#include <locale.h>

typedef struct PlainLocale {
  locale_t own, before; /* own 0: no memory for one, and nothing has changed */
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
