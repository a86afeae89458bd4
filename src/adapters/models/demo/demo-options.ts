import type { Language } from '../../../core/language/language.ts';

/** A page that the demo model can send the user to. The placeholders in `url` are the parameters of the page. */
export interface DemoPage {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly url?: string;
}

/** The facts that the demo model knows about the application. */
export interface DemoOptions {
  readonly language: Language;
  readonly appName: string;
  readonly appDescription: string;
  /** Called for each reply, because the pages of a callback may change. */
  readonly pages: () => readonly DemoPage[];
  /** The title of an action as people read it elsewhere. Undefined for an action that only a page knows. Called for each reply, too. */
  readonly titleOf: (tool: string) => string | undefined;
}
