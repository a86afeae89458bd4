import { chunk, type ModelScript } from '../../support/scripted-model.ts';
import { openSse } from '../../support/sse-client.ts';
import { lastUserText } from '../../support/stress/last-user-text.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';
import { tally } from '../../support/stress/tally.ts';

const piece = 'x'.repeat(16 * 1024);
const toolCall = (fragment: object): string => chunk({ role: 'assistant', tool_calls: [{ index: 0, ...fragment }] });

/** The model's replies by the user's message: what comes first, what the model repeats, and how the turn must end. */
const replies: Readonly<Record<string, { readonly first?: string; readonly again: string; readonly code: string }>> = {
  'a text without an end': { again: chunk({ content: piece }), code: 'model_unavailable' },
  'a line without an end': { first: 'data: ', again: piece, code: 'model_unavailable' },
  'arguments without an end': {
    first: toolCall({ id: 'a', function: { name: 'get' } }),
    again: toolCall({ function: { arguments: piece } }),
    code: 'model_unavailable',
  },
  'a reply that never says anything': { again: ': still here\n\n', code: 'model_timeout' },
};

const endless: ModelScript = async (exchange) => {
  const { first = '', again = '' } = replies[lastUserText(exchange.request)] ?? {};
  await exchange.send(first);
  while (!exchange.isClosed) {
    await exchange.send(again);
    await new Promise((resolve) => setImmediate(resolve));
  }
};

export const endlessReplies: StressCase = {
  name: 'endless replies',
  attack: `four replies of the model at once: ${Object.keys(replies).join(', ')}`,
  once: '2.1 GiB',
  promise: 'each turn fails with `model_unavailable` or, once `totalTimeout` is over, `model_timeout`',
  server: { script: endless, model: { totalTimeout: '4s' } },
  mebibytes: 200,
  async play({ url }, must) {
    const turns = Object.entries(replies).map(async ([message, { code }]) => {
      const turn = await openSse(`${url}/helper/chat`, { body: { message } });
      await turn.closed;
      const told = String(turn.frames.find(({ event }) => event === 'end')?.data?.['code']);
      must(told === code, `${message} ended as ${told}`);
      return told;
    });
    return tally(await Promise.all(turns));
  },
};
