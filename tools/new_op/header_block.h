// Group: MyOp
/*!
 * @brief Multiplies every element by a factor: output[i] = input[i] * factor.
 *
 * @param[in] handle
 * Handle to the library context. See ::mluOpHandle_t.
 * @param[in] input_desc
 * Descriptor of \b input. See ::mluOpTensorDescriptor_t.
 * @param[in] input
 * Device pointer to the elements.
 * @param[in] factor
 * The factor.
 * @param[in] output_desc
 * Descriptor of \b output. See ::mluOpTensorDescriptor_t.
 * @param[out] output
 * Device pointer to the result; may be \b input.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - input, output: both float, half or bfloat16. The product is float and rounded once.
 *
 * @par Data Layout
 * - input, output: any shape, the same for both. Both are contiguous.
 *
 * @par Scale Limitation
 * - No tensor has 2^31 elements or more.
 * - When a tensor has no elements, nothing is done and data pointers may be NULL.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - NaN and infinity follow IEEE 754.
 *
 * @par Example
 * @verbatim
 * factor 2
 * input   [1, 2, 3]
 * output  [2, 4, 6]
 * @endverbatim
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpMyOp(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, const void *input,
    const float factor, const mluOpTensorDescriptor_t output_desc, void *output);

