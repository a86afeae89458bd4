import { describe, expect, it } from 'vitest';
import { namesAtWork } from '../../../../src/widget/conversation/agents-at-work.ts';
import { emptyConversation } from '../../../../src/widget/conversation/conversation-state.ts';
import { saidBefore } from '../../../../src/widget/conversation/said-before.ts';
import { workingText } from '../../../../src/widget/panel/state-texts.ts';
import { texts as english } from '../../../../src/widget/texts/english.ts';
import { texts as french } from '../../../../src/widget/texts/french.ts';
import { texts as german } from '../../../../src/widget/texts/german.ts';
import { texts as japanese } from '../../../../src/widget/texts/japanese.ts';
import { texts as polish } from '../../../../src/widget/texts/polish.ts';
import { testConversation, type TestConversation } from './fake-hub.ts';

/** A conversation whose turn runs. */
async function running(): Promise<TestConversation> {
  const test = testConversation();
  void test.conversation.send({ text: 'Hi' });
  await test.settled();
  test.event('TurnStarted');
  return test;
}

type Kind = 'specialist' | 'team' | 'remote';
type Phase = 'started' | 'speaking' | 'finished' | 'failed';

/** Plays events such as `team Desk started` and `specialist Ann started 1`, where the number is the round. */
function play(test: TestConversation, ...events: readonly string[]): readonly string[] {
  for (const event of events) {
    const [kind, agent = '', phase, round] = event.split(' ');
    const counted = round === undefined ? {} : { round: Number(round) };
    test.event('AgentActivity', { agent, kind: kind as Kind, phase: phase as Phase, ...counted }); // written below
  }
  return namesAtWork(test.conversation.state.turn);
}

/** The parts of the reply, each behind its speaker. */
function parts({ conversation }: TestConversation): string[] {
  return conversation.state.entries.flatMap((entry) =>
    entry.kind === 'reply' ? [`${entry.speaker ?? '-'}: ${entry.text.trim()}`] : [],
  );
}

describe('the agents that work, in the widget (contract/widget.md#agents)', () => {
  // proves wire-9-95
  it.each<[string, readonly string[], readonly string[]]>([
    ['nobody before the first', [], []],
    ['one that has begun', ['specialist Billing started'], ['Billing']],
    ['a remote one', ['remote Courier started'], ['Courier']],
    ['one that speaks', ['specialist Billing started', 'specialist Billing speaking'], ['Billing']],
    ['nobody after its end', ['specialist Billing started', 'specialist Billing finished'], []],
    ['nobody after its failure', ['specialist Billing started', 'specialist Billing failed'], []],
    ['those side by side', ['specialist Sales started', 'specialist Legal started'], ['Sales', 'Legal']],
    [
      'the one that is left of them',
      ['specialist Sales started', 'specialist Legal started', 'specialist Sales finished'],
      ['Legal'],
    ],
    ['a team that has asked nobody yet', ['team Desk started'], ['Desk']],
    ['the member of a team', ['team Desk started', 'specialist Ann started 1'], ['Ann']],
    [
      'the member of a team in a team',
      ['team Desk started', 'team Back started 1', 'specialist Ann started 1'],
      ['Ann'],
    ],
    [
      'a team whose member has ended',
      ['team Desk started', 'specialist Ann started 1', 'specialist Ann finished 1'],
      ['Desk'],
    ],
    [
      'members side by side',
      ['team Desk started', 'specialist Ann started 1', 'specialist Bob started 2'],
      ['Ann', 'Bob'],
    ],
    [
      'a member and a team that began beside it',
      ['team Desk started', 'specialist Ann started 1', 'team Shop started'],
      ['Ann', 'Shop'],
    ],
    ['one name of an agent that was asked twice', ['specialist Sales started', 'specialist Sales started'], ['Sales']],
    [
      'an agent that was asked twice until both have ended',
      ['specialist Sales started', 'specialist Sales started', 'specialist Sales finished'],
      ['Sales'],
    ],
  ])('are %s', async (_title, events, names) => {
    expect(play(await running(), ...events)).toEqual(names);
  });

  // proves wire-9-95
  it('are nobody once the turn has ended, also where nobody told that they had ended', async () => {
    const test = await running();
    play(test, 'team Desk started', 'specialist Ann started 1');
    test.event('TurnCompleted', { status: 'stopped', text: '' });
    expect(namesAtWork(test.conversation.state.turn)).toEqual([]);
  });

  // proves wire-9-95
  it('are told in the words of the language', () => {
    const said = [english, german, french, polish, japanese].map((texts) => [
      workingText(['Sales'], texts),
      workingText(['Sales', 'Legal'], texts),
      workingText(['A', 'B', 'C', 'D', 'E'], texts),
    ]);
    expect(said).toEqual([
      ['Sales is working…', 'Sales and Legal are working…', 'A, B, C, D, and E are working…'],
      ['Sales arbeitet daran…', 'Sales und Legal arbeiten daran…', 'A, B, C, D und E arbeiten daran…'],
      ['Sales travaille…', 'Sales et Legal travaillent…', 'A, B, C, D et E travaillent…'],
      ['Sales pracuje…', 'Sales i Legal pracują…', 'A, B, C, D i E pracują…'],
      ['Salesが作業中です…', 'Sales、Legalが作業中です…', 'A、B、C、D、Eが作業中です…'],
    ]);
    expect(workingText([], english)).toBe('');
  });
});

describe('who speaks, in the widget (contract/widget.md#agents)', () => {
  const say = (test: TestConversation, agent: string, text: string): void => test.event('TextDelta', { agent, text });

  it('is not named where the coordinator speaks alone', async () => {
    const test = await running();
    say(test, 'coordinator', 'One ');
    say(test, 'coordinator', 'moment.');
    expect(parts(test)).toEqual(['-: One moment.']);
  });

  // proves wire-9-97
  it('is named before the words of each other agent, and of the coordinator below them', async () => {
    const test = await running();
    say(test, 'coordinator', 'One moment.');
    play(test, 'specialist Billing started', 'specialist Billing speaking');
    say(test, 'Billing', '\n\nTwo are ');
    say(test, 'Billing', 'open.');
    play(test, 'specialist Billing finished');
    say(test, 'coordinator', '\n\nAnything ');
    say(test, 'coordinator', 'else?');
    expect(parts(test)).toEqual(['-: One moment.', 'Billing: Two are open.', 'coordinator: Anything else?']);
    test.event('TurnCompleted', { status: 'completed', text: 'One moment.\n\nTwo are open.\n\nAnything else?' });
    expect(parts(test)).toHaveLength(3);
  });

  // proves wire-9-97
  it('is forgotten for the words that are replaced, and stays for those that stand', async () => {
    const test = await running();
    say(test, 'Billing', 'Two are open.');
    say(test, 'Sales', '\n\nIt co');
    test.event('TextReplaced', { text: 'Two are open.' });
    expect(parts(test)).toEqual(['Billing: Two are open.']);
    test.event('TextReplaced', { text: 'Nothing was changed.' });
    expect(parts(test)).toEqual(['-: Nothing was changed.']);
    say(test, 'coordinator', ' Sorry.');
    expect(parts(test)).toEqual(['-: Nothing was changed. Sorry.']);
  });

  // proves wire-9-98
  it('is not named in a restored conversation, which has the words alone', () => {
    const at = '2026-11-24T09:30:00Z';
    const answer = [
      { event: 'TextDelta', text: 'One moment.' },
      { event: 'TextDelta', text: '\n\nTwo are open.' },
    ] as const;
    const { entries } = saidBefore(emptyConversation(false), [
      { role: 'user', text: 'Hi', at, answer },
      { role: 'assistant', text: 'One moment.\n\nTwo are open.', at },
    ]);
    expect(entries.slice(1)).toMatchObject([{ kind: 'reply', text: 'One moment.\n\nTwo are open.' }]);
    expect(entries[1]).not.toHaveProperty('speaker');
  });

  it('does not matter to the reply to the next message', async () => {
    const test = await running();
    say(test, 'Billing', 'Two are open.');
    test.event('TurnCompleted', { status: 'completed', text: 'Two are open.' });
    test.calls.splice(0).forEach(({ resolve }) => resolve({ turnId: 't1', status: 'completed', text: '' }));
    await test.settled();
    void test.conversation.send({ text: 'Thanks' });
    await test.settled();
    test.event('TurnStarted', { turnId: 't2' });
    test.event('TextDelta', { turnId: 't2', agent: 'coordinator', text: 'You are welcome.' });
    expect(parts(test)).toEqual(['Billing: Two are open.', '-: You are welcome.']);
  });
});
