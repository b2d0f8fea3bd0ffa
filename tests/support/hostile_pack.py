"""Overlay files that would hang, kill or fill the process that reads them, by name; `put_into` writes them beside good
ones. Each once made the whole pack fail."""

import os
from collections.abc import Iterator
from pathlib import Path

_HEAD = """
action: hostile_{name}
operation: get-booking-detail
iq_enabled: true
title: Look at it
description: Look at one booking.
read_only: true
parameters:
  booking_id: {{in: path.uniqueId, role: booking, describe: The booking}}
"""
_SAMPLE = 'sample: {call: {booking_id: "8231"}, response: {name: x}}\n'

DOUBLED = "".join(f"{{% set a{n + 1} = a{n} ~ a{n} %}}" for n in range(19))
MULTIPLIED = "".join(f"{{% set a{n + 1} = a{n} * a{n} %}}" for n in range(19))
LISTED = "".join(f"{{% set a{n + 1} = [a{n}, a{n}, a{n}, a{n}] %}}" for n in range(19))
NINE = "".join(f"{{% for a{n} in 'aaaaaaaaaa' %}}" for n in range(9)) + "x" + "{% endfor %}" * 9
TWO = "{% for a in r %}{% for b in r %}x{% endfor %}{% endfor %}"

TEMPLATES = {
    "brackets": "{{ " + "(" * 300 + "1" + ")" * 300 + " }}",
    "sums": "{{ " + "+".join("1" * 1_000) + " }}",
    "long": "{{ " + "+".join("1" * 100_000) + " }}",
    "digits": "{{ " + "9" * 5_000 + " }}",
    "loops": NINE,
    "two_loops": "{% set r = [] | resized(9000) %}" + TWO,
    "itself": "{% set a = 'aaaaaaaaaa' %}{% set a = a ~ a %}{{ a }}",
    "doubled": "{% set a0 = 'aaaaaaaaaa' %}" + DOUBLED + "{{ (a19 ~ a19) | length }}",
    "multiplied": "{% set a0 = 99999999999 %}" + MULTIPLIED + "{{ a19 }}",
    "powers": "{{ 9 ** 9 ** 9 }}",
    "rounded": "{{ 1.5 | round(999999999, 'ceil') }}",
    "resized": "{{ [] | resized(999999999) | length }}",
    "replaced": "{{ 'a'" + " | replace('a', 'aaaaaaaaaa')" * 12 + " }}",
    "joined": "{{ 'ab'" + " | list | join('xxxxxxxxxx')" * 12 + " }}",
    "listed": "{% set a0 = [1] %}" + LISTED + "{{ a19 | string | length }}",
    "compared": "{% set a0 = [1] %}" + LISTED + "{{ a19 == a19 }}",
    "macro": "{% macro m(n) %}{{ m(n) }}{% endmacro %}{{ m(1) }}",
    "recursive": "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}",
}
OTHERS = {
    "deep_list": _SAMPLE.replace("{name: x}", "[" * 150 + "]" * 150),
    "deeper": "output: {shape: " + "[" * 5_000 + "]" * 5_000 + "}\n",
    "integer": "output: {shape: " + "9" * 5_000 + "}\n",
    "rows": "output: {shape: " + "{for_each: \"'aaaaaaaaaa' | list\", value: " * 9 + "x" + "}" * 9 + "}\n" + _SAMPLE,
    "binary": "output: \0\x01\n",
    "bomb": "output:\n  a: &a [x, x, x, x, x, x, x, x, x]\n"
    + "".join(f"  {b}: &{b} [{', '.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
}
SPECIAL = ("zero", "pipe", "sparse", "folder", "nowhere")
NAMES = (*TEMPLATES, *OTHERS, *SPECIAL, "json")


def put_into(folder: Path, name: str) -> Path:
    """Write one of them into a pack's folder. Return the file."""
    path = folder / "actions" / f"hostile_{name}.yaml"
    if name == "zero":
        os.symlink("/dev/zero", path)
    elif name == "pipe":
        os.mkfifo(path)
    elif name == "sparse":
        with path.open("wb") as file:
            file.truncate(3 * 2**30)
    elif name == "folder":
        path.mkdir()
    elif name == "nowhere":
        path.symlink_to(folder / "nothing.yaml")
    elif name == "json":
        path.write_text('{"action": "hostile_json", "sample": {"call": {"n": ' + "9" * 5_000 + "}}}", encoding="utf-8")
    else:
        path.write_text(text_of(name), encoding="utf-8")
    return path


def text_of(name: str) -> str:
    """Return the text of one that is a text."""
    head = _HEAD.format(name=name)
    if name in OTHERS:
        return head + OTHERS[name]
    return head + f'summary: "{TEMPLATES[name]}"\n' + _SAMPLE


def busy_file(name: str) -> str:
    """Return a file in which no single template does too much, and all together take minutes."""
    line = '  - {label: L, after: "{% set r = [] | resized(300) %}{% for a in r %}{% for b in r | default([]) | list %}'
    lines = [line + '{% if a == b %}{% endif %}{% endfor %}{% endfor %}"}' for _ in range(2_000)]
    return _HEAD.format(name=name) + "preview:\n" + "\n".join(lines) + "\n" + _SAMPLE


def labels(pack: str) -> Iterator[str]:
    """Yield every file's label in findings."""
    return (f"{pack}/actions/hostile_{name}.yaml" for name in NAMES)
