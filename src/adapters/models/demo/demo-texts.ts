/** What the demo model says of its own, in one language. Markdown. A missing text does not compile. */
export interface DemoTexts {
  readonly greeting: (appName: string) => string;
  readonly thanks: string;
  /** Says what the application is; `description` may be empty. */
  readonly about: (appName: string, description: string) => string;
  /** Says plainly that this is a demo model. */
  readonly isDemo: string;
  /** Before the list of tools. */
  readonly abilities: string;
  /** Before the list of pages. */
  readonly pages: string;
  readonly nothingToDo: string;
  readonly unclear: string;
  /** A message came with images. */
  readonly cannotSee: string;
  /** Asks for one missing detail. */
  readonly ask: (label: string) => string;
  readonly found: (count: number) => string;
  readonly nothingFound: string;
  /** Beside a card that shows the result; `count` when it is a list. */
  readonly onCard: (count: number | undefined) => string;
  readonly more: (count: number) => string;
  readonly here: string;
  /** `label` is the tool's name in words. */
  readonly done: (label: string) => string;
  readonly declined: string;
  readonly refused: string;
  readonly cancelled: string;
  readonly failed: (reason: string) => string;
  readonly unknown: string;
  readonly opening: (title: string) => string;
  readonly unfinished: string;
  /** After something was told that will be remembered. */
  readonly noted: string;
  /** Before a list of what is remembered. */
  readonly remembered: string;
  readonly nothingRemembered: string;
  readonly yes: string;
  readonly no: string;
}
