//! The table of texts: the name and the parameters, English, Japanese.

super::texts! {
    // Words of the game.
    red() "red" "赤";
    green() "green" "緑";
    to_move(player) "{player} to move" "{player}の手番";
    to_move_worth(player, worth) "{player} to move: {worth}" "{player}の手番：{worth}";
    one_ply() "1 ply" "1手";
    many_plies(plies) "{plies} plies" "{plies}手";
    win() "win" "勝ち";
    lose() "lose" "負け";
    a_draw() "draw" "引き分け";
    win_in(plies) "win in {plies}" "{plies}手で勝ち";
    lose_in(plies) "lose in {plies}" "{plies}手で負け";
    none_within(plies) "none within {plies}" "{plies}以内に勝ち負けなし";
    within(worth, plies) "{worth}, within {plies}" "{worth}（{plies}以内）";
    ways_draw(ways, answers) "{ways} of {answers} answers hold the draw" "{answers}通りの応手のうち、引き分けを保てるのは{ways}通り";
    ways_lose(ways, answers) "{ways} of {answers} answers keep the win" "{answers}通りの応手のうち、勝ちを保てるのは{ways}通り";
    points_expected(percent) "{percent} % of the points expected" "勝率の推定 {percent}%（引き分けは半分と数える）";
    suggested() "suggested, not proved" "おすすめの手（証明はされていません）";
    unfinished() "unfinished" "対局中";
    wins(player) "{player} wins" "{player}の勝ち";
    wins_resigned(winner, loser) "{winner} wins, {loser} resigned" "{winner}の勝ち（{loser}の投了）";
    draw_both() "draw, both bosses surrounded" "引き分け（両方のボスハトが囲まれた）";
    draw_agreed() "draw by agreement" "合意により引き分け";
    draw_repeated() "draw by repetition" "千日手で引き分け";
    variant(parts) " By the rules here, {parts}." "このルールでは、{parts}。";
    variant_two(first, second) "{first}, and {second}" "{first}。また、{second}";
    variant_returns() "no dove goes back to the hand" "ハトを手札に戻せません";
    variant_mover_wins() "an action that surrounds both bosses wins" "両方のボスハトを囲む手は勝ちです";
    variant_draw() "an action that surrounds both bosses is a draw" "両方のボスハトを囲む手は引き分けです";

    // The review of a game.
    kept() "as good as any" "最善と同じ";
    likely() "probably as good as any" "おそらく最善と同じ";
    better(missed) "there was better: {missed}" "もっと良い手がありました（{missed}）";
    allowed(missed) "let the opponent win: {missed}" "相手に勝ちを与えました（{missed}）";
    lost_draw(missed) "lost the draw: {missed}" "引き分けを逃しました（{missed}）";
    lost_win(missed) "lost the win: {missed}" "勝ちを逃しました（{missed}）";
    doubtful(action, before, after)
        "probably worse than {action}: points expected {after} %, not {before} %"
        "おそらく疑問手（{action} のほうが良さそうです。勝率の推定は{before}%から{after}%へ）";
    instead(action, worth) "{action} ({worth})" "{action} なら{worth}";
    instead_unknown(worth, candidates)
        "one of {candidates} actions ({worth}); it is not known which"
        "{candidates}通りの手のどれかなら{worth}。どれかは分かっていません";
    was_safe(action, plies) "{action} was safe for {plies}" "{action} なら、少なくとも{plies}は負けませんでした";
    beaten(sentence, action, plies) "{sentence}; then {action} wins in {plies}" "{sentence}。次に {action} から{plies}で負け";
    beaten_at_once(sentence, action) "{sentence}; then {action} wins at once" "{sentence}。次に {action} で負け";
    beaten_some(sentence, action) "{sentence}; then {action} wins" "{sentence}。次に {action} で相手の勝ち";
    beaten_unknown(sentence, player, plies) "{sentence}; then {player} wins in {plies}" "{sentence}。そのあと{player}が{plies}で勝ち";

    // Pictures.
    mate() "mate" "詰み";
    win_in_one() "win in one" "1手勝ち";
    boss_is_surrounded(player) "the {player} boss is surrounded" "{player}のボスハトが囲まれています";
    bosses_are_surrounded(red, green)
        "the {red} boss and the {green} boss are surrounded"
        "{red}と{green}のボスハトが囲まれています";

    // Pages of boards.
    page_title(title) "Tokyo Doves: {title}" "トウキョウのハト：{title}";
    board_alt(board, caption) "Board {board}, {caption}" "盤面 {board}（{caption}）";
    made_with() "Made with " "作成コマンド：";
    signs_of_doves()
        "Red doves are discs with upper-case letters, green ones squares with lower-case letters; the marks say how a dove moves, and thick bars are walls."
        "赤のハトは大文字入りの丸、緑のハトは小文字入りの四角です。文字の周りの印は動き方を、太い線は壁を表します。";

    // `show --page` and `best --page`.
    line_of_game(red, green) "a game of {red} (red) against {green} (green)" "{red}（赤）と{green}（緑）の対局です";
    line_of_best() "one line of best play: the winner hurries, the loser delays" "最善の手順の1つです（勝つ側は最短で勝ち、負ける側は最も長く粘ります）";
    line_unknown() "no line of best play is known" "最善の手順は分かっていません";
    worth_for(worth, player) "{worth} for {player}" "{player}が{worth}";
    line_from(board, player, about) "From <code>{board}</code> with {player} to move, {about}. " "<code>{board}</code>（{player}の手番）から。{about}。";

    // `puzzles`.
    puzzles_title(count, plies) "Tokyo Doves: {count} to be won in {plies}" "トウキョウのハト：{plies}で勝つ問題{count}";
    one_puzzle() "a puzzle" "";
    many_puzzles(count) "{count} puzzles" "（{count}問）";
    solutions() "Solutions" "解答";
    cells_named(returns)
        "Cells are relative to the red boss, for both players: N up, S down, E right, W left. +AN2E1 puts an Aniki, mE2 moves a Mamedeppo there{returns}. The defences shown are the longest possible. "
        "マスは、どちらの手番でも赤のボスハトから数えます（N 上、S 下、E 右、W 左）。+AN2E1 はアニキハトを出す手、mE2 はマメデッポウバトをそこへ動かす手です{returns}。受けは最も長く粘る手です。";
    cells_returns() ", -t returns a Totsu" "（-t はトツハトを戻す手）";
    no_other_way() "Up to the last action there is no other way to win in time." "最後の1手を除き、ほかにこの手数で勝つ手はありません。";
    maybe_other_ways() "There may be other ways." "ほかの解もあるかもしれません。";
    task(turns, one)
        "The player to move wins with {turns} of their own, whatever the opponent does{one}. "
        "相手がどう受けても、手番の側は、{turns}指して勝ちます{one}。";
    task_one() "one action" "1手";
    task_many(own) "at most {own} actions" "自分の手を{own}手まで";
    task_unique() ", in one way only up to the last action" "（最後の1手を除き、正解は1つだけ）";
    puzzles_of_whole(seed, doves)
        "Drawn with seed {seed} from all positions of the whole game with {doves} doves on the board, each equally likely; positions that are not such puzzles were discarded."
        "すべてのハトを使うゲームの、盤上のハトが{doves}羽の全局面から、どの局面も同じ確率になるように選びました（乱数の種 {seed}）。条件に合わない局面は除いています。";
    puzzles_of_game(seed, red, green, doves)
        "Drawn with seed {seed} from all positions of the game in which red has {red} and green has {green} besides the bosses with {doves} doves on the board, each equally likely; positions that are not such puzzles were discarded."
        "ボスハトのほかに赤が {red}、緑が {green} を使うゲームの、盤上のハトが{doves}羽の全局面から、どの局面も同じ確率になるように選びました（乱数の種 {seed}）。条件に合わない局面は除いています。";
    range(first, last) "{first} to {last}" "{first}～{last}";

    // `best` and `puzzles`: their text.
    line_is(line, end) "line: {line}{end}" "手順：{line}{end}";
    from_openings() "from the openings of the solved game" "完全解析の序盤データによる";
    play_action(action, ground) "play {action} ({ground})" "指す手：{action}（{ground}）";
    proved(worth) "proved: {worth}" "証明済み：{worth}";
    lost_stuck(worth, player) "{worth}: {player} has no legal action and loses" "{worth}：{player}に指せる手がなく、負けです";
    none_found(worth, safe, all, player, hint)
        "{worth}: {safe} of {all} actions of {player} neither win nor lose sooner; {hint}"
        "{worth}：{player}の{all}通りの手のうち{safe}通りは、それより早くは勝ちも負けもしません（{hint}）";
    time_was_up() "time was up" "時間切れです";
    search_further() "--depth or --seconds searches further" "--depth か --seconds でさらに探索できます";
    value_open(worth, open, player)
        "{worth}: one of {open} actions of {player} has this value; it is not known which"
        "{worth}：{player}の{open}通りの手のどれかがこの評価ですが、どれかは分かっていません";
    plays_best(worth, player, action, reason) "{worth}: {player} plays {action}{reason}" "{worth}：{player}の最善手は {action}{reason}";
    why_surrounds(opponent) ", which surrounds the {opponent} boss" "（{opponent}のボスハトを囲む）";
    why_own() ", which surrounds its own boss: no other action is better" "（自分のボスハトを囲むが、これより良い手はない）";
    why_both() ", which surrounds both bosses" "（両方のボスハトを囲む）";
    why_stuck(opponent) ", and {opponent} has no legal action" "（{opponent}に指せる手がなくなる）";
    why_only(opponent) "; the only answer of {opponent} loses" "（{opponent}の応手は1通りで、それも負け）";
    why_all(opponent, answers) "; each of {opponent}'s {answers} answers loses" "（{opponent}の{answers}通りの応手はどれも負け）";
    why_longest() "; no action holds out longer" "（これより長く粘る手はない）";
    puzzle_text(number, player, plies) "{number}. {player} to move wins in {plies}" "{number}. {player}の手番：{plies}で勝ち";
    solutions_text() "solutions" "解答";
    other_ways() "  (there are other ways)" "（ほかの解もある）";

    // `play`: the board.
    in_hand(hands) "in hand: {hands}" "手札：{hands}";
    hands(red, green) "{red}, {green}" "{red}、{green}";
    enclosure_degree(red, red_degree, green, green_degree)
        "enclosure degree: {red} boss {red_degree}, {green} boss {green_degree}"
        "ボスハトの包囲度：{red} {red_degree}、{green} {green_degree}";

    // `play`: its messages.
    you_are(player) "you are {player}" "あなたは{player}です";
    welcome(player)
        "you are {player}; type an action, or help, hint, undo, quit"
        "あなたは{player}です。手か、help、hint、undo、quit を入力してください";
    occurred_three_times() "this position has occurred three times: draw claims a draw" "この局面は3回目です（千日手）。draw で引き分けにできます";
    left_as_it_stands() "the game is left as it stands" "対局を途中で終えます";
    plays(player, action) "{player} plays {action}" "{player}の手：{action}";
    offers_draw(player) "{player} offers a draw: draw agrees, any action plays on" "{player}から引き分けの提案です。draw で応じます。手を指すと対局を続けます";
    nothing_to_undo() "you have not acted yet: there is nothing to undo" "まだ一度も指していないので、待ったはできません";
    declines_draw(player) "{player} declines a draw" "{player}は引き分けに応じません";
    declines_draw_yet(player, plies)
        "{player} plays on: it may agree to a draw after {plies} actions or a repetition"
        "{player}はまだ続けます（{plies}手を過ぎるか、同じ局面に戻れば応じることがあります）";
    well_played() " – well played" "。お見事！";
    no_action_left(loser, winner, praise) "{loser} has no legal action: {winner} wins{praise}" "{loser}に指せる手がなく、{winner}の勝ちです{praise}";
    has_won(winner, praise) "{winner} wins{praise}" "{winner}の勝ちです{praise}";
    both_surrounded() "both bosses are surrounded: a draw" "両方のボスハトが囲まれました。引き分けです";
    has_resigned(loser, winner) "{loser} resigns: {winner} wins" "{loser}の投了で、{winner}の勝ちです";
    is_drawn_agreed() "a draw by agreement" "合意により引き分けです";
    is_drawn_repeated() "a draw by repetition: the position has occurred three times" "千日手（同じ局面が3回）で引き分けです";
    prompt_over() "undo, moves, save FILE, quit > " "undo、moves、save FILE、quit > ";
    line_too_long() "that line is too long; help lists what can be typed" "1行が長すぎます。入力できるものを見るには help と入力してください";
    needs_file(word) "{word} needs the name of a file, as in {word} game.txt" "{word} にはファイル名が必要です（例：{word} game.txt）";
    saved(file) "the game is in {file}" "棋譜を {file} に保存しました";
    other_game(game, file)
        "that is a game of {game}; dovemate play --load {file} resumes it"
        "使うハトかルールが違う棋譜です（{game}）。dovemate play --load {file} で続けられます";
    file_failed(message) "{message}" "ファイルを扱えません（{message}）";
    no_file(file) "{file} cannot be read: there is no such file" "{file} というファイルはありません";
    no_stream() "- is not a file; a file of that name is ./-" "- はファイルではありません。その名前のファイルは ./- と書きます";
    not_replaced_game(file)
        "{file} has another game; it is not replaced: name another file"
        "{file} には別の棋譜があるので上書きしません。別の名前にしてください";
    not_replaced_other(file)
        "{file} exists and is not a game; it is not replaced: name another file"
        "{file} は棋譜ではないファイルなので上書きしません。別の名前にしてください";
    too_long_for_action() "that is too long for an action, such as +AN2E1; help says more" "手としては長すぎます（手の例：+AN2E1）。詳しくは help と入力してください";
    type_something() "type an action, or help" "手か help を入力してください";
    over_what_now() "the game is over: undo, moves, save FILE, load FILE or quit" "終局しています。undo、moves、save FILE、load FILE、quit が使えます";
    no_action_yet() "no action has been taken yet" "まだ誰も指していません";
    hint(action, why, follows) "{action} ({why}){follows}" "{action}（{why}）{follows}";
    suggested_worth(suggested, worth) "{suggested}; {worth}" "{suggested}、{worth}";
    line_follows(line, end) ": {line}{end}" "：{line}{end}";
    end_no_action(player) " ({player} has no legal action)" "（{player}に指せる手がない）";
    end_both() " (both bosses are surrounded)" "（両方のボスハトが囲まれる）";
    end_won(player) " ({player} wins)" "（{player}の勝ち）";
    legend_ways() "4/27: of the opponent's 27 answers, 4 keep the value" "4/27：相手の27通りの応手のうち、勝敗を変えないのは4通り";
    legend_points() "%: points expected, an estimate and not proved" "%：勝率の推定（引き分けは半分と数える）";
    order_suggested() "the order of equal actions is suggested, not proved" "同じ値の手の順は推定です（証明はされていません）";
    searched(plies) "searched {plies} to the end before time was up" "時間内に{plies}まで探索しました";
    help_says_more(error) "{error}; help says more" "{error}詳しくは help と入力してください。";
    not_in_game(letter) "'{letter}' is not in this game" "「{letter}」はこの対局では使いません";
    nothing_legal(action, letter)
        "{action} is not legal, and no other action with '{letter}' is; actions lists the legal ones"
        "{action} は指せません。「{letter}」に指せる手はありません。指せる手は actions で分かります";
    others_legal(action, letter, others) "{action} is not legal; the legal actions with '{letter}' are {others}" "{action} は指せません。「{letter}」で指せる手：{others}";

    // `play`: its help.
    help_action_word() "an action" "手";
    help_action()
        "+AN2E1 puts A two up and one to the right of the red boss; YE1 moves there; -T returns. Small letters work, too, and the + of a put may be left out"
        "+AN2E1 は、赤のボスハトの2つ上・1つ右のマスに A を出す手です。YE1 は動かす手、-T は戻す手です。小文字でもよく、出す手の + は省けます";
    help_actions() "all legal actions with what they are worth" "指せる手すべてとその値";
    help_hint() "a best action and the answer to it" "最善手とそれに対する応手";
    help_undo() "take your last action back" "待った（自分の直前の手を取り消す）";
    help_board() "draw the board again" "盤面をもう一度表示";
    help_moves() "the game so far" "ここまでの棋譜";
    help_draw()
        "offer a draw, agree to one, or claim it when a position has occurred three times"
        "引き分けを提案する、提案に応じる、または同じ局面が3回現れたときに引き分けにする";
    help_resign() "give the game up" "投了";
    help_save() "write the game to a file, as text" "棋譜をファイルに保存";
    help_load() "resume a saved game" "保存した棋譜の続きを指す";
    help_help() "this" "この説明";
    help_quit() "leave the game" "対局を終える";

    // Errors of the library, in the words of the library or in Japanese.
    missing_boss(error, letter) "{error}" "ボスハト「{letter}」がいません。両方のボスハト「B」と「b」は必ず盤上に置きます。";
    stands_twice(error, letter) "{error}" "「{letter}」が2マスにいます。同じハトは1羽だけです。";
    same_cell(error, letter, other) "{error}" "「{letter}」と「{other}」が同じマスにいます。";
    too_large(error, rows, columns) "{error}" "縦{rows}マス・横{columns}マスになっています。4×4に収めてください。";
    isolated(error, letter) "{error}" "「{letter}」が孤立しています。周囲8マスのどこかに別のハトが必要です。";
    unknown_letter(error, row, column, letter)
        "{error}"
        "{row}行{column}列の「{letter}」はハトではありません。赤は B A Y M T H、緑は b a y m t h、空きマスは「-」「.」か空白で書きます。";
    too_many_columns(error, row, columns) "{error}" "{row}行目に{columns}列あります。4列までです。";
    too_many_rows(error, rows) "{error}" "{rows}行あります。盤面は4行までです。";
    no_code(error) "{error}" "盤面の数値コード（u64、16桁の16進数）ではありません。";
    no_action(error, text) "{error}" "「{text}」は手として読み取れません。出す手は「+AN2E1」、動かす手は「mE2」、戻す手は「-t」のように書きます（N S E W は赤のボスハトから）。";
    is_on_board(error, letter) "{error}" "「{letter}」は盤上にいます。出せるのは手札のハトだけです。";
    is_in_hand(error, letter) "{error}" "「{letter}」は手札にいます。動かしたり戻したりできるのは盤上のハトだけです。";
    boss_stays(error) "{error}" "ボスハトは手札に戻せません。";
    no_kinds(error) "{error}" "ハトの種類がありません。AYM のように A Y M T H から書くか、ボスハトだけなら - と書きます。";
    no_kind(error, letter) "{error}" "「{letter}」はハトの種類ではありません。AYM のように A Y M T H から書くか、ボスハトだけなら - と書きます。";
    kind_is_boss(error, letter) "{error}" "「{letter}」は必ずいるボスハトです。AYM のように A Y M T H から書くか、ボスハトだけなら - と書きます。";
    kind_twice(error, letter) "{error}" "「{letter}」が2回書かれています。各種類は1羽だけです。";
    no_name(error, text, names) "{error}" "「{text}」は使えません。{names} のどれかを書いてください。";
    dove_not_in_game(error, letter, red, green) "{error}" "「{letter}」はこのゲームでは使いません（ボスハトのほかに赤は {red}、緑は {green}）。";
    is_over(error, player) "{error}" "{player}のボスハトが囲まれた、終局した盤面です。";
    no_doves(error) "{error}" "ハトの数は、7 のような1つの数か、2..7 のような範囲で、2 から 12 までで書きます。";

    // Why a dove cannot go somewhere.
    dove_named(player, kind, letter) "the {player} {kind} ({letter})" "{player}の{kind}（{letter}）";
    kind_boss() "boss" "ボスハト";
    kind_aniki() "Aniki" "アニキハト";
    kind_yaibato() "Yaibato" "ヤイバト";
    kind_mamedeppo() "Mamedeppo" "マメデッポウバト";
    kind_totsu() "Totsu" "トツハト";
    kind_hajike() "Hajike" "ハジケハト";
    way_all_around() "one step in any direction" "周囲8マス";
    way_orthogonal() "one step up, down, left or right" "上下左右に1マス";
    way_diagonal() "one step diagonally" "斜めに1マス";
    way_totsu() "any distance up, down, left or right" "上下左右に何マスでも（ほかのハトは飛び越せない）";
    way_hajike() "a knight’s jump" "桂馬跳び（前後左右の8方向。ほかのハトを飛び越せる）";
    is_over_now() "The game is over." "終局しています。";
    not_yours(player) "It is {player}’s turn." "{player}の手番です。";
    refused_not_in_game(dove) "Not in this game: {dove}." "{dove}はこの対局では使いません。";
    refused_in_hand(dove) "In hand: {dove}." "{dove}は手札にいます。";
    refused_no_returns() "Doves may not be returned in this game." "この対局では手札に戻せません。";
    refused_boss_stays() "A boss is never returned." "ボスハトは手札に戻せません。";
    refused_occupied(other) "On that cell: {other}." "そこには{other}がいます。";
    refused_moves(dove, way) "How {dove} moves: {way}." "そこへは動けません。{dove}の動き：{way}。";
    refused_in_the_way(dove) "Another dove is in the way of {dove}." "{dove}はほかのハトを飛び越せません。";
    refused_touches_none()
        "A dove is put on a cell that touches one of its own."
        "自分のハトと辺か角で接するマスに出します。";
    refused_beside_boss()
        "No dove is put right beside the opposing boss."
        "相手のボスハトの上下左右には出せません。";
    refused_isolated(other) "Isolated: {other} would have no neighbour." "{other}が孤立してしまいます。";
    refused_too_large(rows, columns)
        "All doves must fit in 4×4; they would take {rows} rows and {columns} columns."
        "縦{rows}マス・横{columns}マスになり、4×4に収まりません。";

    // Errors of the server.
    of_parameter(key, error) "{key}: {error}" "{key}：{error}";
    no_parameter(key, path) "'{key}' is not a parameter of {path}" "{path} にパラメーター「{key}」はありません。";
    parameter_twice(key) "'{key}' occurs twice" "「{key}」が2回書かれています。";
    yes_or_no(key, text) "{key} is 'yes' or 'no', not '{text}'" "{key} は yes か no です（「{text}」ではありません）。";
    parameter_is(key, form, text) "{key} is {form}, not '{text}'" "{key} は{form}です（「{text}」ではありません）。";
    number_is(key, form, number) "{key} is {form}, not {number}" "{key} は{form}です（{number}ではありません）。";
    a_number() "a number" "数";
    a_number_to(last) "a number from 0 to {last}" "0～{last}の数";
    positions_from_1(last) "a number of positions from 1 to {last}" "1～{last}の局面数";
    part_of_parts(most) "part and parts are a share and their number, at most {most}" "part と parts は分担の番号とその数（{most}まで）です。";
    most_kinds(most, game)
        "a game with up to {most} kinds besides the boss for each player can be solved here, not {game}"
        "ここで解析できるのは、ボスハトのほかに両者とも{most}種類までのゲームです（{game} は解析できません）。";
    gpu_counts_all(game)
        "only the whole game, AYMTH for both players, is counted on a GPU, not {game}"
        "GPUで数えるのは、両者とも AYMTH のゲームだけです（{game} は数えません）。";
    gpu_undone(undone, slices)
        "{undone} of {slices} parts of a batch were not done: the system has ended the work early."
        "{slices}個の部分のうち{undone}個が終わっていません。システムが途中で打ち切りました。";
    gpu_undecided(items, decided)
        "Part of a batch is marked as done, with {decided} of {items} items decided."
        "完了とされた部分で、{items}件のうち{decided}件しか調べられていません。";
    gpu_differs(placement, found, expected)
        "On the boss placement {placement} the GPU counts {found}, the CPU {expected}."
        "ボスハトの配置 {placement} で、GPUは{found}、CPUは{expected}と数えました。";
    one_limit() "give seconds or positions, not both" "seconds か positions の一方だけを書いてください。";
    a_dove() "the letter of a dove, as in A" "ハトの文字（例：A）";
    a_cell() "a row and a column, as in 2,0" "行と列（例：2,0）";
    doves_on_cells() "doves with rows and columns, as in 'B1,0 b0,0'" "ハトと行・列（例：B1,0 b0,0）";
    doves_or_text() "give either doves or a text" "doves か text の一方を書いてください。";
    no_text() "no text is given" "text がありません。";
    no_qr_code() "the text is too long for a QR code" "長すぎるため、QRコードにできません。";
    no_name_of_player() "a name has no control characters" "名前に制御文字は使えません。";
    other_ending(ending, by_rules)
        "the result is not '{ending}': by the rules it is '{by_rules}'"
        "結果は「{ending}」にできません（ルール上は「{by_rules}」です）。";
    plies_from_1(last) "a number of plies from 1 to {last}" "1～{last}の手数";
    odd_number(last) "an odd number from 1 to {last}" "1～{last}の奇数";
    number_of_positions() "a number of positions" "局面の数";
    kinds_or_both() "name kinds for both players, or red and green together" "両者に同じ kinds を書くか、red と green の両方を書いてください。";
    no_board() "no board is given; add one, as in ?board=b;B" "盤面がありません。?board=b;B のように書いてください。";
    at_most_doves(most, doves) "doves: in this game there are at most {most} on the board, not {doves}" "doves：このゲームの盤上のハトは{most}羽までです（{doves}羽ではありません）。";
    no_legal_action(action, player, board) "action: {action} is not a legal action of {player} on {board}" "action：{action} は {board} で{player}が指せる手ではありません。";
    most_plies(most, plies) "plies is at most {most} where not all values are known, not {plies}" "すべての値が分かっていないゲームの plies は{most}までです（{plies}ではありません）。";
    skip_too_large(drawn) "skip is too large: {drawn} positions could be drawn in time" "skip が大きすぎます。時間内に選べたのは{drawn}局面です。";
    stranger(letter, game) "board: '{letter}' is not in this game of {game}" "board：「{letter}」はこのゲーム（{game}）では使いません。";
    one_host() "a request has one Host" "リクエストの Host は1つです。";
    call_localhost() "call this machine localhost or by its address" "このサーバーは localhost か IP アドレスで呼んでください。";
    other_name(address) "this is http://{address}/ and answers to no other name" "ここは http://{address}/ です。ほかの名前では応答しません。";
    no_other_pages() "questions from other pages are not answered" "ほかのページからの質問には答えません。";
    only_get() "only GET and HEAD are answered" "GET と HEAD にだけ答えます。";
    no_body() "a question has no body" "質問に本文は付けられません。";
    address_too_long() "the address is too long" "アドレスが長すぎます。";
    nothing_at(path) "there is nothing at {path}; / is the board page" "{path} には何もありません。盤面のページは / です。";
    answer_lost() "the answer was lost; this is a bug" "答えが失われました（プログラムの不具合です）。";
    values_failed(error) "{error}" "完全解析の値を読み取れません（{error}）。";
}
