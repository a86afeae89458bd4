import { describe, expect, it } from 'vitest';
import type { SmallQuestion } from '../../../../src/core/classifier/classifier.ts';
import { Classifier } from '../../../../src/core/classifier/classifier.ts';
import { FollowUps } from '../../../../src/core/conversations/follow-ups.ts';
import type { Principal } from '../../../../src/core/identity/principal.ts';
import type { KeptMessage } from '../../../../src/core/request/kept-message.ts';
import { Toolbox } from '../../../../src/core/tools/toolbox.ts';
import { fakeTool } from '../../../support/fake-tool.ts';

const page = { name: 'cases', title: 'All cases', url: '/cases', description: 'x', requiredRoles: [] };
const toolbox = new Toolbox(
  [
    fakeTool({ name: 'list_cases', title: 'List\ncases', readOnly: true }),
    fakeTool({ name: 'close_case', title: 'Close a case' }),
    fakeTool({ name: 'audit', title: 'Audit', readOnly: true, requiredRoles: ['Auditor'] }),
    fakeTool({ name: 'ours', title: 'Ours', readOnly: true, tenants: ['acme'] }),
    fakeTool({ name: 'long', title: 'x'.repeat(81), readOnly: true }),
    fakeTool({ name: 'find', title: 'Find', readOnly: true, parameters: { type: 'object', required: ['id'] } }),
  ],
  [page, { ...page, name: 'case', title: 'One case', url: '/cases/{id}' }, { ...page, name: 'help', title: 'Help' }],
);

const user = (...roles: readonly string[]): Principal => ({
  kind: 'anonymous',
  userKey: 'anon:1',
  roles: new Set(roles),
});

type Call = readonly [name: string, given: string];

function exchange(turnId = 'turn-1', calls: readonly Call[] = [], reply = 'Here they are.'): readonly KeptMessage[] {
  const toolCalls = calls.map(([name, given], index) => ({ id: String(index), name, arguments: given }));
  const turn = { turnId } as NonNullable<KeptMessage['turn']>; // a turn that has done nothing
  return [
    { message: { role: 'user', text: 'Which cases?' }, at: 1, turn },
    { message: { role: 'assistant', text: '', toolCalls }, at: 2 },
    { message: { role: 'assistant', text: reply, toolCalls: [] }, at: 3 },
  ];
}

/** Follow-ups with a model that answers so, and what it was asked. */
function asking(answer: (question: SmallQuestion) => Promise<object | undefined>) {
  const questions: SmallQuestion[] = [];
  const warnings: unknown[] = [];
  class Answering extends Classifier {
    override for(): this {
      return this;
    }
    override async object(question: SmallQuestion): Promise<Readonly<Record<string, unknown>> | undefined> {
      questions.push(question);
      return { ...(await answer(question)) };
    }
  }
  const model = { profile: undefined, run: () => Promise.reject(new Error('not asked')) };
  const classifier = new Answering(model as unknown as ConstructorParameters<typeof Classifier>[0]); // is never run
  const followUps = new FollowUps({ classifier, log: { warn: (...line: unknown[]) => void warnings.push(line) } });
  return { followUps, questions, warnings };
}

const examples = new FollowUps({ classifier: undefined, log: { warn: () => undefined } });
const { signal } = new AbortController();

function of(followUps: FollowUps, transcript = exchange(), principal = user()) {
  return followUps.of({ principal, conversationId: 'c', transcript }, toolbox, signal);
}

describe('follow-ups of an answer (contract/sessions.md#follow-ups)', () => {
  // proves service-14-03, wire-25-01
  it('are examples of what the user may use, on one line each, where no model is asked', async () => {
    expect(await of(examples)).toEqual({ messages: ['List cases'], pages: ['All cases', 'Help'] });
    expect(await of(examples, exchange(), user('Auditor'))).toEqual({
      messages: ['List cases', 'Audit'],
      pages: ['All cases'],
    });
    const principal: Principal = { ...user(), kind: 'signed-in', tenant: 'acme' } as unknown as Principal; // the parts that are read
    expect(await of(examples, exchange(), principal)).toMatchObject({ messages: ['List cases', 'Ours'] });
  });

  // proves service-14-03
  it('leave out what the answer has just used', async () => {
    const calls: readonly Call[] = [
      ['list_cases', '{}'],
      ['navigate_to_page', '{"page":"cases"}'],
      ['navigate_to_page', 'no JSON'],
    ];
    expect(await of(examples, exchange('turn-1', calls))).toEqual({ messages: [], pages: ['Help'] });
  });

  // proves wire-25-01
  it('are none before the first answer, and after one without words', async () => {
    const nothing = { messages: [], pages: [] };
    expect(await of(examples, [])).toEqual(nothing);
    expect(await of(examples, exchange('turn-1', [], ''))).toEqual(nothing);
    expect(await of(examples, exchange().slice(0, 1))).toEqual(nothing);
  });

  // proves wire-25-01, service-14-01
  it('are the first three lines of the model that can stand on a button', async () => {
    const messages = [7, 'Which cases?', ' Close\n it\u202e ', 'Close it', 'x'.repeat(81), '', 'Why?', 'When?', 'Who?'];
    const { followUps } = asking(() => Promise.resolve({ messages }));
    expect(await of(followUps)).toEqual({ messages: ['Close it', 'Why?', 'When?'], pages: [] });
    const wrong = asking(() => Promise.resolve({ messages: 'Why?' }));
    expect(await of(wrong.followUps)).toEqual({ messages: [], pages: [] });
  });

  // proves service-14-01
  it('ask the model once for an answer, with bounded words as data and what the user may use', async () => {
    const { followUps, questions } = asking(() => Promise.resolve({ messages: ['Why?'] }));
    const long = exchange('turn-1', [], `${'y'.repeat(1_500)}z`);
    expect(await of(followUps, long)).toEqual(await of(followUps, long));
    expect(questions).toHaveLength(1);
    expect(questions[0]?.timeoutMs).toBe(10_000);
    const text = questions[0]?.text ?? '';
    expect(text).toContain(`"${'y'.repeat(1_500)}"`);
    expect(text).toContain('"Close a case"');
    expect(text).not.toMatch(/Audit|Ours/);
    await of(followUps, exchange('turn-2'));
    expect(questions).toHaveLength(2);
  });

  // proves service-14-01, service-14-03
  it('are examples when the model fails, and above four answers at a time', async () => {
    const failing = asking(() => Promise.reject(new Error('gone')));
    expect(await of(failing.followUps)).toMatchObject({ messages: ['List cases'] });
    expect(failing.warnings).toHaveLength(1);
    const held = Promise.withResolvers<object>();
    const { followUps, questions } = asking(() => held.promise);
    const four = ['a', 'b', 'c', 'd'].map((turnId) => of(followUps, exchange(turnId)));
    expect(await of(followUps, exchange('e'))).toMatchObject({ messages: ['List cases'] });
    held.resolve({ messages: ['Why?'] });
    expect(await Promise.all(four)).toEqual(Array.from({ length: 4 }, () => ({ messages: ['Why?'], pages: [] })));
    expect(questions).toHaveLength(4);
  });

  // proves service-14-02
  it('end with their request', async () => {
    const gone = new AbortController();
    const { followUps } = asking(() => {
      gone.abort(new Error('the request is gone'));
      return Promise.reject(new Error('aborted'));
    });
    const conversation = { principal: user(), conversationId: 'c', transcript: exchange() };
    await expect(followUps.of(conversation, toolbox, gone.signal)).rejects.toThrow('the request is gone');
  });
});
