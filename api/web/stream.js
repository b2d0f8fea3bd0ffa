/**
 * Server-sent events by `fetch`: a reader that comes back by itself where the network broke off, from where it was.
 * `EventSource` is no help here, as it tells neither a 401 nor a 429.
 */

/** Milliseconds before the first try again, and the most. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
/** The service sends a comment every 15 s; a line that is silent for longer than this is dead. */
const SILENCE = 40_000;
/**
 * A browser opens six lines to a host over HTTP/1.1. So many hidden pages may keep theirs, to tell in their titles that
 * somebody is needed; the others let go of it and come back to where they were when they are looked at.
 */
const HIDDEN_LINES = 3;
/** Milliseconds that a page is hidden before it lets go. */
const HIDDEN_FOR = 10_000;

/** @typedef {{event: string, data: string, id: string|null}} Message */

/** Reads messages out of text that comes in pieces, cut anywhere. */
export class MessageReader {
  #rest = "";
  #event = "";
  #id = /** @type {string|null} */ (null);
  /** @type {string[]} */
  #data = [];

  /**
   * @param {string} piece
   * @returns {Message[]}
   */
  feed(piece) {
    /** @type {Message[]} */
    const found = [];
    const text = this.#rest + piece;
    // A carriage return at the very end may be half of a line's end.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (this.#data.length) found.push({ event: this.#event || "message", data: this.#data.join("\n"), id: this.#id });
        [this.#event, this.#data] = ["", []];
        continue;
      }
      const cut = line.indexOf(":");
      const field = cut < 0 ? line : line.slice(0, cut);
      const value = cut < 0 ? "" : line.slice(cut + 1).replace(/^ /, "");
      if (field === "event") this.#event = value;
      else if (field === "data") this.#data.push(value);
      else if (field === "id") this.#id = value;
    }
    return found;
  }
}

/**
 * How long to wait before a try, spread so that not everybody comes at once.
 * @param {number} failures  How often it failed in a row, from 1
 * @param {number} random  From 0 to 1
 */
export function waitBefore(failures, random) {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1)) * (0.75 + random / 2);
}

/**
 * @typedef {{
 *   address: (cursor: string|null) => string,
 *   message: (message: Message) => void,
 *   state: (state: import("./types.js").Link, message?: string|null) => void,
 *   refused: (status: number) => boolean,
 * }} Wanted  `refused` is told a status that no waiting mends, and says whether to try again all the same.
 */

/**
 * What the service says of a refusal, if it does: a gateway before it has words for nobody.
 * @param {Response} response
 * @returns {Promise<string|null>}
 */
async function wordsOf(response) {
  try {
    const told = (await response.json()).error.message;
    return typeof told === "string" ? told : null;
  } catch {
    return null;
  }
}

export class Stream {
  /** @type {Wanted} */
  #wanted;
  #cursor = /** @type {string|null} */ (null);
  #open = /** @type {AbortController|null} */ (null);
  #failures = 0;
  #timer = 0;
  #heard = 0;
  #ended = false;
  #resting = false;
  #hiding = 0;
  #letGo = () => {};
  /** What the service said where it answered and did not let us in; null without words, undefined where it said nothing. */
  #refusal = /** @type {string|null|undefined} */ (undefined);

  /**
   * @param {Wanted} wanted
   * @param {string|null} cursor
   */
  constructor(wanted, cursor) {
    this.#wanted = wanted;
    this.#cursor = cursor;
    addEventListener("online", this.#back);
    addEventListener("offline", this.#gone);
    document.addEventListener("visibilitychange", this.#seen);
    void this.#run();
  }

  /** Ends for good. */
  end() {
    this.#ended = true;
    removeEventListener("online", this.#back);
    removeEventListener("offline", this.#gone);
    document.removeEventListener("visibilitychange", this.#seen);
    clearTimeout(this.#timer);
    clearTimeout(this.#hiding);
    this.#letGo();
    this.#open?.abort();
  }

  #back = () => {
    this.#failures = 0;
    this.#wanted.state("connecting");
    this.#again(0);
  };

  #gone = () => {
    clearTimeout(this.#timer);
    this.#open?.abort();
    this.#wanted.state("offline");
  };

  // A phone that was asleep may hold a line that is long dead.
  #seen = () => {
    clearTimeout(this.#hiding);
    if (document.visibilityState !== "visible") {
      this.#hiding = setTimeout(() => void this.#hide(), HIDDEN_FOR);
      return;
    }
    this.#letGo();
    if (this.#resting || Date.now() - this.#heard > 20_000) {
      this.#resting = false;
      this.#back();
    }
  };

  async #hide() {
    for (let slot = 0; slot < HIDDEN_LINES; slot += 1) if (await this.#hold(`iq.hidden.${slot}`)) return;
    if (document.visibilityState === "visible" || this.#ended) return;
    this.#resting = true;
    clearTimeout(this.#timer);
    this.#open?.abort();
    this.#wanted.state("resting");
  }

  /**
   * Takes a lock that all pages of this browser share, until the page is looked at again.
   * @param {string} name
   * @returns {Promise<boolean>}
   */
  #hold(name) {
    return new Promise((taken) => {
      const held = /** @param {Lock|null} lock */ (lock) => {
        taken(lock !== null);
        return lock === null ? undefined : new Promise((done) => (this.#letGo = () => done(undefined)));
      };
      if (navigator.locks) navigator.locks.request(name, { ifAvailable: true }, held).catch(() => taken(false));
      else taken(false);
    });
  }

  /** @param {number} ms */
  #again(ms) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), ms);
  }

  async #run() {
    this.#open?.abort();
    if (this.#ended || this.#resting) return;
    const own = (this.#open = new AbortController());
    let wait = /** @type {number|null} */ (null);
    this.#refusal = undefined;
    try {
      wait = await this.#read(own);
    } catch {
      // Whatever broke it, the way on is the same.
    }
    if (this.#ended || this.#resting || own !== this.#open || !navigator.onLine) return;
    if (wait === -1) return;
    if (wait === null) this.#failures += 1;
    if (this.#refusal === undefined) this.#wanted.state("waiting");
    else this.#wanted.state("away", this.#refusal);
    this.#again(wait ?? waitBefore(this.#failures, Math.random()));
  }

  /**
   * Reads until the line ends. Gives the milliseconds to wait, null for a failure, -1 for never again.
   * @param {AbortController} own
   * @returns {Promise<number|null>}
   */
  async #read(own) {
    const silent = setInterval(() => {
      if (Date.now() - this.#heard > SILENCE) own.abort();
    }, 5000);
    const began = (this.#heard = Date.now());
    try {
      const response = await fetch(this.#wanted.address(this.#cursor), {
        credentials: "same-origin", cache: "no-store", signal: own.signal, headers: { Accept: "text/event-stream" },
      });
      if (!response.ok || !response.body) {
        this.#refusal = await wordsOf(response);
        if (response.status === 429 || response.status === 503) return (Number(response.headers.get("retry-after")) || 5) * 1000;
        return this.#wanted.refused(response.status) ? null : -1;
      }
      this.#wanted.state("live");
      await this.#listen(response.body);
      // It ends by itself after a while; one that ends at once must not be asked for in a circle.
      if (Date.now() - began < 2000) return null;
      this.#failures = 0;
      return 50;
    } finally {
      clearInterval(silent);
    }
  }

  /** @param {ReadableStream<Uint8Array>} body */
  async #listen(body) {
    const reader = new MessageReader();
    const pieces = body.getReader();
    const decoder = new TextDecoder();
    for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
      this.#heard = Date.now();
      for (const message of reader.feed(decoder.decode(piece.value, { stream: true }))) {
        this.#failures = 0;
        this.#wanted.message(message);
        if (message.id !== null) this.#cursor = message.id;
      }
    }
  }
}
