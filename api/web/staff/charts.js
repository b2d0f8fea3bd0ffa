/**
 * Charts as inline SVG. Figures are beside every bar as text: a bar alone is useless to a screen reader.
 */

const NS = "http://www.w3.org/2000/svg";
const WIDTH = 480, NAME = 112, FIGURE = 96, ROW = 28, BAR = 16;
const KINDS = ["bar", "bar second", "bar third"];

/**
 * @param {string} tag
 * @param {Record<string, string|number>} attributes
 * @param {...(Node|string)} children
 */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * Bars, one a row; several values in a row stand one after the other.
 * @param {string} title
 * @param {{name: string, values: (number|null)[], figure: string}[]} rows
 * @param {{most?: number, parts?: string[]}} [of]  `most`: what a full bar stands for; else the longest row
 * @returns {HTMLElement}
 */
export function bars(title, rows, of = {}) {
  const figure = document.createElement("figure");
  const caption = document.createElement("figcaption");
  caption.textContent = title;
  const sums = rows.map((row) => row.values.reduce((/** @type {number} */ sum, value) => sum + (value ?? 0), 0));
  const most = of.most ?? Math.max(...sums, 0);
  const label = `${title}: ${rows.map((row) => `${row.name} ${row.figure}`).join(", ")}`;
  const drawn = svg("svg", { viewBox: `0 0 ${WIDTH} ${Math.max(1, rows.length) * ROW}`, role: "img", "aria-label": label });
  rows.forEach((row, place) => drawn.append(...line(row, place * ROW, most)));
  figure.append(caption, drawn);
  if (of.parts) figure.append(key(of.parts));
  return figure;
}

/**
 * @param {{name: string, values: (number|null)[], figure: string}} row
 * @param {number} top
 * @param {number} most
 */
function line(row, top, most) {
  const room = WIDTH - NAME - FIGURE, middle = top + ROW / 2;
  const made = [
    svg("text", { x: 0, y: middle + 5 }, shortened(row.name)),
    svg("rect", { class: "track", x: NAME, y: middle - BAR / 2, width: room, height: BAR, rx: 3 }),
    svg("text", { class: "figure", x: WIDTH, y: middle + 5 }, row.figure),
  ];
  let left = NAME;
  row.values.forEach((value, place) => {
    const long = most > 0 ? (room * Math.min(value ?? 0, most)) / most : 0;
    made.push(svg("rect", { class: KINDS[place] ?? "bar", x: left, y: middle - BAR / 2, width: long, height: BAR, rx: 3 }));
    left += long;
  });
  return made;
}

/** @param {string[]} parts */
function key(parts) {
  const row = document.createElement("p");
  row.className = "key";
  parts.forEach((part, place) => {
    const one = document.createElement("span");
    const square = svg("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" });
    square.append(svg("rect", { class: KINDS[place] ?? "bar", width: 12, height: 12, rx: 3 }));
    one.append(square, part);
    row.append(one);
  });
  return row;
}

/** @param {string} name */
function shortened(name) {
  return name.length > 15 ? `${name.slice(0, 14)}…` : name;
}
