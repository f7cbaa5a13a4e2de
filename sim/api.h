/* SPDX-License-Identifier: BSD-2-Clause */
/* Macros around the declarations of a public header. The shared library exports only the functions between
 * SIM_API_BEGIN and SIM_API_END. C++ sees them as C functions. */
#ifndef SIM_API_H
#define SIM_API_H

#if defined(__GNUC__)
#define SIM_VISIBLE _Pragma("GCC visibility push(default)")
#define SIM_HIDDEN  _Pragma("GCC visibility pop")
#else
#define SIM_VISIBLE /* makes the symbols that follow visible, if the compiler can do so */
#define SIM_HIDDEN  /* ends the part that SIM_VISIBLE begins */
#endif

#ifdef __cplusplus
#define SIM_API_BEGIN SIM_VISIBLE extern "C" {
#define SIM_API_END                                                                                                    \
  }                                                                                                                    \
  SIM_HIDDEN
#else
#define SIM_API_BEGIN SIM_VISIBLE /* begins the declarations of a public header */
#define SIM_API_END   SIM_HIDDEN  /* ends the declarations of a public header */
#endif

#endif
