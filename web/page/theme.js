// Light or dark: as the system has it, or as the button says.

import { keep, recall } from "./storage.js";

/** For each choice, the media for which the style sheet's dark colours apply: paper is always light. */
const MEDIA = { system: "screen and (prefers-color-scheme: dark)", light: "not all", dark: "screen" };
const THEMES = Object.keys(MEDIA);
const darkRules = new Set();
let theme = recall("theme", THEMES) ?? "system";

export const currentTheme = () => theme;

function apply() {
  for (const rule of [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])) {
    if (rule.media?.mediaText.includes("prefers-color-scheme")) darkRules.add(rule);
  }
  for (const { media } of darkRules) media.mediaText = MEDIA[theme];
  // The browser's own scroll bars and fields follow this.
  document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
}

/** Changes to the next choice. */
export function changeTheme() {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  keep("theme", theme);
  apply();
}

apply();
// In WebKit, the style sheet may come after the scripts.
addEventListener("load", apply);
