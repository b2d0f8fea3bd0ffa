/**
 * What a message was answered over its own line, until the chat's stream tells it: the answer overtakes the steps that
 * come before it. Nothing is swallowed: where the stream is away, or does not tell it in time, it is shown as it came.
 *
 * @import {Entry, State, Turn} from "./types.js"
 */
import { answers } from "./store.js";

/** Milliseconds; a stream that is live tells what its chat has within a fraction of it. */
const LONGEST = 5000;

export class HeldAnswers {
  /** @type {Map<string, {turn: Turn, timer: number}>} */
  #held = new Map();
  #show;

  /** @param {(requestId: string, turn: Turn) => void} show */
  constructor(show) {
    this.#show = show;
  }

  /**
   * Takes an answer in; shows it at once where no stream will tell it, or has told it already.
   * @param {State} state
   * @param {string} requestId
   * @param {Turn} turn
   */
  take({ link, entries }, requestId, turn) {
    const shown = entries.some((entry) => entry.request_id === requestId && answers(entry));
    if (link !== "live" || shown) return this.#show(requestId, turn);
    this.#held.set(requestId, { turn, timer: setTimeout(() => this.#let(requestId), LONGEST) });
  }

  /**
   * An entry of the chat is shown: with the answer itself goes what is held of it, as it has more than an entry.
   * @param {Entry} entry
   */
  arrived(entry) {
    if (entry.request_id && answers(entry)) this.#let(entry.request_id);
  }

  /** The stream is away: what is held is shown. */
  letAll() {
    for (const requestId of [...this.#held.keys()]) this.#let(requestId);
  }

  /** Another chat is looked at. */
  clear() {
    for (const { timer } of this.#held.values()) clearTimeout(timer);
    this.#held.clear();
  }

  /** @param {string} requestId */
  #let(requestId) {
    const held = this.#held.get(requestId);
    if (!held) return;
    clearTimeout(held.timer);
    this.#held.delete(requestId);
    this.#show(requestId, held.turn);
  }
}
