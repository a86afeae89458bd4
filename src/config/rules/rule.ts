import type { KeyPath } from '../located-value.ts';
import type { HelperSettings } from '../settings.ts';

/** A fault that only shows when several settings are looked at together. */
export interface RuleFault {
  readonly path: KeyPath;
  readonly message: string;
  readonly suggestion?: string;
  /** The message goes on from the value, which is written before it as far as it may be shown. */
  readonly showsValue?: true;
  /** Another setting it follows from: when that one is at fault itself, this one is not worth saying. */
  readonly follows?: KeyPath;
}

/** One cross-field rule of contract/configuration.md#faults. Settings handed in fit the schema. */
export type Rule = (settings: HelperSettings) => readonly RuleFault[];
