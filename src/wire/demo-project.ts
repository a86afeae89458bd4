/** What a cell of a list shows. Whatever is no plain value has become a text. */
export type DemoCell = string | number | boolean | null;

export interface DemoProjectColumn {
  readonly title: string;
  /** With tones each value is shown as a label; one that is not named is neutral. */
  readonly tones?: Readonly<Record<string, string>>;
}

/** A list that a plugin shows. */
export interface DemoProjectList {
  readonly title: string;
  readonly description: string | null;
  readonly columns: readonly DemoProjectColumn[];
  /** Null when the plugin could not say. */
  readonly rows: readonly (readonly DemoCell[])[] | null;
  /** How many rows there are, of which `rows` may be the first. */
  readonly total: number;
}

export interface DemoProjectAction {
  readonly title: string;
  readonly description: string;
  /** Whether the user is asked before it runs. */
  readonly asks: boolean;
  /** What users say for it. */
  readonly examples: readonly string[];
}

/**
 * What the demo page gets to know of the project (`GET /helper/demo`). Anybody may read it: there is nothing in it that needs a
 * role, and of the configuration nothing but the name of the application.
 */
export interface DemoProject {
  readonly appName: string;
  readonly actions: readonly DemoProjectAction[];
  /** Titles of pages that need no further detail to go to. */
  readonly pages: readonly string[];
  readonly lists: readonly DemoProjectList[];
}
