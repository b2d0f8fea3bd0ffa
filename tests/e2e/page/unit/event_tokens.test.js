// The page reads control tokens exactly as the test of `api/event_tokens.py` does: both read `tests/unit/api/token_vectors.json`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { TokenReader, escapeField, unescapeField } from "../../../../api/web/event_tokens.js";

const vectors = JSON.parse(readFileSync(new URL("../../../unit/api/token_vectors.json", import.meta.url), "utf8"));

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
    assert.equal(escapeField(text), field);
    assert.equal(unescapeField(field), text);
  });
}
