// The words of the page, in English and Japanese. {name} stands for a parameter.

import { colorOf, kindOf } from "./doves.js";
import { keep, recall } from "./storage.js";

const ENGLISH = {
  title: "Tokyo Doves", language: "日本語", theme: "Colours", system: "Auto", light: "Light", dark: "Dark", analyse: "Analyse", play: "Play", puzzles: "Puzzles", setup: "Set up",
  board: "Board", boardHelp: "Arrow keys go from cell to cell, Enter takes up a dove or puts it down, Escape lets go of it. Elsewhere, the left and right arrow keys step through the game. The space bar plays the best action.",
  red: "red", green: "green", Red: "Red", Green: "Green", hand: "In hand: {color}", none: "none", returnHere: "Return {dove} to the hand",
  toMove: "{Color} to move", over: "The game is over",
  boss: "Boss", aniki: "Aniki", yaibato: "Yaibato", mamedeppo: "Mamedeppo", totsu: "Totsu", hajike: "Hajike",
  dove: "{color} {kind} ({letter})", empty: "empty", cell: "{cell}: {content}", redBoss: "the red boss’s cell", chosen: "chosen", target: "can go here",
  values: "Values", win: "win", draw: "draw", lose: "lose", winIn: "win in {plies}", loseIn: "lose in {plies}", winWithin: "win, within {distance}", loseWithin: "lose, within {distance}",
  noneWithin: "neither wins within {distance}", looking: "looking …", deepening: "searched {distance}, looking deeper",
  searched: "searched {distance}",
  verdictWin: "{Color} wins", verdictWinIn: "{Color} wins in {distance}", verdictLose: "{Color} loses", verdictLoseIn: "{Color} loses in {distance}", verdictWinWithin: "{Color} wins, within {distance}", verdictLoseWithin: "{Color} loses, within {distance}",
  verdictDraw: "Draw with best play", verdictAllDraw: "Draw: every action keeps it", verdictNone: "Neither wins within {distance}", verdictOver: "{Color} has won", verdictDrawn: "A draw: both bosses are surrounded",
  fromRules: "by the rules", fromSolved: "from the solved game", fromTables: "from the tables of the solved game", fromOpenings: "from the openings of the solved game", fromSearch: "proved by search", suggested: "Suggested, not proved: {action}", estimate: "{percent} % of the points expected: an estimate, not proved",
  actions: "Actions, best first", bestLine: "Best line", playBest: "Play the best action",
  lineEnds: "The line goes on: ask again later for more.", lineNone: "No line is known yet.",
  legend: "▲ win and its plies (≤ at most), = draw, ? not known, ▼ loss and its plies; 4/27: of 27 answers, 4 keep the value; % is an estimate",
  game: "Game", start: "Start", first: "To the start", back: "One action back", forward: "One action on", last: "To the end",
  copyGame: "Copy", pasteGame: "Paste", download: "Download", copied: "Copied.", cannotCopy: "The browser does not let the page copy: {text}",
  pasteHere: "Paste a game or a board here", take: "Take it", close: "Close",
  chart: "What each position was worth", chartNone: "The graph appears once two positions have values.", ply: "After ply {ply}: {worth} for {color}, who is to move",
  you: "You are", strength: "Strength", newGame: "New game", fromHere: "Play on from here", hint: "Hint", undo: "Undo", giveUp: "Give up",
  yourTurn: "Your turn.", thinking: "The machine is thinking …", machinePlays: "The machine plays {action}.", hintIs: "Hint: {action} ({worth})",
  youWon: "You have won. Well played!", youLost: "The machine has won.", nobodyWon: "A draw: both bosses are surrounded.", gaveUp: "You have given up: the machine wins.", otherGaveUp: "The other player has given up: you win.",
  repeated: "This position has come up three times: you may call it a draw.", callDraw: "Draw", drawRepeated: "A draw by repetition.", drawAgreed: "A draw by agreement.",
  stuck: "{Color} has no legal action.",
  beginner: "First games (overlooks things)", novice: "Novice (sees {distance})", club: "Club (sees {distance})", strongest: "Strongest",
  puzzlePlies: "Win in", onePly: "1 ply", manyPlies: "{plies} plies", puzzleDoves: "Doves", anyDoves: "any number", unique: "Only one solution", stop: "Stop", nextPuzzle: "Next puzzle", solution: "Solution", again: "Again",
  puzzleTask: "{Color} to move wins in {distance}.", drawing: "Drawing a puzzle …", noPuzzle: "No such puzzle was found; try another number of plies or doves.", right: "Right. {action} is the longest defence.",
  solved: "Solved!", wrong: "{action} does not win in time: {refutation} refutes it.", wrongPlain: "{action} does not win in time.", shown: "The solution: {line}",
  checking: "Checking …",
  setupHelp: "Choose a dove in a hand or on the board, then its cell; the next dove in the hand is chosen by itself. A dove in the way is replaced. A dove put on a hand leaves the board.",
  clear: "Bosses only", startBoard: "Start of the game", swapColors: "Swap colours", turn: "Turn", mirror: "Mirror", shiftUp: "Shift up", shiftDown: "Shift down", shiftLeft: "Shift left", shiftRight: "Shift right",
  mover: "To move:", text: "Board text", code: "u64", copy: "Copy", rules: "Rules", returns: "Doves may be returned", bothSurrounded: "Both bosses surrounded:",
  "mover-loses": "the player who acted loses", "mover-wins": "the player who acted wins", drawRule: "a draw", done: "Use this board", ready: "This is a board.",
  refused: "{error}",
  serverGone: "The server does not answer any more: the page goes on by itself.", serverBack: "The server is back.", failed: "The library in this page has failed, and begins anew.", solving: "solving the game: round {round} …",
  bossShut: "The {color} boss is surrounded: the game is over on this board.",
  notYours: "It is {color}’s turn.", earlier: "This is an earlier position: » leads to where the game goes on.",
  wayB: "one step in any direction", wayA: "one step in any direction", wayY: "one step up, down, left or right", wayM: "one step diagonally",
  wayT: "any distance up, down, left or right", wayH: "a knight’s jump",
  badAddress: "The address has no position that could be shown.",
  learn: "Learn",
  warn: "Warn",
  wall: "wall",
  takeBack: "Undo",
  about: "{dove}: {way}.",
  winsAtOnce: "wins at once",
  losesAtOnce: "loses at once",
  wallsEnds: "There are walls above and below the doves.",
  wallsSides: "There are walls left and right of the doves.",
  wallsNone: "There are no walls.",
  surroundedBy: "The {color} boss is surrounded: {sides}.",
  surroundedOwn: "{Color} has surrounded its own boss: {sides}.",
  sides: "above {above}, left {left}, right {right}, below {below}",
  illegalAction: "The address has {action} as action {ply}, which is not legal there: what follows is left out.",
  begun: "A new game has begun.",
  offerDraw: "Offer a draw",
  agreeDraw: "Agree to a draw",
  offers: "It offers a draw.",
  declines: "The machine declines the draw.",
  review: "Review",
  endingResigned: "{Color} wins: the other player gave up.",
  otherLines: "Other lines:",
  share: "Copy address",
  savePicture: "Save picture",
  nextMistake: "Next mistake",
  reviewed: "Actions that gave something away: {mistakes}.",
  noMistakes: "No action is known to have given anything away.",
  reviewOpen: "Not known yet: {open}.",
  kept: "as good as any",
  better: "there was better: {missed}",
  allowed: "let the opponent win; instead, {missed}",
  colon: ": ",
  lostDraw: "lost the draw: {missed}",
  lostWin: "lost the win: {missed}",
  waysDraw: "{ways} of {answers} answers hold the draw",
  waysLose: "{ways} of {answers} answers keep the win",
  grade: "Difficulty {stars}, first actions that look good: {promising}",
  wrongOwn: "{action} surrounds your own boss.",
  wrongBoth: "{action} surrounds both bosses: a draw.",
  wrongLets: "{action} lets {color} win in {distance}: {refutation}.",
  wrongSlow: "{action} wins too late: {color} holds out for {distance} with {refutation}.",
  replaced: "{letter} has replaced {there}.",
  undoEdit: "Undo",
  rulesLine: "{doves} · {returns} · both bosses surrounded: {both}",
  rulesEach: "{doves} each",
  rulesSplit: "red {red}, green {green}",
  bossesOnly: "bosses only",
  withReturns: "doves may be returned",
  withoutReturns: "no returns",
  learnTitle: "The game in two minutes",
  learnGoal: "Two players, red and green, put and move their doves. You win by surrounding the other boss on all four sides.",
  learnPlay: "Play a game",
  learnPuzzle: "Solve puzzles",
  learnDoves: "The six doves",
  learnPutTitle: "Put a dove",
  learnPutText: "At the start, only the bosses are on the board. On your turn you may put a dove from your hand on an empty cell that touches one of your own doves, also diagonally – but not right beside the opposing boss. Red may use the cells with dots.",
  learnMoveTitle: "Move a dove",
  learnMoveText: "Or you move a dove on the board, as its marks show, to an empty cell. You cannot pass, and nothing is captured.",
  learnReturnTitle: "Return a dove",
  learnReturnText: "Or you return a dove other than the boss to your hand, if the rules of the game allow it.",
  learnIsolatedTitle: "Nobody stands alone",
  learnIsolatedText: "After every action, each dove must have another one, of either colour, on one of its eight neighbouring cells. The Yaibato may not go right: the ringed dove would be isolated.",
  learnWallsTitle: "Four by four, and walls",
  learnWallsText: "The board has no edge of its own, but all doves must fit in 4×4 cells. Where they reach across four cells, there are walls at both ends.",
  learnSurroundTitle: "Surrounding",
  learnSurroundText: "A boss is surrounded when each of its four sides is closed, by a dove of either colour or by a wall. Whoever has a surrounded boss loses, also by their own action. If one action surrounds both, the player who took it loses, unless the rules say otherwise.",
  learnActTitle: "On this page",
  learnActText: "Red begins. Choose a dove, in your hand or on the board, then one of the cells that light up; or drag it there. If your hand lights up, the dove can be returned to it.",
  learnDrawTitle: "Draws",
  learnDrawText: "When a position has come up three times, it may be called a draw; players may also agree to one.",
  learnCellsTitle: "Names of cells",
  learnCellsText: "Cells are named from the red boss: N up, S down, E right, W left. +YN1E2 puts Y one up and two to the right of it, YE1 moves Y there, -Y returns it. A ply is one player’s action.",
  learnMarks: "The marks of this page",
  markTarget: "the dove can go there",
  markLoses: "loses at once: it surrounds your own boss (“Warn” below the board turns this off)",
  markWins: "wins at once",
  markWin: "the player who acts wins in 5 plies",
  markDraw: "a draw with best play",
  markLoss: "the player who acts loses in 4 plies",
  markWithin: "wins in 9 plies at most: the shortest win is not known yet",
  markNone: "not known yet",
  markEstimate: "points expected: an estimate, not proved. 4/27: of 27 answers, 4 hold the draw",
  markLast: "the last action: a put, a return; an arrow is a move",
  markClosed: "a closed side of a surrounded boss",
  "mark-kept": "in a review: as good as any",
  "mark-better": "in a review: there was a quicker win, or a slower loss",
  "mark-allowed": "in a review: let the opponent win, where another action would not have lost so soon",
  "mark-lostDraw": "in a review: lost a draw",
  "mark-lostWin": "in a review: lost a win",
  count: "Count",
  countTitle: "Count all mates",
  countLead: "A mate is a position in which every action that does not lose at once lets the opponent win at once. This page counts them all, and other positions by other rules, in your browser.",
  countWhat: "Count",
  "count-mates": "mates",
  "count-wins": "wins in one",
  "count-stuck": "positions without a legal action",
  countLookingCpu: "The CPU is counting …",
  countedByCpu: "{total} {what}, counted on the CPU in {seconds} s by {workers} workers, shape by shape.",
  countPublished: "This is the published figure.",
  countUnpublished: "No figure is published for this.",
  countContradicts: "This contradicts the published figure, {published}.",
  countCsv: "Save as CSV",
  countShapes: "Shapes with the most positions",
  countGpuTitle: "The long way, on your GPU",
  countGpuLead: "The CPU takes a shortcut. A GPU tests all {assignments} assignments of doves, one by one, and each of its counts is compared with the CPU’s.",
  countNoHost: "What a GPU needs to count comes from the server, which does not answer.",
  countGpuOnly: "The GPU counts the mates of the whole game by the rules of this page.",
  countDoves: "Doves",
  countStart: "Count",
  countLooking: "Looking for a GPU …",
  countOpening: "The GPU is opened, and tested by known answers …",
  countRunning: "Counting on {card} …",
  countRunningLeft: "Counting on {card}: {percent} %, about {seconds} s left",
  countStopped: "Stopped: no count has been completed.",
  countDone: "{total} mates, counted on {card} in {seconds} s. It agrees with the CPU on all {placements} boss placements.",
  countWrong: "Contradiction: {error} Nothing that {card} has counted is shown.",
  countCutShort: "{error} Before that, {card} agreed with the CPU on {placements} boss placements; the CPU’s count stands.",
  countDiffers: "On the boss placement {placement} the GPU counts {found}, the CPU {expected}.",
  countSelfTest: "The self-test ‘{test}’ has a wrong result.",
  countUndecided: "Part of a batch is marked as done, with {decided} of {items} items decided.",
  countUndone: "{undone} of {slices} parts of a batch were not done: the system has ended the work early.",
  countLost: "The GPU was lost: {error}.",
  countDriver: "The driver reports: {error}.",
  countTimeout: "A batch was not finished after {seconds} seconds.",
  countNoWebGpu: "This browser has no WebGPU, so there is only the CPU’s count.",
  countNotSecure: "Browsers offer WebGPU only on https, on localhost and in files, so on this address there is only the CPU’s count.",
  countNoAdapter: "The browser offers no GPU to this page, so there is only the CPU’s count.",
  countLimit: "The GPU offers {limit} = {offered}, and {needed} is needed, so there is only the CPU’s count.",
  countNoDevice: "The GPU cannot be opened: {error}.",
  countCpu: "CPU",
  countGpu: "GPU",
  countTotal: "Total",
  countCopy: "Copy for an issue",
  countPrivate: "All of this happens in your browser. Nothing leaves the machine unless you copy it.",
};

const JAPANESE = {
  title: "トウキョウのハト", language: "English", theme: "配色", system: "自動", light: "ライト", dark: "ダーク", analyse: "検討", play: "対局", puzzles: "問題", setup: "盤面編集",
  board: "盤面", boardHelp: "矢印キーでマスを移動し、Enter でハトを選んで置きます。Escape で選択を解除します。盤の外では左右の矢印キーで棋譜を進み、スペースキーで最善手を指します。",
  red: "赤", green: "緑", Red: "赤", Green: "緑", hand: "{color}の手札", none: "なし", returnHere: "{dove}を手札に戻す",
  toMove: "{Color}の手番", over: "終局",
  boss: "ボスハト", aniki: "アニキハト", yaibato: "ヤイバト", mamedeppo: "マメデッポウバト", totsu: "トツハト", hajike: "ハジケハト",
  dove: "{color}の{kind}（{letter}）", empty: "空き", cell: "{cell}：{content}", redBoss: "赤のボスハトのマス", chosen: "選択中", target: "ここに指せる",
  values: "評価", win: "勝ち", draw: "引き分け", lose: "負け", winIn: "{plies}手で勝ち", loseIn: "{plies}手で負け", winWithin: "勝ち（{distance}以内）", loseWithin: "負け（{distance}以内）",
  noneWithin: "{plies}手以内に勝ち負けなし", looking: "調べています…", deepening: "{plies}手まで探索済み。さらに深く探索中",
  searched: "{plies}手まで探索済み",
  verdictWin: "{Color}の勝ち", verdictWinIn: "{Color}が{plies}手で勝ち", verdictLose: "{Color}の負け", verdictLoseIn: "{Color}は{plies}手で負け", verdictWinWithin: "{Color}の勝ち（{distance}以内）", verdictLoseWithin: "{Color}の負け（{distance}以内）",
  verdictDraw: "双方最善で引き分け", verdictAllDraw: "どの手でも引き分け", verdictNone: "{plies}手以内に勝ち負けなし", verdictOver: "{Color}の勝ちで終局", verdictDrawn: "引き分け：両方のボスハトが囲まれました",
  fromRules: "ルール上確定", fromSolved: "完全解析による", fromTables: "完全解析の表による", fromOpenings: "完全解析の序盤データによる", fromSearch: "探索で証明済み", suggested: "おすすめの手（証明はされていません）：{action}", estimate: "期待得点の目安 {percent}%（推定）",
  actions: "指し手（良い順）", bestLine: "最善の手順", playBest: "最善手を指す",
  lineEnds: "手順は続きます。後でもう一度お試しください。", lineNone: "手順はまだ分かりません。",
  legend: "▲ 勝ちとその手数（≤ はその手数以内）、= 引き分け、? 不明、▼ 負けとその手数。4/27 は27通りの応手のうち4通りが値を保つこと。％は推定値です",
  game: "棋譜", start: "初期配置", first: "最初へ", back: "1手戻る", forward: "1手進む", last: "最後へ",
  copyGame: "コピー", pasteGame: "貼り付け", download: "保存", copied: "コピーしました。", cannotCopy: "ブラウザーがコピーを許可しません：{text}",
  pasteHere: "棋譜か盤面をここに貼り付けてください", take: "読み込む", close: "閉じる",
  chart: "各局面の評価", chartNone: "2つ以上の局面に評価が付くとグラフが出ます。", ply: "{ply}手目：{color}の手番で{worth}",
  you: "あなたの色（赤＝先手）", strength: "強さ", newGame: "新しい対局", fromHere: "この局面から対局", hint: "ヒント", undo: "待った", giveUp: "投了",
  yourTurn: "あなたの手番です。", thinking: "コンピューターが考えています…", machinePlays: "コンピューターの手：{action}。", hintIs: "ヒント：{action}（{worth}）",
  youWon: "あなたの勝ちです。お見事！", youLost: "コンピューターの勝ちです。", nobodyWon: "引き分けです。両方のボスハトが囲まれました。", gaveUp: "投了しました。コンピューターの勝ちです。", otherGaveUp: "相手が投了しました。あなたの勝ちです。",
  repeated: "この局面は3回目です（千日手）。引き分けにできます。", callDraw: "引き分けにする", drawRepeated: "千日手で引き分けです。", drawAgreed: "合意により引き分けです。",
  stuck: "{Color}には合法手がありません。",
  beginner: "入門（見落としあり）", novice: "初級（{plies}手読み）", club: "中級（{plies}手読み）", strongest: "最強",
  puzzlePlies: "手数", onePly: "1手", manyPlies: "{plies}手", puzzleDoves: "ハトの数", anyDoves: "いくつでも", unique: "正解が1つだけの問題", stop: "中止", nextPuzzle: "次の問題", solution: "解答", again: "もう一度",
  puzzleTask: "{Color}の手番。{plies}手で勝ってください。", drawing: "問題を作っています…", noPuzzle: "この条件の問題は見つかりませんでした。手数かハトの数を変えてください。", right: "正解！ 相手は {action} で最も長く粘ります。",
  solved: "正解です！", wrong: "{action} では{plies}手で勝てません。{refutation} と受けられます。", wrongPlain: "{action} では{plies}手で勝てません。", shown: "解答：{line}",
  checking: "確認しています…",
  setupHelp: "手札か盤上のハトを選び、置くマスを選びます。置くと、手札の次のハトが自動で選ばれます。そのマスにいたハトは置き換えられます。手札に置くと盤から外れます。",
  clear: "ボスハトだけ", startBoard: "初期配置", swapColors: "赤と緑を入れ替え", turn: "回転", mirror: "左右反転", shiftUp: "上へ", shiftDown: "下へ", shiftLeft: "左へ", shiftRight: "右へ",
  mover: "手番：", text: "盤面の文字列", code: "数値コード（u64）", copy: "コピー", rules: "ルール", returns: "「ハトを戻す」あり", bothSurrounded: "同時囲いの裁定：",
  "mover-loses": "指した側の負け", "mover-wins": "指した側の勝ち", drawRule: "引き分け", done: "この盤面を使う", ready: "正しい盤面です。",
  refused: "{error}",
  serverGone: "サーバーが応答しません。このページだけで続けます。", serverBack: "サーバーが復旧しました。", failed: "ページ内のプログラムで障害が起きたため、初めからやり直します。", solving: "ゲームを解いています（{round}巡目）…",
  bossShut: "{color}のボスハトが囲まれています（終局した盤面です）。",
  notYours: "{color}の手番です。", earlier: "途中の局面です。» で最新の局面に進みます。",
  wayB: "周囲8マス", wayA: "周囲8マス", wayY: "上下左右に1マス", wayM: "斜めに1マス",
  wayT: "上下左右に何マスでも", wayH: "桂馬跳び（8方向）",
  badAddress: "アドレスから局面を読み取れませんでした。",
  learn: "学ぶ",
  warn: "警告",
  wall: "壁",
  takeBack: "元に戻す",
  about: "{dove}：{way}。",
  winsAtOnce: "指すと勝ち",
  losesAtOnce: "指すと負け",
  wallsEnds: "上下に壁があります。",
  wallsSides: "左右に壁があります。",
  wallsNone: "壁はありません。",
  surroundedBy: "{color}のボスハトが囲まれました（{sides}）。",
  surroundedOwn: "{Color}が自分のボスハトを囲んでしまいました（{sides}）。",
  sides: "上＝{above}、左＝{left}、右＝{right}、下＝{below}",
  illegalAction: "アドレスの{ply}手目 {action} は指せない手です。以降は省きました。",
  begun: "新しい対局を始めました。",
  offerDraw: "引き分けを提案",
  agreeDraw: "引き分けに応じる",
  offers: "引き分けの提案があります。",
  declines: "コンピューターは引き分けに応じません。",
  review: "振り返る",
  endingResigned: "{Color}の勝ちです（相手の投了）。",
  otherLines: "別の手順：",
  share: "アドレスをコピー",
  savePicture: "画像を保存",
  nextMistake: "次の疑問手",
  reviewed: "損をした手：{mistakes}回。",
  noMistakes: "損をした手は見つかっていません。",
  reviewOpen: "未判定：{open}手。",
  kept: "最善と同じ",
  better: "より良い手がありました（{missed}）",
  allowed: "相手に勝ちを許しました（ほかの手なら {missed}）",
  colon: "：",
  lostDraw: "引き分けを逃しました（{missed}）",
  lostWin: "勝ちを逃しました（{missed}）",
  waysDraw: "{answers}通りの応手のうち{ways}通りが引き分けを保つ",
  waysLose: "{answers}通りの応手のうち{ways}通りが勝ちを保つ",
  grade: "難しさ {stars}（良さそうに見える初手は{promising}通り）",
  wrongOwn: "{action} は自分のボスハトを囲む手です。",
  wrongBoth: "{action} は両方のボスハトを囲み、引き分けになります。",
  wrongLets: "{action} では{color}が{plies}手で勝ちます（{refutation}）。",
  wrongSlow: "{action} では遅すぎます。{color}は {refutation} で{plies}手粘ります。",
  replaced: "{there} を {letter} に置き換えました。",
  undoEdit: "元に戻す",
  rulesLine: "{doves}・{returns}・同時囲い：{both}",
  rulesEach: "両者 {doves}",
  rulesSplit: "赤 {red}、緑 {green}",
  bossesOnly: "ボスハトだけ",
  withReturns: "「ハトを戻す」あり",
  withoutReturns: "「ハトを戻す」なし",
  learnTitle: "2分で分かる遊び方",
  learnGoal: "赤と緑の2人が、ハトを出したり動かしたりします。相手のボスハトの上下左右をふさげば勝ちです。",
  learnPlay: "対局する",
  learnPuzzle: "問題を解く",
  learnDoves: "6種類のハト",
  learnPutTitle: "ハトを出す",
  learnPutText: "最初はボスハトだけが盤上にいます。手番では、手札のハトを、自分のハトと辺か角で接する空きマスに出せます。ただし、相手のボスハトの上下左右には出せません。図の点は赤が出せるマスです。",
  learnMoveTitle: "ハトを動かす",
  learnMoveText: "または、盤上のハトを、印のとおりに空きマスへ動かします。パスはできません。ハトを取ることもありません。",
  learnReturnTitle: "ハトを戻す",
  learnReturnText: "または、ボスハト以外のハトを手札に戻します（「ハトを戻す」ありのルールのとき）。",
  learnIsolatedTitle: "孤立させない",
  learnIsolatedText: "どの手のあとも、すべてのハトの周囲8マスに、色を問わず別のハトがいなければなりません。図のヤイバトは右へ動けません。輪の付いたハトが孤立するからです。",
  learnWallsTitle: "4×4マスと壁",
  learnWallsText: "盤に決まった端はありませんが、すべてのハトが4×4マスに収まらなければなりません。縦か横の幅が4マスになると、その両端に壁ができます。",
  learnSurroundTitle: "囲む",
  learnSurroundText: "ボスハトの上下左右が、ハト（色は問わない）か壁ですべてふさがると、囲まれたことになり、負けです。自分の手で囲んでしまっても負けです。1手で両方が囲まれたときは、ルールで別に決めていなければ、指した側の負けです。",
  learnActTitle: "このページでの指し方",
  learnActText: "赤が先手です。手札か盤上のハトを選び、光ったマスを選ぶと指せます（ドラッグでも指せます）。手札が光ったときは、そのハトを戻せます。",
  learnDrawTitle: "引き分け",
  learnDrawText: "同じ局面が3回現れたら引き分けにできます（千日手）。合意による引き分けもあります。",
  learnCellsTitle: "マスの呼び方",
  learnCellsText: "マスは赤のボスハトから数えます（N 上、S 下、E 右、W 左）。+YN1E2 は上に1つ、右に2つのマスに Y を出す手、YE1 は Y をそこへ動かす手、-Y は戻す手です。手数は、1人が1回指すごとに1手と数えます。",
  learnMarks: "このページの印",
  markTarget: "そこに指せます",
  markLoses: "指すとすぐ負け（自分のボスハトを囲む手）。盤の下の「警告」で消せます",
  markWins: "指すとすぐ勝ち",
  markWin: "指す側が5手で勝ち",
  markDraw: "双方最善で引き分け",
  markLoss: "指す側が4手で負け",
  markWithin: "指す側が9手以内に勝ち（最短の手数はまだ不明）",
  markNone: "まだ不明",
  markEstimate: "期待得点の目安（推定）。4/27 は、27通りの応手のうち4通りが引き分けを保つという意味です",
  markLast: "直前の手（出す、戻す）。矢印は動かした手です",
  markClosed: "囲まれたボスハトの、ふさがれた辺",
  "mark-kept": "振り返りで：最善と同じ",
  "mark-better": "振り返りで：より早い勝ちか、より遅い負けがあった",
  "mark-allowed": "振り返りで：相手に勝ちを許した（すぐには負けない手があった）",
  "mark-lostDraw": "振り返りで：引き分けを逃した",
  "mark-lostWin": "振り返りで：勝ちを逃した",
  count: "数え上げ",
  countTitle: "すべての詰みを数える",
  countLead: "詰みとは、自滅しない手のうちどれを指しても、次に相手が勝つ局面です。このページは、そのすべてをブラウザーの中で数えます。ほかの局面やルールでも数えられます。",
  countWhat: "数えるもの",
  "count-mates": "詰み",
  "count-wins": "1手で勝てる局面",
  "count-stuck": "合法手のない局面",
  countLookingCpu: "CPUで数えています…",
  countedByCpu: "{what}は{total}局面。CPUで{seconds}秒、{workers}個のワーカーが形ごとに数えました。",
  countPublished: "公表されている数と一致します。",
  countUnpublished: "この数は公表されていません。",
  countContradicts: "公表されている数 {published} と矛盾します。",
  countCsv: "CSVで保存",
  countShapes: "局面の多い形",
  countGpuTitle: "GPUで1つずつ数える",
  countGpuLead: "CPUは近道をして数えました。GPUは近道をせず、ハトの割り当て方{assignments}通りを1つずつ調べ、その結果を1件ごとにCPUと照合します。",
  countNoHost: "GPUで数えるにはサーバーが必要ですが、応答がありません。",
  countGpuOnly: "GPUで数えられるのは、全種類のハトを使う、このページのルールの詰みです。",
  countDoves: "ハトの数",
  countStart: "数える",
  countLooking: "GPUを探しています…",
  countOpening: "GPUを準備し、答えの分かっている計算で確かめています…",
  countRunning: "{card} で数えています…",
  countRunningLeft: "{card} で数えています：{percent}%、残り約{seconds}秒",
  countStopped: "中止しました。最後までは数えていません。",
  countDone: "詰みは{total}局面。{card} が{seconds}秒で数え、ボスハトの配置{placements}通りのすべてでCPUと一致しました。",
  countWrong: "矛盾：{error}{card} が数えた結果は一切表示しません。",
  countCutShort: "{error}それまでに {card} はボスハトの配置{placements}通りでCPUと一致していました。CPUの結果はそのまま有効です。",
  countDiffers: "ボスハトの配置 {placement} で、GPUは{found}、CPUは{expected}と数えました。",
  countSelfTest: "自己診断「{test}」の結果が正しくありません。",
  countUndecided: "完了とされた部分で、{items}件のうち{decided}件しか調べられていません。",
  countUndone: "{slices}個の部分のうち{undone}個が終わっていません。システムが途中で打ち切りました。",
  countLost: "GPUが使えなくなりました：{error}。",
  countDriver: "ドライバーのエラー：{error}。",
  countTimeout: "{seconds}秒たっても計算が終わりませんでした。",
  countNoWebGpu: "このブラウザーではWebGPUが使えないため、CPUの結果だけを表示します。",
  countNotSecure: "WebGPUが使えるのは https、localhost、ファイルだけです。このアドレスではCPUの結果だけを表示します。",
  countNoAdapter: "ブラウザーから使えるGPUがないため、CPUの結果だけを表示します。",
  countLimit: "GPUの {limit} は {offered} ですが、{needed} が必要です。CPUの結果だけを表示します。",
  countNoDevice: "GPUを使い始められません：{error}。",
  countCpu: "CPU",
  countGpu: "GPU",
  countTotal: "合計",
  countCopy: "報告用にコピー",
  countPrivate: "計算はすべてこのブラウザーの中で行われます。自分でコピーしないかぎり、何も外へ送られません。",
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
    if (name === "dove") return name in parameters ? nameOf(parameters[name]) : match;
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

/** How a dove moves. */
export const wayOf = letter => say(`way${kindOf(letter)}`);

/** The doves and the rules of a game in a line. */
export function rulesText({ red, green, returns, bothSurrounded }) {
  const doves = kinds => (kinds === "-" ? say("bossesOnly") : [...kinds].join(" "));
  const parameters = { doves: doves(red), red: doves(red), green: doves(green) };
  return say("rulesLine", {
    doves: say(red === green ? "rulesEach" : "rulesSplit", parameters),
    returns: say(returns ? "withReturns" : "withoutReturns"), both: say(bothSurrounded === "draw" ? "drawRule" : bothSurrounded),
  });
}

/** How a game ended otherwise than by the rules, in words. */
export function endingText(ending) {
  if (ending.endsWith("resigned")) return say("endingResigned", { color: ending.startsWith("red") ? "red" : "green" });
  return say(ending === "draw by agreement" ? "drawAgreed" : "drawRepeated");
}

/** How a game ended, in words; `result` is by the rules. */
export function resultText(result, ending) {
  if (ending) return endingText(ending);
  if (!result) return "";
  return result.winner ? say("verdictOver", { color: result.winner }) : say("verdictDrawn");
}

/** A number of plies. */
export const pliesText = plies => say(Number(plies) === 1 ? "onePly" : "manyPlies", { plies });

/** A value in words. */
export function worthText({ value, plies, within }) {
  if (value === "none") return say("noneWithin", { plies });
  if (within) return say(`${value}Within`, { plies: within });
  if (value === "draw" || plies === null) return say(value);
  return say(value === "win" ? "winIn" : "loseIn", { plies });
}

/** A value in a few signs, which can be read without colour. */
export function worthSign({ value, plies, within }) {
  const distance = plies ?? (within ? `≤${within}` : "");
  return { win: "▲", lose: "▼", draw: "=", none: "?" }[value] + (value === "win" || value === "lose" ? distance : "");
}
