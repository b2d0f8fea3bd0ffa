/**
 * The inbox of a venue's staff: what was handed to a person and waits, and what has been answered. Looked at again every
 * few seconds while somebody sees it.
 *
 * @import {Escalation, LeftOut, StaffState} from "./calls.js"
 */
import { byId, h, keyed, section } from "../dom.js";
import { icon } from "../icons.js";
import { speak, t } from "../i18n/words.js";
import { escalations, session, signOut } from "./calls.js";
import { door, header, isOver, words } from "./door.js";
import { handed } from "./handed.js";

const LOOK_EVERY = 5_000;

/** @typedef {{key: string, one: Escalation}} Row */

/** @type {Record<"open"|"over", Map<string, any>>} */
const held = { open: new Map(), over: new Map() };
/** @type {Map<string, Escalation>} */
const known = new Map();
let state = /** @type {StaffState|null} */ (null);
let timer = 0;
let counted = -1;
/** @type {LeftOut[]} */
let missing = [];

const around = {
  get several() {
    return (state?.venues.length ?? 0) > 1;
  },
  /** @param {string} id */
  venueName: (id) => state?.venues.find((one) => one.venue_id === id)?.name ?? id,
  /** @param {Escalation} one */
  answered: (one) => {
    known.set(one.escalation_id, one);
    draw();
    byId("tell-status", HTMLElement).textContent = t("inbox.taken", { reference: one.reference });
    // The box is gone; whoever uses a keyboard goes on where the next one is.
    byId("open-title", HTMLElement).focus();
  },
  signedOut: () => void begin(),
};

/** Asks who is here, and shows what is for them. */
async function begin() {
  clearTimeout(timer);
  try {
    state = await session();
  } catch (error) {
    tellTrouble(error);
    timer = setTimeout(begin, LOOK_EVERY);
    return;
  }
  speak(state.locale, state.time_zone);
  document.documentElement.lang = state.locale;
  document.title = t("staff.inbox");
  tellTrouble(null);
  byId("head", HTMLElement).replaceChildren(...header("inbox", state, leave));
  if (state.signed_in) {
    byId("enter", HTMLElement).hidden = true;
    byId("lists", HTMLElement).hidden = false;
    await look();
  } else {
    forget();
    byId("lists", HTMLElement).hidden = true;
    enter(state.needs_key);
  }
}

/** Nothing of what was on the screen stays for whoever comes next. */
function forget() {
  known.clear();
  missing = [];
  counted = -1;
  draw();
}

async function leave() {
  try {
    await signOut();
  } catch (error) {
    return tellTrouble(error);
  }
  await begin();
}

/** @param {boolean} needsKey */
function enter(needsKey) {
  const into = byId("enter", HTMLElement);
  into.replaceChildren(door(needsKey, begin));
  into.hidden = false;
}

async function look() {
  clearTimeout(timer);
  if (!document.hidden && state?.signed_in) {
    try {
      const { escalations: found, left_out: left } = await escalations();
      missing = left;
      for (const one of found) if (known.get(one.escalation_id)?.status !== "resolved" || one.status !== "open") known.set(one.escalation_id, one);
      for (const id of [...known.keys()]) if (![...found, ...left].some((one) => one.escalation_id === id)) known.delete(id);
      tellTrouble(null);
      draw();
    } catch (error) {
      if (isOver(error)) return void begin();
      tellTrouble(error);
    }
  }
  timer = setTimeout(look, LOOK_EVERY);
}

/** @param {unknown} error */
function tellTrouble(error) {
  const why = error === null ? "" : words(error);
  section(byId("trouble", HTMLElement), why, () => (why ? [icon("wifi-off"), h("span", {}, why)] : []));
}

/** What belongs on this page and is not: nobody is to think that it is all. */
function tellMissing() {
  const rows = /** @type {const} */ (["unanswered", "unreadable"]).flatMap((why) => {
    const these = missing.filter((one) => one.why === why && !known.has(one.escalation_id));
    const references = these.map((one) => one.escalation_id.slice(0, 8).toUpperCase()).join(", ");
    return these.length ? [t(`inbox.${why}`, { n: these.length, references })] : [];
  });
  section(byId("left-out", HTMLElement), rows.join(" "), () => rows.map((row) => h("span", {}, row)));
}

function draw() {
  tellMissing();
  const rows = [...known.values()].map((one) => ({ key: `${one.escalation_id} ${one.status} ${one.answer?.in_chat}`, one }));
  const at = (/** @type {Row} */ row) => Date.parse(row.one.opened_at);
  const open = rows.filter((row) => row.one.status === "open").sort((a, b) => at(a) - at(b));
  const over = rows.filter((row) => row.one.status !== "open").sort((a, b) => at(b) - at(a));
  list("open", open, t("inbox.open", { n: open.length }), t("inbox.open_none"));
  list("over", over, t("inbox.over"), t("inbox.over_none"));
  if (counted >= 0 && open.length > counted) byId("tell-status", HTMLElement).textContent = t("inbox.open", { n: open.length });
  counted = open.length;
}

/**
 * @param {"open"|"over"} which
 * @param {Row[]} rows
 * @param {string} title
 * @param {string} none
 */
function list(which, rows, title, none) {
  byId(`${which}-title`, HTMLElement).textContent = title;
  const empty = byId(`${which}-none`, HTMLElement);
  // "Nothing waits" would be said of what could not be looked at, too.
  [empty.textContent, empty.hidden] = [none, rows.length > 0 || missing.length > 0];
  // Each is brought up to date at every look: how long it has waited changes by itself.
  keyed(byId(which, HTMLElement), rows, held[which], (row) => handed(row.one, around), () => false);
}

document.addEventListener("visibilitychange", () => void (document.hidden ? null : look()));
speak(navigator.language);
void begin();
