import { onTestFinished } from 'vitest';
import { type ModelScript, type ScriptedModel, saying, startScriptedModel } from './scripted-model.ts';
import { type ScriptedOptions, type ScriptedServer, scriptedServer } from './scripted-server.ts';

export interface SmallQuestions extends ScriptedServer {
  /** The model that gets the small questions. */
  readonly small: ScriptedModel;
}

/** A server with a separate model for small questions. That model plays `verdicts`. */
export async function serverWithSmall(
  verdicts: readonly ModelScript[],
  options: Partial<Pick<ScriptedOptions, 'scripts' | 'plugin' | 'settings' | 'entry'>> = {},
): Promise<SmallQuestions> {
  const small = await startScriptedModel({ scripts: verdicts });
  onTestFinished(() => small.close());
  const server = await scriptedServer({
    scripts: [saying('The reply.')],
    ...options,
    models: { small: { provider: 'openai', baseUrl: small.url, model: 'small', apiKey: 'none', maxRetries: 0 } },
    settings: { classifierChatClient: 'small', ...options.settings },
  });
  return { ...server, small };
}

/** A script that answers with `text` once `release` is called. */
export function heldScript(text: string): { readonly script: ModelScript; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const script: ModelScript = async (exchange) => {
    await promise;
    await saying(text)(exchange);
  };
  return { script, release: () => resolve(undefined) };
}
