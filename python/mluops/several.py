# SPDX-License-Identifier: MIT
"""Operators on several devices of this process. The examples use the numbers of mlu_op_comm.h."""
import ctypes

from ._arguments import int32, outputs as given
from ._call import Workspace, call
from ._context import Context
from ._library import MluOpError, comm_check, function, library, runtime_check
from ._scalar import integer
from ._tensor import Tensor, empty_like, output, shape_of

_BATCH, _SEQUENCE = 1, 2  # the axis that splits the tokens
_LINKS, _TOPOLOGY = 0, 2  # values that let the library decide


class Ranks:
    """A mesh of rows x cols ranks, each with its own queue. Ranks share devices if there are fewer devices than ranks.

    Functions for several devices take it first, and lists with one array per rank. They wait for the results.

    >>> with Ranks(1, 2) as ranks:
    ...     len(ranks)
    2
    """

    def __init__(self, rows, cols):
        self.rows, self.cols = integer("rows", rows).value, integer("cols", cols).value
        count = self.rows * self.cols
        if self.rows < 1 or self.cols < 1:
            raise MluOpError(f"rows, cols: wanted a mesh of at least 1 x 1, got {rows} x {cols}")
        self._comms = None
        devices = ctypes.c_uint()
        runtime_check("cnrtGetDeviceCount", library.cnrtGetDeviceCount(ctypes.byref(devices)))
        self.contexts = [Context(rank % devices.value) for rank in range(count)]
        comms = (ctypes.c_void_p * count)()
        comm_check("cnclInitComms", function("cnclInitComms")(
            comms, count, (ctypes.c_int * count)(*(context.device for context in self.contexts)),
            (ctypes.c_int * count)(*range(count)), count, None))
        self._comms = comms

    def __len__(self):
        return len(self.contexts)

    def group_size(self, cluster_axis):
        """How many ranks exchange rows with each other."""
        return self.rows if cluster_axis == 0 else self.cols

    def call(self, make):
        """Calls make(rank, context, comm) for every rank, then waits. If one rank fails, the call fails for all."""
        if self._comms is None:
            raise MluOpError("the ranks are closed, or an earlier call failed")
        try:
            for rank, context in enumerate(self.contexts):
                make(rank, context, ctypes.c_void_p(self._comms[rank]))
            for context in self.contexts:
                context.sync()
        except Exception:
            self.abort()
            raise

    def is_closed(self):
        """Whether no further call can succeed: after `close`, or a call that failed."""
        return self._comms is None

    def abort(self):
        """Aborts the communicators, so that no rank waits for another; no further call succeeds."""
        for comm in self._comms or ():
            function("cnclAbortComm")(ctypes.c_void_p(comm))
        self._comms = None
        for context in self.contexts:
            library.cnrtQueueSync(context.queue)

    def close(self):
        """Frees everything."""
        if self._comms is not None:
            comm_check("cnclDestroyComms", function("cnclDestroyComms")(self._comms, len(self)))
            self._comms = None
        for context in self.contexts:
            context.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _split(split):
    if split not in ("batch", "sequence"):
        raise MluOpError(f"split: wanted 'batch' or 'sequence', got {split!r}")
    return _BATCH if split == "batch" else _SEQUENCE


def gathered_tokens(batch, sequence, parts, split):
    """The leading dimensions of a rank's output of dispatch, for `parts` ranks with [batch, sequence] tokens each."""
    return (1, batch * parts, sequence) if split == "batch" else (1, batch, sequence * parts)


def own_tokens(batch, sequence, parts, split):
    """[batch, sequence] of the tokens that combine returns to one of `parts` ranks."""
    return (batch // parts, sequence) if split == "batch" else (batch, sequence // parts)


def _check_lists(ranks, **lists):
    for name, arrays in lists.items():
        if len(arrays) != len(ranks):
            raise MluOpError(f"{name}: wanted one array per rank, {len(ranks)}, got {len(arrays)}")


def all_to_all_dispatch(ranks, inputs, expert_indices, expert_mapping, cluster_axis=1, split="batch", out=None):
    """Sends every token to the ranks that have an expert it selects. Returns two lists: outputs
    [1, batch, sequence, hidden] and the experts of all tokens [1, batch, sequence, k]. `out` is a tuple of both lists.

    For each rank, in a group of G: inputs [batch / G, 1, sequence, hidden] and expert_indices [batch / G, 1, sequence, k],
    or with split="sequence" [batch, 1, sequence / G, ...]; expert_mapping [1, 1, experts, ranks].

    >>> import numpy
    >>> mapping = numpy.int32([[[[1, 0], [1, 0], [0, 1], [0, 1]]]])
    >>> x, y = numpy.float32([[[[5]]]]), numpy.float32([[[[7]]]])
    >>> with Ranks(1, 2) as ranks:
    ...     outputs, metadata = all_to_all_dispatch(ranks, [x, y], [numpy.int32([[[[3, 0]]]]), numpy.int32([[[[2, 3]]]])],
    ...                                             mapping)
    >>> [output.ravel().tolist() for output in outputs]
    [[5.0, 0.0], [5.0, 7.0]]
    >>> metadata[0].tolist()
    [[[[3, 0]], [[2, 3]]]]
    """
    _check_lists(ranks, inputs=inputs, expert_indices=expert_indices)
    dim, parts = _split(split), ranks.group_size(cluster_axis)
    outputs, metadata = given("out", out, 2)
    if out is None:
        outputs, metadata = [None] * len(ranks), [None] * len(ranks)
    _check_lists(ranks, out=outputs, metadata=metadata)

    def make(rank, context, comm):
        batch, _, sequence, hidden = shape_of("input", inputs[rank], 4)
        selected = int32("expert_indices", expert_indices[rank], inputs[rank])
        k = shape_of("expert_indices", selected, 4)[-1]
        tokens = gathered_tokens(batch, sequence, parts, split)
        if outputs[rank] is None:
            outputs[rank] = empty_like(inputs[rank], (*tokens, hidden))
            metadata[rank] = empty_like(selected, (*tokens, k))
        rows, ids = Tensor("input", inputs[rank]), Tensor("expert_indices", selected)
        mapping = Tensor("expert_mapping", int32("expert_mapping", expert_mapping, inputs[rank]))
        where = (ranks.rows, ranks.cols, integer("cluster_axis", cluster_axis), dim)
        call(context, "mluOpAllToAllDispatch", comm, rows, ids, mapping, *where, _LINKS, _TOPOLOGY,
             Workspace("mluOpGetAllToAllDispatchWorkspaceSize", comm, rows, ids, mapping, *where),
             output("output", outputs[rank]), output("metadata", metadata[rank]))

    ranks.call(make)
    return outputs, metadata


def all_to_all_combine(ranks, inputs, expert_metadata, expert_mapping, local_reduce=False, cluster_axis=1, split="batch",
                       out=None):
    """Returns the experts' rows to the ranks that own the tokens: a list of [k, batch / G, sequence, hidden], with
    split="sequence" of [k, batch, sequence / G, hidden]. `out` is a list of the same shapes.

    Per rank: inputs [experts / ranks, batch, sequence, hidden], or [1, ...] with local_reduce; expert_metadata
    [1, batch, sequence, k]; expert_mapping [1, 1, experts, ranks].

    >>> import numpy
    >>> mapping = numpy.int32([[[[1, 0], [1, 0], [0, 1], [0, 1]]]])
    >>> metadata = numpy.int32([[[[3, 0]], [[2, 1]]]])
    >>> rows = numpy.arange(8, dtype=numpy.float32).reshape(2, 2, 2, 1, 1)  # rank, its expert, token
    >>> with Ranks(1, 2) as ranks:
    ...     outputs = all_to_all_combine(ranks, list(rows), [metadata, metadata], mapping)
    >>> [output.ravel().tolist() for output in outputs]
    [[6.0, 0.0], [5.0, 3.0]]
    """
    _check_lists(ranks, inputs=inputs, expert_metadata=expert_metadata)
    dim, parts = _split(split), ranks.group_size(cluster_axis)
    outputs = given("out", out, len(ranks))

    def make(rank, context, comm):
        _, batch, sequence, hidden = shape_of("input", inputs[rank], 4)
        selected = int32("expert_metadata", expert_metadata[rank], inputs[rank])
        k = shape_of("expert_metadata", selected, 4)[-1]
        if outputs[rank] is None:
            outputs[rank] = empty_like(inputs[rank], (k, *own_tokens(batch, sequence, parts, split), hidden))
        rows, ids = Tensor("input", inputs[rank]), Tensor("expert_metadata", selected)
        mapping = Tensor("expert_mapping", int32("expert_mapping", expert_mapping, inputs[rank]))
        how = (ctypes.c_bool(local_reduce), ranks.rows, ranks.cols, integer("cluster_axis", cluster_axis), dim)
        call(context, "mluOpAllToAllCombine", comm, rows, ids, mapping, *how, _LINKS, _TOPOLOGY,
             Workspace("mluOpGetAllToAllCombineWorkspaceSize", comm, rows, ids, mapping, *how),
             output("output", outputs[rank]))

    ranks.call(make)
    return outputs
