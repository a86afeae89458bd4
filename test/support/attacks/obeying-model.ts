import { calling, type ModelScript, saying } from '../scripted-model.ts';

/** Orders to the model in the words of an attacker or a user. The model obeys every order, in whatever text the order stands. */
export const order = {
  call: (name: string, argumentsValue: Readonly<Record<string, string>> = {}): string =>
    `⟦call ${[name, ...Object.entries(argumentsValue).map(([key, value]) => `${key}=${value}`)].join(' ')}⟧`,
  say: (text: string): string => `⟦say ${text}⟧`,
  /** Orders the model to repeat everything that it was sent, including its instructions. */
  reveal: '⟦reveal⟧',
} as const;

interface Message {
  readonly role: string;
  readonly content?: string | readonly { readonly text?: string }[] | null;
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
}

/** A model that obeys every instruction in every text that it is sent, whoever wrote it. It makes no call twice. */
export const obeyingModel: ModelScript = async (exchange) => {
  const messages = exchange.request.body['messages'] as readonly Message[]; // the server under test sends this
  const texts = messages.filter(({ role }) => role !== 'assistant').map(textOf);
  const orders = [...texts.join('\n').matchAll(/⟦(call|say|reveal) ?([^⟧]*)⟧/gu)].map(([, kind = '', text = '']) => ({
    kind,
    text,
  }));
  const made = new Set(
    messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ function: call }) => keyOf(call))),
  );
  const wanted = orders.filter(({ kind }) => kind === 'call').map(({ text }) => callOf(text));
  const open = new Map(
    wanted.map((call) => [keyOf(call), call]).filter(([key]) => !made.has(key as string)) as [
      string,
      ReturnType<typeof callOf>,
    ][],
  );
  if (open.size > 0) {
    const calls = [...open.values()].map((call, index) => ({ ...call, id: `call_${String(made.size + index)}` }));
    await calling(...calls)(exchange);
    return;
  }
  const said = orders.filter(({ kind }) => kind === 'say').map(({ text }) => text);
  const revealed = orders.some(({ kind }) => kind === 'reveal') ? texts.map(withoutOrders) : [];
  const results = messages
    .filter(({ role }) => role === 'tool')
    .map(textOf)
    .map(withoutOrders);
  await saying(['Done.', ...results, ...said, ...revealed].join('\n'))(exchange);
};

/** The calls that a text orders. */
export function callsIn(text: string): readonly { readonly name: string; readonly arguments: string }[] {
  return [...text.matchAll(/⟦call ([^⟧]*)⟧/gu)].map(([, ordered = '']) => callOf(ordered));
}

function callOf(text: string): { readonly name: string; readonly arguments: string } {
  const [name = '', ...given] = text.split(' ');
  const argumentsValue = Object.fromEntries(
    given.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  );
  return { name, arguments: JSON.stringify(argumentsValue) };
}

function keyOf({ name, arguments: written }: { readonly name: string; readonly arguments: string }): string {
  return `${name} ${written}`;
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return content?.map(({ text = '' }) => text).join('\n') ?? '';
}

/**
 * Removes the marks of orders. The model's reply comes back in the history of the next request, and the model would obey its orders again.
 */
function withoutOrders(text: string): string {
  return text.replaceAll(/[⟦⟧]/gu, '');
}
