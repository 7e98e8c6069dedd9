/* SPDX-License-Identifier: MIT
 *
 * Elements of tensors as numbers of the host.
 */
#ifndef CNNL_ELEMENT_H_
#define CNNL_ELEMENT_H_

#include "common.h"

enum cnnl_kind { CNNL_KIND_FLOAT, CNNL_KIND_INTEGER, CNNL_KIND_COMPLEX };

/* Bytes of an element, 0 for an unknown type. */
size_t cnnl_size(cnnlDataType_t type);
enum cnnl_kind cnnl_kind(cnnlDataType_t type);
/* The type of a complex number's parts; any other type is returned unchanged. */
cnnlDataType_t cnnl_part(cnnlDataType_t type);

/* Of floats: double holds all of them. cnnl_put rounds to the nearest. */
double cnnl_get(cnnlDataType_t type, const void *element);
void cnnl_put(cnnlDataType_t type, void *element, double value);

/* Of integers and bool; cnnl_put_integer keeps the low bits. */
int64_t cnnl_get_integer(cnnlDataType_t type, const void *element);
void cnnl_put_integer(cnnlDataType_t type, void *element, int64_t value);

#endif /* CNNL_ELEMENT_H_ */
