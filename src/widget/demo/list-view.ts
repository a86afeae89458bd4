import type { DemoCell, DemoProjectColumn, DemoProjectList } from '../../wire/demo-project.ts';
import type { DemoTexts } from './demo-texts.ts';
import { element } from './element.ts';

const changedForMs = 4000;

/** The values in the query of an address such as `/?order=1002`. */
export function shownKeys(address: string): ReadonlySet<string> {
  return new Set(new URL(address).searchParams.values());
}

/** One list of the project as a table. Changed rows light up. */
export class ListView {
  readonly section = element('section', { className: 'desk' });
  readonly #texts: DemoTexts;
  readonly #title = element('h2', { dir: 'auto' });
  readonly #summary = element('p', { className: 'summary' });
  readonly #description = element('p', { className: 'description', dir: 'auto' });
  readonly #box = element('div', { className: 'table-box' });
  /** What each row showed before, by its key. Null before the first time. */
  #before: ReadonlyMap<string, string> | null = null;

  constructor(index: number, texts: DemoTexts) {
    this.#texts = texts;
    this.#title.id = `list-${String(index)}`;
    this.#summary.role = 'status';
    this.#box.tabIndex = 0;
    this.#box.role = 'group';
    for (const part of [this.section, this.#box]) part.setAttribute('aria-labelledby', this.#title.id);
    this.section.append(element('div', { className: 'desk-head' }, this.#title, this.#summary), this.#description);
    this.section.append(this.#box);
  }

  draw(list: DemoProjectList): void {
    const { title, description, columns, rows, total } = list;
    this.#title.textContent = title;
    this.#description.textContent = description;
    this.#description.hidden = description === null;
    const hidden = rows === null ? 0 : total - rows.length;
    const summary = rows === null ? this.#texts.unreadable : this.#texts.entries(total, hidden);
    // Setting the same text again would make screen readers announce it again.
    if (this.#summary.textContent !== summary) this.#summary.textContent = summary;
    this.#box.hidden = rows === null || rows.length === 0;
    this.#drawRows(columns, rows ?? []);
  }

  #drawRows(columns: readonly DemoProjectColumn[], rows: readonly (readonly DemoCell[])[]): void {
    const before = this.#before;
    const contents = new Map(rows.map((cells) => [String(cells[0]), JSON.stringify(cells)]));
    this.#before = contents;
    const heads = columns.map(({ title }) => {
      const head = element('th', { text: title, dir: 'auto' });
      head.scope = 'col';
      return head;
    });
    const lines = rows.map((cells) => {
      const line = this.#row(columns, cells);
      const key = String(cells[0]);
      line.classList.toggle('is-changed', before !== null && before.get(key) !== contents.get(key));
      return line;
    });
    const head = element('thead', {}, element('tr', {}, ...heads));
    this.#box.replaceChildren(element('table', {}, head, element('tbody', {}, ...lines)));
    setTimeout(() => {
      for (const line of lines) line.classList.remove('is-changed');
    }, changedForMs);
  }

  #row(columns: readonly DemoProjectColumn[], cells: readonly DemoCell[]): HTMLTableRowElement {
    const row = element('tr');
    row.dataset['key'] = String(cells[0]);
    row.append(...columns.map((column, index) => this.#cell(column, cells[index] ?? null, index === 0)));
    return row;
  }

  #cell({ tones }: DemoProjectColumn, value: DemoCell, isKey: boolean): HTMLTableCellElement {
    const text = this.#textOf(value);
    const cell = element(isKey ? 'th' : 'td', { dir: 'auto' });
    if (isKey) cell.scope = 'row';
    if (typeof value === 'number' || /^\p{Sc}\s?[\d.,]+$/u.test(text)) cell.className = 'number';
    if (text.length > 24) cell.classList.add('wide');
    if (tones === undefined || text === '') cell.textContent = text;
    else cell.append(element('span', { className: `status is-${tones[String(value)] ?? 'neutral'}`, text }));
    return cell;
  }

  #textOf(value: DemoCell): string {
    if (value === null) return '';
    if (typeof value === 'boolean') return value ? this.#texts.yes : this.#texts.no;
    return String(value);
  }

  /** Marks the rows that the address names, and scrolls the first of them into view. */
  markShown(keys: ReadonlySet<string>): void {
    let first: HTMLElement | undefined;
    for (const row of this.section.querySelectorAll<HTMLElement>('tr[data-key]')) {
      const isShown = keys.has(row.dataset['key'] ?? '');
      row.classList.toggle('is-shown', isShown);
      if (isShown) first ??= row;
    }
    first?.scrollIntoView({ block: 'nearest' });
  }
}
