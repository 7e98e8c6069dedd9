/* SPDX-License-Identifier: MIT
 *
 * What the two files of the program share: structures that are passed in memory, a variable and a
 * function that others see.
 */
#ifndef TEST_CARD_ARCHITECTURES_H_
#define TEST_CARD_ARCHITECTURES_H_

enum { PARCEL_NUMBERS = 20 };

struct Parcel {
  int numbers[PARCEL_NUMBERS];
};

/* Of the file with kernels. */
extern int constructed;
Parcel add(int number, Parcel parcel);

/* Of the other one: what it sees. */
Parcel added_by_other(int number, Parcel parcel);
int constructed_for_other();
Parcel (*add_for_other())(int, Parcel);

#endif /* TEST_CARD_ARCHITECTURES_H_ */
