// The shapes of what the server answers, for the type check of the page (docs/json.md says what they mean).
// Nothing of this is sent to a browser.

interface Domain { kind: string; least?: number | null; most?: number | null; words?: string[]; or?: string }
interface Param { name: string; aliases: string[]; default: string; domain: Domain; about: string }
interface Preset { name: string; params: string; about: string }
interface About { name: string; summary: string; source: string; params: Param[]; presets: Preset[] }
interface Facts {
  players: number; hidden: boolean; hidden_moves: boolean; chance: string; simultaneous: boolean;
  utility: string; utility_bounds: [number, number]; max_length: number;
}
interface GameAbout extends About { facts: Facts | null; roles?: string[]; remark?: string }
interface Setup {
  game: string; about: GameAbout; players: number; usual: string; agents: { name: string; why?: string }[];
}
interface Me { owner: boolean; version: string; tables: { table: string; seats: number[] }[] }

type Place =
  | { of: "table"; table: string; step?: number }
  | { of: "replay"; replay: string; number: number; step?: number }
  | { of: "moves"; game: string; moves: string; seed?: number };

interface Turn { kind: "over" | "chance" | "player" | "together"; players?: number[] }
interface LegalMove { move: string; spots?: string[] }
interface Scene { caption: string; zones: unknown[] }
interface Shown { game: string; seat?: number; scene: Scene; legal: LegalMove[]; text: string }
interface Position {
  shown: Shown; svg: string; step?: number; turn: Turn | null; last: string[]; told?: string;
  rewards?: number[]; players: number; movers: number[];
}

interface Over { rewards?: number[]; resigned?: number; seed: number | string; salt?: string; moves: string[] }
interface SeatView {
  game: string; seat: number; revision: number; infoset: string; to_move: boolean; scene: Scene;
  changed?: string[]; legal?: LegalMove[]; told?: string[]; commitment?: string; over?: Over;
}
interface OwnView { view: SeatView; svg: string; undo: boolean; clock?: number }
interface Whole {
  svg: string; step: number; turn: Turn; moves: string[]; told?: string[]; thinking?: number;
  clocks?: number[]; rewards?: number[];
}
interface SeatAbout { kind: "person" | "agent"; agent?: string; cheats: boolean; yours: boolean; taken: boolean }
interface TableView {
  table: string; game: string; players: number; seats: SeatAbout[]; open: boolean; all_seen: boolean;
  over: boolean; failed?: string; unsaved?: string; links?: Record<string, string>; lost_on_time?: number;
  clock?: { seconds: number; increment: number };
  pace?: { paused: boolean; delay: number }; views: OwnView[]; whole?: Whole;
}
interface TableRow {
  table: string; game: string; seats: string[]; yours: number[]; over: boolean; open: boolean; updated: number;
}
interface NewTable {
  game: string; seats: (string | null)[]; open?: boolean; seed?: number; sit?: number[]; delay?: number;
  clock?: { seconds: number; increment: number }; from?: Place;
}

interface MoveFindings {
  move: string; visits: number; availability?: number | null; share?: number | null;
  values?: number[] | null; margins?: number[] | null; proven?: boolean;
}
interface Step { by?: number | null; name: string; svg?: string }
interface Findings {
  moves?: MoveFindings[]; iterations: number; nodes: number; depth: number; milliseconds?: number;
  tried?: number; bytes?: number; mean_depth?: number; line?: Step[];
}
interface Decision {
  agent: string; cheating: boolean; seat: number; move: string; moves: MoveFindings[]; line: Step[];
  iterations: number | null; nodes: number | null; bytes: number | null; depth: number | null;
  mean_depth: number | null; seconds: number; iterations_per_second: number | null;
  beliefs: { of: string; values: { value: string; probability: number }[] }[];
  figures: Record<string, number | null>; remark: string | null;
}
interface SearchAgent {
  agent: string; cheats: boolean; state: string; findings?: Findings; decision?: Decision; error?: string;
  note?: string;
}
interface Search { search: string; game: string; seat: number; legal: string[]; agents: SearchAgent[] }
interface TreeNode {
  id: number; parent: number | null; depth: number; kind: string; by?: number; move?: string; seen?: string[];
  turn: number | "chance" | null; visits: number; available: number | null; values: number[] | null;
  left_out: number;
}
interface TreePart {
  trees: { player: number; nodes: number }[]; path: { node: number; words: string }[]; node: TreeNode;
  text: string; svg_infoset?: string; svg: string;
  children: { node: TreeNode; share: number; more: number }[]; rest: number;
}
interface Worlds {
  beliefs: { worlds: number }; svg: string; worlds: { weight: number; svg: string }[]; truth?: string;
}
interface Thought { step: number; seat: number; chosen: string; decision: Decision }
interface ReviewRow {
  step: number; seat: number; move: string; best: string; value: number | null; best_value: number | null;
  lost: number | null; margin?: number;
}
interface Review { review: string; state: string; of: number; rows: ReviewRow[]; error?: string }

interface CurvePoint {
  iterations?: number; matches?: number; seconds: number; value: number; nash_conv: number;
  exploitability: number;
}
interface Solve {
  solve: string; kind: "solve" | "exploit"; game: string; what: string; state: string; points: CurvePoint[];
  svg?: string; solution?: Record<string, unknown>; exploitability?: Record<string, unknown>;
  infosets?: number; error?: string;
}
interface StrategyPage {
  of: number; rows: { seat: number; infoset: string; moves: { move: string; probability: number }[] }[];
}
interface ReplayGame {
  number: number; game: string; agents: string[]; cheating: boolean[]; steps: number; names: string[][];
  rewards?: number[];
}
interface Replay { replay: string; games: ReplayGame[] }
interface ExperimentRow { name: string; title: string; done: number; of: number; updated: number }
interface Experiment {
  name: string; title: string; done: number; of: number;
  tables: { title: string; head: string[]; rows: string[][] }[]; charts: { title: string; svg: string }[];
}

type Child = Node | string | number | null | undefined | false | Child[];
/** Attributes and listeners of an element, parts of a query: whatever goes by name. */
type Props = Record<string, any>;
type Query = Record<string, string | undefined>;
/** What a page gets to know of its place in the address, and how it says what to do later. */
interface Context {
  path: string[]; query: Query; setQuery(query: Query): void;
  onClose(close: () => void): void; onTheme(redraw: () => void): void; closed: boolean;
}
