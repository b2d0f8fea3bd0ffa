/**
 * Server-sent events by `fetch`: a reader that comes back by itself where the network broke off, from where it was.
 * `EventSource` is no alternative, as it reports neither a 401 nor a 429.
 */

/** Milliseconds before the first try again, and the most. */
const MIN_RETRY_DELAY = 500;
const MAX_RETRY_DELAY = 15_000;
/** The service sends a comment every 15 s; a line that is silent for longer than this is dead. */
const SILENCE_TIMEOUT = 40_000;
/**
 * A browser opens six lines to a host over HTTP/1.1. So many hidden pages may keep theirs, to show in their titles
 * that the operator has to act; the others close it and resume from their cursor when they become visible.
 */
const MAX_HIDDEN_STREAMS = 3;
/** Milliseconds that a page is hidden before it lets go. */
const HIDDEN_DELAY = 10_000;

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
 * How long to wait before a retry, with jitter.
 * @param {number} failures  How often it failed in a row, from 1
 * @param {number} random  From 0 to 1
 */
export function retryDelay(failures, random) {
  return Math.min(MAX_RETRY_DELAY, MIN_RETRY_DELAY * 2 ** (failures - 1)) * (0.75 + random / 2);
}

/**
 * @typedef {{
 *   address: (cursor: string|null) => string,
 *   message: (message: Message) => void,
 *   state: (state: import("./types.js").Link, message?: string|null) => void,
 *   refused: (status: number) => boolean,
 * }} StreamOptions  `refused` gets a status that a retry does not mend, and returns whether to retry all the same.
 */

/**
 * The server's error message; null for a gateway's answer, which has none.
 * @param {Response} response
 * @returns {Promise<string|null>}
 */
async function errorMessage(response) {
  try {
    const message = (await response.json()).error.message;
    return typeof message === "string" ? message : null;
  } catch {
    return null;
  }
}

export class EventStream {
  /** @type {StreamOptions} */
  #options;
  #cursor = /** @type {string|null} */ (null);
  #open = /** @type {AbortController|null} */ (null);
  #failures = 0;
  #timer = 0;
  #lastReceived = 0;
  #ended = false;
  #resting = false;
  #hiding = 0;
  #releaseLock = () => {};
  /** The server's message on a rejected request; null without a message, undefined if the server did not answer. */
  #refusal = /** @type {string|null|undefined} */ (undefined);

  /**
   * @param {StreamOptions} options
   * @param {string|null} cursor
   */
  constructor(options, cursor) {
    this.#options = options;
    this.#cursor = cursor;
    addEventListener("online", this.#reconnect);
    addEventListener("offline", this.#onOffline);
    document.addEventListener("visibilitychange", this.#onVisibilityChange);
    void this.#run();
  }

  /** Ends for good. */
  end() {
    this.#ended = true;
    removeEventListener("online", this.#reconnect);
    removeEventListener("offline", this.#onOffline);
    document.removeEventListener("visibilitychange", this.#onVisibilityChange);
    clearTimeout(this.#timer);
    clearTimeout(this.#hiding);
    this.#releaseLock();
    this.#open?.abort();
  }

  #reconnect = () => {
    this.#failures = 0;
    this.#options.state("connecting");
    this.#scheduleRun(0);
  };

  #onOffline = () => {
    clearTimeout(this.#timer);
    this.#open?.abort();
    this.#options.state("offline");
  };

  // A phone that was asleep may hold a line that is long dead.
  #onVisibilityChange = () => {
    clearTimeout(this.#hiding);
    if (document.visibilityState !== "visible") {
      this.#hiding = setTimeout(() => void this.#closeWhileHidden(), HIDDEN_DELAY);
      return;
    }
    this.#releaseLock();
    if (this.#resting || Date.now() - this.#lastReceived > 20_000) {
      this.#resting = false;
      this.#reconnect();
    }
  };

  async #closeWhileHidden() {
    for (let slot = 0; slot < MAX_HIDDEN_STREAMS; slot += 1) if (await this.#takeLock(`iq.hidden.${slot}`)) return;
    if (document.visibilityState === "visible" || this.#ended) return;
    this.#resting = true;
    clearTimeout(this.#timer);
    this.#open?.abort();
    this.#options.state("resting");
  }

  /**
   * Takes a lock that all pages of this browser share, until the page is visible again.
   * @param {string} name
   * @returns {Promise<boolean>}
   */
  #takeLock(name) {
    return new Promise((taken) => {
      const held = /** @param {Lock|null} lock */ (lock) => {
        taken(lock !== null);
        return lock === null ? undefined : new Promise((done) => (this.#releaseLock = () => done(undefined)));
      };
      if (navigator.locks) navigator.locks.request(name, { ifAvailable: true }, held).catch(() => taken(false));
      else taken(false);
    });
  }

  /** @param {number} ms */
  #scheduleRun(ms) {
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
    if (this.#refusal === undefined) this.#options.state("waiting");
    else this.#options.state("away", this.#refusal);
    this.#scheduleRun(wait ?? retryDelay(this.#failures, Math.random()));
  }

  /**
   * Reads until the line ends. Gives the milliseconds to wait, null for a failure, -1 for never again.
   * @param {AbortController} own
   * @returns {Promise<number|null>}
   */
  async #read(own) {
    const silent = setInterval(() => {
      if (Date.now() - this.#lastReceived > SILENCE_TIMEOUT) own.abort();
    }, 5000);
    const began = (this.#lastReceived = Date.now());
    try {
      const response = await fetch(this.#options.address(this.#cursor), {
        credentials: "same-origin", cache: "no-store", signal: own.signal, headers: { Accept: "text/event-stream" },
      });
      if (!response.ok || !response.body) {
        this.#refusal = await errorMessage(response);
        if (response.status === 429 || response.status === 503) return (Number(response.headers.get("retry-after")) || 5) * 1000;
        return this.#options.refused(response.status) ? null : -1;
      }
      this.#options.state("live");
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
      this.#lastReceived = Date.now();
      for (const message of reader.feed(decoder.decode(piece.value, { stream: true }))) {
        this.#failures = 0;
        this.#options.message(message);
        if (message.id !== null) this.#cursor = message.id;
      }
    }
  }
}
