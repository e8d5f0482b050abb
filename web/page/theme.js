// Light or dark: as the system has it, or as the button says.

import { keep, recall, tryPart } from "./storage.js";

/**
 * For each choice, the media for which the style sheet's dark colours apply, and an icon on 24×24: a disc that is half
 * light, the sun, the moon. Paper is always light.
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
const darkRules = new Set();
let theme = recall("theme", THEMES) ?? "system";

export const currentTheme = () => theme;
/** Which of its two looks the page has. */
export const shownTheme = () => (theme === "system" ? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light") : theme);
export const currentIcon = () => CHOICES[theme].icon;

/** The rules of a style sheet; none of one that an extension has from elsewhere, which nobody may read. */
function rulesOf(sheet) {
  try {
    return [...sheet.cssRules];
  } catch {
    return [];
  }
}

function apply() {
  for (const rule of [...document.styleSheets].flatMap(rulesOf)) {
    if (rule.media?.mediaText.includes("prefers-color-scheme")) darkRules.add(rule);
  }
  for (const { media } of darkRules) media.mediaText = CHOICES[theme].media;
  // The browser's own scroll bars and fields follow this.
  document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
}

/** Changes to the next choice. */
export function changeTheme() {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  keep("theme", theme);
  apply();
}

const begin = () => tryPart("theme", apply);
begin();
// In WebKit, the style sheet may come after the scripts.
addEventListener("load", begin);
