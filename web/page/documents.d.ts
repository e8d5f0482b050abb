// The documents of doc/interface.md. web/check/run writes this file from the structs that are serialized.

export type AboutDocument = {
  levels: LevelDocument[];
  known: KnownDocument[];
};

export type AboutGame<A> = Origin & GameDocument & A;

export type ArrangementDocument = {
  doves: Record<string, [number, number]>;
  board: string | null;
  u64: string | null;
  shift: [number, number];
  wrong: string | null;
  surrounded: string[];
  text: string | null;
};

export type AttemptDocument = {
  action: LegalAction | null;
  refused: string | null;
  reason?: string;
};

export type Board = string;

export type BoardsDocument = {
  boards: string[];
};

export type Bounded = {
  within?: number;
} & Worth;

export type ChoiceDocument = {
  action: string;
  ground: string;
};

export type Code = string;

export type Color = string;

export type CountedDocument = {
  category: string;
  method: string;
  rows: TallyRow[];
  shapes: ShapeDocument[];
  published: number | null;
};

export type Document = {
  worth: Bounded;
  source?: string;
  choice: ChoiceDocument | null;
  candidates?: number;
  searched_plies?: number;
  out_of_time: boolean;
  actions: Ranked[];
  line: string[];
} & QuestionDocument;

export type DrawnDocument = {
  kind: string;
  dove: string;
  from: [number, number] | null;
  to: [number, number] | null;
  shift: [number, number];
};

export type EndingDocument = {
  winner: string | null;
  why: string;
  text: string;
};

export type EstimateFields = {
  per_mille: number;
  plies: number;
};

export type FoundPuzzle = {
  plies: number;
  unique: boolean;
  line: string[];
} & QuestionDocument;

export type GameDocument = {
  red: string;
  green: string;
  returns: boolean;
  both_surrounded: string;
};

export type GpuDocument = {
  name: string;
  is_software: boolean;
};

export type ImagesDocument = {
  turned: string;
  mirrored: string;
  recoloured: string;
} & QuestionDocument;

export type KnownDocument = {
  doves: number;
} & GameDocument;

export type LegalAction = {
  action: string;
  after: string;
  outcome: Outcome;
} & DrawnDocument;

export type LegalDocument = {
  result: string;
  actions: LegalAction[];
  ending: EndingDocument | null;
  u64: string;
  code: string;
  doves: Record<string, [number, number]>;
  hands: Record<string, string[]>;
  rows: number;
  columns: number;
  walls: [boolean, boolean];
  closed: Record<string, [string | null, string | null, string | null, string | null]>;
} & QuestionDocument;

export type Level = string;

export type LevelDocument = {
  level: Level;
  plies: number | null;
};

export type LineDocument = {
  worth: Bounded;
  out_of_time: boolean;
  line: LineStep[];
  suggested: boolean;
  result: string;
} & QuestionDocument;

export type LineStep = {
  action: string;
  player: Color;
  after: Board;
};

export type Longest = {
  board: Board;
  to_move: Color;
} & Value;

export type Origin = {
  program: string;
  version: string;
  commit: string | null;
  format: number;
};

export type Outcome = "open" | "won" | "lost" | "drawn";

export type PictureDocument = {
  svg: string;
};

export type PlayDocument = {
  level: Level;
  seed: number;
  choice: PlayedAction | null;
} & QuestionDocument;

export type PlayedAction = {
  action: string;
  after: Board;
} & Bounded;

export type PlayersDocument = {
  red: string;
  green: string;
};

export type ProgressDocument = {
  placements: number;
  assignments: number;
  rows: TallyRow[];
  self_test: boolean;
  seconds: number;
  seconds_left: number | null;
};

export type PuzzleDocument = {
  seed: number;
  drawn: number;
  possible: boolean;
  puzzle: FoundPuzzle | null;
} & Origin;

export type QuestionDocument = {
  board: string;
  to_move: string;
} & Origin & GameDocument;

export type Ranked = RankedFields;

export type RankedFields = {
  action: string;
  within?: number;
  source: Source;
  after: Board;
  code: Code;
  estimate?: EstimateFields;
} & Worth & Partial<Ways>;

export type ReadDocument<T> = {
  kind: string;
} & T;

export type RecordDocument = {
  players: PlayersDocument;
  steps: StepDocument[];
  result: string;
  comments: [number, string][];
  may_claim_draw: boolean;
  text: string;
  omitted: string | null;
};

export type ReviewDocument = {
  steps: ReviewedStep[];
};

export type ReviewedStep = {
  action: string | null;
  worth: Bounded | null;
  action_worth: Bounded | null;
  per_mille: number | null;
  verdict: VerdictDocument | null;
  reply: string | null;
};

export type RoundDocument = {
  round: number;
  wins: number;
  losses: number;
};

export type RowFields = {
  mover: string;
  doves: number;
  value: string;
  plies: number | null;
  positions: number;
};

export type ShapeDocument = {
  shape: string;
  positions: number;
};

export type SheetDocument = {
  html: string;
};

export type SolutionRow = RowFields;

export type SolvedDocument = {
  positions: number;
  rows: SolutionRow[];
  start: StartDocument[];
  longest: Longest | null;
};

export type Source = string;

export type StartDocument = {
  to_move: Color;
} & Worth;

export type StepDocument = {
  board: string;
  to_move: string;
  code: string;
  seen: number;
  action: string | null;
} & Partial<DrawnDocument>;

export type SumDocument = {
  rows: TallyRow[];
  total: TallyRow;
  csv: string;
};

export type TallyRow = {
  mover: string;
  doves: number;
  shapes: number;
  boss_placements: number;
  assignments: number;
  positions: number;
};

export type Value = ValueFields;

export type ValueFields = {
  value: string;
  plies: number | null;
};

export type VerdictDocument = {
  kind: VerdictKind;
  sign: string;
  mistake: boolean;
  better: string | null;
  text: string;
};

export type VerdictKind = "kept" | "likely" | "better" | "allowed" | "lost-draw" | "lost-win" | "doubtful";

export type Ways = {
  ways: number;
  answers: number;
};

export type WorkloadDocument = {
  category: string;
  placements: number;
  assignments: number;
};

export type Worth = ValueFields;
