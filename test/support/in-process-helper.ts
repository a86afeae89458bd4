import { onTestFinished } from 'vitest';
import { createHelper, type Helper, type HelperEvent, type HelperTurn } from '../../src/index.ts';
import { recordingLogger } from './quiet.ts';
import type { ScriptedModel } from './scripted-model.ts';
import { scriptedConfiguration, type ScriptedOptions } from './scripted-server.ts';

export interface InProcessHelper {
  readonly helper: Helper;
  readonly model: ScriptedModel;
  readonly log: ReturnType<typeof recordingLogger>;
  /** What the plugin's actions have done, with one entry for each run. */
  readonly done: readonly object[];
}

/** The runs of the plugin below, by its name. The plugin runs in this process and records them here. */
const runs = new Map<string, object[]>();
Object.assign(globalThis, { testRuns: (name: string) => runs.get(name) });

let counted = 0;

/** A plugin with an action that asks, one that needs a role, and one that only reads. */
export function shopPlugin(name: string): string {
  return `
    const execute = (action) => (args, { user, channel, page }) => {
      globalThis.testRuns(${JSON.stringify(name)}).push({ action, args, user: user.id, channel, page });
      return { done: true };
    };
    const parameters = { type: 'object', properties: { order: { type: 'integer', title: 'Order' } } };
    export default {
      name: 'shop',
      actions: [
        { name: 'cancel', title: 'Cancel an order', description: 'Cancels.', parameters, editable: true, execute: execute('cancel') },
        { name: 'refund', description: 'Refunds.', parameters, requiredRoles: ['Supervisor'], execute: execute('refund') },
        { name: 'look', description: 'Looks.', parameters, readOnly: true, execute: execute('look') },
      ],
    };`;
}

/** The assistant in this process, with a scripted model and the plugin above. It ends with the test. */
export async function inProcessHelper(options: ScriptedOptions): Promise<InProcessHelper> {
  counted += 1;
  const name = `helper ${String(counted)}`;
  const done: object[] = [];
  runs.set(name, done);
  const log = recordingLogger();
  const { configuration, model } = await scriptedConfiguration({ plugin: shopPlugin(name), ...options });
  const settings = { storage: { type: 'memory' }, server: { shutdownGrace: '0s' }, ...configuration };
  const helper = await createHelper(settings, { log });
  onTestFinished(() => helper.close());
  return { helper, model, log, done };
}

type EventNamed<Name extends HelperEvent['event']> = Extract<HelperEvent, { readonly event: Name }>;

/** Reads up to the next event of this name. */
export async function nextOf<Name extends HelperEvent['event']>(
  turn: HelperTurn,
  name: Name,
): Promise<EventNamed<Name>> {
  for (let result = await turn.next(); result.done !== true; result = await turn.next()) {
    if (isNamed(result.value, name)) return result.value;
  }
  throw new Error(`the turn ended without ${name}`);
}

function isNamed<Name extends HelperEvent['event']>(event: HelperEvent, name: Name): event is EventNamed<Name> {
  return event.event === name;
}

/** Reads a turn to its end. */
export async function allOf(turn: HelperTurn): Promise<readonly HelperEvent[]> {
  const events: HelperEvent[] = [];
  for await (const event of turn) events.push(event);
  return events;
}
