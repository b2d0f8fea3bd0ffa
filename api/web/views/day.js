/**
 * The venue's day beside the chat, so that the booking that changes is seen to change.
 *
 * @import {Booking, ExecutionPlan, PlannedAction, SignedIn, State} from "../types.js"
 */
import * as api from "../api.js";
import { button, h, keyed, section } from "../dom.js";
import { clockTime, dayName, dayOf, addDays, t } from "../i18n/format.js";
import { icon } from "../icons.js";
import { settled } from "../store.js";
import { retryDelay } from "../sse.js";

/**
 * The bookings that are not as they were, by id. A day that was not known before says nothing.
 * @param {readonly Booking[]|undefined} before
 * @param {readonly Booking[]} after
 */
export function changed(before, after) {
  if (!before) return new Set();
  const was = new Map(before.map((one) => [one.booking_id, JSON.stringify(one)]));
  return new Set(after.filter((one) => was.get(one.booking_id) !== JSON.stringify(one)).map((one) => one.booking_id));
}

/**
 * The days and bookings that plans name, by their status.
 * @param {State} state
 */
function named(state) {
  const dates = new Set();
  const planned = new Set();
  for (const { plan } of Object.values(state.plans)) {
    if (!plan || settled(plan)) continue;
    for (const action of plan.actions) {
      for (const value of Object.values(action.parameters)) {
        if (typeof value === "string" && DATE.test(value)) dates.add(value);
        else if (typeof value === "string" || typeof value === "number") planned.add(String(value));
      }
    }
  }
  return { dates: /** @type {Set<string>} */ (dates), planned: /** @type {Set<string>} */ (planned) };
}

/**
 * The day that a step leads to, if it names one.
 * @param {PlannedAction} action
 */
function dateOf({ parameters }) {
  const found = Object.values(parameters).find((one) => typeof one === "string" && DATE.test(one));
  return typeof found === "string" ? found : null;
}

/**
 * The day on which a step has left its booking, or from which its reversal (`back`) has: where the last step before it
 * that worked has moved the booking, else where it was before the plan.
 * @param {ExecutionPlan} plan
 * @param {PlannedAction} action
 * @param {boolean} back
 */
export function dayOfBooking(plan, action, back) {
  const stands = plan.actions.filter((one) =>
    (one === action ? !back : one.step < action.step && !NOT_DONE.has(one.status)) && one.whom === action.whom && one.day === action.day);
  return stands.map(dateOf).findLast((date) => date !== null) ?? action.day ?? null;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const NOT_DONE = new Set(["failed", "skipped", "unknown"]);

/** Milliseconds: the server may answer with a day that is two seconds old, so a changed day is read once more. */
const STALE_AFTER = 2100;

export class Day {
  #who = /** @type {SignedIn|null} */ (null);
  #date = "";
  /** @type {Map<string, Booking[]>} */
  #known = new Map();
  /** @type {Map<string, Set<string>>} */
  #marked = new Map();
  #planned = /** @type {Set<string>} */ (new Set());
  /** The plan that came to wait last. */
  #asked = "";
  /** Why a day could not be read, by day, and how often in a row. @type {Map<string, {why: string, failures: number}>} */
  #trouble = new Map();
  #busy = false;
  #touched = 0;
  #later = 0;
  #again = 0;
  #onAvailability = () => {};
  #held = new Map();
  #title = h("h2", { class: "day-title", tabindex: -1 });
  #count = h("span", { class: "day-count" });
  #buttons = h("div", { class: "day-ways" });
  #note = h("p", { class: "day-note", hidden: true, role: "status" });
  #list = h("ul", { class: "day-list" });
  node = h("section", { class: "day", "data-panel": "day" },
    h("div", { class: "day-head" }, h("div", { class: "day-name" }, this.#title, this.#count), this.#buttons), this.#note, this.#list);
  /** Whether this venue can be asked for a day; null until it is known, which may be late. */
  available = /** @type {boolean|null} */ (null);

  /**
   * @param {SignedIn} who
   * @param {() => void} then  Called when it is known whether there is a day to show
   */
  async start(who, then) {
    const same = this.#who?.venue.venue_id === who.venue.venue_id;
    this.#who = who;
    if (!same) [this.#date, this.available] = [dayOf(api.now()), null];
    this.#onAvailability = then;
    this.#drawButtons();
    await this.#read(this.#date);
    then();
  }

  /**
   * Keeps up with the plans: what they name is marked, and the days they name are read before anything changes there.
   * @param {State} state
   */
  follow(state) {
    const { dates, planned } = named(state);
    if ([...planned].join() !== [...this.#planned].join()) {
      this.#planned = planned;
      this.#draw();
    }
    for (const date of dates) if (this.available && !this.#known.has(date)) void this.#read(date);
    const asked = Object.values(state.plans).findLast(({ plan }) => plan?.status === "pending_confirmation")?.plan;
    if (!asked || !this.available || asked.plan_id === this.#asked) return;
    this.#asked = asked.plan_id;
    const first = asked.actions.find((action) => !action.read_only);
    const date = first ? first.day ?? dateOf(first) : null;
    if (date && date !== this.#date) this.#followTo(date);
  }

  /**
   * A step has changed the venue: reads the day again and shows the day of the changed booking, unless the operator has just
   * picked a day by hand.
   * @param {Record<string, unknown>} parameters
   * @param {string|null} date  Where the booking is now
   */
  async refresh(parameters, date) {
    if (!this.available) return;
    const known = [...this.#known.keys()].filter((one) => one !== date && one !== this.#date);
    await this.#read(this.#date, parameters);
    if (date && date !== this.#date) {
      await this.#read(date, parameters);
      this.#followTo(date);
    }
    for (const one of known) this.#known.delete(one);
    clearTimeout(this.#later);
    this.#later = setTimeout(() => {
      for (const one of this.#known.keys()) if (one !== this.#date) this.#known.delete(one);
      void this.#read(this.#date, parameters);
    }, STALE_AFTER);
  }

  /** Removes the venue's data from the screen. */
  clear() {
    clearTimeout(this.#again);
    this.#known.clear();
    this.#marked.clear();
    this.#trouble.clear();
    this.#who = null;
    this.#draw();
  }

  /** Brings the booking that was changed into sight. */
  reveal() {
    this.#list.querySelector(".changed")?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Shows a day unless the operator has just picked one by hand.
   * @param {string} date
   */
  #followTo(date) {
    if (Date.now() - this.#touched > 20_000) this.#showDay(date);
  }

  /** @param {string} date */
  #showDay(date) {
    this.#date = date;
    this.#draw();
    this.reveal();
    if (!this.#known.has(date)) void this.#read(date);
  }

  /**
   * @param {string} date
   * @param {Record<string, unknown>} [parameters]
   */
  async #read(date, parameters) {
    if (!this.#who) return;
    let shown = false;
    this.#busy = true;
    this.#draw();
    try {
      const found = await api.getDay(this.#who, date);
      const before = this.available;
      this.available = found !== null;
      if (before !== this.available) this.#onAvailability();
      this.#trouble.delete(date);
      if (!found) return;
      const ids = new Set(Object.values(parameters ?? {}).map(String));
      const marks = changed(this.#known.get(date), found);
      for (const one of found) if (parameters && ids.has(one.booking_id)) marks.add(one.booking_id);
      if (parameters) this.#marked.set(date, new Set([...(this.#marked.get(date) ?? []), ...marks]));
      this.#known.set(date, found);
      shown = parameters !== undefined && marks.size > 0;
    } catch (error) {
      const failures = (this.#trouble.get(date)?.failures ?? 0) + 1;
      this.#trouble.set(date, { why: error instanceof Error ? error.message : t("day.failed"), failures });
      // The error of a day is cleared by its next successful read.
      clearTimeout(this.#again);
      if (!(error instanceof api.CallError && (error.kind === "signed_out" || error.kind === "forbidden"))) this.#again = setTimeout(() => void this.#read(this.#date, parameters), retryDelay(failures, Math.random()));
    } finally {
      this.#busy = false;
      this.#draw();
      if (shown) this.reveal();
    }
  }

  #drawButtons() {
    const go = (/** @type {string} */ date) => {
      this.#touched = Date.now();
      this.#showDay(date);
    };
    this.#buttons.replaceChildren(
      button({ label: t("day.before"), icon: "chevron-left", bare: true, hook: "day-before", press: () => go(addDays(this.#date, -1)) }),
      button({ label: t("day.today"), kind: "plain", hook: "day-today", press: () => go(dayOf(api.now())) }),
      button({ label: t("day.after"), icon: "chevron-right", bare: true, hook: "day-after", press: () => go(addDays(this.#date, 1)) }));
  }

  #draw() {
    if (!this.#date) return;
    const found = this.#known.get(this.#date);
    const title = dayName(this.#date, dayOf(api.now()));
    if (this.#title.textContent !== title) this.#title.textContent = title;
    this.node.dataset["date"] = this.#date;
    this.node.setAttribute("aria-label", t("day.title"));
    this.#count.textContent = found?.length ? t("day.count", { n: found.length }) : "";
    const note = this.#trouble.get(this.#date)?.why ?? (found ? (found.length ? "" : t("day.empty")) : this.#busy ? t("day.loading") : t("day.failed"));
    section(this.#note, note, () => note || []);
    const marks = this.#marked.get(this.#date);
    const rows = sorted(found ?? []).map((booking) => ({
      key: booking.booking_id, booking, changed: !!marks?.has(booking.booking_id), planned: this.#planned.has(booking.booking_id),
    }));
    keyed(this.#list, rows, this.#held, bookingRow, (a, b) => JSON.stringify(a) === JSON.stringify(b));
    this.#list.hidden = rows.length === 0;
  }
}

/** @param {readonly Booking[]} found */
function sorted(found) {
  return [...found].sort((a, b) => (a.start_time ?? "").localeCompare(b.start_time ?? "") || (a.guest_name ?? "").localeCompare(b.guest_name ?? ""));
}

/** @typedef {{key: string, booking: Booking, changed: boolean, planned: boolean}} BookingRow */

function bookingRow() {
  const time = h("span", { class: "booking-time" });
  const guest = h("span", { class: "booking-guest", dir: "auto" });
  const facts = h("span", { class: "booking-facts" });
  const tags = h("span", { class: "booking-tags", hidden: true });
  const node = h("li", { class: "booking" }, time, h("span", { class: "booking-words" }, guest, facts, tags));
  /** @param {BookingRow} row */
  function update({ booking, changed, planned }) {
    const gone = booking.cancelled || /cancel/i.test(booking.status ?? "");
    node.dataset["booking"] = booking.booking_id;
    node.classList.toggle("changed", changed);
    node.classList.toggle("planned", planned);
    node.classList.toggle("gone", gone);
    time.textContent = booking.start_time ? clockTime(booking.start_time) : "–";
    guest.textContent = booking.guest_name || booking.label || booking.reference || booking.booking_id;
    const guests = booking.guest_count === null || booking.guest_count === undefined ? "" : t("day.guests", { n: booking.guest_count });
    const state = gone ? t("day.cancelled") : booking.cancelled === null ? t("day.unread") : "";
    facts.textContent = [guests, booking.reference, state].filter((one) => one).join(" · ");
    section(tags, `${changed} ${planned}`, () => [
      changed && h("span", { class: "tag" }, icon("check"), t("day.changed")),
      !changed && planned && h("span", { class: "tag" }, icon("pencil"), t("day.planned")),
    ]);
  }
  return { node, update };
}
