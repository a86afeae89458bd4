/** The demo model's own words, in one language and as Markdown. A missing text does not compile. */
export interface DemoTexts {
  readonly greeting: (appName: string) => string;
  readonly thanks: string;
  /** Says what the application is; `description` may be empty. */
  readonly about: (appName: string, description: string) => string;
  /** Says plainly that this is a demo model. */
  readonly isDemo: string;
  /** The words before the list of tools. */
  readonly abilities: string;
  /** The words before the list of pages. */
  readonly pages: string;
  readonly nothingToDo: string;
  readonly unclear: string;
  /** The words about a message with images. */
  readonly cannotSee: string;
  /** Asks for one missing detail. */
  readonly ask: (label: string) => string;
  readonly found: (count: number) => string;
  readonly nothingFound: string;
  /** The words beside a card that shows the result. `count` is the length of a list. */
  readonly onCard: (count: number | undefined) => string;
  readonly more: (count: number) => string;
  readonly here: string;
  /** `label` is the tool's name in words. */
  readonly done: (label: string) => string;
  /** Beside a card that shows the outcome. The transcript names the action already. */
  readonly doneOnCard: string;
  readonly declined: string;
  readonly refused: string;
  readonly cancelled: string;
  readonly failed: (reason: string) => string;
  readonly unknown: string;
  readonly opening: (title: string) => string;
  readonly unfinished: string;
  /** The words after the user has told something that will be remembered. */
  readonly noted: string;
  /** The words before a list of remembered facts. */
  readonly remembered: string;
  readonly nothingRemembered: string;
  readonly yes: string;
  readonly no: string;
}
