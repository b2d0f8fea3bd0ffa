// Server-sent events are read whole, wherever the network cuts them, and a lost line is tried again with more patience.
import assert from "node:assert/strict";
import test from "node:test";

import { MessageReader, retryDelay } from "../../../../api/web/sse.js";

const TEXT = ": ping\n\nid: 4-2\nevent: chat\ndata: {\"a\":\ndata: 1}\n\nevent: plan\r\ndata:x\r\n\r\nid: 5\ndata: é\r\rdata: half";

for (const size of [1, 3, 8, 1000]) {
  test(`in pieces of ${size}`, () => {
    const reader = new MessageReader();
    const found = [];
    for (let at = 0; at < TEXT.length; at += size) found.push(...reader.feed(TEXT.slice(at, at + size)));
    assert.deepEqual(found, [
      { event: "chat", data: '{"a":\n1}', id: "4-2" },
      { event: "plan", data: "x", id: "4-2" },
      { event: "message", data: "é", id: "5" },
    ]);
  });
}

test("the wait doubles, is spread, and has an end", () => {
  assert.deepEqual([1, 2, 3, 20].map((n) => retryDelay(n, 0.5)), [500, 1000, 2000, 15_000]);
  assert.ok(retryDelay(3, 0) === 1500 && retryDelay(3, 1) === 2500);
});
