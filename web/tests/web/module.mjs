// Asks the module of the board page, as a page would: node module.mjs FOLDER QUESTIONS ANSWERS OPENINGS…
//
// A line of QUESTIONS is the game of a new brain, or a question: its name, its query and a language. A line of ANSWERS is the answer,
// that to a question with what was told on the way.
import { readFileSync, writeFileSync } from "node:fs";

const [folder, questions, answers, ...openings] = process.argv.slice(2);
const script = readFileSync(`${folder}/dovemate.js`).toString("base64");
const { Brain, initSync } = await import(`data:text/javascript;base64,${script}`);
initSync({ module: readFileSync(`${folder}/dovemate.wasm`) });

let brain;
const lines = [];
for (const line of readFileSync(questions, "utf8").trimEnd().split("\n")) {
    const question = JSON.parse(line);
    if (typeof question === "string") {
        brain = new Brain(question);
        lines.push(JSON.stringify(openings.map((file) => brain.know(readFileSync(file)))));
    } else {
        const told = [];
        const answer = brain.ask(...question, (text) => told.push(text));
        lines.push(JSON.stringify([answer, ...told]));
    }
}
writeFileSync(answers, lines.join("\n"));
