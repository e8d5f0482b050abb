// What a tour looks at in the board page: names for its expressions, beside those that the modules of the page export.
globalThis.tour = (() => {
  const MODULES = ["brain", "game", "picture", "position", "session", "source", "state", "storage", "theme", "words"];
  /** @type {(selector: string) => any[]} */
  const all = selector => [...document.querySelectorAll(selector)];
  const focused = () => /** @type {HTMLElement} */ (document.activeElement);
  const boxOf = element => element.getBoundingClientRect();
  // An exported page has its modules under names in an import map, a served one has them beside itself.
  const module = name => import(document.querySelector("script[type=importmap]") ? name : new URL(name, location.href).href);
  const load = (...modules) => Promise.all(modules.map(name => module(`${name}.js`)));

  const names = {
    all,
    boxOf: selector => boxOf(document.querySelector(selector)),
    text: selector => document.querySelector(selector).textContent,
    texts: selector => all(selector).map(element => element.textContent),
    field: selector => document.querySelector(selector).value,
    styleOf: selector => getComputedStyle(document.querySelector(selector)),
    focus: selector => document.querySelector(selector).focus(),
    /** The id, the command or the setting of the focused element. */
    focused: () => (({ id, dataset }) => id || dataset.do || dataset.set)(focused()),
    cursor: () => focused().dataset.cell,
    /** The colour behind everything. */
    paper: () => ({ "rgb(251, 248, 241)": "light", "rgb(22, 24, 29)": "dark" })[getComputedStyle(document.body).backgroundColor],
    /** The name of the button for the colours, which shows an icon. */
    colours: () => document.getElementById("theme").getAttribute("aria-label"),
    /** What the buttons beside the board do. */
    beside: () => all("#beside button").map(button => button.dataset.do),
    /** Which of these parts are shown. */
    shown: (...parts) => parts.filter(part => all(part).some(element => element.checkVisibility() && boxOf(element).height > 0)),
    /** Whether all of the board is in the window. */
    isBoardInSight: () => (({ top, bottom }) => top >= 0 && bottom <= innerHeight + 1)(boxOf(document.getElementById("board"))),
    /** By how much the page is wider than the window. */
    beyond: () => (root => root.scrollWidth - root.clientWidth)(document.documentElement),
    areLoaded: images => all(images).every(image => image.naturalWidth > 0),
    sortedLines: text => [...new Set(text.trim().split("\n"))].sort(),

    /** A text in which a value is missing. */
    holes: () => document.body.innerText.match(/\{\w+\}|undefined|NaN|\[object/),

    /** Which parts (the message, the board, the buttons beside it, the rules) are not wholly in the window, or do not
        fit into the message that they are in. */
    outOfSight() {
      const parts = ["#turn", "#status", "#notice", "#board", "#beside", "#rules"].map(part => document.querySelector(part));
      const isHidden = element => {
        const part = boxOf(element);
        const room = element.closest(".message") ? boxOf(element.closest(".message")) : part;
        // A font may be higher than its line, above and below of which nothing is drawn.
        const [font] = element.getClientRects();
        const { display, lineHeight } = getComputedStyle(element);
        const spare = 1 + (display === "inline" ? Math.max(0, font.height - parseFloat(lineHeight)) / 2 : 0);
        const bottom = Math.min(innerHeight, room.bottom + spare);
        return part.top < Math.max(0, room.top - spare) || part.bottom > bottom || part.left < 0 || part.right > innerWidth;
      };
      const isThere = element => element.textContent.trim() || element.id === "board";
      return parts.filter(isThere).filter(isHidden).map(element => element.id);
    },

    /** How many cells of the board lie over a later one. */
    overlapping() {
      const cells = all(".place").map(boxOf);
      const isOver = (a, b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
      return cells.filter((a, index) => cells.slice(index + 1).some(b => isOver(a, b))).length;
    },

    /** What a screen reader meets that has no name. */
    nameless: () => all("button, select, input, textarea, a, img, [role=grid], ol")
      .filter(element => element.checkVisibility())
      .filter(({ textContent, alt, labels, ariaLabel }) => !(ariaLabel || textContent.trim() || alt || labels?.length))
      .map(element => element.outerHTML.slice(0, 90)),

    /** The number of fields with text so small that an iPhone would magnify the page. */
    smallFields: () => all("input[type=text], select, textarea").filter(field => parseFloat(getComputedStyle(field).fontSize) < 16).length,

    /** Records all changes of live regions from now on. */
    listen() {
      globalThis.read = [];
      const observer = new MutationObserver(changes => read.push(...changes));
      for (const region of all("[aria-live], [role=status]")) {
        observer.observe(region, { childList: true, subtree: true, characterData: true });
      }
    },

    /** Presses a key by an event with these properties. */
    pressed: event => document.body.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...event })),

    /** Pastes a text into a field, as a user does. */
    pasteInto(selector, text) {
      const field = document.querySelector(selector);
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      field.select();
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },

    /** The answer of a server that has found a bound. */
    boundedAnswer: async () => ({
      worth: { value: "win", plies: null, within: 11 }, searched_plies: 7, out_of_time: false,
      actions: [{ action: "+AE1", value: "win", plies: null, within: 11, source: "search" }],
    }),

    /** The first actions of a game, each drawn from those that do not end it. */
    async longGame(plies) {
      const [{ session }, { START, actionsOf, opponent }] = await load("session", "position");
      const texts = [];
      for (let place = { doves: START(), mover: "red", game: session.game }; texts.length < plies;) {
        const open = actionsOf(place).filter(({ outcome }) => outcome === "open");
        const action = open[(5 * texts.length + 2) % open.length];
        texts.push(action.text);
        place = { ...place, doves: action.after, mover: opponent(place.mover) };
      }
      return texts;
    },

    /** Begins from a position in which red has an action that lets green win; returns that action. */
    async beginWithRisk() {
      const [{ session }, { START, actionsOf, answerThatWins, opponent }] = await load("session", "position");
      for (let ply = 0, place = { doves: START(), mover: "red", game: session.game }; ply < 400; ply++) {
        const open = actionsOf(place).filter(({ outcome }) => outcome === "open");
        const risky = open.find(action => action.kind !== "return" && answerThatWins(place, action));
        if (place.mover === "red" && risky) {
          session.begin({ doves: place.doves, mover: "red" });
          return risky;
        }
        place = { ...place, doves: open[(7 * ply + 3) % open.length].after, mover: opponent(place.mover) };
      }
    },

    /** The answer to a question such as `legal?board=b;B`, from a thinker that only this function asks. */
    async askAnew(question) {
      const [{ Thinker }] = await load("brain");
      globalThis.fresh ??= new Thinker();
      const { pathname, searchParams } = new URL(question, "http://page");
      return fresh.ask(pathname.slice(1), Object.fromEntries(searchParams));
    },

    /** Limits the depth of all searches from now on. */
    async limitDepth(depth) {
      const [{ source }] = await load("source");
      const position = source.position.bind(source);
      source.position = (place, effort, signal) => position(place, { ...effort, depth }, signal);
    },

    /** The family of an action in the list, and the text beside it. */
    familyOf(action) {
      const { children } = document.querySelector(`[data-action='${action}']`).parentNode;
      return /** @type {HTMLElement[]} */ ([...children]).map(({ dataset, textContent }) => dataset.action ?? textContent).join();
    },

    /** Records all texts of the notice from now on, for `noticed`. */
    watchNotice() {
      globalThis.notices = new Set();
      const notice = document.getElementById("notice");
      new MutationObserver(() => notices.add(notice.textContent)).observe(notice, { childList: true, subtree: true, characterData: true });
    },
    noticed: () => [...notices, document.getElementById("notice").textContent].join("\n"),

    /** Clears the browser's storage, if there is any. */
    forget() {
      try { localStorage.clear(); } catch { /* It is switched off. */ }
    },

    /** A column of the table of a count, without its signs. */
    column: place => all(".count-table tbody tr").map(row => row.children[place].firstChild.data.replaceAll(",", "")),
    /** Whether the column beside the CPU's first count is the GPU's. */
    isByGpu: () => names.text(".count-table thead th:nth-child(3)").startsWith("GPU"),
    /** Whether a count has begun; if not, its button is clicked again, as may be needed on a slow machine. */
    isBegun(is) {
      const hasBegun = Boolean(is());
      if (!hasBegun) all("[data-do=count]")[0]?.click();
      return hasBegun;
    },
    isCountOver: () => names.isBegun(() => !document.querySelector("[data-do=stopCount]")),
    /** Whether the page asks before it is left. */
    asksToLeave() {
      const leaving = new Event("beforeunload", { cancelable: true });
      dispatchEvent(leaving);
      return leaving.defaultPrevented;
    },
    /** A text in which every space is an ordinary one. */
    plain: text => text.replaceAll("\u{a0}", " "),

    /** From now on, styles for paper only are for the screen, and the other way round. */
    swapPaperAndScreen() {
      const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]).filter(rule => rule instanceof CSSMediaRule);
      for (const { media } of rules) media.mediaText = { print: "screen", screen: "print" }[media.mediaText] ?? media.mediaText;
    },
  };
  return { names: async () => Object.assign({}, ...await load(...MODULES), names) };
})();
