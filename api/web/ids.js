/**
 * Which chat this browser is in: kept by operator and venue, so that two tabs share it and two people never do. Nothing
 * that proves who somebody is, is ever kept here.
 *
 * @import {SignedIn} from "./types.js"
 */

/** @param {SignedIn} who */
function place(who) {
  return `iq.chat.${who.venue.venue_id}.${who.user_id}`;
}

/** An id that nobody else makes. */
export function fresh() {
  return crypto.randomUUID ? crypto.randomUUID() : [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, "0")).join("");
}

/** @param {SignedIn} who */
export function chatOf(who) {
  const found = read("localStorage", place(who));
  return found ?? newChat(who);
}

/** @param {SignedIn} who */
export function newChat(who) {
  const made = `chat-${fresh()}`;
  write("localStorage", place(who), made);
  return made;
}

/**
 * Goes back to a chat that there is.
 * @param {SignedIn} who
 * @param {string} chat
 */
export function backTo(who, chat) {
  write("localStorage", place(who), chat);
  return chat;
}

/**
 * Tells when another tab has begun another chat.
 * @param {SignedIn} who
 * @param {(chat: string) => void} then
 */
export function whenChanged(who, then) {
  addEventListener("storage", (event) => {
    if (event.key === place(who) && event.newValue) then(event.newValue);
  });
}

/** What is typed and not sent, which a sign-in elsewhere must not lose. It ends with the tab, and with signing out. */
export const draft = kept("iq.draft");

/** The word that was not taken because somebody was signed out (`missed.js`). */
export const missed = kept("iq.missed");

/** Whether somebody has signed out in this tab: then nobody is signed in again unasked. */
export const left = kept("iq.left");

/** @param {string} key */
function kept(key) {
  return {
    get: () => read("sessionStorage", key) ?? "",
    /** @param {string} text */
    set: (text) => write("sessionStorage", key, text),
  };
}

/**
 * @param {"localStorage"|"sessionStorage"} storage
 * @param {string} key
 */
function read(storage, key) {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

/**
 * A browser that keeps nothing costs the history after a reload, and nothing else.
 * @param {"localStorage"|"sessionStorage"} storage
 * @param {string} key
 * @param {string} value
 */
function write(storage, key, value) {
  try {
    window[storage].setItem(key, value);
  } catch {
    // Private windows of some browsers refuse.
  }
}
