/* SPDX-License-Identifier: MIT
 *
 * Settings of the runtime, read once from the environment; see the table in settings.c.
 */
#ifndef SM90_SETTINGS_H_
#define SM90_SETTINGS_H_

struct rt_settings {
  unsigned devices; /* 0: one per GPU */
  unsigned default_device;
  unsigned tasks_per_sm;
  unsigned shared_memory; /* 0: other processes cannot map memory or share notifiers */
};

/* The settings in effect. */
const struct rt_settings *rt_settings(void);

#endif /* SM90_SETTINGS_H_ */
