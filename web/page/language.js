// The language of the page: the browser's, or as the button says.

import { keep, recall } from "./storage.js";

let language = recall("language", ["en", "ja"]) ?? (navigator.language.startsWith("ja") ? "ja" : "en");

export const currentLanguage = () => language;

/** Changes to the other language. */
export function changeLanguage() {
  language = language === "en" ? "ja" : "en";
  keep("language", language);
}
