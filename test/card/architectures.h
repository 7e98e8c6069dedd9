/* SPDX-License-Identifier: MIT
 *
 * Shared by the two files of the program: a structure that is passed in memory, an external
 * variable and an external function.
 */
#ifndef TEST_CARD_ARCHITECTURES_H_
#define TEST_CARD_ARCHITECTURES_H_

enum { PARCEL_NUMBERS = 20 };

struct Parcel {
  int numbers[PARCEL_NUMBERS];
};

/* Defined in the file with kernels. */
extern int constructed;
Parcel add(int number, Parcel parcel);

/* Defined in the other file: they show what that file sees of the first one. */
Parcel added_by_other(int number, Parcel parcel);
int constructed_for_other();
Parcel (*add_for_other())(int, Parcel);

#endif /* TEST_CARD_ARCHITECTURES_H_ */
