/**
 * The browser's storage: the current chat by operator and venue, so that two tabs share it and two operators never do.
 * Credentials are never stored here.
 *
 * @import {SignedIn} from "./types.js"
 */

/** @param {SignedIn} who */
function storageKey(who) {
  return `iq.chat.${who.venue.venue_id}.${who.user_id}`;
}

/** A unique id. */
export function newId() {
  return crypto.randomUUID ? crypto.randomUUID() : [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, "0")).join("");
}

/** @param {SignedIn} who */
export function chatOf(who) {
  const found = read("localStorage", storageKey(who));
  return found ?? newChat(who);
}

/** @param {SignedIn} who */
export function newChat(who) {
  const chat = `chat-${newId()}`;
  write("localStorage", storageKey(who), chat);
  return chat;
}

/**
 * Makes an existing chat the current one.
 * @param {SignedIn} who
 * @param {string} chat
 */
export function selectChat(who, chat) {
  write("localStorage", storageKey(who), chat);
  return chat;
}

/**
 * Calls back when another tab opens another chat.
 * @param {SignedIn} who
 * @param {(chat: string) => void} then
 */
export function onChatChanged(who, then) {
  addEventListener("storage", (event) => {
    if (event.key === storageKey(who) && event.newValue) then(event.newValue);
  });
}

/** What is typed and not sent, which a sign-in elsewhere must not lose. It ends with the tab, and with signing out. */
export const draft = sessionItem("iq.draft");

/** The command that was rejected because the operator was signed out (`unsent_command.js`). */
export const unsentCommand = sessionItem("iq.missed");

/** Whether the operator has signed out in this tab: then the page does not sign in by itself. */
export const signedOutFlag = sessionItem("iq.left");

/** @param {string} key */
function sessionItem(key) {
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
