/**
 * What counts down. One clock for all of the page, which stands still while nothing is counted.
 */
import { now } from "./api.js";
import { countdown } from "./i18n/words.js";

/** @type {Map<HTMLElement, {until: number, say: (left: string) => string, over: () => void, last: string}>} */
const counting = new Map();
let timer = 0;

/**
 * Keeps a node's text at what is left until a moment.
 * @param {HTMLElement} node
 * @param {string} until
 * @param {(left: string) => string} say
 * @param {() => void} [over]  Called once when nothing is left
 */
export function countTo(node, until, say, over = () => {}) {
  counting.set(node, { until: Date.parse(until), say, over, last: "" });
  tick();
}

function tick() {
  clearTimeout(timer);
  for (const [node, one] of counting) {
    if (!node.isConnected && one.last !== "") {
      counting.delete(node);
      continue;
    }
    const left = one.until - now();
    const text = one.say(countdown(left));
    if (text !== one.last) node.textContent = one.last = text;
    node.classList.toggle("soon", left < 60_000);
    if (left <= 0) {
      counting.delete(node);
      one.over();
    }
  }
  if (counting.size) timer = setTimeout(tick, 1000 - (now() % 1000) + 5);
}
