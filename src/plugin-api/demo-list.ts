/** The emphasis of a value in a column, such as the state of an order. */
export type DemoTone = 'neutral' | 'info' | 'busy' | 'warning' | 'good' | 'bad';

/** A column of a list on the demo page. */
export interface DemoColumn {
  /** The member of a row that the column shows. */
  readonly name: string;
  readonly title: string;
  /** The tone of each value. Each value is shown as a label; a value that is not named here is neutral. */
  readonly tones?: Readonly<Record<string, DemoTone>>;
}

/** A list on the demo page with the data that this plugin's actions use. **Anybody who opens that page sees it.** */
export interface DemoList {
  readonly title: string;
  /** A sentence below the title. */
  readonly description?: string;
  /** The columns, in this order. Left out, there is a column for every member of a row. The first column identifies a row. */
  readonly columns?: readonly DemoColumn[];
  /** The rows, as plain objects. It is called whenever the page is opened, and after each action. */
  rows(): readonly object[] | Promise<readonly object[]>;
  /** Restores the data of the start. The page calls it for "Start over". */
  reset?(): void | Promise<void>;
}
