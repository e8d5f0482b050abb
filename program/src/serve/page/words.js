// The words of the page, in English and Japanese. {name} stands for a parameter.

import { colorOf, kindOf } from "./rules.js";
import { keep, recall } from "./storage.js";

const ENGLISH = {
  title: "Tokyo Doves", language: "日本語", theme: "Colours", system: "Auto", light: "Light", dark: "Dark", analyse: "Analyse", play: "Play", puzzles: "Puzzles", setup: "Set up",
  board: "Board", boardHelp: "Arrow keys go from cell to cell, Enter takes up a dove or puts it down, Escape lets go of it.",
  red: "red", green: "green", Red: "Red", Green: "Green", hand: "In hand: {color}", none: "none", returnHere: "Return {dove} to the hand",
  toMove: "{Color} to move", over: "The game is over",
  boss: "Boss", aniki: "Aniki", yaibato: "Yaibato", mamedeppo: "Mamedeppo", totsu: "Totsu", hajike: "Hajike",
  dove: "{color} {kind} ({letter})", empty: "empty", cell: "{cell}: {content}", redBoss: "the red boss’s cell", chosen: "chosen", target: "can go here",
  values: "Show values", win: "win", draw: "draw", lose: "lose", winIn: "win in {plies}", loseIn: "lose in {plies}",
  noneWithin: "not known within {distance}", looking: "looking …", deepening: "searched {distance}, looking deeper",
  searched: "searched {distance}",
  verdictWin: "{Color} wins", verdictWinIn: "{Color} wins in {distance}", verdictLose: "{Color} loses", verdictLoseIn: "{Color} loses in {distance}",
  verdictDraw: "Draw with best play", verdictNone: "Neither wins within {distance}", verdictOver: "{Color} has won", verdictDrawn: "A draw: both bosses are surrounded",
  fromRules: "by the rules", fromSolved: "from the solved game", fromTables: "from the tables of the solved game", fromOpenings: "from the openings of the solved game", fromSearch: "proved by search", suggested: "Suggested, not proved: {action}", estimate: "{percent} % of the points expected: suggested, not proved",
  actions: "Actions, best first", bestLine: "Best line", playBest: "Play the best action",
  lineEnds: "The line goes on: ask again later for more.", lineNone: "No line is known yet.",
  legend: "▲ win and its plies, = draw, ? not known, ▼ loss and its plies; % is suggested, not proved",
  game: "Game", start: "Start", first: "To the start", back: "One action back", forward: "One action on", last: "To the end",
  copyGame: "Copy", pasteGame: "Paste", download: "Download", copied: "Copied.", cannotCopy: "The browser does not let the page copy: {text}",
  pasteHere: "Paste a game or a board here", take: "Take it", close: "Close",
  chart: "What each position was worth", chartNone: "The graph appears once two positions have values.", ply: "Ply {ply}: {worth} ({color} to move)",
  you: "You are", strength: "Strength", newGame: "New game", fromHere: "Play on from here", hint: "Hint", undo: "Undo", giveUp: "Give up",
  yourTurn: "Your turn.", thinking: "The machine is thinking …", machinePlays: "The machine plays {action}.", hintIs: "Hint: {action} ({worth})",
  youWon: "You have won. Well played!", youLost: "The machine has won.", nobodyWon: "A draw: both bosses are surrounded.", gaveUp: "You have given up: the machine wins.", otherGaveUp: "The other player has given up: you win.",
  repeated: "This position has come up three times: you may call it a draw.", callDraw: "Draw", drawRepeated: "A draw by repetition.", drawAgreed: "A draw by agreement.",
  stuck: "{Color} has no legal action.",
  novice: "Novice (sees {distance})", club: "Club (sees {distance})", perfect: "Perfect (as far as is known)",
  puzzlePlies: "Win in", onePly: "1 ply", manyPlies: "{plies} plies", puzzleDoves: "Doves", anyDoves: "any number", unique: "Only one solution", stop: "Stop", nextPuzzle: "Next puzzle", solution: "Solution", again: "Again",
  puzzleTask: "{Color} to move wins in {distance}.", drawing: "Drawing a puzzle …", noPuzzle: "No such puzzle was found; try another number of plies or doves.", right: "Right. {action} is the longest defence.",
  solved: "Solved!", wrong: "{action} does not win in time: {refutation} refutes it.", wrongPlain: "{action} does not win in time.", shown: "The solution: {line}",
  checking: "Checking …",
  setupHelp: "Choose a dove in a hand or on the board, then its cell; the next dove in the hand is chosen by itself. A dove put on a hand leaves the board.",
  clear: "Bosses only", startBoard: "Start of the game", swapColors: "Swap colours", turn: "Turn", mirror: "Mirror", shiftUp: "Shift up", shiftDown: "Shift down", shiftLeft: "Shift left", shiftRight: "Shift right",
  mover: "To move", text: "Board text", code: "u64", copy: "Copy", rules: "Rules", returns: "Doves may be returned", bothSurrounded: "Both bosses surrounded:",
  "mover-loses": "the player who acted loses", "mover-wins": "the player who acted wins", drawRule: "a draw", done: "Use this board", ready: "This is a board.",
  offline: "The server does not answer. The board works on; values come back with the server.", refused: "{error}",
  otherGame: "This page has only the values of a game with other doves or rules.",
  help: "How it works", helpText: "Put a dove from your hand beside your own doves (but not right beside the opposing boss), move one as its marks say, or return one. All doves stay within 4×4 and none stands alone. Where they reach across four cells there are walls. A player whose boss is shut in on all four sides, by doves or walls, loses. Cells are named from the red boss: +YN1E2 puts Y one up and two to the right of it, YE1 moves Y, -Y returns it (N up, S down, E right, W left). A ply is one player’s action.",
  missingBoss: "{dove} is missing: both bosses are always on the board.", tooLarge: "The doves take {rows} rows and {columns} columns: all must fit in 4×4.",
  isolated: "{dove} is isolated: every dove needs another one on one of its 8 neighbouring cells.",
  bossShut: "The {color} boss is surrounded: the game is over on this board.",
  notYours: "It is {color}’s turn.", earlier: "This is an earlier position: » leads to where the game goes on.", notInGame: "{dove} is not in this game.", inHand: "{dove} is in hand.", noReturns: "Doves may not be returned in this game.", bossStays: "A boss is never returned.",
  occupied: "{other} stands there.", moves: "{dove} does not move so: {way}.", inTheWay: "{dove} cannot pass over another dove.",
  touchesNone: "A dove is put on a cell that touches one of its own.", besideBoss: "No dove is put right beside the opposing boss.",
  wouldIsolate: "Isolated: {other} would have no neighbour.", wouldBeTooLarge: "All doves must fit in 4×4; they would take {rows} rows and {columns} columns.",
  wayB: "one step in any direction", wayA: "one step in any direction", wayY: "one step up, down, left or right", wayM: "one step diagonally",
  wayT: "any distance up, down, left or right", wayH: "a knight’s jump",
  tooManyRows: "There are {rows} rows; a board has at most 4.", unknownLetter: "Row {row}, column {column}: ‘{letter}’ is no dove.", tooManyColumns: "Row {row} has {columns} columns; a board has at most 4.",
  twice: "{dove} is there twice.", noCode: "This is no u64 of a board: it would have 16 hexadecimal digits.", noGame: "A game begins with ‘{title}’.", wrongLine: "Line {line}: ‘{word}’ is wrong there.",
  badAddress: "The address has no position that could be shown.",
};

const JAPANESE = {
  title: "トウキョウのハト", language: "English", theme: "配色", system: "自動", light: "明るい", dark: "暗い", analyse: "検討", play: "対局", puzzles: "詰め問題", setup: "盤面編集",
  board: "盤面", boardHelp: "矢印キーでマスを移動し、Enter でハトを選んで置きます。Escape で選択を解除します。",
  red: "赤", green: "緑", Red: "赤", Green: "緑", hand: "{color}の手札", none: "なし", returnHere: "{dove}を手札に戻す",
  toMove: "{Color}の手番", over: "終局",
  boss: "ボスハト", aniki: "アニキハト", yaibato: "ヤイバト", mamedeppo: "マメデッポウバト", totsu: "トツハト", hajike: "ハジケハト",
  dove: "{color}の{kind} ({letter})", empty: "空き", cell: "{cell}: {content}", redBoss: "赤のボスハトのマス", chosen: "選択中", target: "ここに動ける",
  values: "評価を表示", win: "勝ち", draw: "引き分け", lose: "負け", winIn: "{plies}手で勝ち", loseIn: "{plies}手で負け",
  noneWithin: "{plies}手以内では不明", looking: "調べています…", deepening: "{plies}手まで探索済み、さらに深く探索中",
  searched: "{plies}手まで探索済み",
  verdictWin: "{Color}の勝ち", verdictWinIn: "{Color}が{plies}手で勝ち", verdictLose: "{Color}の負け", verdictLoseIn: "{Color}は{plies}手で負け",
  verdictDraw: "双方最善で引き分け", verdictNone: "{plies}手以内に決着なし", verdictOver: "{Color}の勝ちで終局", verdictDrawn: "引き分け: 両方のボスハトが包囲されました",
  fromRules: "ルールにより", fromSolved: "解析済みの結果", fromTables: "解析済みの表", fromOpenings: "解析済みの序盤", fromSearch: "探索で証明", suggested: "推奨 (証明なし): {action}", estimate: "期待得点 {percent} %: 推奨であり証明ではない",
  actions: "指し手 (良い順)", bestLine: "最善手順", playBest: "最善手を指す",
  lineEnds: "手順は続きます。後でもう一度お試しください。", lineNone: "手順はまだ分かりません。",
  legend: "▲ 勝ちとその手数、= 引き分け、? 不明、▼ 負けとその手数。% は推奨で証明ではない",
  game: "棋譜", start: "開始", first: "最初へ", back: "一手戻る", forward: "一手進む", last: "最後へ",
  copyGame: "コピー", pasteGame: "貼り付け", download: "保存", copied: "コピーしました。", cannotCopy: "ブラウザがコピーを許可しません: {text}",
  pasteHere: "棋譜か盤面をここに貼り付けてください", take: "読み込む", close: "閉じる",
  chart: "各局面の評価", chartNone: "二つ以上の局面に評価が付くとグラフが出ます。", ply: "{ply}手後: {worth} ({color}の手番)",
  you: "あなたは", strength: "強さ", newGame: "新しい対局", fromHere: "この局面から対局", hint: "ヒント", undo: "待った", giveUp: "投了",
  yourTurn: "あなたの手番です。", thinking: "考えています…", machinePlays: "相手の手: {action}。", hintIs: "ヒント: {action} ({worth})",
  youWon: "あなたの勝ちです。お見事!", youLost: "相手の勝ちです。", nobodyWon: "引き分け: 両方のボスハトが包囲されました。", gaveUp: "投了しました。相手の勝ちです。", otherGaveUp: "相手が投了しました。あなたの勝ちです。",
  repeated: "同じ局面が三回現れました。引き分けにできます。", callDraw: "引き分けにする", drawRepeated: "千日手で引き分け。", drawAgreed: "合意により引き分け。",
  stuck: "{Color}には合法手がありません。",
  novice: "入門 ({plies}手読み)", club: "中級 ({plies}手読み)", perfect: "完全 (分かる限り最善)",
  puzzlePlies: "手数", onePly: "1手", manyPlies: "{plies}手", puzzleDoves: "ハトの数", anyDoves: "いくつでも", unique: "解が一つだけ", stop: "中止", nextPuzzle: "次の問題", solution: "解答", again: "もう一度",
  puzzleTask: "{Color}の手番、{plies}手で勝ち。", drawing: "問題を作っています…", noPuzzle: "この条件の問題は見つかりませんでした。手数かハトの数を変えてください。", right: "正解。{action} が最長の受けです。",
  solved: "解けました!", wrong: "{action} では間に合いません: {refutation} で防がれます。", wrongPlain: "{action} では間に合いません。", shown: "解答: {line}",
  checking: "確認しています…",
  setupHelp: "手札か盤上のハトを選び、置くマスを選びます。置くと手札の次のハトが選ばれます。手札に置くと盤から外れます。",
  clear: "ボスだけ", startBoard: "開始局面", swapColors: "色を交換", turn: "回転", mirror: "反転", shiftUp: "上へ", shiftDown: "下へ", shiftLeft: "左へ", shiftRight: "右へ",
  mover: "手番", text: "盤面の文字列", code: "u64", copy: "コピー", rules: "ルール", returns: "手札に戻せる", bothSurrounded: "両ボス同時包囲:",
  "mover-loses": "指した側の負け", "mover-wins": "指した側の勝ち", drawRule: "引き分け", done: "この盤面を使う", ready: "正しい盤面です。",
  offline: "サーバーが応答しません。盤面は使えます。サーバーが戻れば評価も戻ります。", refused: "{error}",
  otherGame: "このページには、ハトの組かルールが違うゲームの評価しかありません。",
  help: "遊び方", helpText: "手札のハトを自分のハトの周り八マスに置く (相手のボスハトの上下左右は不可)、ハトを印の通りに動かす、または手札に戻す、のどれかを一手で行います。全てのハトは 4×4 に収まり、孤立してはいけません。四マスに広がった向きには両端に壁ができます。ボスハトの四方をハトか壁で塞がれた側の負けです。マスは赤のボスハトから数えます: +YN1E2 は上に一つ右に二つのマスに Y を置く手、YE1 は Y を動かす手、-Y は戻す手です (N 上、S 下、E 右、W 左)。",
  missingBoss: "{dove}がいません。ボスハトは必ず盤上にいます。", tooLarge: "縦{rows}マス横{columns}マスになっています。4×4 に収めてください。",
  isolated: "{dove}が孤立しています。周り八マスのどこかに別のハトが必要です。",
  bossShut: "{color}のボスハトが包囲されていて、終局した盤面です。",
  notYours: "{color}の手番です。", earlier: "前の局面を表示しています。» で続きの局面へ進みます。", notInGame: "{dove}はこの対局では使いません。", inHand: "{dove}は手札にあります。", noReturns: "この対局では手札に戻せません。", bossStays: "ボスハトは手札に戻せません。",
  occupied: "そこには{other}がいます。", moves: "{dove}はそのように動けません: {way}。", inTheWay: "{dove}は他のハトを飛び越せません。",
  touchesNone: "ハトは自分のハトの周りに置きます。", besideBoss: "相手のボスハトの上下左右には置けません。",
  wouldIsolate: "孤立: {other}の周りにハトがいなくなります。", wouldBeTooLarge: "4×4 に収まりません: 縦{rows}横{columns}になります。",
  wayB: "八方向に一歩", wayA: "八方向に一歩", wayY: "上下左右に一歩", wayM: "斜めに一歩",
  wayT: "上下左右に何マスでも", wayH: "桂馬跳び (八方向)",
  tooManyRows: "{rows}行あります。盤面は4行までです。", unknownLetter: "{row}行{column}列: 「{letter}」はハトではありません。", tooManyColumns: "{row}行目に{columns}列あります。4列までです。",
  twice: "{dove}が二羽います。", noCode: "盤面の u64 (16桁の十六進数) ではありません。", noGame: "棋譜は「{title}」で始まります。", wrongLine: "{line}行目の「{word}」が正しくありません。",
  badAddress: "アドレスに表示できる局面がありません。",
};

export const WORDS = { en: ENGLISH, ja: JAPANESE };

let language = recall("language", Object.keys(WORDS)) ?? (navigator.language.startsWith("ja") ? "ja" : "en");

export const currentLanguage = () => language;

/** Changes to the other language. */
export function changeLanguage() {
  language = language === "en" ? "ja" : "en";
  keep("language", language);
}

/** The kinds' names, as keys of words and in the ids of their pictures. */
export const NAMES = { B: "boss", A: "aniki", Y: "yaibato", M: "mamedeppo", T: "totsu", H: "hajike" };

/** A word or a sentence; among the parameters, colours, letters of doves and errors that are keys are translated. */
export function say(key, parameters = {}) {
  const replaced = (match, name) => {
    if (name === "distance") return pliesText(parameters.plies);
    if (name === "Color") return say(parameters.color === "red" ? "Red" : "Green");
    if (name === "color") return say(parameters.color);
    if (name === "dove" || name === "other") return name in parameters ? nameOf(parameters[name]) : match;
    if (name === "error") return say(parameters.error);
    if (name === "way") return say(`way${parameters.dove.toUpperCase()}`);
    return parameters[name] ?? match;
  };
  const text = (WORDS[language][key] ?? key).replace(/\{(\w+)\}/g, replaced);
  // A sentence may begin with the name of a dove.
  return WORDS[language][key]?.startsWith("{") ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** The name of a dove: the red Aniki (A). */
export function nameOf(letter) {
  const text = WORDS[language].dove.replace("{color}", say(colorOf(letter))).replace("{kind}", say(NAMES[kindOf(letter)]));
  return text.replace("{letter}", letter);
}

/** A number of plies. */
export const pliesText = plies => say(Number(plies) === 1 ? "onePly" : "manyPlies", { plies });

/** A value in words. */
export function worthText({ value, plies }) {
  if (value === "none") return say("noneWithin", { plies });
  if (value === "draw" || plies === null) return say(value);
  return say(value === "win" ? "winIn" : "loseIn", { plies });
}

/** A value in a few signs, which can be read without colour. */
export function worthSign({ value, plies }) {
  return { win: "▲", lose: "▼", draw: "=", none: "?" }[value] + (value === "win" || value === "lose" ? plies ?? "" : "");
}
