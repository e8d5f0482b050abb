//! The table of texts: the name and the parameters, English, Japanese.

super::texts! {
    // Words of the game.
    red() "red" "赤";
    green() "green" "緑";
    whose_turn(player) "{player} to move" "{player}の手番";
    to_move_worth(player, worth) "{player} to move: {worth}" "{player}の手番：{worth}";
    one_ply() "1 ply" "1手";
    many_plies(plies) "{plies} plies" "{plies}手";
    win() "win" "勝ち";
    lose() "lose" "負け";
    draw() "draw" "引き分け";
    win_in(plies) "win in {plies}" "{plies}手で勝ち";
    lose_in(plies) "lose in {plies}" "{plies}手で負け";
    none_within(plies) "none within {plies}" "{plies}以内に勝ち負けなし";
    within(worth, plies) "{worth}, within {plies}" "{worth}（{plies}以内）";
    ways_draw(ways, answers) "{ways} of {answers} answers hold the draw" "{answers}通りの応手のうち、引き分けを保てるのは{ways}通り";
    ways_lose(ways, answers) "{ways} of {answers} answers keep the win" "{answers}通りの応手のうち、勝ちを保てるのは{ways}通り";
    points_expected(percent) "{percent} % of the points expected" "期待勝率 {percent}%（引き分けは0.5勝。推定値）";
    suggested() "suggested, not proved" "おすすめの手（証明はされていません）";
    unfinished() "unfinished" "対局中";
    variant(parts) " Under these rules, {parts}." "このルールでは、{parts}。";
    variant_two(first, second) "{first}, and {second}" "{first}。また、{second}";
    variant_returns() "no dove goes back to the hand" "ハトを手札に戻せません";
    variant_mover_wins() "an action that surrounds both bosses wins" "両方のボスハトを囲む手は勝ちです";
    variant_draw() "an action that surrounds both bosses is a draw" "両方のボスハトを囲む手は引き分けです";

    // The review of a game.
    kept() "as good as any" "最善と同じです";
    likely() "probably as good as any" "おそらく最善と同じです";
    better(missed) "there was better: {missed}" "もっと良い手がありました（{missed}）";
    allowed(missed) "let the opponent win: {missed}" "相手に勝ちを与えました（{missed}）";
    lost_draw(missed) "lost the draw: {missed}" "引き分けを逃しました（{missed}）";
    lost_win(missed) "lost the win: {missed}" "勝ちを逃しました（{missed}）";
    doubtful(action, before, after)
        "probably worse than {action}: points expected {after} %, not {before} %"
        "おそらく疑問手です（{action} のほうが良さそうです。期待勝率は{before}%から{after}%へ下がりました）";
    instead(action, worth) "{action} ({worth})" "{action} なら{worth}";
    instead_unknown(worth, candidates)
        "one of {candidates} actions ({worth}); it is not known which"
        "{candidates}通りの手のどれかなら{worth}。どれかは分かっていません";
    was_safe(action, plies) "{action} was safe for {plies}" "{action} なら、少なくとも{plies}は負けませんでした";
    beaten(sentence, action, plies) "{sentence}; then {action} wins in {plies}" "{sentence}。次に {action} と指されると{plies}で負けます";
    beaten_at_once(sentence, action) "{sentence}; then {action} wins at once" "{sentence}。次に {action} と指されると負けです";
    beaten_some(sentence, action) "{sentence}; then {action} wins" "{sentence}。次に {action} と指されると相手の勝ちです";
    beaten_unknown(sentence, player, plies) "{sentence}; then {player} wins in {plies}" "{sentence}。以後、{player}が{plies}で勝ちます";

    // Pictures.
    mate() "mate" "詰み";
    win_in_one() "win in one" "1手勝ち";
    boss_is_surrounded(player) "the {player} boss is surrounded" "{player}のボスハトが囲まれています";
    bosses_are_surrounded(red, green)
        "the {red} boss and the {green} boss are surrounded"
        "{red}と{green}のボスハトが囲まれています";

    // Sheets of puzzles.
    board_alt(board, caption) "Board {board}, {caption}" "盤面 {board}（{caption}）";
    made_with() "Made with " "作成コマンド：";
    signs_of_doves()
        "Red doves are discs with upper-case letters, green ones squares with lower-case letters; the marks say how a dove moves, and thick bars are walls."
        "赤のハトは大文字入りの丸、緑のハトは小文字入りの四角です。文字の周りの印は動き方を、太い線は壁を表します。";
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

    // `best` and `puzzles`: their text.
    line_is(line, end) "line: {line}{end}" "手順：{line}{end}";
    from_rules() "by the rules" "ルール上確定";
    from_solved() "from the solved game" "完全解析による";
    from_tables() "from the tables of the solved game" "完全解析の表による";
    from_search() "proved by search" "探索で証明済み";
    from_openings() "from the openings of the solved game" "完全解析の序盤データによる";
    play_action(action, ground) "play {action} ({ground})" "指す手：{action}（{ground}）";
    proved(worth) "proved: {worth}" "証明済み：{worth}";
    lost_stuck(worth, player) "{worth}: {player} has no legal action and loses" "{worth}：{player}に指せる手がなく、負けです";
    none_found(worth, safe, all, player, hint)
        "{worth}: {safe} of {all} actions of {player} can neither win nor lose sooner; {hint}"
        "{worth}：{player}の{all}通りの手のうち{safe}通りは、それより早くは勝ちも負けもしません（{hint}）";
    time_was_up() "time was up" "時間切れです";
    search_further() "--depth or --seconds searches further" "--depth か --seconds でさらに探索できます";
    value_open(worth, open, player)
        "{worth}: one of {open} actions of {player} has this value; it is not known which"
        "{worth}：{player}の{open}通りの手のどれかがこの評価ですが、どれかは分かっていません";
    plays_best(worth, player, action, reason) "{worth}: {player} plays {action}{reason}" "{worth}：{player}の最善手は {action}{reason}";
    why_surrounds(opponent) ", which surrounds the {opponent} boss" "（{opponent}のボスハトを囲みます）";
    why_own() ", which surrounds its own boss: no other action is better" "（自分のボスハトを囲みますが、これより良い手はありません）";
    why_both() ", which surrounds both bosses" "（両方のボスハトを囲みます）";
    why_stuck(opponent) ", and {opponent} has no legal action" "（{opponent}に指せる手がなくなります）";
    why_only(opponent) "; the only answer of {opponent} loses" "（{opponent}の応手は1通りで、それも負けです）";
    why_all(opponent, answers) "; each of {opponent}'s {answers} answers loses" "（{opponent}の{answers}通りの応手はどれも負けです）";
    why_longest() "; no action holds out longer" "（これより長く粘る手はありません）";
    puzzle_text(number, player, plies) "{number}. {player} to move wins in {plies}" "{number}. {player}の手番：{plies}で勝ち";
    solutions_text() "solutions" "解答";
    other_ways() "  (there are other ways)" "（ほかの解もあります）";

    // `play`: the board.
    in_hand(hands) "in hand: {hands}" "手札：{hands}";
    hands(red, green) "{red}, {green}" "{red}、{green}";
    enclosure_degree(red, red_degree, green, green_degree)
        "enclosure degree: {red} boss {red_degree}, {green} boss {green_degree}"
        "ボスハトの包囲度：{red} {red_degree}、{green} {green_degree}";

    // `play`: its messages.
    welcome(player)
        "you are {player}; type an action, or help, hint, undo, quit"
        "あなたは{player}です。手か、help、hint、undo、quit を入力してください";
    occurred_three_times() "this position has occurred three times: draw claims a draw" "この局面は3回目です（千日手）。draw で引き分けにできます";
    left_as_it_stands() "the game is left as it stands" "対局を途中で終えます";
    plays(player, action) "{player} plays {action}" "{player}の手：{action}";
    knows_draw(player) "{player} knows that this is a draw: draw ends the game" "{player}には引き分けと分かっています。draw で引き分けにできます";
    nothing_to_undo() "you have not acted yet: there is nothing to undo" "まだ一度も指していないので、待ったはできません";
    no_draw_yet(player, plies)
        "no position has occurred three times, and {player} has not known for {plies} plies that the game is a draw"
        "同じ局面が3回現れるか、{player}が{plies}手の間、引き分けと分かっていれば、引き分けにできます";
    well_played() " – well played" "。お見事！";
    no_action_left(loser, winner, praise) "{loser} has no legal action: {winner} wins{praise}" "{loser}に指せる手がなく、{winner}の勝ちです{praise}";
    has_won(winner, praise) "{winner} wins{praise}" "{winner}の勝ちです{praise}";
    both_surrounded() "both bosses are surrounded: a draw" "両方のボスハトが囲まれました。引き分けです";
    has_resigned(loser, winner) "{loser} resigns: {winner} wins" "{loser}の投了で、{winner}の勝ちです";
    is_drawn_agreed() "a draw by agreement" "合意により引き分けです";
    is_drawn_repeated() "a draw by repetition: the position has occurred three times" "千日手（同じ局面が3回）で引き分けです";
    prompt_over() "undo, moves, save FILE, quit > " "undo、moves、save FILE、quit > ";
    line_too_long() "that line is too long; help lists what can be typed" "1行が長すぎます。入力できるものを見るには help と入力してください";
    needs_file() "save needs the name of a file, as in save game.txt" "save にはファイル名が必要です（例：save game.txt）";
    saved(file) "the game is in {file}" "棋譜を {file} に保存しました";
    file_failed(message) "{message}" "ファイルを扱えません（{message}）";
    no_stream() "- is not a file; a file of that name is ./-" "- はファイルではありません。その名前のファイルは ./- と書きます";
    not_replaced(file) "{file} exists; it is not replaced: name another file" "{file} はすでにあるので上書きしません。別の名前にしてください";
    too_long_for_action() "that is too long for an action, such as +AN2E1; help says more" "手としては長すぎます（手の例：+AN2E1）。詳しくは help と入力してください";
    type_something() "type an action, or help" "手か help を入力してください";
    over_what_now() "the game is over: undo, moves, save FILE or quit" "終局しています。undo、moves、save FILE、quit が使えます";
    no_action_yet() "no action has been taken yet" "まだ誰も指していません";
    hint(action, why, follows) "{action} ({why}){follows}" "{action}（{why}）{follows}";
    suggested_worth(suggested, worth) "{suggested}; {worth}" "{suggested}、{worth}";
    line_follows(line, end) ": {line}{end}" "：{line}{end}";
    end_no_action(player) " ({player} has no legal action)" "（{player}に指せる手がありません）";
    end_both() " (both bosses are surrounded)" "（両方のボスハトが囲まれます）";
    end_won(player) " ({player} wins)" "（{player}の勝ちです）";
    legend_ways(kept, answers)
        "{kept}/{answers}: of the opponent's {answers} answers, {kept} keep the value"
        "{kept}/{answers}：相手の{answers}通りの応手のうち、勝敗を変えないのは{kept}通り";
    legend_points() "%: points expected, an estimate and not proved" "%：期待勝率（引き分けは0.5勝。推定値）";
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
    help_actions() "all legal actions with their values" "指せる手すべてとその値";
    help_hint() "a best action and the answer to it" "最善手とそれに対する応手";
    help_undo() "take your last action back" "待った（自分の直前の手を取り消す）";
    help_board() "draw the board again" "盤面をもう一度表示";
    help_moves() "the game so far" "ここまでの棋譜";
    help_draw()
        "end the game as a draw, if a position has occurred three times or the program knows that it is one"
        "引き分けにする（同じ局面が3回現れたか、引き分けと分かっているとき）";
    help_resign() "give the game up" "投了";
    help_save() "write the game to a file, as text" "棋譜をファイルに保存";
    help_help() "this" "この説明";
    help_quit() "leave the game" "対局を終える";

    // Errors of the library: in English, the library's own words.
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
    kind_twice(error, letter) "{error}" "「{letter}」が2回書かれています。各種類は1羽だけです。";
    no_name(error, text, names) "{error}" "「{text}」は使えません。{names} のどれかを書いてください。";
    dove_not_in_game(error, letter, red, green) "{error}" "「{letter}」はこのゲームでは使いません（ボスハトのほかに赤は {red}、緑は {green}）。";
    is_over(error, player) "{error}" "{player}のボスハトが囲まれた、終局した盤面です。";
    no_doves(error) "{error}" "ハトの数は、7 のような1つの数か、2..7 のような範囲で、2 から 12 までで書きます。";

    // Why a dove cannot go somewhere.
    dove_named(player, kind, letter) "the {player} {kind} ({letter})" "{player}の{kind}（{letter}）";
    kind_boss() "boss" "ボスハト";
    aniki() "Aniki" "アニキハト";
    yaibato() "Yaibato" "ヤイバト";
    mamedeppo() "Mamedeppo" "マメデッポウバト";
    totsu() "Totsu" "トツハト";
    hajike() "Hajike" "ハジケハト";
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
        "A dove must be put on a cell that touches one of its own colour."
        "自分のハトと辺か角で接するマスに出します。";
    refused_beside_boss()
        "No dove may be put right beside the opposing boss."
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
    a_number_from(first, last) "a number from {first} to {last}" "{first}～{last}の数";
    positions_from_1(last) "a number of positions from 1 to {last}" "1～{last}の局面数";
    part_of_parts(most) "part is a share's number, from 1 to parts; parts is the number of shares, at most {most}" "part は分担の番号（1～parts）、parts は分担の数（{most}まで）です。";
    most_kinds(most, game)
        "a game with up to {most} kinds besides the boss for each player can be solved here, not {game}"
        "ここで解析できるのは、ボスハトのほかに両者とも{most}種類までのゲームです（{game} は解析できません）。";
    gpu_counts_all(game)
        "only the whole game, AYMTH for both players, is counted on a GPU, not {game}"
        "GPUで数えるのは、両者とも AYMTH のゲームだけです（{game} は数えません）。";
    gpu_undone(undone, placements)
        "{undone} of {placements} boss placements of a batch were not done: the system has ended the work early."
        "ボスハトの配置{placements}個のうち{undone}個が終わっていません。システムが途中で打ち切りました。";
    gpu_undecided(blocks, decided)
        "A boss placement is marked as done, but only {decided} of its {blocks} blocks are decided."
        "完了とされたボスハトの配置で、{blocks}ブロックのうち{decided}ブロックしか調べられていません。";
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
    no_name_of_player() "a player's name must not contain control characters" "名前に制御文字は使えません。";
    other_ending(ending, by_rules)
        "the result is not '{ending}': by the rules it is '{by_rules}'"
        "結果は「{ending}」にできません（ルール上は「{by_rules}」です）。";
    plies_from_1(last) "a number of plies from 1 to {last}" "1～{last}の手数";
    odd_number(last) "an odd number from 1 to {last}" "1～{last}の奇数";
    number_of_positions() "a number of positions" "局面の数";
    kinds_or_both() "give either kinds, for both players, or both red and green" "両者に同じ kinds を書くか、red と green の両方を書いてください。";
    no_board() "no board is given; add one, as in ?board=b;B" "盤面がありません。?board=b;B のように書いてください。";
    at_most_doves(most, doves) "doves: in this game there are at most {most} on the board, not {doves}" "doves：このゲームの盤上のハトは{most}羽までです（{doves}羽ではありません）。";
    no_legal_action(action, player, board) "action: {action} is not a legal action of {player} on {board}" "action：{action} は {board} で{player}が指せる手ではありません。";
    most_plies(most, plies) "plies is at most {most} where not all values are known, not {plies}" "すべての値が分かっていないゲームの plies は{most}までです（{plies}ではありません）。";
    skip_too_large(drawn) "skip is too large: only {drawn} positions could be drawn within the limit" "skip が大きすぎます。制限内に選べたのは{drawn}局面です。";
    stranger(letter, game) "board: '{letter}' is not in this game of {game}" "board：「{letter}」はこのゲーム（{game}）では使いません。";
    one_host() "a request must have exactly one Host" "リクエストの Host は1つです。";
    call_localhost() "address this machine as localhost or by its IP address" "このサーバーは localhost か IP アドレスで呼んでください。";
    other_name(address) "this is http://{address}/; it answers to its address, to localhost and to the name of --host" "ここは http://{address}/ です。このアドレスのほかに応答するのは、localhost と --host で指定した名前だけです。";
    no_other_pages() "questions from other pages are not answered" "ほかのページからの質問には答えません。";
    only_get() "only GET and HEAD are answered" "GET と HEAD にだけ答えます。";
    no_body() "a question must not have a body" "質問に本文は付けられません。";
    address_too_long() "the address is too long" "アドレスが長すぎます。";
    nothing_at(path) "there is nothing at {path}; / is the board page" "{path} には何もありません。盤面のページは / です。";
    answer_lost() "the answer was lost; this is a bug" "答えが失われました（プログラムの不具合です）。";
    values_failed(error) "{error}" "完全解析の値を読み取れません（{error}）。";

    // The page. Parameters are filled in there; {distance} is a number of plies, {Color} a player at the beginning of a
    // sentence.
    title "Tokyo Doves" "トウキョウのハト"; language "日本語" "English"; theme "Colours" "配色"; system "Auto" "自動"; light "Light" "ライト";
    dark "Dark" "ダーク"; analyse "Analyse" "検討"; play "Play" "対局"; puzzles "Puzzles" "問題"; setup "Set up" "盤面編集"; board "Board" "盤面";
    board_help
        "Arrow keys go from cell to cell, Home and End to the ends of a row; Enter picks up a dove or puts it down, Escape deselects it. Elsewhere, the left and right arrow keys step through the game. The space bar plays the best action."
        "矢印キーでマスを移動し、Home と End で行の端へ行きます。Enter でハトを選んで置きます。Escape で選択を解除します。盤の外では左右の矢印キーで棋譜を進み、スペースキーで最善手を指します。";
    name_red "Red" "赤"; name_green "Green" "緑"; hand "In hand: {color}" "{color}の手札"; none "none" "なし";
    return_here "Return {dove} to the hand" "{dove}を手札に戻す"; to_move "{Color} to move" "{Color}の手番"; over "The game is over" "終局";
    boss "Boss" "ボスハト"; dove "{color} {kind} ({letter})" "{color}の{kind}（{letter}）"; empty "empty" "空き";
    cell "{cell}: {content}" "{cell}：{content}"; red_boss "the red boss’s cell" "赤のボスハトのマス"; chosen "chosen" "選択中";
    target "can go here" "ここに指せる"; values "Values" "評価"; win_within "win, within {distance}" "勝ち（{distance}以内）";
    lose_within "lose, within {distance}" "負け（{distance}以内）"; neither_within "neither wins within {distance}" "{plies}手以内に勝ち負けなし";
    looking "looking …" "調べています…"; deepening "searched {distance}, looking deeper" "{plies}手まで探索済み。さらに深く探索中";
    searched_to "searched {distance}" "{plies}手まで探索済み"; verdict_win "{Color} wins" "{Color}の勝ち";
    verdict_win_in "{Color} wins in {distance}" "{Color}が{plies}手で勝ち"; verdict_lose "{Color} loses" "{Color}の負け";
    verdict_lose_in "{Color} loses in {distance}" "{Color}は{plies}手で負け";
    verdict_win_within "{Color} wins, within {distance}" "{Color}の勝ち（{distance}以内）";
    verdict_lose_within "{Color} loses, within {distance}" "{Color}の負け（{distance}以内）"; verdict_draw "Draw with best play" "双方最善で引き分け";
    verdict_all_draw "Draw: every action keeps it" "どの手でも引き分け"; verdict_none "Neither wins within {distance}" "{plies}手以内に勝ち負けなし";
    verdict_over "{Color} has won" "{Color}の勝ちで終局"; verdict_drawn "A draw: both bosses are surrounded" "引き分け：両方のボスハトが囲まれました";
    suggested_action "Suggested, not proved: {action}" "おすすめの手（証明はされていません）：{action}";
    estimate "{percent} % of the points expected, {distance} ahead: an estimate, not proved" "期待勝率 {percent}%（{plies}手読み、引き分けは0.5勝。推定値）";
    actions "Actions, best first" "指し手（良い順）"; best_line "Best line" "最善の手順"; play_best "Play the best action" "最善手を指す";
    line_ends "The line goes on: ask again later for more." "手順は続きます。後でもう一度お試しください。";
    line_none "No line is known yet." "手順はまだ分かりません。";
    legend
        "▲ win and its plies (≤ at most), = draw, ? not known, ▼ loss and its plies"
        "▲ 勝ちとその手数（≤ はその手数以内）、= 引き分け、? 不明、▼ 負けとその手数";
    legend_estimate "% is an estimate, with the number of plies searched" "% は推定値（かっこ内は読んだ手数）";
    game "Game" "棋譜"; start "Start" "初期配置"; first "To the start" "最初へ"; back "One action back" "1手戻る"; forward "One action on" "1手進む";
    last "To the end" "最後へ"; copy_game "Copy" "コピー"; paste_game "Paste" "貼り付け"; download "Download" "保存"; copied "Copied." "コピーしました。";
    cannot_copy "The browser does not let the page copy: {text}" "ブラウザーがコピーを許可しません：{text}";
    paste_here "Paste a game or a board here" "棋譜か盤面をここに貼り付けてください"; take "Load it" "読み込む"; close "Close" "閉じる";
    chart "What each position was worth" "各局面の評価";
    chart_none "The graph appears once two positions have values." "2つ以上の局面に評価が付くとグラフが出ます。";
    ply "After ply {ply}: {worth} for {color}, who is to move" "{ply}手目：{color}の手番で{worth}"; you "You are" "あなたの色（赤＝先手）";
    strength "Strength" "強さ"; new_game "New game" "新しい対局"; from_here "Play on from here" "この局面から対局"; ask_hint "Hint" "ヒント";
    undo "Undo" "待った"; give_up "Give up" "投了"; your_turn "Your turn." "あなたの手番です。";
    thinking "The machine is thinking …" "コンピューターが考えています…"; machine_plays "The machine plays {action}." "コンピューターの手：{action}。";
    hint_dove "Hint: {dove}. Ask again for the action." "ヒント：{dove}。もう一度押すと手を示します。"; hint_action "Hint: {action}" "ヒント：{action}";
    hint_is "Hint: {action} ({worth})" "ヒント：{action}（{worth}）"; you_won "You have won. Well played!" "あなたの勝ちです。お見事！";
    you_lost "The machine has won." "コンピューターの勝ちです。"; nobody_won "A draw: both bosses are surrounded." "引き分けです。両方のボスハトが囲まれました。";
    gave_up "You have given up: the machine wins." "投了しました。コンピューターの勝ちです。";
    other_gave_up "The other player has given up: you win." "相手が投了しました。あなたの勝ちです。";
    repeated "This position has come up three times: you may call it a draw." "この局面は3回目です（千日手）。引き分けにできます。";
    call_draw "Draw" "引き分けにする"; repeated_draw "A draw by repetition." "千日手で引き分けです。";
    agreed_draw "A draw by agreement." "合意により引き分けです。"; stuck "{Color} has no legal action." "{Color}には指せる手がありません。";
    beginner "First games (careless)" "入門（見落としあり）"; novice "Novice (sees {distance})" "初級（{plies}手読み）";
    club "Club (sees {distance})" "中級（{plies}手読み）"; strongest "Strongest" "最強"; puzzle_plies "Win in" "手数";
    puzzle_doves "Doves" "ハトの数"; any_doves "any number" "いくつでも"; unique "Only one solution" "正解が1つだけの問題"; stop "Stop" "中止";
    next_puzzle "Next puzzle" "次の問題"; solution "Solution" "解答"; again "Again" "もう一度";
    puzzle_task "{Color} to move wins in {distance}; its own actions: {own}." "{Color}の手番です。{plies}手で勝つ手順を見つけてください（自分の手は{own}手）。";
    drawing "Drawing a puzzle …" "問題を作っています…";
    no_puzzle "No such puzzle was found; try another number of plies or doves." "この条件の問題は見つかりませんでした。手数かハトの数を変えてください。";
    right "Right. {action} is the longest defence." "正解！ 相手は {action} と粘ります。"; solved "Solved!" "正解です！";
    wrong "{action} does not win in time: {refutation} refutes it." "{action} では{plies}手で勝てません。{refutation} と受けられます。";
    wrong_plain "{action} does not win in time." "{action} では{plies}手で勝てません。"; shown "The solution: {line}" "解答：{line}";
    no_such_win "This board is not such a puzzle: {color} does not win in {distance}." "この盤面は問題になりません。{color}は{plies}手では勝てません。";
    checking "Checking …" "確認しています…";
    setup_help
        "Choose a dove in a hand or on the board, then its cell; the next dove in the hand is then chosen automatically. A dove in the way is replaced. A dove put on a hand leaves the board."
        "手札か盤上のハトを選び、置くマスを選びます。置くと、手札の次のハトが自動で選ばれます。そのマスにいたハトは置き換えられます。手札に置くと盤から外れます。";
    clear "Bosses only" "ボスハトだけ"; start_board "Start of the game" "初期配置"; swap_colors "Swap colours" "赤と緑を入れ替え"; turn "Turn" "回転";
    mirror "Mirror" "左右反転"; shift_up "Shift up" "上へ"; shift_down "Shift down" "下へ"; shift_left "Shift left" "左へ";
    shift_right "Shift right" "右へ"; mover "To move:" "手番："; text "Board text" "盤面の文字列"; code "u64" "数値コード（u64）"; copy "Copy" "コピー";
    rules "Rules" "ルール"; returns "Doves may be returned" "「ハトを戻す」あり"; both_ruling "Both bosses surrounded:" "両方のボスハトを同時に囲んだとき：";
    mover_loses "the player who acted loses" "指した側の負け"; mover_wins "the player who acted wins" "指した側の勝ち"; draw_rule "a draw" "引き分け";
    done "Use this board" "この盤面を使う"; ready "This board is legal." "この盤面は使えます。"; refused "{error}" "{error}";
    start_failed "The page works without what is not available here: {parts}." "ここでは次のものが使えないため、なしで続けます：{parts}。";
    part_theme "the choice of colours" "配色の切り替え"; part_language "the browser’s language" "ブラウザーの言語";
    part_storage "what the browser keeps" "ブラウザーへの保存"; part_puzzles "the puzzles that were solved" "解いた問題の記録"; part_score "the name beside the score" "成績の名前";
    part_policy "what the host’s Content-Security-Policy forbids" "サーバーの Content-Security-Policy が禁じているもの";
    part_address "the address bar" "アドレスバー"; part_service "use without a network" "オフラインでの利用";
    server_gone "The server no longer answers: the page continues without it." "サーバーが応答しません。このページだけで続けます。";
    server_back "The server is back." "サーバーが復旧しました。";
    failed "The library in this page has failed and was restarted." "ページ内のプログラムで障害が起きたため、初めからやり直します。";
    solving "solving the game: round {round} …" "ゲームを解いています（{round}巡目）…";
    cannot_solve "This game cannot be solved here, perhaps for lack of memory; its positions are searched instead." "メモリー不足などのため、ここではゲームを解けません。代わりに局面ごとに探索します。";
    boss_shut "The {color} boss is surrounded: the game is over on this board." "{color}のボスハトが囲まれています（終局した盤面です）。";
    earlier "This is an earlier position: » leads to the latest one." "途中の局面です。» で最新の局面に進みます。";
    bad_address "The address has no position that could be shown." "アドレスから局面を読み取れませんでした。"; learn "Learn" "遊び方"; warn "Warn" "即勝ち・即負け";
    address_cut "This address is shorter than it was when the page wrote it: it may have been cut." "このアドレスは元より短くなっています。途中で切れた可能性があります。";
    not_read "The address has parts that this page cannot read: {parts}." "アドレスに読み取れない部分があります：{parts}。";
    wall "wall" "壁"; take_back "Undo" "元に戻す"; take_back_action "Take back {action}" "{action} を取り消す";
    type_action "Type an action:" "手を入力："; say_board "Describe the board" "盤面を言葉で"; spoken "{part}. " "{part}。";
    board_of "{Color}: {doves}; in hand: {hand}." "{Color}：{doves}。手札：{hand}。";
    about "{dove}: {way}." "{dove}：{way}。"; wins_at_once "wins at once" "指すと勝ち";
    loses_at_once "loses at once" "指すと負け"; walls_ends "There are walls above and below the doves." "上下に壁があります。";
    walls_sides "There are walls left and right of the doves." "左右に壁があります。"; walls_none "There are no walls." "壁はありません。";
    surrounded_by "The {color} boss is surrounded: {sides}." "{color}のボスハトが囲まれました（{sides}）。";
    surrounded_own "{Color} has surrounded its own boss: {sides}." "{Color}が自分のボスハトを囲んでしまいました（{sides}）。";
    sides "above {above}, left {left}, right {right}, below {below}" "上＝{above}、左＝{left}、右＝{right}、下＝{below}";
    illegal_action "The address has {action} as action {ply}, which is not legal there: what follows is left out." "アドレスの{ply}手目 {action} は指せない手です。以降は省きました。";
    back_to_game "Back to the previous game" "前の対局に戻る";
    choose_first "Choose a dove first, in a hand or on the board." "先に、手札か盤上のハトを選んでください。";
    from_next_game "From the next game." "次の対局から変わります。"; both "two players here" "2人で対局"; rematch "Rematch" "再戦";
    lets_win "lets the opponent win next" "次に相手が勝ちます";
    was_dangerous "That was dangerous: {action} would win at once." "危ない手でした。{action} と指されると負けです。"; good_lines "Good lines" "有望な手順";
    which_open "One of {candidates} actions has this value; it is not known which." "{candidates}通りの手のどれかがこの評価ですが、どれかは分かっていません。";
    compare "Compare with" "比べるルール"; no_other "–" "なし"; by_family "By family, with the answers" "同じ形の手をまとめ、応手も表示";
    answers "Answers: {answers}" "応手：{answers}"; answers_alike "{number} × {worth}" "{worth} {number}通り";
    back_to "back to “{step}”" "「{step}」の局面に戻る";
    family_legend
        "Actions in one row are a family: they lead to the same position, turned or mirrored. The answers to it are counted by what they are worth to the player who gives them."
        "同じ行の手は、回転や反転をすると同じ局面になります。応手の勝ち負けは、応じる側から見たものです。";
    which_game "Game" "ハト"; usual_game "the usual one" "通常（全6種類）"; short_game "short: A and Y each" "短い対局（A と Y だけ）";
    own_game "as set up" "盤面編集のとおり"; turn_for_each "Turn the board for each player" "手番ごとに盤を回す"; turn_board "Turn the board" "盤を回す";
    qr_code "QR code" "QRコード"; harder "A harder one" "もっと難しく"; daily "Puzzle of the day" "今日の問題";
    of_day "The puzzle of {day}" "{day} の問題"; share_puzzle "Copy its address" "この問題のアドレスをコピー"; sheet "Print a sheet" "問題集を印刷";
    no_print "This browser cannot print; open the page in another one." "このブラウザーでは印刷できません。ほかのブラウザーで開いてください。";
    no_png "This browser returns noise instead of pictures, to resist fingerprinting: save the SVG." "このブラウザーはフィンガープリント対策で画像をノイズにします。SVG を保存してください。";
    history "On this device" "この端末での成績";
    history_line "Solved at the first try: {solved} of {tried}; in a row: {row}" "1回で正解：{tried}問のうち{solved}問、連続正解：{row}問";
    score_name "Who solves:" "名前："; new_score "Start over" "成績を消して始める"; score_begun "The score starts from zero." "成績を新しくしました。";
    not_solved "not at the first try" "1回では正解できず"; begun "A new game has begun." "新しい対局を始めました。";
    machine_knows_draw "It knows that this is a draw: you may call it one." "引き分けになると分かっています。引き分けにできます。";
    review "Review" "振り返る";
    ending_resigned "{Color} wins: the other player gave up." "{Color}の勝ちです（相手の投了）。"; other_lines "Other lines:" "別の手順：";
    share_to "Share …" "共有…"; size "Large text, for a projector" "大きな文字（プロジェクター用）"; draw_by_hand "Draw arrows" "矢印を描く";
    share "Copy address" "アドレスをコピー"; save_picture "Save picture" "画像を保存"; next_mistake "Next mistake" "次の疑問手";
    reviewed "Mistakes: {mistakes}." "疑問手：{mistakes}手。"; no_mistakes "No mistake has been found." "疑問手は見つかっていません。";
    review_done "All {all} positions have been looked at." "全{all}局面を調べました。"; look_longer "Look longer" "さらに調べる";
    try_again "Try again" "指し直す";
    try_task "{Color} played {action} here. Find something better." "{Color}はここで {action} と指しました。もっと良い手を探してください。";
    tried_well "{action} is as good as any!" "{action} は最善です！";
    tried_likely "{action} is probably as good as any." "{action} はおそらく最善と同じです。";
    review_open "Looked at {looked} of {all} positions." "全{all}局面のうち{looked}局面を調べました。"; semicolon "; " "、"; comma ", " "、";
    colon ": " "："; grade "Difficulty {stars}, first actions that look good: {promising}" "難しさ {stars}（良さそうに見える初手は{promising}通り）";
    wrong_own "{action} surrounds your own boss." "{action} は自分のボスハトを囲む手です。";
    wrong_both "{action} surrounds both bosses: a draw." "{action} は両方のボスハトを囲み、引き分けになります。";
    wrong_lets "{action} lets {color} win in {distance}: {refutation}." "{action} では{color}が{plies}手で勝ちます（{refutation}）。";
    wrong_slow "{action} wins too late: {color} holds out for {distance} with {refutation}." "{action} では間に合いません。{color}は {refutation} と受けて{plies}手もちこたえます。";
    replaced "{letter} has replaced {there}." "{there} のいたマスに {letter} を置きました。"; undo_edit "Undo" "元に戻す";
    rules_line "{doves} · {returns} · {ruling}" "{doves}・{returns}・{ruling}"; ruling "both bosses surrounded: {both}" "両方のボスハトを同時に囲んだとき：{both}";
    rules_each "{doves} each" "両者 {doves}"; rules_split "red {red}, green {green}" "赤 {red}、緑 {green}";
    bosses_only "bosses only" "ボスハトだけ"; with_returns "doves may be returned" "「ハトを戻す」あり"; without_returns "no returns" "「ハトを戻す」なし";

    // The page: how to play.
    learn_title "The game in two minutes" "2分で分かる遊び方";
    learn_goal "Two players, red and green, put and move their doves. You win by surrounding the other boss on all four sides." "赤と緑の2人が、ハトを出したり動かしたりします。相手のボスハトの上下左右をふさげば勝ちです。";
    learn_play "Play a game" "対局する"; learn_puzzle "Solve puzzles" "問題を解く"; learn_doves "The six doves" "6種類のハト";
    learn_put_title "Put a dove" "ハトを出す";
    learn_put_text
        "At the start, only the bosses are on the board. On your turn you may put a dove from your hand on an empty cell that touches one of your own doves, also diagonally – but not right beside the opposing boss. Red may use the cells with dots."
        "最初はボスハトだけが盤上にいます。手番では、手札のハトを、自分のハトと辺か角で接する空きマスに出せます。ただし、相手のボスハトの上下左右には出せません。図の点は赤が出せるマスです。";
    learn_move_title "Move a dove" "ハトを動かす";
    learn_move_text "Or you move a dove on the board, as its marks show, to an empty cell. You cannot pass, and nothing is captured." "または、盤上のハトを、印のとおりに空きマスへ動かします。パスはできません。ハトを取ることもありません。";
    learn_return_title "Return a dove" "ハトを戻す";
    learn_return_text "Or you return a dove other than the boss to your hand, if the rules of the game allow it." "または、ボスハト以外のハトを手札に戻します（「ハトを戻す」ありのルールのとき）。";
    learn_isolated_title "Nobody stands alone" "孤立させない";
    learn_isolated_text
        "After every action, each dove must have another one, of either colour, on one of its eight neighbouring cells. The Yaibato may not go right: the ringed dove would be isolated."
        "どの手のあとも、すべてのハトの周囲8マスに、色を問わず別のハトがいなければなりません。図のヤイバトは右へ動けません。輪の付いたハトが孤立するからです。";
    learn_walls_title "Four by four, and walls" "4×4マスと壁";
    learn_walls_text
        "The board has no edge of its own, but all doves must fit in 4×4 cells. Where they reach across four cells, there are walls at both ends."
        "盤に決まった端はありませんが、すべてのハトが4×4マスに収まらなければなりません。縦か横の幅が4マスになると、その両端に壁ができます。";
    learn_surround_title "Surrounding" "囲む";
    learn_surround_text
        "A boss is surrounded when each of its four sides is closed, by a dove of either colour or by a wall. Whoever has a surrounded boss loses, also by their own action. If one action surrounds both, the player who took it loses, unless the rules say otherwise."
        "ボスハトの上下左右が、ハト（色は問わない）か壁ですべてふさがると、囲まれたことになり、負けです。自分の手で自分のボスハトを囲んでしまっても負けです。1手で両方が囲まれたときは、ルールで別に決めていなければ、指した側の負けです。";
    learn_act_title "On this page" "このページでの指し方";
    learn_act_text
        "Red begins. Choose a dove, in your hand or on the board, then one of the cells that light up; or drag it there. If your hand lights up, the dove can be returned to it."
        "赤が先手です。手札か盤上のハトを選び、光ったマスを選ぶと指せます（ドラッグでも指せます）。盤上のハトを選んで手札が光ったら、手札の ↩ を選ぶとそのハトを戻せます。";
    learn_draw_title "Draws" "引き分け";
    learn_draw_text
        "The rule book has no rule about repetition. On this page, a position that has come up three times may be called a draw. Players may also agree to one."
        "ルールブックに千日手の規定はありません。このページでは、同じ局面が3回現れたら引き分けにできます。合意でも引き分けにできます。";
    learn_install_title "Install" "インストール";
    learn_install_text
        "This page can be installed, and then needs no network: in Chrome or Edge by Install in the menu, on an iPhone by Share, then Add to Home Screen."
        "このページはインストールでき、ネットワークなしで使えます。Chrome や Edge ではメニューの「インストール」、iPhone では「共有」から「ホーム画面に追加」を選んでください。";
    learn_cells_title "Names of cells" "マスの呼び方";
    learn_cells_text
        "Cells are named from the red boss: N up, S down, E right, W left. +YN1E2 puts Y one up and two to the right of it, YE1 moves Y there, -Y returns it. A ply is one player’s action."
        "マスは赤のボスハトから数えます（N 上、S 下、E 右、W 左）。+YN1E2 は上に1つ、右に2つのマスに Y を出す手、YE1 は Y をそこへ動かす手、-Y は戻す手です。手数は、1人が1回指すごとに1手と数えます。";
    learn_review "The signs of a review" "振り返りの印";
    alt_put "The two bosses at the start; dots on the five cells around the red boss, crosses on the two cells beside the green one" "初期配置。赤のボスハトの周りの5マスに点、緑のボスハトの左右の2マスにバツ";
    alt_isolated "The red Yaibato may go left and down; to the right it may not, as a green dove would be isolated" "赤のヤイバトは左と下に動ける。右に動くと緑のハトが孤立するので動けない";
    alt_walls "Doves on three columns; the Yaibato moves right to a fourth, and there are walls left and right" "横幅3マスの盤面。ヤイバトが右に動いて横幅が4マスになり、左右に壁ができる";
    alt_surrounded "Three surrounded bosses: by four doves; by three doves and a wall; by two doves and two walls" "囲まれたボスハトの例3つ：ハト4羽、ハト3羽と壁、ハト2羽と壁2つ";
    learn_marks "The marks of this page" "このページの印"; mark_target "the dove can go there" "そこに指せます";
    mark_risky "lets the opponent win next (marked against the two weakest machines)" "次に相手が勝ちます（下の2つの強さとの対局で表示）";
    mark_loses "loses at once: it surrounds your own boss (“Warn” below the board turns this off)" "指すとすぐ負け（自分のボスハトを囲む手）。盤の下の「即勝ち・即負け」で消せます";
    mark_wins "wins at once" "指すとすぐ勝ち"; mark_win "the player who acts wins in 5 plies" "指す側が5手で勝ち";
    mark_draw "a draw with best play" "双方最善で引き分け"; mark_loss "the player who acts loses in 4 plies" "指す側が4手で負け";
    mark_within "wins in 9 plies at most: the shortest win is not known yet" "指す側が9手以内に勝ち（最短の手数はまだ不明）";
    mark_none "not known yet" "まだ不明";
    mark_estimate "points expected: an estimate, not proved. 4/27: of 27 answers, 4 hold the draw" "期待勝率（引き分けは0.5勝。推定値）。4/27 は、27通りの応手のうち、引き分けを保てるのは4通りという意味です";
    mark_last "in blue, the last action: a put, a return, a move" "直前の手（青：出す、戻す、動かす）";
    mark_thought "blue and dashed: an action that is pointed at, a hint, a solution, or what beats a mistake" "青の破線：選択中の手、ヒント、解答、疑問手をとがめる手";
    mark_better "green and dotted: what was better than a mistake" "緑の点線：疑問手よりも良かった手";
    mark_little "gave a little away: a quicker win, a slower loss" "少し損な手（もっと早い勝ち、もっと遅い負けがあった）";
    mark_some "gave something away: a draw, a distant win" "損な手（引き分けや遠い勝ちを逃した）";
    mark_much "gave much away: a near win, or let the opponent win soon" "大きく損な手（近い勝ちを逃した、すぐ負ける手だった）";
    mark_doubtful "paler: probably so, by estimates that are not proved" "薄い印は推定によるもの（証明はされていません）";
    mark_closed "a closed side of a surrounded boss" "囲まれたボスハトの、ふさがれた辺";

    // The page: counting.
    count "Count" "数え上げ";
    count_title "Count all mates" "すべての詰みを数える";
    count_lead
        "A mate is a position in which every action that does not lose at once lets the opponent win at once. This page counts them all, and other positions by other rules, in your browser."
        "詰みとは、自滅しない手のうちどれを指しても、次に相手が勝つ局面です。このページは、そのすべてをブラウザーの中で数えます。ほかの局面やルールでも数えられます。";
    count_what "Count" "数えるもの";
    count_mates "mates" "詰み";
    count_wins "wins in one" "1手で勝てる局面";
    count_stuck "positions without a safe action" "自滅しない手のない局面";
    count_looking_cpu "The CPU is counting …" "CPUで数えています…";
    counted_by_cpu "{total} {what}, counted on the CPU in {seconds} s." "{what}は{total}局面。CPUで数え、{seconds}秒かかりました。";
    count_confirming "The CPU counts once more, and now tests each of {assignments} assignments of doves …" "CPUでもう一度、ハトの割り当て方{assignments}通りをすべて調べています…";
    count_confirmed
        "Every one of {assignments} assignments was tested, too, in {seconds} s: the same count on all {placements} boss placements."
        "割り当て方{assignments}通りもすべて調べ、{seconds}秒で、ボスハトの配置{placements}通りのすべてで同じ数になりました。";
    count_published "This is the published figure." "公表されている数と一致します。";
    count_unpublished "No figure is published for this." "この数は公表されていません。";
    count_contradicts "This contradicts the published figure, {published}." "公表されている数 {published} と矛盾します。";
    count_csv "Save as CSV" "CSVで保存";
    count_shapes "Shapes with the most positions" "局面の多い形";
    count_gpu_title "On your GPU" "GPUで数える";
    count_gpu_lead
        "A GPU also tests all {assignments} assignments of doves, and each of its counts is compared with the CPU’s."
        "GPUでも、ハトの割り当て方{assignments}通りをすべて調べ、数えた結果を、ボスハトの配置ごとにCPUの結果と照合します。";
    count_gpu_only "A GPU counts only the whole game: all five kinds for both players." "GPUで数えられるのは、両者とも5種類のハトをすべて使う場合だけです。";
    count_doves "Doves" "ハトの数";
    count_start "Count" "数える";
    count_begin "Begin" "始める";
    count_go_on "Continue" "再開";
    count_looking "Looking for a GPU …" "GPUを探しています…";
    count_opening "Opening the GPU and testing it with known answers …" "GPUを準備し、答えの分かっている計算で確かめています…";
    count_forecast "{card} will take about {time} for {assignments} assignments." "{card} では、割り当て方{assignments}通りに約{time}かかります。";
    count_running "Counting on {card}: {percent} %, about {time} left. It continues while you look at other views." "{card} で数えています：{percent}%、残り約{time}。ほかの画面を見ている間も続きます。";
    count_stopped "Stopped at {percent} %. It goes on from there." "{percent}%で中断しました。続きから再開できます。";
    count_done "{total} {what}, counted on {card} in {time}. It agrees with the CPU on all {placements} boss placements." "{what}は{total}局面。{card} が{time}で数え、ボスハトの配置{placements}通りのすべてでCPUと一致しました。";
    count_wrong "Contradiction: {error} Nothing that {card} has counted is shown." "矛盾：{error}{card} が数えた結果は一切表示しません。";
    count_cut_short "{error} Before that, {card} agreed with the CPU on {placements} boss placements; the CPU’s count stands." "{error}それまでに {card} はボスハトの配置{placements}通りでCPUと一致していました。CPUの結果はそのまま有効です。";
    count_self_test "The self-test ‘{test}’ has a wrong result." "自己診断「{test}」の結果が正しくありません。";
    count_lost "The GPU was lost: {error}." "GPUが使えなくなりました：{error}。";
    count_driver "The driver reports: {error}." "ドライバーのエラー：{error}。";
    count_timeout "A batch was not finished after {seconds} seconds." "{seconds}秒たっても計算が終わりませんでした。";
    count_no_web_gpu
        "This browser has no WebGPU, so only the CPU counts. Current versions of Chrome, Edge, Firefox and Safari have it on most devices."
        "このブラウザーではWebGPUが使えないため、CPUだけで数えます。Chrome、Edge、Firefox、Safari の新しい版なら、多くの機種で使えます。";
    count_not_secure "Browsers offer WebGPU only on https, on localhost and in files, so at this address there is only the CPU’s count." "WebGPUが使えるのは https、localhost、ファイルだけです。このアドレスではCPUだけで数えます。";
    count_no_adapter "The browser offers no GPU to this page, so only the CPU counts." "ブラウザーから使えるGPUがないため、CPUだけで数えます。";
    count_limits "The GPU offers less than is needed (in brackets): {limits}. So only the CPU counts." "GPUの性能が足りません（かっこ内は必要な値）：{limits}。CPUだけで数えます。";
    count_no_answer "The browser has not given a GPU to this page in {seconds} seconds, so only the CPU counts." "{seconds}秒たってもブラウザーからGPUの応答がないため、CPUだけで数えます。";
    count_no_device "The GPU cannot be opened: {error}." "GPUを使い始められません：{error}。";
    count_cpu "CPU" "CPU";
    count_gpu "GPU" "GPU";
    count_total "Total" "合計";
    count_on "Device" "デバイス";
    count_workers "{workers} workers" "ワーカー{workers}個";
    count_method "Method" "方法";
    count_factored "by permanents" "パーマネント";
    count_exhaustive "every assignment" "すべての割り当て方";
    count_assignments "Assignments" "割り当て方";
    count_seconds "Seconds" "秒";
    count_rate "Assignments per second" "1秒あたりの割り当て数";
    count_part "part of {doves}" "{doves}の一部";
    count_save_runs "Save these as CSV" "この表をCSVで保存";
    count_copy_rows "Copy the GPU’s finished rows" "GPUで数え終わった行をコピー";
    count_copy "Copy for an issue" "報告用にコピー";
    seconds "{number} s" "{number}秒";
    minutes "{number} min" "{number}分";
    hours "{number} h" "{number}時間";
    count_private "All of this happens in your browser. Nothing leaves the machine unless you copy it." "計算はすべてこのブラウザーの中で行われます。自分でコピーしないかぎり、何も外へ送られません。";
}
