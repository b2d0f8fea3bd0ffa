// The page reads control tokens exactly as `contracts/tokens.py` does: both read `tests/unit/contracts/token_vectors.json`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { TokenReader, escaped, unescaped } from "../../../../api/web/tokens.js";

const vectors = JSON.parse(readFileSync(new URL("../../../unit/contracts/token_vectors.json", import.meta.url), "utf8"));

for (const { why, text, tokens } of vectors.streams) {
  for (const size of [1, 2, 7, 10_000]) {
    test(`${why}, in pieces of ${size}`, () => {
      const reader = new TokenReader();
      const read = [];
      for (let at = 0; at < text.length; at += size) read.push(...reader.feed(text.slice(at, at + size)));
      assert.deepEqual(read.map((one) => [one.name, one.fields]), tokens);
    });
  }
}

for (const { text, field } of vectors.escapes) {
  test(`${JSON.stringify(text)} is escaped and comes back`, () => {
    assert.equal(escaped(text), field);
    assert.equal(unescaped(field), text);
  });
}
