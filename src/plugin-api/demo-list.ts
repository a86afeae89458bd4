/** How a value of a column stands out, as the state of an order does. */
export type DemoTone = 'neutral' | 'info' | 'busy' | 'warning' | 'good' | 'bad';

/** A column of a list on the demo page. */
export interface DemoColumn {
  /** The member of a row that it shows. */
  readonly name: string;
  readonly title: string;
  /** Shows each value as a label in the tone that is named for it, else in a neutral one. */
  readonly tones?: Readonly<Record<string, DemoTone>>;
}

/** A list on the demo page: what the actions of this plugin work on. **Anybody who opens that page sees it.** */
export interface DemoList {
  readonly title: string;
  /** A sentence below the title. */
  readonly description?: string;
  /** What a row shows, in this order; every member of it when left out. The first column tells rows apart. */
  readonly columns?: readonly DemoColumn[];
  /** The rows: plain objects. Asked whenever the page is opened and after each action. */
  rows(): readonly object[] | Promise<readonly object[]>;
  /** Puts everything back to how it was at the start: "Start over" on the page. */
  reset?(): void | Promise<void>;
}
