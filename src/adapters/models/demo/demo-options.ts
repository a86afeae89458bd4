import type { Language } from '../../../core/language/language.ts';

/** A page the demo model can send the user to. `url` tells which parameters it needs. */
export interface DemoPage {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly url?: string;
}

/** What the demo model knows of the application it speaks for. */
export interface DemoOptions {
  readonly language: Language;
  readonly appName: string;
  readonly appDescription: string;
  /** Asked anew for each reply: a callback's pages come and go. */
  readonly pages: () => readonly DemoPage[];
  /**
   * The title of an action as people read it elsewhere. Undefined for an action that only a page knows. Asked anew for
   * each reply, too.
   */
  readonly titleOf: (tool: string) => string | undefined;
}
