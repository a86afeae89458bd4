import { ask } from '../../support/ask.ts';
import { openSse, type SseConversation } from '../../support/sse-client.ts';
import { desk, deskPlugin, longestMail, nested, type Told } from '../../support/stress/desk.ts';
import { refusedStart, type StressServer, type StressServerOptions } from '../../support/stress/stress-server.ts';
import type { StressCase } from '../../support/stress/stress-case.ts';

/** A configuration that must not start, by the place of its pattern. */
const refused: Readonly<Record<string, StressServerOptions>> = {
  'onToolResult[0].replace[0].pattern': {
    settings: { onToolResult: [{ tool: '*', replace: [{ pattern: '(a+)+$', with: '' }] }] },
  },
  'onException[0].error': { settings: { onException: [{ tool: '*', error: '^(a|a)*b$', message: 'No.' }] } },
  'autoApprovalRules[0].when.text.matches': {
    settings: { autoApprovalRules: [{ tool: '*', when: { text: { matches: '^(\\w+\\s?)*$' } } }] },
  },
  'properties.code': { plugin: deskPlugin({ code: { type: 'string', pattern: '^(a+)+$' } }) },
};
const configurationFault = 78;

const short = 30;
const shapes = ['a', 'a.', '@', 'a@', '@a.', 'a-', 'A1', 'a@a.'];
const texts = shapes.flatMap((shape) =>
  [short, longestMail].map((length) => `${shape.repeat(length).slice(0, length - 1)}!`),
);
const limitMs = 50;
/** A busy machine delays a single try. A pattern that backtracks delays all of them. */
const tries = 5;

let told: Told = { afterMs: 0, outcomes: [] };

export const worstPatterns: StressCase = {
  name: 'patterns',
  attack: `messages, arguments of the model and changed arguments of ${String(short)} and ${String(longestMail)} characters, made for the worst patterns that are taken`,
  once: '30 characters stopped everybody’s turns',
  promise: `all checks of a message take less than ${String(limitMs)} ms; a pattern that can backtrack without bound is refused at start, with its place`,
  server: desk((outcome) => (told = outcome)),
  async play(server, must) {
    for (const [place, options] of Object.entries(refused)) {
      const { exitCode, output } = await refusedStart(options);
      must(exitCode === configurationFault, `with ${place} it ended with ${String(exitCode)}: ${output}`);
      must(output.includes(place) && output.includes('can backtrack without bound'), `${place} was told as: ${output}`);
    }
    let slowest = 0;
    const { actionId, turn } = await openQuestion(server);
    for (const text of texts) {
      const checked = await fastest(() => checkOfMessage(server, text));
      const changed = await fastest(() => checkOfChange(server, actionId, text));
      slowest = Math.max(slowest, checked, changed);
      must(
        Math.max(checked, changed) < limitMs,
        `"${text.slice(0, short)}" (${String(text.length)}) took ${checked.toFixed(0)} and ${changed.toFixed(0)} ms`,
      );
    }
    turn.close();
    return `${String(texts.length)} texts, the slowest took ${slowest.toFixed(0)} ms; ${String(Object.keys(refused).length)} configurations refused`;
  },
};

export const nestedArguments: StressCase = {
  name: 'nested arguments',
  attack: 'arguments of lists in lists, 100 and 30,000 deep, as changes of a question; 100 deep from the model',
  promise: '400 `invalid_request`, the question stays open; the model is told, and nothing runs',
  server: desk((outcome) => (told = outcome)),
  async play(server, must) {
    const { actionId, turn } = await openQuestion(server);
    for (const levels of [100, 30_000]) {
      const { status, body } = await approve(
        server,
        `{"actionId":"${actionId}","approved":true,"arguments":{"list":${nested(levels)}}}`,
      );
      must(
        status === 400 && body.includes('invalid_request'),
        `${String(levels)} levels were answered ${String(status)}: ${body}`,
      );
    }
    await chat(server, 'deep');
    const [outcome = ''] = told.outcomes;
    must(outcome !== '' && !outcome.startsWith('[succeeded]'), `the model was told: ${outcome}`);
    const { status } = await approve(server, JSON.stringify({ actionId, approved: true }));
    must(status === 200, `the question was answered ${String(status)} then`);
    await turn.closed;
    return `400 twice; the model was told: ${outcome.split('\n')[0] ?? ''}`;
  },
};

/** A turn that waits for the answer to its question. */
async function openQuestion({
  url,
}: StressServer): Promise<{ readonly actionId: string; readonly turn: SseConversation }> {
  const turn = await openSse(`${url}/helper/chat`, { body: { message: 'write' } });
  const { data } = await turn.next('confirmation');
  return { actionId: String(data?.['actionId']), turn };
}

async function chat({ url }: StressServer, message: string): Promise<void> {
  const turn = await openSse(`${url}/helper/chat`, { body: { message } });
  await turn.closed;
}

function approve({ url }: StressServer, body: string): ReturnType<typeof ask> {
  return ask(url, 'POST /helper/approve', { headers: { 'content-type': 'application/json' }, body });
}

/** Milliseconds from a model's calls to the outcomes that it is told. */
async function checkOfMessage(server: StressServer, text: string): Promise<number> {
  told = { afterMs: Number.POSITIVE_INFINITY, outcomes: [] };
  await chat(server, text);
  return told.afterMs;
}

/** Milliseconds until changed arguments that fit no pattern are refused. */
async function checkOfChange(server: StressServer, actionId: string, text: string): Promise<number> {
  const startedAt = performance.now();
  const changed = { actionId, approved: true, arguments: { mail: text, host: text, text } };
  const { status } = await approve(server, JSON.stringify(changed));
  // Another status says nothing about the time of the check.
  return status === 400 ? performance.now() - startedAt : Number.POSITIVE_INFINITY;
}

async function fastest(check: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && least >= limitMs; count += 1) least = Math.min(least, await check());
  return least;
}
