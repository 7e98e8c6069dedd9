# SPDX-License-Identifier: MIT
"""Reads what a rival needs of a case file (.prototxt): shapes, types and the operator's parameters."""
import re

TOKEN = re.compile(r'#[^\n]*|"[^"]*"|[A-Za-z0-9_.+\-]+|[{}:\[\],]')


def _parse(tokens):
    """A message as a dictionary; every field is a list."""
    message = {}
    for token in tokens:
        if token == "}":
            return message
        name, value = token, next(tokens)
        if value == ":":
            value = next(tokens)
            if value == "[":
                values = []
                for item in tokens:
                    if item == "]":
                        break
                    if item != ",":
                        values.append(item.strip('"'))
                message.setdefault(name, []).extend(values)
                continue
            if value != "{":
                message.setdefault(name, []).append(value.strip('"'))
                continue
        message.setdefault(name, []).append(_parse(tokens))
    return message


class Tensor:
    def __init__(self, message):
        self.dims = [int(d) for d in message["shape"][0].get("dims", [])]
        self.dtype = message["dtype"][0].removeprefix("DTYPE_").lower()


class Case:
    """inputs and outputs by id (without absent ones), the operator's parameters in params."""

    def __init__(self, path):
        text = open(path, encoding="utf-8").read()
        node = _parse(t for t in TOKEN.findall(text) if not t.startswith("#"))
        self.op = node["op_name"][0]
        self.inputs, self.outputs = (
            {m["id"][0]: Tensor(m) for m in node.get(side, []) if "NULL" not in m["id"][0]}
            for side in ("input", "output"))
        params = node.get(self.op + "_param", [{}])[0]
        self.params = {name: values[0] for name, values in params.items()}
        self.k = int(float(next(iter(self._values(node, "top_k")), 0)))

    @staticmethod
    def _values(node, name):
        for message in node.get("input", []):
            if message["id"][0] == name:
                bound = message.get("random_data", [{}])[0].get("lower_bound", [])
                return message.get("value_i", bound)
        return []

    def number(self, name):
        return int(self.params[name])

    def flag(self, name):
        return self.params.get(name) == "true"
