// The keys of texts that one of the languages lacks, or that have other parameters in it.
(async () => {
  const { WORDS } = await import("./words.js");
  const names = [...document.scripts].map(script => script.getAttribute("src"));
  const sources = new Map();
  while (names.length) {
    const name = names.pop();
    const text = await (await fetch(name)).text();
    sources.set(name, text);
    names.push(...[...text.matchAll(/(?:from |import\()"\.\/(\w+\.js)"/g)].map(found => found[1]).filter(found => !sources.has(found)));
  }
  const asked = [...sources.values()].flatMap(text => [...text.matchAll(/\bsay\("([\w-]+)"/g)].map(found => found[1]));
  const written = [...document.querySelectorAll("[data-say], [data-label]")].map(({ dataset }) => dataset.say ?? dataset.label);
  const keys = new Set([...asked, ...written, ...Object.keys(WORDS.en), ...Object.keys(WORDS.ja)]);
  // A number of plies and who acts may be said otherwise in the other language.
  const isFree = name => ["plies", "distance", "color", "Color"].includes(name);
  const parameters = text => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(found => found[1]))].filter(name => !isFree(name)).sort().join();
  return [...keys].filter(key => !WORDS.en[key] || !WORDS.ja[key] || parameters(WORDS.en[key]) !== parameters(WORDS.ja[key]));
})()
