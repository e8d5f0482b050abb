// ESLint's recommended rules for the page's modules and for the scripts of the tours.

const js = require("@eslint/js");
const globals = require("globals");

/** What the scripts of the tours share with each other, and with steps. */
const shared = { aim: "writable", fresh: "writable", notices: "writable", read: "writable", tell: "readonly", tour: "writable" };

module.exports = [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
    // A key that is taken out of an object, to get the others.
    rules: { "no-unused-vars": ["error", { ignoreRestSiblings: true }] },
  },
  { files: ["program/**"], languageOptions: { sourceType: "script", globals: shared } },
];
