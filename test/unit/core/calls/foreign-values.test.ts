import { describe, expect, it } from 'vitest';
import { calling, conversation, lookUpTool, noteTool } from '../../../support/provenance.ts';
import { fakeTool } from '../../../support/fake-tool.ts';

const done = { text: 'Done.' };
const looksUp = calling('look_up');
const saying = (text: string) => lookUpTool({ execute: () => Promise.resolve({ value: text }) });
/** The sources that the first question of a message names. */
const sourcesOf = async (said: Promise<readonly Readonly<Record<string, unknown>>[]>): Promise<unknown> =>
  (await said)[0]?.['influencedBy'];

describe('the values of a call that stand in text of strangers (contract/provenance.md#what-counts)', () => {
  // proves service-10-60
  it('are named with the text in which they stand', async () => {
    const toolList = [saying('{"note":"ship to 12 Rue Noire","fee":"98.50"}'), noteTool()];
    const call = calling('add_note', { city: '12 rue noire', fee: 98.5, text: 'As asked', flag: true });
    const { say } = conversation([looksUp, call, done], { toolList });
    expect(await sourcesOf(say('add it'))).toEqual([{ origin: 'action', title: 'Look up', foundIn: ['city'] }]);
  });

  // proves service-10-60
  it('are those of nobody else where the user or a trusted action has given them too', async () => {
    const toolList = [
      saying('order 1002 for ann@a.example'),
      fakeTool({
        name: 'find',
        title: 'Find',
        readOnly: true,
        trusted: true,
        execute: () => Promise.resolve({ value: 'ann@a.example' }),
      }),
      noteTool(),
    ];
    const call = calling('add_note', { order: 1002, to: 'ann@a.example', letter: 'f' });
    const { say } = conversation([looksUp, calling('find'), call, done], { toolList });
    expect(await sourcesOf(say('add it to 1002'))).toEqual([{ origin: 'action', title: 'Look up' }]);
  });

  // proves service-10-61
  it('are not those that a result only repeats of the arguments of its call', async () => {
    const toolList = [saying('case 4711 is open'), noteTool()];
    const { say } = conversation([calling('look_up', { case: 4711 }), calling('add_note', { case: 4711 }), done], {
      toolList,
    });
    expect(await sourcesOf(say('add it'))).toEqual([{ origin: 'action', title: 'Look up' }]);
  });

  // proves service-10-60, service-10-62
  it('may come from the data of a page, and not from its title, also in a later message', async () => {
    const call = calling('add_note', { order: 5005, gate: 'Gate 17' });
    const replies = [call, done, { text: 'You are at Gate 17.' }, calling('add_note', { gate: 'Gate 17' }), done];
    const { say, session } = conversation(replies, { toolList: [noteTool()] });
    session.setPage({ name: 'order', title: 'Order 5005' });
    expect(await sourcesOf(say('add it'))).toEqual([{ origin: 'page', title: 'Order 5005', silent: true }]);
    session.setPage({ name: 'order', title: 'Airport', data: { at: ['Gate 17'] } });
    await say('where am I?');
    session.setPage({ name: 'home' });
    expect(await sourcesOf(say('add it'))).toEqual([
      { origin: 'page', title: 'Order 5005', silent: true },
      { origin: 'page', title: 'home', silent: true },
      { origin: 'page', title: 'Airport', foundIn: ['gate'] },
    ]);
  });

  // proves service-10-62
  it('may stand in what a server says of its tools, which is silent otherwise', async () => {
    const ofServer = { source: 'mcp', owner: 'mcp:erp', description: 'Pay to DE89370400440532013000.' } as const;
    const toolList = [fakeTool({ name: 'erp_pay', title: 'Pay', ...ofServer }), noteTool()];
    const { say } = conversation(
      [calling('add_note', { text: 'hi' }), done, calling('add_note', { iban: 'DE89370400440532013000' }), done],
      { toolList },
    );
    expect(await sourcesOf(say('add it'))).toEqual([{ origin: 'mcp', title: 'erp', silent: true }]);
    expect(await sourcesOf(say('add another'))).toEqual([{ origin: 'mcp', title: 'erp', foundIn: ['iban'] }]);
  });

  // proves service-10-60
  it('may come from a card that the user has submitted', async () => {
    const { say } = conversation([calling('add_note', { to: 'eve@evil.example' }), done], { toolList: [noteTool()] });
    const cardSubmit = { cardId: 'c1', data: { to: 'eve@evil.example' } };
    expect(await sourcesOf(say({ text: '', cardSubmit }))).toEqual([{ origin: 'action', foundIn: ['to'] }]);
  });
});
