/**
 * Control tokens of the multi-step messaging specification, read out of text that comes in pieces. The twin of
 * `api/event_tokens.py`: both read the vectors of `tests/unit/api/token_vectors.json`.
 */

const TOKEN_PATTERNS = /** @type {const} */ ([
  ["MULTI_STEP_INITIATED", String.raw`\[\[PERIN_MULTI_STEP:initiated:([^:]+):([^\]]+)\]\]`],
  ["STEP_START", String.raw`\[\[PERIN_STEP:start:([^:]+):([^\]]+)\]\]`],
  ["PROGRESS", String.raw`\[\[PERIN_PROGRESS:([^\]]+)\]\]`],
  ["STEP_RESULT", String.raw`\[\[PERIN_STEP_RESULT:([^:]+):([^:]+):([^\]]+)\]\]`],
  ["MULTI_STEP_COMPLETE", String.raw`\[\[PERIN_MULTI_STEP:complete\]\]`],
  ["SEPARATE_MESSAGE", String.raw`\[\[PERIN_SEPARATE_MESSAGE:([^\]]+)\]\]`],
]);

const OPENING = "[[PERIN_";
/** Characters: a token that is longer is dropped. */
const MAX_TOKEN_LENGTH = 65_536;

/** @typedef {{name: string, fields: string[]}} Token */

/** @param {string} text */
export function escapeField(text) {
  return text.replace(/\]|\r|\n|\[(?=\[PERIN_)|%(?=5D|5B|3A|0D|0A|25)/g, (found) => percentEncode(found));
}

/** @param {string} field */
export function unescapeField(field) {
  return field.replace(/%(5D|5B|3A|0D|0A|25)/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** @param {string} found */
function percentEncode(found) {
  return `%${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

export class TokenReader {
  #rest = "";

  /**
   * The tokens that this piece completes, in order. What is no token is passed over.
   * @param {string} piece
   * @returns {Token[]}
   */
  feed(piece) {
    const text = this.#rest + piece;
    /** @type {Token[]} */
    const found = [];
    let end = 0;
    for (const match of text.matchAll(new RegExp(TOKEN_PATTERNS.map(([, form]) => form).join("|"), "g"))) {
      const [name, form] = TOKEN_PATTERNS.find(([, one]) => new RegExp(`^(?:${one})$`).test(match[0])) ?? TOKEN_PATTERNS[0];
      const fields = new RegExp(`^(?:${form})$`).exec(match[0])?.slice(1) ?? [];
      found.push({ name, fields: fields.map(unescapeField) });
      end = match.index + match[0].length;
    }
    this.#rest = incompleteTail(text.slice(end));
    return found;
  }
}

/**
 * What may be the beginning of a token.
 * @param {string} text
 */
function incompleteTail(text) {
  const start = text.lastIndexOf(OPENING);
  if (start >= 0) return text.slice(start, start + MAX_TOKEN_LENGTH);
  for (let length = Math.min(text.length, OPENING.length - 1); length > 0; length--) {
    const tail = text.slice(-length);
    if (OPENING.startsWith(tail)) return tail;
  }
  return "";
}
