// Pictures of positions and QR codes, in files and on the page, and printing.

/** @import { Place } from "./types.d.ts" */
import { ask, yesOrNo } from "./brain.js";
import { html } from "./elements.js";
import { keyOf } from "./position.js";

/** Pixels of a PNG picture per unit of the drawing. */
const SCALE = 3;

/** A test colour, and the largest change to a channel that still leaves a usable picture. */
const KNOWN = [31, 95, 208];
const MOST_NOISE = 8;

/** The time limit for a browser to start printing. */
const PRINTING_BEGINS_MS = 3000;

/** An SVG document as a data URL. @param {string} svg */
export const addressOf = svg => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/**
 * The SVG of a position or, given an action, of the position after it; seen from green's side if turned.
 *
 * @param {Place} place
 * @param {string} [action]
 */
export const pictureOf = (place, action, isTurned = false, theme = "light") =>
  ask("picture", { ...keyOf(place), ...(action && { action }), turned: yesOrNo(isTurned), theme }).svg ?? "";

/** The QR code of a text, or the reason why there is none, as an element. @param {string} text @param {string} label */
export function qrCodeOf(text, label) {
  const { svg, error } = ask("qr", { text });
  return svg !== undefined ? html("img", { class: "qr", src: addressOf(svg), alt: label }) : html("p", { class: "warning" }, error);
}

/** An SVG document as a PNG data URL; null in a browser that returns noise to resist fingerprinting. @param {string} svg */
export async function pngOf(svg) {
  const image = new Image();
  image.src = addressOf(svg);
  await image.decode();
  const canvas = html("canvas", { width: SCALE * image.naturalWidth, height: SCALE * image.naturalHeight });
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.fillStyle = `rgb(${KNOWN})`;
  context.fillRect(0, 0, 1, 1);
  const read = context.getImageData(0, 0, 1, 1).data;
  if (KNOWN.some((value, index) => Math.abs(value - read[index]) > MOST_NOISE)) return null;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}

/** Prints this HTML instead of the page. Resolves to false if printing does not start. @param {string} content */
export async function printSheet(content) {
  const { body } = document;
  const sheet = /** @type {HTMLElement} */ (document.getElementById("sheet"));
  sheet.innerHTML = content;
  await Promise.all([...sheet.querySelectorAll("img")].map(image => image.decode()));
  body.classList.add("printing");
  // On phones print() returns before the sheet is drawn; in a view embedded in another program it may do nothing or be missing.
  addEventListener("afterprint", () => body.classList.remove("printing"), { once: true });
  const begins = new Promise(resolve => {
    addEventListener("beforeprint", () => resolve(true), { once: true });
    setTimeout(() => resolve(false), PRINTING_BEGINS_MS);
  });
  let isPrinted = true;
  try {
    print();
  } catch {
    isPrinted = false;
  }
  isPrinted &&= await begins;
  if (!isPrinted) body.classList.remove("printing");
  return isPrinted;
}
