# SPDX-License-Identifier: MIT
"""Draws times as a bar chart in SVG."""
import html
import math

_WIDTH, _LABELS, _BAR, _GAP = 860, 330, 18, 14
_COLOURS = ("#2a7f62", "#b5651d", "#7a6f9b")


def bars(title, groups):
    """groups: (label, {contender: its time divided by the shortest}); the scale is logarithmic.

    >>> bars("t", [("a & b", {"ours": 1.0, "theirs": 10.0})]).count("<rect")
    3
    """
    most = max(value for _, values in groups for value in values.values())
    scale = (_WIDTH - _LABELS - 150) / max(math.log10(max(most, 1) * 2), 0.1)
    parts, y = [], 44
    for label, values in groups:
        parts.append(f'<text x="{_LABELS - 10}" y="{y + 13}" text-anchor="end" font-weight="bold">{html.escape(label)}</text>')
        for place, (contender, value) in enumerate(values.items()):
            length = max(scale * math.log10(max(value, 0.5) * 2), 2)
            parts.append(f'<rect x="{_LABELS}" y="{y}" width="{length:.1f}" height="{_BAR - 3}" '
                         f'fill="{_COLOURS[place % len(_COLOURS)]}"/>')
            parts.append(f'<text x="{_LABELS + length + 6:.1f}" y="{y + 12}">{html.escape(contender)} {value:.1f}</text>')
            y += _BAR
        y += _GAP
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{y}" font-family="sans-serif" '
            f'font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n'
            f'<text x="10" y="24" font-size="15">{html.escape(title)}</text>\n' + "\n".join(parts) + "\n</svg>\n")
