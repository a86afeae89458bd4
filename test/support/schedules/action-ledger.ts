/** The beginning of one action. Only the plugin writes it. */
export interface Execution {
  /** The folder of the process in which the action ran. */
  readonly process: string;
  readonly action: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly callId: string;
  readonly turnId: string;
  readonly conversationId: string;
  readonly userId: string;
  /** When it began, in the time of the schedule's record. */
  readonly at: number;
  ended: boolean;
}

interface Call {
  readonly process: string;
  readonly action: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly context: {
    readonly callId: string;
    readonly turnId: string;
    readonly conversationId: string;
    readonly user: { readonly id: string };
    readonly signal: AbortSignal;
  };
}

const place = Symbol.for('helper.schedules.ledger');

/**
 * Records what really ran, outside of any server. It survives the death of a server, and ignores what a dead server still does. The
 * plugin finds it through a global symbol, because Node itself imports the plugin.
 */
export class ActionLedger {
  readonly executions: Execution[] = [];
  readonly #held: (() => void)[] = [];
  readonly #isAlive: (process: string) => boolean;
  readonly #tick: () => number;

  constructor(options: { readonly isAlive: (process: string) => boolean; readonly tick: () => number }) {
    this.#isAlive = options.isAlive;
    this.#tick = options.tick;
    Object.assign(globalThis, { [place]: this });
  }

  async run({ process, action, arguments: given, context }: Call): Promise<unknown> {
    if (!this.#isAlive(process)) return 'nobody sees this';
    const { callId, turnId, conversationId, user, signal } = context;
    const began = { process, action, arguments: given, callId, turnId, conversationId, userId: user.id };
    const execution: Execution = { ...began, at: this.#tick(), ended: false };
    this.executions.push(execution);
    if (action === 'slow_change') await this.#hold(signal);
    execution.ended = true;
    if (action === 'failing_change') throw new Error('it could not be changed');
    return { changed: given['id'] };
  }

  /** Lets the action continue that was held longest. */
  release(): void {
    this.#held.shift()?.();
  }

  releaseAll(): void {
    while (this.#held.length > 0) this.release();
  }

  #hold(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#held.push(resolve);
      signal.addEventListener('abort', () => {
        reject(new Error('stopped'));
      });
    });
  }
}

/** The actions of the schedules, as a plugin that each process loads for itself. */
export function ledgerPlugin(process: string): string {
  return `
const ledger = () => globalThis[Symbol.for('helper.schedules.ledger')];
const parameters = {
  type: 'object',
  properties: { id: { type: 'string' }, amount: { type: 'integer' } },
  required: ['id', 'amount'],
  additionalProperties: false,
};
const action = (name, more) => ({
  name,
  description: 'Does ' + name + '.',
  parameters,
  // Or no approval would be remembered.
  trusted: true,
  ...more,
  execute: (given, context) => ledger().run({ process: ${JSON.stringify(process)}, action: name, arguments: given, context }),
});
export default {
  name: 'schedules',
  actions: [
    action('change', { editable: true }),
    action('slow_change', {}),
    action('failing_change', { requiresConfirmation: true }),
    action('look', { readOnly: true }),
  ],
};
`;
}
