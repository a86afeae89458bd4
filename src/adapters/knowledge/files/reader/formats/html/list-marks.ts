/** A list that the walk is in. */
interface List {
  readonly isOrdered: boolean;
  readonly type: string;
  /** How deep the list is, from 0. */
  readonly level: number;
  next: number;
}

/** What a list says of itself. */
export interface ListFacts {
  readonly isOrdered: boolean;
  /** The number of the first item. */
  readonly start: number;
  /** How items are counted: by `1`, `a`, `A`, `i` or `I`. */
  readonly type: string;
  /** How deep the list says that it is. Undefined: as deep as it is nested. */
  readonly level?: number | undefined;
}

const mostIndented = 12;

/** The marks before the items of lists: their level, and their numbers. */
export class ListMarks {
  readonly #lists: List[] = [];

  get isOpen(): boolean {
    return this.#lists.length > 0;
  }

  enter({ isOrdered, start, type, level }: ListFacts): void {
    this.#lists.push({ isOrdered, type, next: start, level: level ?? this.#lists.length });
  }

  leave(): void {
    this.#lists.pop();
  }

  /** The mark of the next item. `value` is the number that the item gives itself. */
  item(value?: number): string {
    const list = this.#lists.at(-1);
    if (list === undefined) return '\n- ';
    const indent = '  '.repeat(Math.min(list.level, mostIndented));
    if (!list.isOrdered) return `\n${indent}- `;
    const number = value ?? list.next;
    list.next = number + 1;
    return `\n${indent}${countedAs(number, list.type)}. `;
  }
}

function countedAs(number: number, type: string): string {
  if (number < 1 || number > 3_999) return String(number);
  if (type === 'a' || type === 'A') {
    const letters = lettersOf(number);
    return type === 'a' ? letters : letters.toUpperCase();
  }
  if (type === 'i' || type === 'I') return type === 'i' ? romanOf(number) : romanOf(number).toUpperCase();
  return String(number);
}

function lettersOf(number: number): string {
  const letter = String.fromCharCode(97 + ((number - 1) % 26));
  return number <= 26 ? letter : `${lettersOf(Math.floor((number - 1) / 26))}${letter}`;
}

const romans: readonly (readonly [number, string])[] = [
  ...([
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
    [50, 'l'],
    [40, 'xl'],
  ] as const),
  ...([
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ] as const),
];

function romanOf(number: number): string {
  let left = number;
  let text = '';
  for (const [worth, sign] of romans) {
    while (left >= worth) {
      text += sign;
      left -= worth;
    }
  }
  return text;
}
