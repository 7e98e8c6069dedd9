/* SPDX-License-Identifier: MIT
 *
 * Operators that work on several devices at once, in a library of their own (libmluops_comm): a
 * program that uses one device needs neither this header nor CNCL.
 *
 * Every rank of a communicator calls with its own handle, queue and part of the data, and all ranks
 * call in the same order. Ranks may be devices of one process or of several. Conventions are those
 * of mlu_op.h.
 */
#ifndef MLUOP_COMM_H_
#define MLUOP_COMM_H_

#include "cncl.h"
#include "mlu_op.h"

#if defined(__cplusplus)
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/*! @brief How devices along an axis of a mesh are connected. A hint without effect on results. */
typedef enum {
  MLUOP_COMM_TOPOLOGY_LINEAR = 0, /*!< A chain. */
  MLUOP_COMM_TOPOLOGY_RING = 1,   /*!< A chain whose ends are connected. */
  MLUOP_COMM_TOPOLOGY_AUTO = 2,   /*!< The library decides. */
} mluOpCommTopology_t;

/*! @brief A number of links that the library decides. */
#define MLUOP_COMM_LINKS_AUTO 0

// Group: Runtime Management
/*!
 * @brief Gets the last error message of this library on the calling thread, as the log has it.
 *
 * @par Return
 * - The text, never NULL: the names of the function and of the argument, what was wanted and what
 *   came. It is empty before the first error of the thread, and stays valid until the thread's next
 *   error or end.
 *
 * @par Data Type
 * - None.
 *
 * @par Data Layout
 * - None.
 *
 * @par Scale Limitation
 * - None.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - The same as ::mluOpGetLastErrorMessage, for the functions of this header.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
const char *MLUOP_WIN_API mluOpCommGetLastErrorMessage(void);

// Group: AllToAllCombine
/*!
 * @brief Gets the bytes of workspace that ::mluOpAllToAllCombine needs on this rank. Ranks need not
 * ask together.
 *
 * @param[in] handle
 * Handle to the library context of this rank's device. See ::mluOpHandle_t.
 * @param[in] comm
 * This rank's communicator.
 * @param[in] input_desc
 * Descriptor of \b input of ::mluOpAllToAllCombine. See ::mluOpTensorDescriptor_t.
 * @param[in] expert_metadata_desc
 * Descriptor of \b expert_metadata. See ::mluOpTensorDescriptor_t.
 * @param[in] expert_mapping_desc
 * Descriptor of \b expert_mapping. See ::mluOpTensorDescriptor_t.
 * @param[in] local_reduce
 * Whether a rank brings one row per token instead of one per expert.
 * @param[in] mesh_rows
 * Rows of the mesh of ranks.
 * @param[in] mesh_cols
 * Columns of the mesh of ranks.
 * @param[in] cluster_axis
 * Axis of the mesh along which rows are exchanged.
 * @param[in] output_shard_dim
 * What the output is split by: 1 batch, 2 sequence.
 * @param[out] workspace_size
 * Host pointer to the number of bytes.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - As in ::mluOpAllToAllCombine.
 *
 * @par Data Layout
 * - As in ::mluOpAllToAllCombine.
 *
 * @par Scale Limitation
 * - As in ::mluOpAllToAllCombine.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - When ranks live in other processes, the workspace has room for messages and is much larger: as
 *   many rows as a rank can send and receive at most.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetAllToAllCombineWorkspaceSize(
    mluOpHandle_t handle, const cnclComm_t comm, const mluOpTensorDescriptor_t input_desc,
    const mluOpTensorDescriptor_t expert_metadata_desc,
    const mluOpTensorDescriptor_t expert_mapping_desc, const bool local_reduce, const int mesh_rows,
    const int mesh_cols, const int cluster_axis, const int output_shard_dim,
    size_t *workspace_size);

// Group: AllToAllCombine
/*!
 * @brief Brings the rows that the experts of a group of devices computed back to the devices that
 * own the tokens, one row per token and selected expert.
 *
 * Rank d of the communicator is device (d / mesh_cols, d % mesh_cols) of the mesh. The devices with
 * the same column (\b cluster_axis 0) or the same row (1) are a group of G devices, which work on
 * the same batch * sequence tokens. The device at position g of a group owns the tokens of batch
 * entries [g * batch / G, (g + 1) * batch / G), or of those positions of the sequence, according to
 * \b output_shard_dim. The experts of a device are the ones whose row of \b expert_mapping is 1 in
 * the device's column; they are numbered in ascending order.
 *
 * @verbatim
 * output of the owner of token (b, s), in owner's coordinates:
 *   for every device d of the group, for its experts j, e = 0, 1, ... that occur in
 *   expert_metadata[0][b][s]:
 *     k = first position of e in expert_metadata[0][b][s]
 *     output[k][b][s] = local_reduce ? input of d [0][b][s] : input of d [j][b][s]
 *     with local_reduce only the lowest such e counts
 *   every other output[k][b][s] = 0
 * @endverbatim
 *
 * Nothing is weighted or added: the caller multiplies by the weights and adds over k, then over the
 * devices of the other axis, which have the rows of the other experts.
 *
 * @param[in] handle
 * Handle to the library context of this rank's device. See ::mluOpHandle_t.
 * @param[in] comm
 * This rank's communicator.
 * @param[in] input_desc
 * Descriptor of \b input. See ::mluOpTensorDescriptor_t.
 * @param[in] input
 * Device pointer to the rows that this device's experts computed for the tokens of the group.
 * @param[in] expert_metadata_desc
 * Descriptor of \b expert_metadata. See ::mluOpTensorDescriptor_t.
 * @param[in] expert_metadata
 * Device pointer to the experts that each token of the group selected. Expected to be the same on
 * all ranks of a group; a device looks at its own when it decides what its rows are for.
 * @param[in] expert_mapping_desc
 * Descriptor of \b expert_mapping. See ::mluOpTensorDescriptor_t.
 * @param[in] expert_mapping
 * Device pointer to the mapping, the same on all ranks: 1 where an expert lives on a rank; any
 * other value means that it does not.
 * @param[in] local_reduce
 * Whether the device added up its experts' rows: one row per token instead of one per expert.
 * @param[in] mesh_rows
 * Rows of the mesh of ranks.
 * @param[in] mesh_cols
 * Columns of the mesh of ranks.
 * @param[in] cluster_axis
 * Axis of the mesh along which rows are exchanged: 0 or 1.
 * @param[in] output_shard_dim
 * What the output is split by: 1 batch, 2 sequence.
 * @param[in] num_links
 * Links between neighbours, 1 or more, or ::MLUOP_COMM_LINKS_AUTO. A hint without effect on
 * results.
 * @param[in] topology
 * How the devices of a group are connected. A hint without effect on results.
 * @param[in] workspace
 * Device pointer to extra memory.
 * @param[in] workspace_size
 * Bytes of \b workspace, at least what ::mluOpGetAllToAllCombineWorkspaceSize gives.
 * @param[in] output_desc
 * Descriptor of \b output. See ::mluOpTensorDescriptor_t.
 * @param[out] output
 * Device pointer to the rows of this device's tokens. Every row is written: the ones that no device
 * of the group has become 0.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - input, output: both float, half or bfloat16.
 * - expert_metadata, expert_mapping: each uint16 or int32.
 *
 * @par Data Layout
 * - input: [experts / ranks, batch, sequence, hidden], or [1, batch, sequence, hidden] with
 *   \b local_reduce; expert_metadata: [1, batch, sequence, k]; expert_mapping:
 *   [1, 1, experts, ranks]; output: [k, batch / G, sequence, hidden], or
 *   [k, batch, sequence / G, hidden] when \b output_shard_dim is 2. All are contiguous.
 *
 * @par Scale Limitation
 * - mesh_rows * mesh_cols is the number of ranks of \b comm, at most 1024, and divides the number
 * of experts; G divides the batch, or the sequence when \b output_shard_dim is 2.
 * - k is at most 4096, experts * G less than 65536, batch * sequence * k less than 2^31. Tensors
 *   may have 2^31 elements and more.
 * - No memory that is written overlaps other memory of the call, the workspace included.
 * - When a tensor has no elements, nothing is written and data pointers may be NULL. The ranks
 * still compare what they passed, in the workspace: one that has elements must not be left waiting.
 *
 * @par API Dependency
 * - ::mluOpGetAllToAllCombineWorkspaceSize
 *
 * @par Note
 * - All ranks call with the same shapes, types, mesh and modes. When one does not, the output of no
 *   rank is written, and every rank gets an error that names it: BAD_PARAM from the call when ranks
 *   live in other processes, else a fault of the queue. A rank that does not call at all makes the
 *   others fail after the time limit of CNCL.
 * - Not between cnclGroupStart and cnclGroupEnd: the exchange consists of several calls of CNCL and
 *   of kernels between them, none of which may wait for the end of the group (NOT_SUPPORTED).
 * - The queue of \b handle belongs to the device of \b comm (BAD_PARAM) and is not captured
 *   (NOT_SUPPORTED; the capture is invalid then).
 * - When all ranks live in this process, the call returns at once, like that of any operator.
 *   Between processes it waits until all ranks have called and the queue has come to it, because
 *   mapping memory and the sizes of messages are the host's matter; one thread per rank is needed
 *   then.
 * - \b input and \b expert_metadata of a rank are read by other ranks until its queue has passed
 * the call.
 * - Ids that are no expert select nothing. An expert that a token selects twice counts at its first
 *   position. A device's experts beyond experts / ranks have no row. When several devices of a
 * group have an expert, the last one's row is kept; between processes that cannot map each other's
 * memory, metadata that differ so much that more rows arrive than \b output has are BAD_PARAM.
 * - Values are copied bit by bit. The result does not depend on the number of tasks nor on how the
 *   ranks are spread over processes.
 *
 * @par Example
 * @verbatim
 * mesh 1 x 2, cluster_axis 1, 4 experts, 0 and 1 on rank 0, 2 and 3 on rank 1
 * batch 2, sequence 1, k 2, expert_metadata [[3, 0], [2, 1]]; x(e, t) is expert e's row of token t
 * output of rank 0 (token 0)   [x(3, 0), x(0, 0)]
 * output of rank 1 (token 1)   [x(2, 1), x(1, 1)]
 * @endverbatim
 *
 * @par Reference
 * - https://docs.tenstorrent.com/tt-metal/latest/ttnn/ttnn/api/ttnn.all_to_all_combine.html
 */
mluOpStatus_t MLUOP_WIN_API mluOpAllToAllCombine(
    mluOpHandle_t handle, const cnclComm_t comm, const mluOpTensorDescriptor_t input_desc,
    const void *input, const mluOpTensorDescriptor_t expert_metadata_desc,
    const void *expert_metadata, const mluOpTensorDescriptor_t expert_mapping_desc,
    const void *expert_mapping, const bool local_reduce, const int mesh_rows, const int mesh_cols,
    const int cluster_axis, const int output_shard_dim, const int num_links,
    const mluOpCommTopology_t topology, void *workspace, const size_t workspace_size,
    const mluOpTensorDescriptor_t output_desc, void *output);

// Group: AllToAllDispatch
/*!
 * @brief Gets the bytes of workspace that ::mluOpAllToAllDispatch needs on this rank. Ranks need
 * not ask together.
 *
 * @param[in] handle
 * Handle to the library context of this rank's device. See ::mluOpHandle_t.
 * @param[in] comm
 * This rank's communicator.
 * @param[in] input_desc
 * Descriptor of \b input of ::mluOpAllToAllDispatch. See ::mluOpTensorDescriptor_t.
 * @param[in] expert_indices_desc
 * Descriptor of \b expert_indices. See ::mluOpTensorDescriptor_t.
 * @param[in] expert_mapping_desc
 * Descriptor of \b expert_mapping. See ::mluOpTensorDescriptor_t.
 * @param[in] mesh_rows
 * Rows of the mesh of ranks.
 * @param[in] mesh_cols
 * Columns of the mesh of ranks.
 * @param[in] cluster_axis
 * Axis of the mesh along which rows are exchanged.
 * @param[in] output_concat_dim
 * What the tokens of the devices are joined by: 1 batch, 2 sequence.
 * @param[out] workspace_size
 * Host pointer to the number of bytes.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED
 *
 * @par Data Type
 * - As in ::mluOpAllToAllDispatch.
 *
 * @par Data Layout
 * - As in ::mluOpAllToAllDispatch.
 *
 * @par Scale Limitation
 * - As in ::mluOpAllToAllDispatch.
 *
 * @par API Dependency
 * - None.
 *
 * @par Note
 * - None.
 *
 * @par Example
 * - None.
 *
 * @par Reference
 * - None.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetAllToAllDispatchWorkspaceSize(
    mluOpHandle_t handle, const cnclComm_t comm, const mluOpTensorDescriptor_t input_desc,
    const mluOpTensorDescriptor_t expert_indices_desc,
    const mluOpTensorDescriptor_t expert_mapping_desc, const int mesh_rows, const int mesh_cols,
    const int cluster_axis, const int output_concat_dim, size_t *workspace_size);

// Group: AllToAllDispatch
/*!
 * @brief Sends every token to the devices of its group that have an expert it selects: what comes
 * before the experts, as ::mluOpAllToAllCombine comes behind them. Mesh, groups and owners of
 * tokens are the same there.
 *
 * @verbatim
 * on every device d, for every token (b, s) of its group, owned by device g:
 *   metadata[0][b][s] = expert_indices of g, of this token
 *   output[0][b][s]   = input of g, of this token, when one of these experts lives on d; else 0
 * @endverbatim
 *
 * @param[in] handle
 * Handle to the library context of this rank's device. See ::mluOpHandle_t.
 * @param[in] comm
 * This rank's communicator.
 * @param[in] input_desc
 * Descriptor of \b input. See ::mluOpTensorDescriptor_t.
 * @param[in] input
 * Device pointer to the rows of this device's tokens.
 * @param[in] expert_indices_desc
 * Descriptor of \b expert_indices. See ::mluOpTensorDescriptor_t.
 * @param[in] expert_indices
 * Device pointer to the experts that this device's tokens selected.
 * @param[in] expert_mapping_desc
 * Descriptor of \b expert_mapping. See ::mluOpTensorDescriptor_t.
 * @param[in] expert_mapping
 * Device pointer to the mapping, the same on all ranks: 1 where an expert lives on a rank; any
 * other value means that it does not.
 * @param[in] mesh_rows
 * Rows of the mesh of ranks.
 * @param[in] mesh_cols
 * Columns of the mesh of ranks.
 * @param[in] cluster_axis
 * Axis of the mesh along which rows are exchanged: 0 or 1.
 * @param[in] output_concat_dim
 * What the tokens of the devices are joined by: 1 batch, 2 sequence.
 * @param[in] num_links
 * Links between neighbours, 1 or more, or ::MLUOP_COMM_LINKS_AUTO. A hint without effect on
 * results.
 * @param[in] topology
 * How the devices of a group are connected. A hint without effect on results.
 * @param[in] workspace
 * Device pointer to extra memory.
 * @param[in] workspace_size
 * Bytes of \b workspace, at least what ::mluOpGetAllToAllDispatchWorkspaceSize gives.
 * @param[in] output_desc
 * Descriptor of \b output. See ::mluOpTensorDescriptor_t.
 * @param[out] output
 * Device pointer to the rows of the tokens of the group that this device's experts need; the others
 * become 0.
 * @param[in] metadata_desc
 * Descriptor of \b metadata. See ::mluOpTensorDescriptor_t.
 * @param[out] metadata
 * Device pointer to the experts of all tokens of the group, which ::mluOpAllToAllCombine takes as
 * \b expert_metadata.
 *
 * @par Return
 * - ::MLUOP_STATUS_SUCCESS, ::MLUOP_STATUS_BAD_PARAM, ::MLUOP_STATUS_NOT_SUPPORTED,
 *   ::MLUOP_STATUS_ARCH_MISMATCH, ::MLUOP_STATUS_EXECUTION_FAILED, ::MLUOP_STATUS_ALLOC_FAILED
 *
 * @par Data Type
 * - input, output: both float, half or bfloat16.
 * - expert_indices, metadata: both uint16 or int32. expert_mapping: uint16 or int32.
 *
 * @par Data Layout
 * - input: [batch / G, 1, sequence, hidden], or [batch, 1, sequence / G, hidden] when
 *   \b output_concat_dim is 2; expert_indices: the same with k instead of hidden; expert_mapping:
 *   [1, 1, experts, ranks]; output: [1, batch, sequence, hidden]; metadata:
 *   [1, batch, sequence, k]. All are contiguous.
 *
 * @par Scale Limitation
 * - As in ::mluOpAllToAllCombine.
 * - No memory that is written overlaps other memory of the call, the workspace included.
 *
 * @par API Dependency
 * - ::mluOpGetAllToAllDispatchWorkspaceSize
 *
 * @par Note
 * - What ::mluOpAllToAllCombine says about ranks that do not agree, about groups and captures,
 * about waiting and about reading of inputs holds here too.
 *
 * @par Example
 * @verbatim
 * mesh 1 x 2, cluster_axis 1, 4 experts, 0 and 1 on rank 0, 2 and 3 on rank 1
 * rank 0: input [x], expert_indices [[3, 0]]; rank 1: input [y], expert_indices [[2, 3]]
 * rank 0: output [x, 0], metadata [[3, 0], [2, 3]]; rank 1: output [x, y], the same metadata
 * @endverbatim
 *
 * @par Reference
 * - https://docs.tenstorrent.com/tt-metal/latest/ttnn/ttnn/api/ttnn.all_to_all_dispatch.html
 */
mluOpStatus_t MLUOP_WIN_API mluOpAllToAllDispatch(
    mluOpHandle_t handle, const cnclComm_t comm, const mluOpTensorDescriptor_t input_desc,
    const void *input, const mluOpTensorDescriptor_t expert_indices_desc,
    const void *expert_indices, const mluOpTensorDescriptor_t expert_mapping_desc,
    const void *expert_mapping, const int mesh_rows, const int mesh_cols, const int cluster_axis,
    const int output_concat_dim, const int num_links, const mluOpCommTopology_t topology,
    void *workspace, const size_t workspace_size, const mluOpTensorDescriptor_t output_desc,
    void *output, const mluOpTensorDescriptor_t metadata_desc, void *metadata);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#if defined(__cplusplus)
}
#endif

#endif /* MLUOP_COMM_H_ */
