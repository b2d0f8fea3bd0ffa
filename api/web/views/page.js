/**
 * The page as a whole: its layout, and which part is redrawn on a change of state.
 *
 * @import {App, Actions} from "../app.js"
 * @import {Row} from "../timeline.js"
 * @import {State} from "../types.js"
 */
import { now } from "../api.js";
import { button, byId, h, keyed, section } from "../dom.js";
import { language, t } from "../i18n/format.js";
import { keepFocus } from "../focus.js";
import { icon } from "../icons.js";
import { needsOperator } from "../plan_view_model.js";
import { timeline } from "../timeline.js";
import { composer } from "./composer.js";
import { Day } from "./day.js";
import { debugDrawer } from "./debug_drawer.js";
import { actionBar } from "./action_bar.js";
import { otherChatsButton, otherChatsList } from "./other_chats.js";
import { reasoning } from "./reasoning.js";
import { createRow, sameRow } from "./message_rows.js";
import { signInButton } from "./sign_in.js";

/** From here on the day stands beside the chat. */
const DESK = matchMedia("(min-width: 960px)");

/** How long a lost connection goes unmentioned, in milliseconds: most come back at once. */
const BANNER_DELAY = 1200;

/**
 * @param {App} app
 * @param {Actions} actions
 */
export function page(app, actions) {
  const [head, gate, log, rows] = [byId("head", HTMLElement), byId("gate", HTMLElement), byId("log", HTMLElement), byId("rows", HTMLElement)];
  const [welcome, banner, newest] = [byId("welcome", HTMLElement), byId("banner", HTMLElement), byId("newest", HTMLElement)];
  const [sheet, beside, drawer] = [byId("day-sheet", HTMLDialogElement), byId("beside", HTMLElement), byId("details", HTMLDialogElement)];
  const day = new Day();
  const box = composer(byId("compose", HTMLElement), actions);
  const drawActionBar = actionBar(byId("dock", HTMLElement), actions);
  const drawerView = debugDrawer(drawer, actions);
  const others = otherChatsList(byId("plans", HTMLDialogElement), actions);
  const reasoningView = reasoning(byId("reasoning", HTMLDialogElement), () => drawHead(app.state));
  const held = new Map();
  let following = true;
  let placed = 0;
  let shownTexts = "";
  let cutSince = 0;
  let venue = "";
  let newestKey = "";

  log.addEventListener("scroll", () => {
    // A place that the page itself went to says nothing of what its reader wants.
    if (Math.abs(log.scrollTop - placed) < 2) return;
    following = log.scrollHeight - log.scrollTop - log.clientHeight < 48;
    newest.hidden = following;
  }, { passive: true });
  log.addEventListener("unfold", (event) => {
    if (following) scrollToEnd();
    else if (event.target instanceof HTMLElement) event.target.scrollIntoView({ block: "nearest" });
  });
  new ResizeObserver(scrollToEnd).observe(rows);
  new ResizeObserver(scrollToEnd).observe(log);
  DESK.addEventListener("change", placeDay);
  sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());

  function scrollToEnd() {
    if (!following) return;
    const [wanted, held] = [scrollTarget(), keyboardAt()];
    log.scrollTop = Math.min(wanted, held);
    placed = log.scrollTop;
    newest.hidden = held >= wanted || log.scrollHeight - placed - log.clientHeight < 48;
  }

  /** How far one may go without losing sight of where the keyboard is (WCAG 2.4.11). */
  function keyboardAt() {
    const [one, top] = [document.activeElement, log.getBoundingClientRect().top];
    if (!one || !log.contains(one) || !one.matches(":focus-visible") || one.matches("input, textarea, select")) return Infinity;
    const at = one.getBoundingClientRect().top - top;
    return at < 0 ? Infinity : log.scrollTop + at - 8;
  }

  /** The end, but not past what is to be read now: the values being typed, the question, the step that runs, the plan. */
  function scrollTarget() {
    const end = log.scrollHeight - log.clientHeight;
    const last = /** @type {HTMLElement|null} */ (rows.querySelector(".row:last-child"));
    const now = last?.querySelector(".editor") ?? last?.querySelector(".prompt:not([hidden])") ?? last?.querySelector(".step[data-status='running']") ?? last?.querySelector("[data-tone='ask']");
    if (!now) return end;
    return Math.min(end, log.scrollTop + now.getBoundingClientRect().top - log.getBoundingClientRect().top - 8);
  }

  function placeDay() {
    const there = day.available === true;
    if (DESK.matches) {
      if (sheet.open) sheet.close();
      beside.replaceChildren(day.node);
    } else {
      sheet.replaceChildren(h("div", { class: "sheet-grip" }, h("p", { class: "sheet-title" }, t("day.title")), button({ label: t("head.close"), icon: "x", bare: true, hook: "close", press: () => sheet.close() })), day.node);
    }
    beside.hidden = !there || !DESK.matches;
    document.body.classList.toggle("has-day", there && DESK.matches);
    drawHead(app.state, true);
  }

  /**
   * @param {State} state
   * @param {boolean} [force]
   */
  function drawHead(state, force) {
    const who = state.session;
    const phone = day.available === true && !DESK.matches;
    section(head, `${who?.venue.name} ${who?.demo} ${language()} ${phone} ${DESK.matches} ${state.others.plans.length} ${reasoningView.offered(state)} ${force && head.childElementCount === 0}`, () => [
      h("div", { class: "brand" },
        h("h1", {}, who?.venue.name ?? t("app.name")),
        who?.demo && h("span", { class: "demo" }, t("head.demo"))),
      who && DESK.matches && button({ label: t("head.new"), icon: "message-square-plus", bare: true, hook: "new-chat", press: actions.newChat }),
      who && otherChatsButton(state, actions),
      phone && button({ label: t("head.day"), icon: "calendar-days", bare: true, hook: "day", press: () => { sheet.showModal(); day.reveal(); } }),
      reasoningView.offered(state) && button({ label: t("reasoned.title"), icon: "list-tree", bare: true, hook: "reasoning", press: () => reasoningView.open(app.state) }),
      who && button({ label: t("head.details"), icon: "panel-right", bare: true, hook: "details-head", press: () => actions.openDebugDrawer(null) }),
    ]);
  }

  /** The language and the venue's own nouns are known only after sign-in. */
  function updateTexts() {
    const words = `${language()} ${t("day.title")}`;
    if (shownTexts === words) return;
    shownTexts = words;
    document.documentElement.lang = language();
    byId("skip", HTMLElement).textContent = t("app.skip");
    log.setAttribute("aria-label", t("chat.log"));
    sheet.setAttribute("aria-label", t("day.title"));
    beside.setAttribute("aria-label", t("day.title"));
    newest.replaceChildren(icon("arrow-down"), h("span", { class: "unseen" }, t("chat.newest")));
    newest.title = t("chat.newest");
    box.updateTexts();
    held.clear();
    rows.replaceChildren();
  }

  newest.addEventListener("click", () => {
    following = true;
    newest.hidden = true;
    scrollToEnd();
    box.focus();
  });

  /** @param {State} state */
  function draw(state) {
    updateTexts();
    // The tab's title shows that the operator has to act.
    const needed = Object.values(state.plans).some((one) => one.plan && needsOperator(one));
    document.title = `${needed ? "● " : ""}${t("app.name")}`;
    document.body.dataset["link"] = state.link;
    drawHead(state);
    drawBanner(state);
    drawGate(state);
    const list = state.loaded ? timeline(state, now()) : [];
    drawWelcome(state, list.length > 0);
    const mine = list.findLast((row) => row.kind === "message")?.key ?? "";
    if (mine !== newestKey) [newestKey, following] = [mine, true];
    keyed(rows, list, held, (/** @type {Row} */ row) => createRow(row, actions), sameRow);
    rows.hidden = list.length === 0;
    scrollToEnd();
    drawActionBar(state.phase === "signed_out" ? { ...state, plans: {} } : state);
    box.disabled(state.phase === "loading");
    drawerView.update(state);
    others.update(state);
    reasoningView.update(state);
    day.follow(state);
    if (state.session && state.phase === "ready" && venue !== `${state.session.venue.venue_id} ${state.session.user_id}`) {
      venue = `${state.session.venue.venue_id} ${state.session.user_id}`;
      void day.start(state.session, placeDay);
    }
    keepFocus(box.node, (planId) => {
      const next = state.plans[planId]?.plan?.superseded_by;
      return next && state.plans[next] ? next : planId;
    });
    // A history that is only drawn again is no news to a screen reader.
    if (state.loaded && state.link === "live" && log.getAttribute("aria-live") === "off") setTimeout(() => log.setAttribute("aria-live", "polite"), 800);
    else if (!state.loaded) log.setAttribute("aria-live", "off");
  }

  /** @param {State} state */
  function drawBanner(state) {
    if (!state.cut) cutSince = 0;
    else if (!cutSince) {
      cutSince = Date.now();
      setTimeout(() => drawBanner(app.state), BANNER_DELAY);
    }
    const showBanner = state.phase === "ready" && state.cut && (state.link === "offline" || Date.now() - cutSince >= BANNER_DELAY - 50);
    const words = state.link === "away" ? t("link.again", { why: state.away ?? t("link.away") }) : t(`link.${state.link}`);
    section(banner, showBanner ? words : "", () =>
      showBanner ? h("p", { class: "banner-words" }, icon(state.link === "away" ? "triangle-alert" : "wifi-off"), h("span", {}, words)) : []);
  }

  /** @param {State} state */
  function drawGate(state) {
    const shut = state.phase === "signed_out" || state.phase === "failed";
    section(gate, shut ? `${state.phase} ${state.out?.way} ${state.out?.sign_in_url} ${state.failure} ${language()}` : "", () => {
      if (state.phase === "failed") {
        return [
          h("p", { class: "trouble" }, icon("wifi-off"), h("span", {}, `${t("app.failed")} ${state.failure ?? ""}`)),
          button({ label: t("app.again"), icon: "rotate-ccw", kind: "confirm", hook: "open-again", press: () => void app.open() }),
        ];
      }
      if (state.phase !== "signed_out") return [];
      return [
        h("div", { class: "gate-words" }, h("p", { class: "gate-title" }, t(state.session ? "out.title" : "out.first_title")), state.session && h("p", { class: "dim" }, t("out.kept"))),
        signInButton(state, () => void app.signIn()),
      ];
    });
  }

  /**
   * @param {State} state
   * @param {boolean} filled
   */
  function drawWelcome(state, filled) {
    const show = state.phase === "ready" && state.loaded && !filled;
    const tries = state.session?.tries ?? [];
    const face = state.phase === "loading" || (state.phase === "ready" && !state.loaded) ? "loading" : show ? "try" : state.phase === "signed_out" && !state.session ? "out" : "";
    section(welcome, `${face} ${tries.join("|")} ${language()}`, () => {
      if (face === "loading") return h("div", { class: "skeleton", role: "status" }, h("span", { class: "unseen" }, t("app.loading")), h("i"), h("i"), h("i"));
      if (face === "out") return [h("h2", {}, t("welcome.title")), h("p", { class: "dim" }, t("welcome.text"))];
      if (face !== "try") return [];
      return [
        h("h2", {}, t("welcome.title")),
        h("p", { class: "dim" }, t("welcome.text")),
        tries.length > 0 && h("p", { class: "try-title", id: "try-title" }, t("welcome.try")),
        tries.length > 0 && h("ul", { class: "tries", "aria-labelledby": "try-title" }, tries.map((one) =>
          h("li", {}, h("button", { type: "button", class: "try", "data-do": `say:${one}`, onclick: () => actions.sendMessage(one) }, h("span", { dir: "auto" }, one), icon("arrow-right"))))),
        state.session?.demo && h("p", { class: "dim" }, t("welcome.demo")),
      ];
    });
  }

  return { draw, day, openPlans: () => others.open(app.state), openDetails: (/** @type {string|null} */ planId) => drawerView.open(planId, app.state) };
}
