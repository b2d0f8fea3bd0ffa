/**
 * The inbox of a venue's staff: open escalations and those that have ended. It is polled every few seconds while the page is
 * visible.
 *
 * @import {Escalation, OmittedEscalation, StaffState} from "./api.js"
 */
import { byId, h, keyed, section } from "../dom.js";
import { icon } from "../icons.js";
import { setLocale, t } from "../i18n/format.js";
import { listEscalations, getSession, signOut } from "./api.js";
import { signInForm, header, isSessionOver, errorText } from "./sign_in.js";
import { escalationCard } from "./escalation_card.js";

const POLL_INTERVAL = 5_000;

/** @typedef {{key: string, one: Escalation}} Row */

/** @type {Record<"open"|"over", Map<string, any>>} */
const held = { open: new Map(), over: new Map() };
/** @type {Map<string, Escalation>} */
const known = new Map();
let state = /** @type {StaffState|null} */ (null);
let timer = 0;
let counted = -1;
/** @type {OmittedEscalation[]} */
let missing = [];

const context = {
  get several() {
    return (state?.venues.length ?? 0) > 1;
  },
  /** @param {string} id */
  venueName: (id) => state?.venues.find((one) => one.venue_id === id)?.name ?? id,
  /** @param {Escalation} one */
  onAnswered: (one) => {
    known.set(one.escalation_id, one);
    draw();
    byId("tell-status", HTMLElement).textContent = t("inbox.taken", { reference: one.reference });
    // The form is gone; the keyboard focus moves to the next one.
    byId("open-title", HTMLElement).focus();
  },
  onSignedOut: () => void loadSession(),
};

/** Asks who is here, and shows what is for them. */
async function loadSession() {
  clearTimeout(timer);
  try {
    state = await getSession();
  } catch (error) {
    showError(error);
    timer = setTimeout(loadSession, POLL_INTERVAL);
    return;
  }
  setLocale(state.locale, state.time_zone);
  document.documentElement.lang = state.locale;
  document.title = t("staff.inbox");
  showError(null);
  byId("head", HTMLElement).replaceChildren(...header("inbox", state, leave));
  if (state.signed_in) {
    byId("enter", HTMLElement).hidden = true;
    byId("lists", HTMLElement).hidden = false;
    await refresh();
  } else {
    forget();
    byId("lists", HTMLElement).hidden = true;
    enter(state.needs_key);
  }
}

/** Clears the screen, so that the next person does not see its data. */
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
    return showError(error);
  }
  await loadSession();
}

/** @param {boolean} needsKey */
function enter(needsKey) {
  const into = byId("enter", HTMLElement);
  into.replaceChildren(signInForm(needsKey, loadSession));
  into.hidden = false;
}

async function refresh() {
  clearTimeout(timer);
  if (!document.hidden && state?.signed_in) {
    try {
      const { escalations: found, left_out: left } = await listEscalations();
      missing = left;
      for (const one of found) if (known.get(one.escalation_id)?.status !== "resolved" || one.status !== "open") known.set(one.escalation_id, one);
      for (const id of [...known.keys()]) if (![...found, ...left].some((one) => one.escalation_id === id)) known.delete(id);
      showError(null);
      draw();
    } catch (error) {
      if (isSessionOver(error)) return void loadSession();
      showError(error);
    }
  }
  timer = setTimeout(refresh, POLL_INTERVAL);
}

/** @param {unknown} error */
function showError(error) {
  const why = error === null ? "" : errorText(error);
  section(byId("trouble", HTMLElement), why, () => (why ? [icon("wifi-off"), h("span", {}, why)] : []));
}

/** Names the escalations that could not be shown. */
function showMissing() {
  const rows = /** @type {const} */ (["unanswered", "unreadable"]).flatMap((why) => {
    const these = missing.filter((one) => one.why === why && !known.has(one.escalation_id));
    const references = these.map((one) => one.escalation_id.slice(0, 8).toUpperCase()).join(", ");
    return these.length ? [t(`inbox.${why}`, { n: these.length, references })] : [];
  });
  section(byId("left-out", HTMLElement), rows.join(" "), () => rows.map((row) => h("span", {}, row)));
}

function draw() {
  showMissing();
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
  // The empty text would be wrong while some escalations could not be read.
  [empty.textContent, empty.hidden] = [none, rows.length > 0 || missing.length > 0];
  // Every card is updated at every poll: its age changes by itself.
  keyed(byId(which, HTMLElement), rows, held[which], (row) => escalationCard(row.one, context), () => false);
}

document.addEventListener("visibilitychange", () => void (document.hidden ? null : refresh()));
setLocale(navigator.language);
void loadSession();
