import type { ScriptedModel } from '../scripted-model.ts';

/** How many requests the model got about a message. */
export function begunTurns(model: ScriptedModel, message: string): number {
  return model.requests.filter(({ body }) => JSON.stringify(body['messages']).includes(message)).length;
}
