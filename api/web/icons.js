/**
 * The few icons that are needed, from Lucide (https://lucide.dev), as paths on a grid of 24. Circles and rectangles are
 * written as paths. Their licences (ISC, and MIT for those from Feather) stand in `LICENSE-icons.txt`.
 */

const PATHS = /** @type {const} */ ({
  "check": [
    "M20 6 9 17l-5-5",
  ],
  "x": [
    "M18 6 6 18",
    "m6 6 12 12",
  ],
  "pencil": [
    "M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z",
    "m15 5 4 4",
  ],
  "undo-2": [
    "M9 14 4 9l5-5",
    "M4 9h10.5a5.5 5.5 0 0 1 5.5 5.5a5.5 5.5 0 0 1-5.5 5.5H11",
  ],
  "triangle-alert": [
    "m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3",
    "M12 9v4",
    "M12 17h.01",
  ],
  "arrow-right": [
    "M5 12h14",
    "m12 5 7 7-7 7",
  ],
  "arrow-up": [
    "m5 12 7-7 7 7",
    "M12 19V5",
  ],
  "square": [
    "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2z",
  ],
  "list-checks": [
    "m3 17 2 2 4-4",
    "m3 7 2 2 4-4",
    "M13 6h8",
    "M13 12h8",
    "M13 18h8",
  ],
  "calendar-days": [
    "M8 2v3",
    "M16 2v3",
    "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2z",
    "M3 9h18",
    "M8 13h.01",
    "M12 13h.01",
    "M16 13h.01",
    "M8 17h.01",
    "M12 17h.01",
    "M16 17h.01",
  ],
  "chevron-left": [
    "m15 18-6-6 6-6",
  ],
  "chevron-right": [
    "m9 18 6-6-6-6",
  ],
  "chevron-down": [
    "m6 9 6 6 6-6",
  ],
  "loader-circle": [
    "M21 12a9 9 0 1 1-6.219-8.56",
  ],
  "circle": [
    "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0",
  ],
  "minus": [
    "M5 12h14",
  ],
  "circle-question-mark": [
    "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0",
    "M9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3",
    "M12 17h.01",
  ],
  "wifi-off": [
    "M12 20h.01",
    "M8.5 16.429a5 5 0 0 1 7 0",
    "M5 12.859a10 10 0 0 1 5.17-2.69",
    "M19 12.859a10 10 0 0 0-2.007-1.523",
    "M2 8.82a15 15 0 0 1 4.177-2.643",
    "M22 8.82a15 15 0 0 0-11.288-3.764",
    "m2 2 20 20",
  ],
  "log-in": [
    "m10 17 5-5-5-5",
    "M15 12H3",
    "M15 3h4a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-4",
  ],
  "log-out": [
    "m16 17 5-5-5-5",
    "M21 12H9",
    "M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4",
  ],
  "message-square-plus": [
    "M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z",
    "M12 8v6",
    "M9 11h6",
  ],
  "pin": [
    "M12 17v5",
    "M9 10.76a2 2 0 0 1-1.11 1.79l-1.78.9A2 2 0 0 0 5 15.24V16a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-.76a2 2 0 0 0-1.11-1.79l-1.78-.9A2 2 0 0 1 15 10.76V7a1 1 0 0 1 1-1 2 2 0 0 0 0-4H8a2 2 0 0 0 0 4 1 1 0 0 1 1 1z",
  ],
  "hand": [
    "M18 11V6a2 2 0 0 0-2-2a2 2 0 0 0-2 2",
    "M14 10V4a2 2 0 0 0-2-2a2 2 0 0 0-2 2v2",
    "M10 10.5V6a2 2 0 0 0-2-2a2 2 0 0 0-2 2v8",
    "M18 8a2 2 0 1 1 4 0v6a8 8 0 0 1-8 8h-2c-2.8 0-4.5-.86-5.99-2.34l-3.6-3.6a2 2 0 0 1 2.83-2.82L7 15",
  ],
  "external-link": [
    "M15 3h6v6",
    "M10 14 21 3",
    "M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6",
  ],
  "users": [
    "M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2",
    "M16 3.128a4 4 0 0 1 0 7.744",
    "M22 21v-2a4 4 0 0 0-3-3.87",
    "M5 7a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
  ],
  "arrow-down": [
    "M12 5v14",
    "m19 12-7 7-7-7",
  ],
  "rotate-ccw": [
    "M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8",
    "M3 3v5h5",
  ],
  "panel-right": [
    "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2z",
    "M15 3v18",
  ],
  "octagon-alert": [
    "M12 16h.01",
    "M12 8v4",
    "M15.312 2a2 2 0 0 1 1.414.586l4.688 4.688A2 2 0 0 1 22 8.688v6.624a2 2 0 0 1-.586 1.414l-4.688 4.688a2 2 0 0 1-1.414.586H8.688a2 2 0 0 1-1.414-.586l-4.688-4.688A2 2 0 0 1 2 15.312V8.688a2 2 0 0 1 .586-1.414l4.688-4.688A2 2 0 0 1 8.688 2z",
  ],
  "list-tree": [
    "M8 5h13",
    "M13 12h8",
    "M13 19h8",
    "M3 10a2 2 0 0 0 2 2h3",
    "M3 5v12a2 2 0 0 0 2 2h3",
  ],
  "clock": [
    "M2 12a10 10 0 1 0 20 0a10 10 0 1 0 -20 0",
    "M12 6v6l4 2",
  ],
});

/** @typedef {keyof typeof PATHS} IconName */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An icon with text beside it: it is hidden from screen readers.
 * @param {IconName} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  for (const d of PATHS[name]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}
