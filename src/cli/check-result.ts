import type { ServerReport } from '../app.ts';
import type { StartupFault } from '../core/errors/startup-fault.ts';

/** What a configuration would serve, or what is wrong with it. */
export type CheckResult =
  | { readonly ok: true; readonly report: ServerReport }
  | { readonly ok: false; readonly faults: readonly StartupFault[] };
