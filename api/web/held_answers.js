/**
 * Holds the HTTP answer to a message until the chat's stream delivers it, because the answer overtakes the steps that come
 * before it. No answer is lost: if the stream is down or too slow, the page shows the HTTP answer.
 *
 * @import {Entry, State, Turn} from "./types.js"
 */
import { isAnswer } from "./store.js";

/** Milliseconds; a live stream delivers its events much faster. */
const MAX_HOLD = 5000;

export class HeldAnswers {
  /** @type {Map<string, {turn: Turn, timer: number}>} */
  #held = new Map();
  #show;

  /** @param {(requestId: string, turn: Turn) => void} onShow */
  constructor(onShow) {
    this.#show = onShow;
  }

  /**
   * Adds an answer; shows it at once if the stream is not live or has already delivered it.
   * @param {State} state
   * @param {string} requestId
   * @param {Turn} turn
   */
  add({ link, entries }, requestId, turn) {
    const shown = entries.some((entry) => entry.request_id === requestId && isAnswer(entry));
    if (link !== "live" || shown) return this.#show(requestId, turn);
    this.#held.set(requestId, { turn, timer: setTimeout(() => this.#release(requestId), MAX_HOLD) });
  }

  /**
   * An entry of the chat is shown: if it is an answer, the held answer is released with it, as it has more fields.
   * @param {Entry} entry
   */
  onEntry(entry) {
    if (entry.request_id && isAnswer(entry)) this.#release(entry.request_id);
  }

  /** The stream is down: all held answers are shown. */
  releaseAll() {
    for (const requestId of [...this.#held.keys()]) this.#release(requestId);
  }

  /** The operator opens another chat. */
  clear() {
    for (const { timer } of this.#held.values()) clearTimeout(timer);
    this.#held.clear();
  }

  /** @param {string} requestId */
  #release(requestId) {
    const held = this.#held.get(requestId);
    if (!held) return;
    clearTimeout(held.timer);
    this.#held.delete(requestId);
    this.#show(requestId, held.turn);
  }
}
