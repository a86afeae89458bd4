import { describe, expect, it, vi } from 'vitest';
import { tokenxCounter } from '../../../../src/adapters/tokens/tokenx-counter.ts';
import { Classifier } from '../../../../src/core/classifier/classifier.ts';
import { TokenEstimates } from '../../../../src/core/history/token-estimates.ts';
import { call, fakeModel, type FakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { words } from '../../../support/histories.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

const ok = (): FakeModel => fakeModel({ text: 'ok' });

/** A conversation whose turns are sent whole up to `threshold` tokens. The last turn is always sent whole. */
function open(small: FakeModel, options: Partial<TestAssistantOptions> = {}, threshold = 100) {
  const model = options.model ?? ok();
  const history = {
    estimates: new TokenEstimates(tokenxCounter),
    compaction: { threshold, maxTurns: 1 },
    summaries: new Classifier(small),
  };
  const test = testAssistant({ model, history, ...options });
  const session = test.assistant.openSession({ channel: 'hub' });
  const say = async (text: string) => {
    const turn = session.startNow({ text });
    await readTurn(turn).ended;
    return turn.result;
  };
  return { ...test, session, say };
}

/** The messages that the model got with its last call, each cut short. */
const sent = ({ requests }: FakeModel): readonly string[] =>
  (requests.at(-1)?.messages ?? []).map(({ text }) => text.slice(0, 120));

const summaryOf = (text: string): string => `<data of="summary of the earlier conversation">\n"${text}"\n</data>`;

describe('what compaction leaves out (contract/sessions.md#summaries)', () => {
  // proves service-2.9-60
  it('is summed up, and the summary stands before the first message that is sent', async () => {
    const [model, small] = [ok(), fakeModel({ text: 'They spoke of doors.' })];
    const { say } = open(small, { model });
    for (const text of ['one', 'two', 'three']) await say(`${text} ${words(60)}`);
    const [first = '', reply, last = ''] = sent(model);
    expect(first).toMatch(/^<data of="summary of the earlier conversation">\n"They spoke of doors\."\n<\/data>\ntwo/);
    expect([reply, last.slice(0, 5)]).toEqual(['ok', 'three']);
    const [question] = small.requests;
    expect(question?.messages[0]?.text).toMatch(/^<data of="conversation">\n"user: one door .*\\nassistant: ok"/);
    expect(small.requests).toHaveLength(1);
  });

  // proves service-2.9-61
  it('is summed up once: later turns are sent the summary, and the next one takes it up', async () => {
    const small = fakeModel({ text: 'First.' }, { text: 'Second.' });
    const model = ok();
    const { say } = open(small, { model }, 170);
    for (const text of ['one', 'two', 'three', 'four', 'five']) await say(`${text} ${words(60)}`);
    expect(small.requests).toHaveLength(1);
    expect(sent(model)[0]).toContain(summaryOf('First.'));
    await say(`six ${words(60)}`);
    expect(small.requests[1]?.messages[0]?.text).toContain(
      '<data of="summary of what came before">\n"First."\n</data>',
    );
    expect(sent(model)[0]).toContain(summaryOf('Second.'));
  });

  // proves service-2.9-65
  it('leaves the conversation whole, and goes with it into a snapshot', async () => {
    const [small, model] = [fakeModel({ text: 'First.' }), ok()];
    const { say, session, snapshots } = open(small);
    for (const text of ['one', 'two', 'three']) await say(`${text} ${words(60)}`);
    expect(session.transcript).toHaveLength(6);
    const silent = fakeModel({ fails: new Error('not asked') });
    const other = open(silent, { model }, 10_000);
    await snapshots.restore(other.session, await snapshots.save(session));
    await other.say('four');
    expect(sent(model)[0]).toContain(summaryOf('First.'));
    expect(silent.requests).toEqual([]);
  });

  // proves service-2.9-63, service-10-06
  it('carries the origins of what it sums up', async () => {
    const tool = fakeTool({ name: 'look_up', readOnly: true });
    const model = fakeModel({ toolCalls: [call('look_up')] }, { text: 'ok' });
    const { say, session } = open(fakeModel({ text: 'Looked up.' }), { model, toolList: [tool] });
    for (const text of ['one', 'two', 'three']) await say(`${text} ${words(60)}`);
    const kept = session.transcript.flatMap(({ before }) => before ?? []);
    const influencedBy = [{ origin: 'action', title: 'Close a case' }];
    expect(kept).toEqual([{ text: 'Looked up.', origins: ['user', 'model', 'action'], influencedBy }]);
    expect(model.requests.at(-1)?.messages[0]).toMatchObject({ role: 'user', origin: 'action', influencedBy });
  });

  // proves service-2.9-64
  it('is left out without a summary where the model fails, which the log says, and the turn goes on', async () => {
    const model = ok();
    const { say, log } = open(fakeModel({ fails: new Error('away') }), { model });
    for (const text of ['one', 'two']) await say(`${text} ${words(60)}`);
    expect(await say(`three ${words(60)}`)).toMatchObject({ status: 'completed' });
    expect(sent(model)[0]).toMatch(/^two/);
    expect(log.lines.map(({ message }) => message)).toContain(
      'a conversation is sent without a summary of its beginning this time',
    );
  });

  // proves service-2.9-61
  it('stays summed up when maxSessionMessages takes its place away', async () => {
    const [small, model] = [fakeModel({ text: 'First.' }, { fails: new Error('away') }), ok()];
    const { say, session } = open(small, { model, maxSessionMessages: 4 });
    for (const text of ['one', 'two', 'three', 'four', 'five']) await say(`${text} ${words(60)}`);
    expect(session.transcript).toHaveLength(4);
    expect(sent(model)[0]).toContain(summaryOf('First.'));
  });

  // proves service-2.9-62
  it('is left out as a whole, down to the last compactionMaxTurns', async () => {
    const [small, model] = [fakeModel({ text: 'First.' }), ok()];
    const { say } = open(small, { model }, 250);
    for (const text of ['one', 'two', 'three', 'four', 'five']) await say(`${text} ${words(60)}`);
    expect(sent(model)[0]).toContain(summaryOf('First.'));
    expect(sent(model).filter((text) => text !== 'ok')).toHaveLength(2);
    expect(small.requests).toHaveLength(1);
  });

  // proves service-2.9-64
  it('ends with a Stop', async () => {
    const small = fakeModel({ until: new Promise(() => undefined) });
    const { say, session } = open(small);
    for (const text of ['one', 'two']) await say(`${text} ${words(60)}`);
    const turn = session.startNow({ text: `three ${words(60)}` });
    await vi.waitFor(() => expect(small.requests).toHaveLength(1));
    void turn.stop('user');
    expect(await turn.result).toMatchObject({ status: 'stopped' });
  });
});
