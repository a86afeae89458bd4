import type { ActionCallback } from '../../adapters/action-callback/action-callback.ts';
import type { ToolProvider } from './tool-provider.ts';

/** What of a callback its provider needs. */
export type ProvidingCallback = Pick<
  ActionCallback,
  | 'name'
  | 'offer'
  | 'checks'
  | 'knowledgeSource'
  | 'fault'
  | 'state'
  | 'transformResult'
  | 'keepFresh'
  | 'renewSecret'
  | 'close'
>;

/** Code of this file. Documented in `docs/reference/warnings.md`. */
export const callbackWarningCodes = { manifestMissing: 'HLP1101' } as const;

/** The actions and pages of a callback, as in its last valid manifest. `place`: where the callback is configured. */
export function callbackProvider(
  callback: ProvidingCallback,
  place: { readonly file: string; readonly path: string },
): ToolProvider {
  const { name } = callback;
  return {
    name: `callback "${name}"`,
    offer: () => callback.offer,
    placeOf: () => place,
    transformResult: (tool, result) => callback.transformResult(tool, result),
    checks: (direction, { inputGuardrail, outputGuardrail }) => {
      const named = { input: inputGuardrail, output: outputGuardrail }[direction];
      return named?.callback === name || callback.offer.checks[direction] ? [callback.checks[direction]] : [];
    },
    knowledgeSources: () => (callback.knowledgeSource === undefined ? [] : [callback.knowledgeSource]),
    start: (changed) => {
      callback.keepFresh(changed);
      return Promise.resolve();
    },
    // The assistant lacks the actions of a callback until the callback has told them (contract/plugins.md#callbacks).
    readiness: () => [{ name: `callback:${name}`, state: callback.state }],
    warnings: () => warningsOf(callback),
    takeSecrets: ({ actions }) => {
      const own = actions === 'none' ? undefined : actions.callbacks.find((entry) => entry.name === name);
      if (own !== undefined) callback.renewSecret(own.secret);
    },
    close: () => callback.close(),
  };
}

function warningsOf({ name, fault }: ProvidingCallback): ReturnType<ToolProvider['warnings']> {
  if (fault === undefined) return [];
  const missing = `callback ${name} has not told its actions, and is asked again while the server runs`;
  return [{ code: callbackWarningCodes.manifestMissing, message: `${missing}: ${fault}.` }];
}
