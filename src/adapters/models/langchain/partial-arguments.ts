import { listOf, objectOf, textOf } from '../json-values.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The most steps of a path, and the most elements of a list. Other paths are left out. */
const [maxSteps, maxElements] = [64, 10_000];

/** One step of a path: a name, or a place in a list. */
type Step = string | number;
type Container = Map<Step, unknown>;

/** Puts the arguments of a call together that Gemini streams value by value, each with its path. */
export class PartialArguments {
  readonly #root: Container = new Map();
  /** The path of the text whose next piece is expected. */
  #open: string | undefined;

  /** The pieces in a function call of a chunk. Undefined where it has none. */
  static in(call: Fields): readonly unknown[] | undefined {
    return Array.isArray(call['partialArgs']) ? listOf(call['partialArgs']) : undefined;
  }

  add(pieces: readonly unknown[]): void {
    for (const piece of pieces) {
      const fields = objectOf(piece) ?? {};
      const path = textOf(fields['jsonPath']) ?? '';
      this.#set(path, valueOf(fields));
      this.#open = fields['willContinue'] === true ? path : undefined;
    }
  }

  /** The arguments so far as JSON. */
  get text(): string {
    return JSON.stringify(plain(this.#root));
  }

  #set(path: string, value: unknown): void {
    const steps = stepsOf(path);
    const last = steps?.at(-1);
    if (steps === undefined || last === undefined || value === undefined) return;
    let container = this.#root;
    for (const step of steps.slice(0, -1)) {
      const next: unknown = container.get(step);
      // Only this class puts maps into its maps.
      const inner = next instanceof Map ? (next as Container) : new Map<Step, unknown>();
      container.set(step, inner);
      container = inner;
    }
    const before = this.#open === path ? container.get(last) : undefined;
    container.set(last, typeof before === 'string' && typeof value === 'string' ? before + value : value);
  }
}

function valueOf(piece: Fields): unknown {
  const value = piece['stringValue'] ?? piece['numberValue'] ?? piece['boolValue'];
  return value ?? (piece['nullValue'] === undefined ? undefined : null);
}

/** The steps of a path such as `$.list[0].name` or `$['a name']`. Undefined for any other. */
function stepsOf(path: string): readonly Step[] | undefined {
  if (!path.startsWith('$')) return undefined;
  const steps: Step[] = [];
  let rest = path.slice(1);
  while (rest !== '') {
    const [whole = '', name, place, single, double] =
      /^(?:\.([^.[\]]{1,100})|\[(\d{1,5})\]|\[(?:'([^']{0,60})'|"([^"]{0,20})")\])/.exec(rest) ?? [];
    if (whole === '' || steps.length === maxSteps) return undefined;
    const at = place === undefined ? undefined : Number(place);
    if (at !== undefined && at >= maxElements) return undefined;
    steps.push(at ?? name ?? single ?? double ?? '');
    rest = rest.slice(whole.length);
  }
  return steps;
}

/** A map as an object, or as a list where all its keys are places. */
function plain(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const entries = [...(value as Container)]; // as above
  if (entries.length > 0 && entries.every(([step]) => typeof step === 'number')) {
    const list: unknown[] = Array.from({ length: Math.max(...entries.map(([step]) => Number(step))) + 1 }, () => null);
    for (const [step, one] of entries) list[Number(step)] = plain(one);
    return list;
  }
  return Object.fromEntries(entries.map(([step, one]) => [String(step), plain(one)]));
}
