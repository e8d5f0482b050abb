// The types of the page's modules. Those of the library's answers are in documents.d.ts.

import type * as documents from "./documents.d.ts";

/** A row and a column. Rows count downwards, columns to the right. */
export type Cell = [number, number];
export type Color = "red" | "green";
/** The cells of doves on a plane without origin, by letter: upper case is red, lower case green. */
export type Doves = Record<string, Cell>;
export type Box = { top: number; bottom: number; left: number; right: number; rows: number; columns: number };

/** Dove sets without the boss, "-" for none, and the rules. */
export type Game = { red: string; green: string; returns: boolean; bothSurrounded: string };
export type Place = { doves: Doves; mover: Color; game: Game };
/** A position of the game that is shown, with the action that led to it. */
export type Position = Place & { action: Action | null };
/** An action on the plane. `after`: the board after it. `isBetter`: drawn as the action that was missed. */
export type Action = {
  text: string; kind: string; dove: string; from: Cell | null; to: Cell | null; outcome: string; after: Doves; isBetter?: boolean;
};
/** The value of a position or of an action; `within` bounds an unknown distance. */
export type Value = documents.Bounded;
/** A cell that the chosen dove can go to; `to` is null for the hand. */
export type Target = { to: Cell | null; dove: string; worth?: Value; end?: string };

/** A key of a text, and its parameters. */
export type Sentence = [key: string, parameters?: Record<string, any>];
export type Message = {
  text: string; back: { do: () => void; text: string } | null; actions: (string | undefined)[];
};
/** The limits of a search, and the first action of a line. */
export type Effort = { depth?: number; seconds?: number; action?: string };
export type PuzzleWishes = { plies: number; isUnique: boolean; doves: string; positions?: number };
export type Run = {
  processor: string; name: string; method: string; doves: string; assignments: number; positions: number; seconds: number;
};
export type Line = { line: documents.LineStep[]; order: string | undefined; isOver: boolean };
export type Review = { made: unknown[]; steps: documents.ReviewedStep[]; looked: number };
/** A game to begin: `texts` are the actions that follow the position, `lines` other lines that were tried. */
export type Beginning = {
  doves: Doves; mover: Color; game?: Game; texts?: string[]; ply?: number; lines?: string[][]; players?: Players;
  comments?: [number, string][]; ending?: string | null;
};
export type Players = Record<Color, string>;

export type PositionAnswer = documents.Document;
export type LineAnswer = documents.LineDocument;
export type GameAnswer = documents.AboutGame<documents.RecordDocument>;

/** The answers of the library, by question. */
export type Answers = {
  about: documents.AboutGame<documents.AboutDocument>;
  words: Record<string, string>;
  legal: documents.LegalDocument;
  try: documents.AttemptDocument;
  picture: documents.PictureDocument;
  qr: documents.PictureDocument;
  sheet: documents.SheetDocument;
  arrange: documents.ArrangementDocument;
  read: Partial<documents.ArrangementDocument & GameAnswer & documents.BoardsDocument> & { kind: string };
  game: GameAnswer;
  review: documents.AboutGame<documents.ReviewDocument>;
  position: PositionAnswer;
  line: LineAnswer;
  play: documents.PlayDocument;
  puzzle: documents.PuzzleDocument;
  count: documents.AboutGame<documents.CountedDocument>;
  gpu: documents.AboutGame<documents.WorkloadDocument>;
  solve: documents.AboutGame<documents.SolvedDocument>;
};
export type Question = keyof Answers;
/** An answer, or why there is none. */
export type Asked<Q extends Question> = Answers[Q] & { error?: undefined } | Partial<Record<keyof Answers[Q], undefined>> & { error: string };
