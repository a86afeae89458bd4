import { describe, expect, it, onTestFinished } from 'vitest';
import { honestyTasks } from '../../src/core/guardrails/honest-questions.ts';
import { textsByLanguage } from '../../src/core/language/texts.ts';
import type { ActionStatus } from '../../src/core/events/turn-event.ts';
import type { Receipt, TurnHubEvents } from '../../src/wire/hub-events.ts';
import { asUser, connectAs } from '../support/kept-conversations.ts';
import { lies, type LyingWords } from '../support/lies.ts';
import { calling, type ModelExchange, saying, startScriptedModel } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

/*
 * A model that lies, on the whole server. There are 200 scripts (event × wording × language × channel × mode). Each script is played with
 * `requireActionForChangeRequests` and without it. Without the setting the receipts contradict every lie. With the setting no false claim
 * stays.
 */

/** What really happens to the one action that the model calls, if it calls any. */
const kinds = {
  'calls nothing': { action: undefined, status: undefined, approved: true },
  'calls what fails': { action: 'fail_order', status: 'failed', approved: true },
  'calls what is declined': { action: 'cancel_order', status: 'declined', approved: false },
  'calls what nobody knows the end of': { action: 'hang_order', status: 'unknown', approved: true },
  'denies what succeeded': { action: 'cancel_order', status: 'succeeded', approved: true },
} as const satisfies Readonly<
  Record<
    string,
    { readonly action: string | undefined; readonly status: ActionStatus | undefined; readonly approved: boolean }
  >
>;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[]; // its own keys

interface Script {
  readonly kind: Kind;
  readonly lie: string;
}

const plugin = `
const action = (name, more) => ({ name, title: 'Cancel an order', description: 'Cancels it.', parameters: { type: 'object', properties: {} }, ...more });
export default { name: 'desk', actions: [
  action('cancel_order', { execute: () => ({ cancelled: true }) }),
  action('fail_order', { execute: () => { throw new Error('the desk is closed') } }),
  action('hang_order', { timeout: '1ms', execute: () => new Promise(() => undefined) }),
] }`;

/** The scripts of one language, channel and mode. */
function scriptsOf(words: LyingWords): readonly Script[] {
  return kindNames.flatMap((kind) =>
    (kind === 'denies what succeeded' ? words.denials : words.claims).map((lie) => ({ kind, lie })),
  );
}

/** Does what the script of the last message says: calls its action, then lies. */
function lying(scripts: readonly Script[]) {
  return async (exchange: ModelExchange): Promise<void> => {
    const messages = exchange.request.body['messages'] as readonly {
      readonly role: string;
      readonly content: unknown;
    }[]; // OpenAI's protocol has this shape
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    const number = /#(\d+)/.exec(String(messages[asked]?.content))?.[1];
    const script = scripts[Number(number)];
    if (script === undefined) throw new Error('another message was sent');
    const { action } = kinds[script.kind];
    const isCalled = messages.slice(asked).some(({ role }) => role === 'tool');
    await (action === undefined || isCalled ? saying(script.lie) : calling({ name: action, arguments: {} }))(exchange);
  };
}

/** A small model that knows the lies of a language. Its verdicts depend on what was really done. */
function knowing(words: LyingWords) {
  return async (exchange: ModelExchange): Promise<void> => {
    const [system, user] = exchange.request.body['messages'] as readonly { readonly content: string }[]; // OpenAI's protocol has this shape
    const isClaim = system?.content.startsWith(honestyTasks.claim) === true;
    const isLie = words.claims.some((claim) => user?.content.includes(claim) === true);
    const isSupported = /: succeeded/.test(user?.content ?? '');
    await saying(JSON.stringify({ answer: isClaim ? isLie && !isSupported : true }))(exchange);
  };
}

interface Told {
  readonly shown: string;
  readonly text: string;
  readonly receipts: readonly Receipt[];
}

async function overSse(url: string, message: string, approved: boolean): Promise<Told> {
  const chat = await openSse(`${url}/helper/chat`, { body: { message } });
  // A turn without a question ends the stream without one.
  const question = chat.next('confirmation').catch(() => undefined);
  void question.then((frame) => frame && answer(url, String(frame.data?.['actionId']), approved));
  const end = (await chat.next('end')).data as unknown as TurnHubEvents['TurnCompleted']; // the event's fields, as the contract says
  let shown = '';
  for (const { event, data } of chat.frames)
    if (event === 'text') shown = data?.['replace'] === true ? String(data['text']) : shown + String(data?.['text']);
  return { shown, text: end.text, receipts: end.receipts ?? [] };
}

async function overHub(url: string): Promise<(message: string, approved: boolean) => Promise<Told>> {
  const hub = await connectAs(url, undefined);
  let shown = '';
  let isApproved = false;
  let last: TurnHubEvents['TurnCompleted'] | undefined;
  hub.on('TextDelta', ({ text }: TurnHubEvents['TextDelta']) => (shown += text));
  hub.on('TextReplaced', ({ text }: TurnHubEvents['TextReplaced']) => (shown = text));
  hub.on('TurnCompleted', (end: TurnHubEvents['TurnCompleted']) => (last = end));
  hub.on('ConfirmationRequested', ({ actionId }: TurnHubEvents['ConfirmationRequested']) => {
    void answer(url, actionId, isApproved);
  });
  for (const other of ['ConfirmationResolved', 'ActionExecuting', 'ActionCompleted', 'ErrorOccurred'])
    hub.on(other, () => undefined);
  return async (message, approved) => {
    [shown, isApproved, last] = ['', approved, undefined];
    await hub.invoke('SendMessage', message);
    const end = last as TurnHubEvents['TurnCompleted'] | undefined; // set by the event before the result
    return { shown, text: end?.text ?? '', receipts: end?.receipts ?? [] };
  };
}

const answer = (url: string, actionId: string, approved: boolean) =>
  asUser(`${url}/helper/approve`, undefined, { method: 'POST', body: { actionId, approved } });

/** Plays all scripts of a language and mode over both channels. */
async function play(words: LyingWords, settings: object): Promise<readonly { script: Script; told: Told }[]> {
  const scripts = scriptsOf(words);
  const model = await startScriptedModel({ otherwise: lying(scripts) });
  const small = await startScriptedModel({ otherwise: knowing(words) });
  onTestFinished(() => model.close());
  onTestFinished(() => small.close());
  const entry = { provider: 'openai', model: 'scripted', apiKey: 'none', maxRetries: 0 };
  const { url } = await scriptedServer({
    scripts: [],
    plugin,
    settings: {
      language: words.language,
      classifierChatClient: 'small',
      models: { main: { ...entry, baseUrl: model.url }, small: { ...entry, baseUrl: small.url } },
      ...settings,
    },
  });
  const send = await overHub(url);
  const messages = scripts.map((script, index) => ({ script, message: `${words.request} #${String(index)}` }));
  const ofSse = Promise.all(
    messages.map(async ({ script, message }) => ({
      script,
      told: await overSse(url, message, kinds[script.kind].approved),
    })),
  );
  const ofHub: { script: Script; told: Told }[] = [];
  for (const { script, message } of messages)
    ofHub.push({ script, told: await send(message, kinds[script.kind].approved) });
  const results = [...(await ofSse), ...ofHub];
  // In later requests the model gets the texts that its user was shown.
  const claims = JSON.stringify(model.requests.at(-1)?.body['messages']);
  for (const { script, told } of ofHub.slice(0, -1)) {
    expect(claims).toContain(JSON.stringify(told.text).slice(1, -1));
    if (told.text !== script.lie) expect(claims).not.toContain(script.lie);
  }
  return results;
}

const statusOf = ({ kind }: Script): readonly ActionStatus[] => {
  const { status } = kinds[kind];
  return status === undefined ? [] : [status];
};

const courses = lies.flatMap((words) =>
  (['Blocking', 'Native'] as const).map((hitlMode) => [words, hitlMode] as const),
);

describe('a model that lies (contract/guardrails.md#true-replies)', () => {
  it('has 200 scripts', () => {
    const channels = 2;
    expect(courses.flatMap(([words]) => scriptsOf(words)).length * channels).toBe(200);
  });

  // proves configuration-2-44
  it.each(courses.map(([words, hitlMode]) => ({ words, hitlMode, language: words.language })))(
    'says nothing without the receipts that contradict it: $language, $hitlMode',
    async ({ words, hitlMode }) => {
      for (const { script, told } of await play(words, { hitlMode })) {
        expect(told.text).toBe(script.lie);
        expect(told.shown).toBe(script.lie);
        expect(told.receipts.map(({ status }) => status)).toEqual(statusOf(script));
        expect(told.receipts.every(({ title }) => title === 'Cancel an order')).toBe(true);
      }
    },
  );

  // proves configuration-2-44
  it.each(courses.map(([words, hitlMode]) => ({ words, hitlMode, language: words.language })))(
    'leaves no false claim where an action is required: $language, $hitlMode',
    async ({ words, hitlMode }) => {
      const { takenBack, nothingChanged, reallyDone, statuses } = textsByLanguage[words.language].honesty;
      for (const { script, told } of await play(words, { hitlMode, requireActionForChangeRequests: true })) {
        const [status] = statusOf(script);
        const truth =
          status === undefined
            ? `${takenBack} ${nothingChanged}`
            : `${takenBack} ${reallyDone}\n\n- Cancel an order: ${statuses[status]}`;
        const expected = status === 'succeeded' ? script.lie : truth;
        expect(told.text).toBe(expected);
        expect(told.shown).toBe(expected);
        expect(told.receipts.map((receipt) => receipt.status)).toEqual(statusOf(script));
      }
    },
  );
});
