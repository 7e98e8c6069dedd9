# SPDX-License-Identifier: MIT
"""torch.ops.mluops.all_to_all_*: operators on several devices of this process. An operator of torch takes no objects of
ours, so it takes the size of the mesh and has a mesh for each size."""
import threading

import torch

from .. import several
from ._arguments import as_indices
from ._register import register

_ops = torch.ops.mluops
_meshes = {}
_lock = threading.Lock()


def _mesh(rows, cols):
    mesh = _meshes.get((rows, cols))
    if mesh is None or mesh.is_closed():
        mesh = _meshes[rows, cols] = several.Ranks(rows, cols)
    return mesh


def _parts(rows, cols, cluster_axis):
    return rows if cluster_axis == 0 else cols


# ---- dispatch

def _dispatch(inputs, expert_indices, expert_mapping, rows, cols, cluster_axis=1, split="batch", out=None):
    with _lock:  # a mesh runs one call at a time
        return several.all_to_all_dispatch(_mesh(rows, cols), inputs, expert_indices, expert_mapping, cluster_axis, split,
                                           out=out)


def _dispatch_fake(inputs, expert_indices, expert_mapping, rows, cols, cluster_axis=1, split="batch"):
    outputs, metadata = [], []
    for rank, ids in zip(inputs, expert_indices):
        batch, _, sequence, hidden = rank.shape
        tokens = several.gathered_tokens(batch, sequence, _parts(rows, cols, cluster_axis), split)
        outputs.append(rank.new_empty((*tokens, hidden)))
        metadata.append(ids.new_empty((*tokens, ids.shape[-1]), dtype=torch.int32))
    return outputs, metadata


register("all_to_all_dispatch",
         "Tensor[] inputs, Tensor[] expert_indices, Tensor expert_mapping, int rows, int cols, int cluster_axis=1, "
         'str split="batch"', "Tensor[] outputs, Tensor[] metadata", _dispatch, _dispatch_fake)


def all_to_all_dispatch(inputs, expert_indices, expert_mapping, rows, cols, cluster_axis=1, split="batch", *, out=None):
    """As mluops.all_to_all_dispatch, with the size of the mesh in place of the mesh. It has no gradient.

    >>> mapping = torch.tensor([[[[1, 0], [0, 1]]]])
    >>> x, y = torch.tensor([[[[5.]]]]), torch.tensor([[[[7.]]]])
    >>> outputs, _ = all_to_all_dispatch([x, y], [[[[[1]]]], [[[[1]]]]], mapping, 1, 2)
    >>> [output.ravel().tolist() for output in outputs]
    [[0.0, 0.0], [5.0, 7.0]]
    """
    given = (inputs, [as_indices("expert_indices", ids) for ids in expert_indices],
             as_indices("expert_mapping", expert_mapping), rows, cols, cluster_axis, split)
    if out is None:
        return _ops.all_to_all_dispatch(*given)
    _ops.all_to_all_dispatch.out(*given, outputs=out[0], metadata=out[1])
    return out


# ---- combine

def _combine(inputs, expert_metadata, expert_mapping, rows, cols, local_reduce=False, cluster_axis=1, split="batch",
             out=None):
    with _lock:
        return several.all_to_all_combine(_mesh(rows, cols), inputs, expert_metadata, expert_mapping, local_reduce,
                                          cluster_axis, split, out=out)


def _combine_fake(inputs, expert_metadata, expert_mapping, rows, cols, local_reduce=False, cluster_axis=1,
                  split="batch"):
    outputs = []
    for rank, ids in zip(inputs, expert_metadata):
        _, batch, sequence, hidden = rank.shape
        own = several.own_tokens(batch, sequence, _parts(rows, cols, cluster_axis), split)
        outputs.append(rank.new_empty((ids.shape[-1], *own, hidden)))
    return outputs


register("all_to_all_combine",
         "Tensor[] inputs, Tensor[] expert_metadata, Tensor expert_mapping, int rows, int cols, bool local_reduce=False, "
         'int cluster_axis=1, str split="batch"', "Tensor[] out", _combine, _combine_fake)


def all_to_all_combine(inputs, expert_metadata, expert_mapping, rows, cols, local_reduce=False, cluster_axis=1,
                       split="batch", *, out=None):
    """As mluops.all_to_all_combine, with the size of the mesh in place of the mesh. It has no gradient.

    >>> mapping = torch.tensor([[[[1, 0], [0, 1]]]])
    >>> experts = torch.tensor([[[[1]], [[0]]]])  # for two tokens
    >>> rows = torch.arange(4.).reshape(2, 1, 2, 1, 1)  # rank, its expert, token
    >>> [output.item() for output in all_to_all_combine(list(rows), [experts, experts], mapping, 1, 2)]
    [2.0, 1.0]
    """
    given = (inputs, [as_indices("expert_metadata", ids) for ids in expert_metadata],
             as_indices("expert_mapping", expert_mapping), rows, cols, local_reduce, cluster_axis, split)
    if out is None:
        return _ops.all_to_all_combine(*given)
    _ops.all_to_all_combine.out(*given, out=out)
    return out
