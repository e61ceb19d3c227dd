"""The weights of a BERT encoder as an ONNX graph of fused operators that returns one vector a text.

All texts of one call have one length, so nothing is padded and no mask is needed. The fused operators are described at
https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Tensor = npt.NDArray[np.float32]

_FUSED = "com.microsoft"
_OPSET, _IR = 17, 8  # Every onnxruntime since 2022 reads these


def write_graph(tensors: Mapping[str, Tensor], path: str, *, heads: int, epsilon: float = 1e-12) -> None:
    """Writes the graph: `input_ids` int32 [texts, tokens] → `vectors` float32 [texts, width], the mean over tokens.

    `tensors` are named as a BertModel names them (`embeddings.…`, `encoder.layer.N.…`); float32.
    """
    import onnx
    from onnx import TensorProto, helper

    graph = _Graph(tensors)
    at = graph.node(
        "EmbedLayerNormalization",
        [
            "input_ids",
            "",
            graph.weight("embeddings.word_embeddings.weight"),
            # No second segment is ever given: the first one's vector is part of every position
            graph.constant("positions", _positions(tensors)),
            "",
            graph.weight("embeddings.LayerNorm.weight"),
            graph.weight("embeddings.LayerNorm.bias"),
        ],
        outputs=2,
        epsilon=epsilon,
    )
    for layer in range(_layers(tensors)):
        at = _layer(graph, at, f"encoder.layer.{layer}", heads, epsilon)
    graph.nodes.append(helper.make_node("ReduceMean", [at], ["vectors"], axes=[1], keepdims=0))
    width = tensors["embeddings.word_embeddings.weight"].shape[1]
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "encoder",
            [helper.make_tensor_value_info("input_ids", TensorProto.INT32, ["texts", "tokens"])],
            [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["texts", width])],
            graph.weights,
        ),
        opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)],
        ir_version=_IR,
        producer_name="azsearch-ops",
    )
    onnx.save(model, path)


def _layer(graph: _Graph, at: str, name: str, heads: int, epsilon: float) -> str:
    parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
    joined = np.concatenate([graph.tensors[f"{part}.weight"].T for part in parts], axis=1)
    biases = np.concatenate([graph.tensors[f"{part}.bias"] for part in parts])
    attended = graph.node(
        "Attention",
        [at, graph.constant(f"{name}.attention.weight", joined), graph.constant(f"{name}.attention.bias", biases)],
        num_heads=heads,
    )
    at = _added(
        graph, graph.product(attended, f"{name}.attention.output.dense"), at, f"{name}.attention.output", epsilon
    )
    inner = graph.product(at, f"{name}.intermediate.dense")
    inner = graph.node("BiasGelu", [inner, graph.weight(f"{name}.intermediate.dense.bias")])
    return _added(graph, graph.product(inner, f"{name}.output.dense"), at, f"{name}.output", epsilon)


def _added(graph: _Graph, fresh: str, before: str, name: str, epsilon: float) -> str:
    """Bias, residual and normalisation in one."""
    scale, shift = graph.weight(f"{name}.LayerNorm.weight"), graph.weight(f"{name}.LayerNorm.bias")
    bias = graph.weight(f"{name}.dense.bias")
    return graph.node("SkipLayerNormalization", [fresh, before, scale, shift, bias], epsilon=epsilon)


def _positions(tensors: Mapping[str, Tensor]) -> Tensor:
    both: Tensor = (
        tensors["embeddings.position_embeddings.weight"] + tensors["embeddings.token_type_embeddings.weight"][0]
    )
    return both


def _layers(tensors: Mapping[str, Tensor]) -> int:
    return 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer."))


class _Graph:
    """Nodes and weights under construction; each output gets a name of its own."""

    def __init__(self, tensors: Mapping[str, Tensor]) -> None:
        self.tensors = tensors
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def constant(self, name: str, value: Tensor) -> str:
        from onnx import numpy_helper

        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self.tensors[name])

    def product(self, at: str, name: str) -> str:
        """A dense layer without its bias."""
        return self.node("MatMul", [at, self.constant(f"{name}.weight", self.tensors[f"{name}.weight"].T)], domain="")

    def node(self, kind: str, inputs: list[str], *, outputs: int = 1, domain: str = _FUSED, **attributes: Any) -> str:
        """Adds a node; the name of its first output."""
        from onnx import helper

        names = [f"t{len(self.nodes)}.{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, domain=domain, **attributes))
        return names[0]
