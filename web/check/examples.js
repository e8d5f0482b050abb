// The JSON examples of doc/interface.md as TypeScript, each with the type of its answer. Parts that an example leaves out, as
// "…" says, may be missing; keys that the documents do not have are errors.

const fs = require("node:fs");

/** The types of the answers by the headings of the page, and by a key that only one kind of example has. */
const BY_HEADING = {
  legal: "Answers['legal']", try: "Answers['try']", images: "documents.ImagesDocument", arrange: "Answers['arrange']",
  game: "GameAnswer", review: "documents.ReviewedStep", about: "Answers['about']",
};
const BY_KEY = {
  published: "documents.CountedDocument", self_test: "documents.ProgressDocument", longest: "documents.SolvedDocument", hands: "Answers['legal']",
  category: "documents.WorkloadDocument",
};

const lines = [
  "import type * as documents from \"../page/documents.d.ts\";",
  "import type { Answers, GameAnswer } from \"../page/types.d.ts\";",
  "type Part<T> = T extends object ? { [K in keyof T]?: Part<T[K]> } : T;",
];
let heading = "";
const text = fs.readFileSync(process.argv[2], "utf8");
for (const [, title, block] of text.matchAll(/^## `\/api\/(\w+)`|^```json\n([^]*?)^```/gm)) {
  if (title) heading = title;
  // Objects that begin a line are examples of their own.
  for (const example of (block ?? "").split(/^(?=\{)/m).filter(Boolean)) {
    const type = Object.entries(BY_KEY).find(([key]) => example.includes(`"${key}":`))?.[1] ?? BY_HEADING[heading];
    const whole = example.trim().replace(/,\s*…/g, "").replace(/…,\s*/g, "");
    lines.push(`export const example${lines.length}: Part<${type}> = ${whole};`);
  }
}
console.log(lines.join("\n"));
