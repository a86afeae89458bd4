import type { KeyPath } from '../located-value.ts';
import type { HelperSettings } from '../settings.ts';

/** A fault that only shows when several settings are looked at together. */
export interface RuleFault {
  readonly path: KeyPath;
  readonly message: string;
  readonly suggestion?: string;
  /** The message continues the sentence that the value begins. The value is shown as far as it may be. */
  readonly showsValue?: true;
  /** Another setting that causes the fault. When that setting is at fault itself, this fault is not reported. */
  readonly follows?: KeyPath;
}

/** One cross-field rule of contract/configuration.md#faults. Settings handed in fit the schema. */
export type Rule = (settings: HelperSettings) => readonly RuleFault[];
