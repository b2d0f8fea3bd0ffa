/**
 * Where the keyboard goes when what it was on is gone: a button is pressed, and what comes of it takes the button away.
 * Without this it would be at the very top of the page again.
 */

/** @type {{element: HTMLElement, planId: string|null, tapped: boolean}|null} */
let last = null;
let tapping = false;

/** The plan that something on the page belongs to, be it in the conversation or above the message box. */
const OF_PLAN = "article[data-plan], .dock-block[data-plan]";

document.addEventListener("focusin", ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  last = { element: target, planId: target.closest(OF_PLAN)?.getAttribute("data-plan") ?? null, tapped: tapping };
});
document.addEventListener("keydown", () => (tapping = false), true);
document.addEventListener("pointerdown", () => {
  tapping = true;
  // A tap outside of everything drops the focus.
  last = null;
}, true);

/**
 * Brings a lost focus back: to the head of the plan that it was in, or of the one that took its place; else to the
 * message box, but not after a tap: a phone would open its keyboard there. Called after every change of the page.
 * @param {HTMLElement} box
 * @param {(planId: string) => string} replacementOf  The plan that has replaced a plan
 */
export function keepFocus(box, replacementOf) {
  const lost = document.activeElement === document.body || document.activeElement === null;
  if (!last || !lost || last.element.checkVisibility({ visibilityProperty: true })) return;
  const card = last.planId ? document.querySelector(`article[data-plan="${CSS.escape(replacementOf(last.planId))}"] summary`) : null;
  if (card instanceof HTMLElement) card.focus();
  else if (!last.tapped) box.focus({ preventScroll: true });
}
