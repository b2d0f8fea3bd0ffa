/**
 * Creating and updating DOM nodes. Text is only ever text: nothing here takes markup.
 */
import { icon } from "./icons.js";

/** @typedef {Node|string|number|null|undefined|false} Child */

/**
 * An element. `on…` adds a listener, `class` and everything else is an attribute; false and null leave it out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string|number|boolean|null|undefined|((event: any) => void)>} [attributes]
 * @param {...(Child|Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children.flat()));
  return element;
}

/**
 * @param {Child[]} children
 * @returns {(Node|string)[]}
 */
function nodes(children) {
  return children.flatMap((child) => {
    // An empty text would make what holds it count as filled.
    if (child === null || child === undefined || child === false || child === "") return [];
    return [child instanceof Node ? child : String(child)];
  });
}

/**
 * The direction of a sentence, by most of its letters: with `dir=auto` one foreign name at its head turns all of it.
 * @param {string} text
 */
export function direction(text) {
  const count = (/** @type {RegExp} */ letters) => text.match(letters)?.length ?? 0;
  const leftwards = count(/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu);
  return leftwards * 2 > count(/\p{L}/gu) ? "rtl" : "ltr";
}

/**
 * A button with an icon and words; with `bare` the words are for screen readers only.
 * @param {{label: string, icon?: import("./icons.js").IconName, kind?: string, bare?: boolean, hook?: string,
 *   disabled?: boolean, press?: (event: MouseEvent) => void}} of
 */
export function button(of) {
  return h(
    "button",
    {
      type: "button", class: `button ${of.kind ?? "quiet"}${of.bare ? " bare" : ""}`, "data-do": of.hook,
      "aria-label": of.bare ? of.label : null, title: of.bare ? of.label : null, "aria-disabled": of.disabled ? "true" : null,
      onclick: (/** @type {MouseEvent} */ event) => {
        if (/** @type {HTMLElement} */ (event.currentTarget).getAttribute("aria-disabled") !== "true") of.press?.(event);
      },
    },
    of.icon && icon(of.icon),
    !of.bare && h("span", { class: "button-words" }, of.label),
  );
}

/**
 * Rebuilds a node's content when its key has changed; else its child nodes and the focus stay.
 * @param {HTMLElement} into
 * @param {string} made  The content's key, as one string
 * @param {() => Child|Child[]} build
 */
export function section(into, made, build) {
  if (sections.get(into) === made) return;
  sections.set(into, made);
  const held = into.contains(document.activeElement) ? hookOf(document.activeElement) : null;
  const built = build();
  into.replaceChildren(...nodes(Array.isArray(built) ? built : [built]));
  into.hidden = into.childNodes.length === 0;
  // A pressed button is often rebuilt by its own effect; the keyboard focus must not be lost.
  if (held) /** @type {HTMLElement|null} */ (into.querySelector(`[data-do="${held}"]`))?.focus();
}

/** @type {WeakMap<HTMLElement, string>} */
const sections = new WeakMap();

/** @param {Element|null} element */
function hookOf(element) {
  return element instanceof HTMLElement ? (element.dataset["do"] ?? null) : null;
}

/**
 * Brings a node's children in line with rows, by their keys. A row that is the same value as before is not touched.
 * @template {{key: string}} R
 * @param {HTMLElement} into
 * @param {readonly R[]} rows
 * @param {Map<string, {row: R|null, node: HTMLElement, update: (row: R) => void}>} held
 * @param {(row: R) => {node: HTMLElement, update: (row: R) => void}} make
 * @param {(a: R, b: R) => boolean} same
 */
export function keyed(into, rows, held, make, same) {
  const wanted = new Set(rows.map((row) => row.key));
  for (const [key, one] of held) {
    if (!wanted.has(key)) {
      one.node.remove();
      held.delete(key);
    }
  }
  let next = into.firstElementChild;
  for (const row of rows) {
    let one = held.get(row.key);
    if (!one) held.set(row.key, (one = { row: null, ...make(row) }));
    if (one.row === null || !same(one.row, row)) {
      one.update(row);
      one.row = row;
    }
    if (one.node === next) next = next.nextElementSibling;
    else into.insertBefore(one.node, next);
  }
}

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}
