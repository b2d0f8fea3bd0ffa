/**
 * Countdowns and elapsed times. One timer for all of the page, which stops while nothing is counted.
 */
import { now } from "./api.js";
import { countdown, duration } from "./i18n/format.js";
import { MINIMUM_STEP_DURATION, PROGRESS_UPDATE_INTERVAL } from "./event_pacing.js";

/** @type {Map<HTMLElement, {until: number, format: (left: string) => string, over: () => void, last: string}>} */
const countdowns = new Map();
let timer = 0;

/**
 * Keeps a node's text at what is left until a moment.
 * @param {HTMLElement} node
 * @param {string} until
 * @param {(left: string) => string} format
 * @param {() => void} [over]  Called once when nothing is left
 */
export function countTo(node, until, format, over = () => {}) {
  countdowns.set(node, { until: Date.parse(until), format, over, last: "" });
  tick();
}

function tick() {
  clearTimeout(timer);
  for (const [node, one] of countdowns) {
    if (!node.isConnected && one.last !== "") {
      countdowns.delete(node);
      continue;
    }
    const left = one.until - now();
    const text = one.format(countdown(left));
    if (text !== one.last) node.textContent = one.last = text;
    node.classList.toggle("soon", left < 60_000);
    if (left <= 0) {
      countdowns.delete(node);
      one.over();
    }
  }
  if (countdowns.size) timer = setTimeout(tick, 1000 - (now() % 1000) + 5);
}

/** @type {Map<HTMLElement, {since: number, shown: boolean}>} */
const elapsedNodes = new Map();
let elapsedTimer = 0;

/**
 * Keeps a node's text at how long something has been going on. Nothing is shown before the least time
 * that a step is shown: its true duration comes with its result.
 * @param {HTMLElement} node
 * @param {string} since
 */
export function countUp(node, since) {
  elapsedNodes.set(node, { since: Math.max(Date.parse(since), now() - 3_600_000), shown: false });
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const began = now();
  clearInterval(elapsedTimer);
  elapsedTimer = setInterval(() => {
    for (const [one, { since, shown }] of elapsedNodes) {
      if (!one.isConnected && (shown || now() - began > MINIMUM_STEP_DURATION)) elapsedNodes.delete(one);
      else if (now() - began > MINIMUM_STEP_DURATION + 200) {
        one.textContent = duration(now() - since);
        elapsedNodes.set(one, { since, shown: true });
      }
    }
    if (!elapsedNodes.size) clearInterval(elapsedTimer);
  }, still ? 1000 : PROGRESS_UPDATE_INTERVAL);
}
