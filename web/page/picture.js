// Pictures as files and on the page: a position with the player to move, and an address as a QR code.

import { ask } from "./brain.js";
import { html } from "./board.js";
import { keyOf } from "./position.js";

/** How many pixels of a PNG picture a unit of the drawing takes. */
const SCALE = 3;

/** The address of an SVG document, for an image or a file. */
export const addressOf = svg => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/** The SVG of a position, or of that after the action of this text; as green sees it if it is turned. */
export const pictureOf = (place, action, isTurned = false) =>
  ask("picture", { ...keyOf(place), ...(action && { action }), turned: isTurned ? "yes" : "no" }).svg;

/** The QR code of a text as an element, or why there is none. */
export function codeOf(text, label) {
  const { svg, error } = ask("qr", { text });
  return svg ? html("img", { class: "qr", src: addressOf(svg), alt: label }) : html("p", { class: "warning" }, error);
}

/** The address of an SVG document as a PNG picture. */
export async function pngOf(svg) {
  const image = new Image();
  image.src = addressOf(svg);
  await image.decode();
  const canvas = html("canvas", { width: SCALE * image.naturalWidth, height: SCALE * image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}
