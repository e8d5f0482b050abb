// The language of the page: the browser's, or as the button says.

import { attempt } from "./attempt.js";
import { keep, recall } from "./storage.js";

const isJapanese = () => navigator.language.startsWith("ja");
let language = recall("language", ["en", "ja"]) ?? (attempt("language", isJapanese, false) ? "ja" : "en");

export const currentLanguage = () => language;

/** Changes to the other language. */
export function changeLanguage() {
  language = language === "en" ? "ja" : "en";
  keep("language", language);
}
