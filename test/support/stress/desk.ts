import { calling, type ModelScript, saying } from '../scripted-model.ts';
import { lastUserText } from './last-user-text.ts';
import type { StressServerOptions } from './stress-server.ts';

/** The longest text for a pattern whose time grows with the square of the length (contract/plugins.md#plugins). */
export const longestMail = 3_162;

const properties = {
  // The pattern's time grows with the square of the text. The server accepts it because of maxLength.
  mail: { type: 'string', pattern: '^[^@]+@[^@]+\\.[^@]+$', maxLength: longestMail },
  host: { type: 'string', pattern: '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$' },
  text: { type: 'string' },
  list: { type: 'array' },
};

/** An action that reads, and one that asks and lets the user edit its arguments. `schema` adds to the parameters of both. */
export function deskPlugin(schema: object = {}): string {
  return `
    const parameters = ${JSON.stringify({ type: 'object', properties: { ...properties, ...schema } })};
    const execute = (given) => ({ given });
    export default {
      name: 'stress',
      actions: [
        { name: 'look', description: 'Looks.', readOnly: true, parameters, execute },
        { name: 'write', description: 'Writes.', editable: true, parameters, execute },
      ],
    };`;
}

/** The most expensive rules that the server accepts. Each is tried on a visitor's words. */
export const deskSettings = {
  hitlMode: 'Native',
  onToolResult: [
    { tool: 'look', replace: [{ pattern: '[\\w.+-]{1,64}@[\\w-]{1,63}\\.[\\w.-]{1,63}', with: 'somebody' }] },
  ],
  autoApprovalRules: [
    { tool: 'write', when: { text: { matches: '^(?=.*[A-Z])(?=.*\\d).{8,64}$' } } },
    { tool: '*a*a*a*a*a*a*a*a*b' },
  ],
  requiresApproval: [`${'*e'.repeat(20)}*z`],
};

/** What the desk's model was told about its calls, and how long that took. */
export interface Told {
  readonly afterMs: number;
  readonly outcomes: readonly string[];
}

/** A message `write` calls the write, and `deep` calls with nested arguments. Any other message goes into every pattern. */
export function desk(told: (outcome: Told) => void): StressServerOptions {
  let calledAt = 0;
  const script: ModelScript = async (exchange) => {
    const { request } = exchange;
    const messages = request.body['messages'] as readonly { role: string; content: unknown }[]; // OpenAI's protocol has this shape
    if (messages.at(-1)?.role === 'tool') {
      const last = messages.findLastIndex(({ role }) => role === 'assistant');
      const outcomes = messages.slice(last + 1).map(({ content }) => String(content));
      told({ afterMs: request.at - calledAt, outcomes });
      await saying('Done.')(exchange);
      return;
    }
    await calling(...callsFor(lastUserText(request)))(exchange);
    calledAt = performance.now();
  };
  return { plugin: deskPlugin(), settings: deskSettings, script };
}

/** A list nested `levels` deep. */
export function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

function callsFor(text: string): readonly { name: string; arguments: object | string }[] {
  switch (text) {
    case 'write':
      return [{ name: 'write', arguments: { text: 'hello' } }];
    case 'deep':
      return [{ name: 'look', arguments: `{"list":${nested(100)}}` }];
    default:
      return ['mail', 'host', 'text'].map((name) => ({ name: 'look', arguments: { [name]: text } }));
  }
}
