import type { ActionCallback } from '../../adapters/action-callback/action-callback.ts';
import type { ToolProvider } from './tool-provider.ts';

/** What of a callback its provider needs. */
export type ProvidingCallback = Pick<
  ActionCallback,
  | 'name'
  | 'offer'
  | 'inputCheck'
  | 'knowledgeSource'
  | 'fault'
  | 'state'
  | 'transformResult'
  | 'keepFresh'
  | 'renewSecret'
  | 'close'
>;

/** Codes of this file. Documented in `docs/reference/warnings.md`. */
export const callbackWarningCodes = { manifestMissing: 'HLP1101', hookRefused: 'HLP1102' } as const;

/** The actions and pages of a callback as its last good manifest has them. `place`: where it is configured. */
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
    inputChecks: ({ inputGuardrail }) =>
      inputGuardrail?.callback === name || callback.offer.checksInput ? [callback.inputCheck] : [],
    knowledgeSources: () => (callback.knowledgeSource === undefined ? [] : [callback.knowledgeSource]),
    start: (changed) => {
      callback.keepFresh(changed);
      return Promise.resolve();
    },
    // Until it has told its actions, the assistant lacks them (contract/plugins.md#callbacks).
    readiness: () => [{ name: `callback:${name}`, state: callback.state }],
    warnings: () => warningsOf(callback),
    takeSecrets: ({ actions }) => {
      const own = actions === 'none' ? undefined : actions.callbacks.find((entry) => entry.name === name);
      if (own !== undefined) callback.renewSecret(own.secret);
    },
    close: () => callback.close(),
  };
}

function warningsOf({ name, fault, offer }: ProvidingCallback): ReturnType<ToolProvider['warnings']> {
  const missing = `callback ${name} has not told its actions, and is asked again while the server runs`;
  return [
    ...(fault === undefined ? [] : [{ code: callbackWarningCodes.manifestMissing, message: `${missing}: ${fault}.` }]),
    ...offer.refusedHooks.map((hook) => ({
      code: callbackWarningCodes.hookRefused,
      message: `callback ${name} offers the hook ${hook}, which this server does not ask: nothing is checked by it.`,
    })),
  ];
}
