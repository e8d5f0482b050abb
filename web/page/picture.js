// Pictures as files and on the page: a position with the player to move, and an address as a QR code.

import { ask, yesOrNo } from "./brain.js";
import { html } from "./elements.js";
import { keyOf } from "./position.js";

/** How many pixels of a PNG picture a unit of the drawing takes. */
const SCALE = 3;

/** A colour that is read back, and how much browsers that give the picture almost unchanged may alter it. */
const KNOWN = [31, 95, 208];
const MOST_NOISE = 8;

/** The time within which a browser begins to print. */
const PRINTING_BEGINS_MS = 3000;

/** The address of an SVG document, for an image or a file. */
export const addressOf = svg => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/** The SVG of a position, or of that after the action of this text; as green sees it if it is turned. Paper is light. */
export const pictureOf = (place, action, isTurned = false, theme = "light") =>
  ask("picture", { ...keyOf(place), ...(action && { action }), turned: yesOrNo(isTurned), theme }).svg;

/** The QR code of a text as an element, or why there is none. */
export function qrCodeOf(text, label) {
  const { svg, error } = ask("qr", { text });
  return svg ? html("img", { class: "qr", src: addressOf(svg), alt: label }) : html("p", { class: "warning" }, error);
}

/** The address of an SVG document as a PNG picture; null from a browser that gives noise instead, against fingerprinting. */
export async function pngOf(svg) {
  const image = new Image();
  image.src = addressOf(svg);
  await image.decode();
  const canvas = html("canvas", { width: SCALE * image.naturalWidth, height: SCALE * image.naturalHeight });
  const context = canvas.getContext("2d");
  context.fillStyle = `rgb(${KNOWN})`;
  context.fillRect(0, 0, 1, 1);
  const read = context.getImageData(0, 0, 1, 1).data;
  if (KNOWN.some((value, index) => Math.abs(value - read[index]) > MOST_NOISE)) return null;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}

/** Prints these elements, and nothing else of the page. Resolves to false if the browser does not begin. */
export async function printSheet(content) {
  const { body } = document;
  document.getElementById("sheet").innerHTML = content;
  await Promise.all([...document.querySelectorAll("#sheet img")].map(image => image.decode()));
  body.classList.add("printing");
  // On phones print() returns before the sheet is drawn; in a view within another program it may do nothing, or be missing.
  addEventListener("afterprint", () => body.classList.remove("printing"), { once: true });
  const begins = new Promise(resolve => {
    addEventListener("beforeprint", () => resolve(true), { once: true });
    setTimeout(() => resolve(false), PRINTING_BEGINS_MS);
  });
  try {
    print();
  } catch {
    return false;
  }
  return begins;
}
