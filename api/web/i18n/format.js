/**
 * Texts, dates and numbers in the venue's language and time zone. One language at a time: that of the venue, and before it
 * is known the browser's.
 */
import en from "./en.js";
import it from "./it.js";

const LANGUAGES = { en, it };

/** @typedef {{one: string, many?: string, gender?: string}} Noun */

/** What is changed and who comes, where the venue is not known, or has no words of its own. */
const NOUNS = {
  en: { booking: { one: "booking", many: "bookings" }, guest: { one: "guest", many: "guests" } },
  it: { booking: { one: "prenotazione", many: "prenotazioni", gender: "f" }, guest: { one: "ospite", many: "ospiti" } },
};

let locale = "en";
let zone = /** @type {string|undefined} */ (undefined);
let texts = en;
let plural = new Intl.PluralRules("en");
/** @type {Record<string, string>} */
let nouns = nounForms(NOUNS.en);

/**
 * @param {string|undefined|null} wanted  A locale such as "en-AU"
 * @param {string} [timeZone]
 * @param {Record<string, Noun>} [own]  The venue's own words, in its language
 */
export function setLocale(wanted, timeZone, own = {}) {
  const found = canonicalLocale(wanted) ?? "en";
  const language = /** @type {"en"|"it"} */ (found.slice(0, 2).toLowerCase());
  [locale, zone, texts, plural] = [found, timeZone, LANGUAGES[language], new Intl.PluralRules(found)];
  nouns = nounForms({ ...NOUNS[language], ...own });
  formats.clear();
}

/**
 * The venue's nouns as texts have them; `o` is the ending of adjectives of a booking, where a language has one.
 * @param {Record<string, Noun>} of
 */
function nounForms(of) {
  const [booking, guest] = [of["booking"] ?? NOUNS.en.booking, of["guest"] ?? NOUNS.en.guest];
  const bookings = booking.many || booking.one;
  return {
    booking: booking.one, bookings, Bookings: bookings.charAt(0).toUpperCase() + bookings.slice(1), guest: guest.one,
    guests: guest.many || guest.one, o: /** @type {Noun} */ (booking).gender === "f" ? "a" : "o",
  };
}

/** @param {string|undefined|null} wanted */
function canonicalLocale(wanted) {
  if (!wanted || !(wanted.slice(0, 2).toLowerCase() in LANGUAGES)) return null;
  try {
    return Intl.getCanonicalLocales(wanted.replace("_", "-"))[0] ?? null;
  } catch {
    return null;
  }
}

export function language() {
  return locale;
}

export function timeZone() {
  return zone;
}

/**
 * One of the page's texts, with the venue's own nouns in it.
 * @param {string} key
 * @param {Record<string, string|number>} [values]  `n` picks the form where there are two
 * @returns {string}
 */
export function t(key, values = {}) {
  const found = texts[key] ?? en[key] ?? key;
  const form = typeof found === "string" ? found : found[plural.select(Number(values["n"])) === "one" ? "one" : "other"];
  return form.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? nouns[name] ?? ""));
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * @param {string} name
 * @param {Intl.DateTimeFormatOptions} options
 */
function format(name, options) {
  let found = formats.get(name);
  if (!found) formats.set(name, (found = new Intl.DateTimeFormat(locale, options)));
  return found;
}

/**
 * A time of day at the venue.
 * @param {string|number} at
 */
export function clock(at) {
  return format("clock", { hour: "numeric", minute: "2-digit", timeZone: zone }).format(new Date(at));
}

/**
 * A moment to the second, at the venue, with its day.
 * @param {string} at
 */
export function moment(at) {
  return format("moment", { day: "numeric", month: "short", hour: "numeric", minute: "2-digit", second: "2-digit", timeZone: zone }).format(new Date(at));
}

/**
 * The venue's calendar day of a moment, as YYYY-MM-DD.
 * @param {string|number} at
 */
export function dayOf(at) {
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });
  return parts.format(new Date(at));
}

/**
 * A calendar day, with the year only where it is another one.
 * @param {string} day  YYYY-MM-DD
 * @param {string} [today]
 */
export function dayName(day, today) {
  const other = today !== undefined && day.slice(0, 4) !== today.slice(0, 4);
  return format(other ? "long day" : "day", {
    weekday: "short", day: "numeric", month: "short", timeZone: "UTC", ...(other ? { year: "numeric" } : {}),
  }).format(new Date(`${day}T12:00:00Z`));
}

/**
 * A venue's time such as "15:00", as people there write it.
 * @param {string} time  HH:MM
 */
export function clockTime(time) {
  if (!/^\d{1,2}:\d{2}/.test(time)) return time;
  const [hours, minutes] = time.split(":");
  const at = new Date(Date.UTC(2026, 0, 1, Number(hours), Number(minutes)));
  return format("clock time", { hour: "numeric", minute: "2-digit", timeZone: "UTC" }).format(at);
}

/**
 * What is left, as 14:32 or 1:02:03.
 * @param {number} ms
 */
export function countdown(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/**
 * How long something took.
 * @param {number} ms
 */
export function duration(ms) {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds >= 60) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  const digits = seconds < 10 ? 1 : 0;
  const number = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number.format(seconds)} s`;
}

/**
 * The day some days before or after another one.
 * @param {string} day  YYYY-MM-DD
 * @param {number} by
 */
export function addDays(day, by) {
  const at = new Date(`${day}T12:00:00Z`);
  at.setUTCDate(at.getUTCDate() + by);
  return at.toISOString().slice(0, 10);
}
