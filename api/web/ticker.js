/**
 * What counts down. One clock for all of the page, which stands still while nothing is counted.
 */
import { now } from "./api.js";
import { countdown, duration } from "./i18n/words.js";
import { MINIMUM_STEP_DURATION, PROGRESS_UPDATE_INTERVAL } from "./timing.js";

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

/** @type {Map<HTMLElement, {since: number, shown: boolean}>} */
const rising = new Map();
let beat = 0;

/**
 * Keeps a node's text at how long something has been going on. Nothing is said of what is shorter than the least time
 * that a step is shown: its true duration comes with its result.
 * @param {HTMLElement} node
 * @param {string} since
 */
export function countUp(node, since) {
  rising.set(node, { since: Math.max(Date.parse(since), now() - 3_600_000), shown: false });
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const began = now();
  clearInterval(beat);
  beat = setInterval(() => {
    for (const [one, { since, shown }] of rising) {
      if (!one.isConnected && (shown || now() - began > MINIMUM_STEP_DURATION)) rising.delete(one);
      else if (now() - began > MINIMUM_STEP_DURATION + 200) {
        one.textContent = duration(now() - since);
        rising.set(one, { since, shown: true });
      }
    }
    if (!rising.size) clearInterval(beat);
  }, still ? 1000 : PROGRESS_UPDATE_INTERVAL);
}
