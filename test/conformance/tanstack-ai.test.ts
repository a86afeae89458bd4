import { type AnyClientTool, ChatClient, fetchServerSentEvents } from '@tanstack/ai-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const plugin = `
export const paid = (globalThis.tanStackPaid ??= []);
export default { name: 'bank', actions: [
  { name: 'pay', title: 'Pay an amount', description: 'Pays an amount.',
    parameters: { type: 'object', properties: { amount: { type: 'integer' } } }, execute: ({ amount }) => { paid.push(amount); } },
] };`;

/** What was paid in this process. The plugin is loaded into it. */
const paid = ((globalThis as { tanStackPaid?: number[] }).tanStackPaid ??= []);

/** A question as the client gives it to an application. */
interface Question {
  readonly message?: string;
  readonly canResolve: boolean;
  resolveInterrupt?(payload: object): void;
}

async function chat(
  scripts: readonly ModelScript[],
  { tools = [] }: { readonly tools?: readonly AnyClientTool[] } = {},
) {
  paid.length = 0;
  const { url } = await scriptedServer({
    scripts,
    plugin,
    settings: {
      endpoints: { agui: { enabled: true, requireAuthorization: false } },
      isReadOnlyAction: ['page_read_theme'],
    },
  });
  const faults: Error[] = [];
  const client = new ChatClient({
    connection: fetchServerSentEvents(`${url}/agui`),
    tools,
    onError: (fault) => faults.push(fault),
  });
  onTestFinished(() => {
    client.stop();
    expect(faults).toEqual([]);
  });
  /** What the assistant has said. */
  const said = (): string =>
    client
      .getMessages()
      .flatMap(({ role, parts }) => (role === 'assistant' ? parts : []))
      .map((part) => (part.type === 'text' ? part.content : ''))
      .join('');
  const question = (): Question | undefined => client.getInterrupts()[0];
  return { client, said, question };
}

describe('the client of TanStack AI (contract/ag-ui.md)', () => {
  it('reads a reply', async () => {
    const { client, said } = await chat([saying('Two orders ', 'are open.')]);
    await client.sendMessage('Which are open?');
    expect(said()).toBe('Two orders are open.');
  });

  it.each([
    [true, 'Paid.', [5]],
    [false, 'Then not.', []],
  ] as const)('answers a question: approved is %s', async (approved, reply, done) => {
    const { client, said, question } = await chat([calling({ name: 'pay', arguments: { amount: 5 } }), saying(reply)]);
    await client.sendMessage('Pay 5');
    expect(question()).toMatchObject({ message: 'Pay an amount: Pays an amount.', canResolve: true });
    expect(paid).toEqual([]);
    question()?.resolveInterrupt?.({ approved });
    await vi.waitFor(() => {
      expect(said()).toBe(reply);
    });
    expect(paid).toEqual(done);
  });

  // proves wire-3-73, wire-6-82
  it('runs a tool of the page that the operator says only reads', async () => {
    const read: AnyClientTool = {
      ...{ __toolSide: 'client', name: 'readTheme', description: 'The colours of the page.' },
      execute: () => ({ theme: 'dark' }),
    };
    const scripts = [calling({ name: 'page_read_theme', arguments: {} }), saying('It is dark.')];
    const { client, said } = await chat(scripts, { tools: [read] });
    await client.sendMessage('Which theme?');
    await vi.waitFor(() => {
      expect(said()).toBe('It is dark.');
    });
  });
});
