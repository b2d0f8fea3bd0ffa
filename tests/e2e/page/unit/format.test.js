// Both languages have every text, with the same values in it, and numbers and times are written as the venue writes them.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";

import en from "../../../../api/web/i18n/en.js";
import it from "../../../../api/web/i18n/it.js";
import { clock, clockTime, countdown, dayName, duration, setLocale, t } from "../../../../api/web/i18n/format.js";

// The venue's nouns decline in one language and not in another: `{o}` is an ending.
const holes = (text) => [...new Set(Object.values(typeof text === "string" ? { text } : text).join(" ").match(/\{(?!o\})\w+\}/g) ?? [])].sort();

test("both languages have the same keys, and the same values in each text", () => {
  assert.deepEqual(Object.keys(it), Object.keys(en));
  for (const key of Object.keys(en)) assert.deepEqual(holes(it[key]), holes(en[key]), key);
});

test("each text is used, and each text that is used is there", () => {
  const root = fileURLToPath(new URL("../../../../api/web/", import.meta.url));
  const files = readdirSync(root, { recursive: true }).filter((name) => name.endsWith(".js") && !name.startsWith("i18n"));
  const code = files.map((name) => readFileSync(root + name, "utf8")).join("\n");
  for (const [, key] of code.matchAll(/\bt\("([\w.]+)"/g)) assert.ok(key in en, key);
  const made = [...code.matchAll(/`(\w+\.)\$\{/g)].map(([, prefix]) => prefix);
  for (const key of Object.keys(en)) assert.ok(code.includes(`"${key}"`) || made.some((prefix) => key.startsWith(prefix)), key);
});

test("a day is told in the venue's own words", () => {
  const day = () => [t("day.title"), t("day.empty"), t("day.count", { n: 1 }), t("day.count", { n: 3 }), t("day.guests", { n: 2 })];
  setLocale("en-US", "Asia/Jerusalem", { booking: { one: "meeting", many: "meetings" }, guest: { one: "person", many: "people" } });
  assert.deepEqual(day(), ["Meetings", "No meetings on this day.", "1 meeting", "3 meetings", "2 people"]);
  setLocale("it-IT", "Europe/Rome", { booking: { one: "appuntamento", many: "appuntamenti", gender: "m" } });
  assert.deepEqual([t("day.title"), t("day.changed"), t("day.cancelled")], ["Appuntamenti", "Appena cambiato", "Annullato"]);
  setLocale("it-IT", "Europe/Rome");
  assert.deepEqual([t("day.title"), t("day.changed"), t("day.cancelled")], ["Prenotazioni", "Appena cambiata", "Annullata"]);
  setLocale("en-AU");
  assert.deepEqual(day(), ["Bookings", "No bookings on this day.", "1 booking", "3 bookings", "2 guests"]);
});

test("no text of the page says what only some venues have", () => {
  // What the product is called stays.
  for (const [texts, words] of [[en, /\bbookings?\b|\bguests?\b/i], [it, /prenotazion|\bospit[ei]\b/i]]) {
    for (const [key, text] of Object.entries(texts)) {
      const said = Object.values(typeof text === "string" ? { text } : text).join(" ").replace(/\{\w+\}/g, "");
      if (key !== "app.name") assert.doesNotMatch(said, words, key);
    }
  }
});

test("the venue's language, numbers and zone are spoken", () => {
  setLocale("it-IT", "Europe/Rome");
  assert.equal(t("day.guests", { n: 1 }), "1 ospite");
  assert.equal(duration(1240), "1,2 s");
  assert.equal(clock("2026-11-23T10:05:00Z"), "11:05");
  assert.equal(clockTime("15:00"), "15:00");
  setLocale("en-AU", "Australia/Melbourne");
  assert.equal(t("day.guests", { n: 2 }), "2 guests");
  assert.match(clock("2026-11-23T10:05:00Z"), /^9:05\spm$/);
  assert.match(dayName("2026-11-28", "2026-11-23"), /Sat.* 28 Nov/);
  assert.equal(duration(63_000), "1 min 3 s");
  setLocale("de-DE");
  assert.equal(t("plan.stop"), "Stop");
});

test("a countdown has two digits where they stand still", () => {
  assert.deepEqual([0, 59_001, 60_000, 872_000, 3_723_000, -5].map(countdown), ["0:00", "1:00", "1:00", "14:32", "1:02:03", "0:00"]);
});
