import type { IssuerTrial, ModelTrial, ServerReport } from '../app.ts';
import type { StartupFault } from '../core/errors/startup-fault.ts';

/**
 * What a configuration would serve, or what is wrong with it. `trials`: what its models have answered, and `issuers`: what its issuers of
 * tokens publish; left out, nobody asked them.
 */
export type CheckResult =
  | {
      readonly ok: true;
      readonly report: ServerReport;
      readonly trials?: readonly ModelTrial[] | undefined;
      readonly issuers?: readonly IssuerTrial[] | undefined;
    }
  | { readonly ok: false; readonly faults: readonly StartupFault[] };
