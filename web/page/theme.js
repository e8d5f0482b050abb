// Light or dark: the system's scheme, or the user's choice.

import { keep, recall, tryPart } from "./storage.js";

/**
 * For each choice, the media that get the style sheet's dark colours, and a 24×24 icon: a half-lit disc, the sun, the moon.
 * Paper is always light.
 *
 * @type {Record<string, { media: string, icon: string }>}
 */
const CHOICES = {
  system: { media: "screen and (prefers-color-scheme: dark)", icon: "M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20zm0 2v16a8 8 0 1 1 0-16z" },
  light: {
    media: "not all",
    icon: "M12 6.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11zM11 1h2v3.5h-2zM11 19.5h2v3.5h-2zM1 11h3.5v2h-3.5zM19.5 11h3.5v2h-3.5z\
M4.9 3.5l2.5 2.5-1.4 1.4-2.5-2.5zM18 16.6l2.5 2.5-1.4 1.4-2.5-2.5zM19.1 3.5l1.4 1.4-2.5 2.5-1.4-1.4zM6 16.6l1.4 1.4-2.5 2.5-1.4-1.4z",
  },
  dark: { media: "screen", icon: "M21.5 14.5a10 10 0 1 1-12-12a8.5 8.5 0 0 0 12 12z" },
};
const THEMES = Object.keys(CHOICES);
/** @type {Set<CSSMediaRule>} */
const darkRules = new Set();
let theme = recall("theme", THEMES) ?? "system";

export const currentTheme = () => theme;
/** Whether the page is light or dark now. */
export const shownTheme = () => (theme === "system" ? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light") : theme);
export const currentIcon = () => CHOICES[theme].icon;

/**
 * The rules of a style sheet. Sheets that an extension has loaded from another origin cannot be read.
 *
 * @param {CSSStyleSheet} sheet
 */
function rulesOf(sheet) {
  try {
    return [...sheet.cssRules];
  } catch {
    return [];
  }
}

function apply() {
  for (const rule of [...document.styleSheets].flatMap(rulesOf)) {
    if (rule instanceof CSSMediaRule && rule.media.mediaText.includes("prefers-color-scheme")) darkRules.add(rule);
  }
  for (const { media } of darkRules) media.mediaText = CHOICES[theme].media;
  // For the browser's own scroll bars and fields.
  document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
}

/** Switches to the next choice. */
export function changeTheme() {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  keep("theme", theme);
  apply();
}

const begin = () => tryPart("theme", apply, undefined);
begin();
// WebKit may load the style sheet after the scripts.
addEventListener("load", begin);
