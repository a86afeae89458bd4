import { describe, expect, it } from 'vitest';
import { keptFaults } from '../support/faults/kept/kept-oracle.ts';
import { keptPlanOf } from '../support/faults/kept/kept-plan.ts';
import type {
  KeptEvent,
  KeptRecord,
  KeptRequest,
  KeptRest,
  SeenConversation,
} from '../support/faults/kept/kept-record.ts';

/** Seconds in the time of clock.ts. */
const second = 1_000_000;

function said(step: number, conversation: string, tells = true): KeptEvent & { readonly kind: 'said' } {
  const place = `0q0q${step}`;
  const fact = tells ? { fact: `fact${place}` } : {};
  return { kind: 'said', turn: `turn${place}`, ...fact, sentAt: step * second, conversation, status: 'completed' };
}

function conversation(id: string, ...steps: readonly number[]): SeenConversation {
  const messages = steps.flatMap((step) => [
    { role: 'user', text: `This is turn0q0q${step}. Remember 0q0q${step}.` },
    { role: 'assistant', text: `Well, reply0q0q${step}.` },
  ]);
  return { id, title: `About turn0q0q${steps[0] ?? 0}`, messages };
}

function sawFacts(at: number, ...marks: readonly string[]): KeptEvent & { readonly kind: 'saw facts' } {
  return { kind: 'saw facts', facts: marks.map((mark) => ({ id: mark, text: `Likes ${mark}.` })), at: at * second };
}

function sawConversations(
  at: number,
  ...conversations: readonly SeenConversation[]
): KeptEvent & { readonly kind: 'saw conversations' } {
  return { kind: 'saw conversations', conversations, at: at * second };
}

/**
 * A record without faults. There are two turns in one conversation and one in another. The first fact is deleted, the second fact is
 * corrected, and the other conversation is deleted. Then the process is killed, and another process shows the rest.
 */
function truthful() {
  const forgotten: KeptEvent & { readonly kind: 'changed' } = {
    kind: 'changed',
    change: { what: 'forget', id: 'a', gone: ['fact0q0q1'] },
    sentAt: 5 * second,
    answeredAt: 6 * second,
    status: 204,
  };
  const corrected: KeptEvent & { readonly kind: 'changed' } = {
    kind: 'changed',
    change: { what: 'correct', id: 'b', gone: ['fact0q0q2'], comes: 'edit0q0q7' },
    sentAt: 7 * second,
    answeredAt: 8 * second,
    status: 204,
  };
  const deleted: KeptEvent & { readonly kind: 'changed' } = {
    kind: 'changed',
    change: { what: 'delete', id: 'other', gone: ['turn0q0q3'] },
    sentAt: 9 * second,
    answeredAt: 10 * second,
    status: 204,
  };
  const lastFacts = sawFacts(20, 'edit0q0q7', 'fact0q0q12');
  const lastConversations = sawConversations(20, conversation('first', 1, 2, 12));
  const request: KeptRequest = {
    model: 'main',
    turn: 'turn0q0q12',
    marks: ['turn0q0q12', 'edit0q0q7'],
    at: 12 * second,
  };
  const rest: KeptRest = {
    rows: 'edit0q0q7 fact0q0q12',
    strayTurns: 0,
    files: ['paper1q0q0'],
    indexed: ['paper1q0q0'],
    worded: ['paper1q0q0'],
    found: ['paper1q0q0'],
    parts: { all: 1, withVector: 1, models: 1 },
  };
  return {
    forgotten,
    corrected,
    deleted,
    lastFacts,
    lastConversations,
    request,
    rest,
    last: said(12, 'first'),
    before: [
      said(1, 'first'),
      said(2, 'first'),
      said(3, 'other', false),
      sawFacts(4, 'fact0q0q1', 'fact0q0q2'),
      sawConversations(4, conversation('first', 1, 2), conversation('other', 3)),
    ] as readonly KeptEvent[],
  };
}

type Story = ReturnType<typeof truthful>;

function recordOf({ before, forgotten, corrected, deleted, last, lastFacts, lastConversations, request, rest }: Story) {
  const ann: KeptEvent[] = [...before, forgotten, corrected, deleted, last, lastFacts, lastConversations];
  const told: KeptRecord = { plan: keptPlanOf(1), users: { ann, bob: [] }, requests: [request], troubles: [], rest };
  return told;
}

const cases: readonly (readonly [string, (story: Story) => Partial<Story>])[] = [
  [
    'fact0q0q1 was deleted and has come back',
    () => ({ lastFacts: sawFacts(20, 'fact0q0q1', 'edit0q0q7', 'fact0q0q12') }),
  ],
  [
    'fact0q0q2 was deleted and has come back',
    () => ({ lastFacts: sawFacts(20, 'fact0q0q2', 'edit0q0q7', 'fact0q0q12') }),
  ],
  ['edit0q0q7 is lost', () => ({ lastFacts: sawFacts(20, 'fact0q0q12') })],
  ['fact0q0q12 was never remembered', () => ({ lastFacts: sawFacts(20, 'edit0q0q7') })],
  ['fact0q0q12 is there twice', () => ({ lastFacts: sawFacts(20, 'edit0q0q7', 'fact0q0q12', 'fact0q0q12') })],
  ['fact9q0q9 is there, and nobody asked', () => ({ lastFacts: sawFacts(20, 'edit0q0q7', 'fact0q0q12', 'fact9q0q9') })],
  ['turn0q0q2 is lost', () => ({ lastConversations: sawConversations(20, conversation('first', 1, 12)) })],
  ['turn0q0q12 is lost (told)', () => ({ lastConversations: sawConversations(20, conversation('first', 1, 2)) })],
  [
    'turn0q0q3 was deleted and has come back',
    () => ({ lastConversations: sawConversations(20, conversation('first', 1, 2, 12), conversation('other', 3)) }),
  ],
  ['is out of order', () => ({ lastConversations: sawConversations(20, conversation('first', 2, 1, 12)) })],
  [
    'and replies',
    () => {
      const one = conversation('first', 1, 2, 12);
      return { lastConversations: sawConversations(20, { ...one, messages: one.messages.slice(0, -1) }) };
    },
  ],
  [
    'the title of first names turn0q0q3',
    () => ({
      lastConversations: sawConversations(20, { ...conversation('first', 1, 2, 12), title: 'About turn0q0q3' }),
    }),
  ],
  [
    'the main model was shown fact0q0q1, which was gone',
    ({ request }) => ({ request: { ...request, marks: ['fact0q0q1'] } }),
  ],
  [
    'the main model was shown reply0q0q3, which was gone',
    ({ request }) => ({ request: { ...request, marks: ['reply0q0q3'] } }),
  ],
  [
    'the small model was shown fact0q0q2, which was gone',
    ({ request }) => ({ request: { ...request, model: 'small', marks: ['fact0q0q2'] } }),
  ],
  ['was told as failed', ({ last }) => ({ last: { ...last, status: 'failed' } })],
  ['forget was answered 500', ({ forgotten }) => ({ forgotten: { ...forgotten, status: 500 } })],
  ['the database still has fact0q0q2', ({ rest }) => ({ rest: { ...rest, rows: 'Likes fact0q0q2.' } })],
  ['1 parts of deleted conversations', ({ rest }) => ({ rest: { ...rest, strayTurns: 1 } })],
  ['the index has paper1q0q0 paper2q0q0', ({ rest }) => ({ rest: { ...rest, indexed: ['paper1q0q0', 'paper2q0q0'] } })],
  ['the index of words has ;', ({ rest }) => ({ rest: { ...rest, worded: [] } })],
  ['what questions find has ;', ({ rest }) => ({ rest: { ...rest, found: [] } })],
  ['0 of 1 parts have a vector', ({ rest }) => ({ rest: { ...rest, parts: { all: 1, withVector: 0, models: 1 } } })],
  ['vectors of 2 models', ({ rest }) => ({ rest: { ...rest, parts: { all: 1, withVector: 1, models: 2 } } })],
];

describe('the oracle of what is kept', () => {
  it('finds nothing in what is true', () => {
    expect(keptFaults(recordOf(truthful()))).toEqual([]);
  });

  it.each(cases)('finds: … %s …', (says, change) => {
    const story = truthful();
    expect(keptFaults(recordOf({ ...story, ...change(story) })).join('\n')).toContain(says);
  });

  it('takes either end of a deletion that was never answered, and then no other', () => {
    const story = truthful();
    const { status: _, answeredAt: __, ...unanswered } = story.deleted;
    const both = sawConversations(20, conversation('first', 1, 2, 12), conversation('other', 3));
    const gone = recordOf({ ...story, deleted: unanswered });
    expect(keptFaults(gone)).toEqual([]);
    expect(keptFaults(recordOf({ ...story, deleted: unanswered, lastConversations: both }))).toEqual([]);
    gone.users.ann.push(both);
    expect(keptFaults(gone).join('\n')).toContain('turn0q0q3 was deleted and has come back');
  });

  it('awaits no fact of a message that was said before something was corrected', () => {
    const { last, corrected, ...story } = truthful();
    const later = { ...corrected, sentAt: 13 * second, answeredAt: 14 * second };
    const { forgotten, deleted, lastConversations, lastFacts, before, request, rest } = story;
    const ann = [...before, forgotten, deleted, last, later, sawFacts(20, 'edit0q0q7'), lastConversations];
    const without = { ...request, marks: [] };
    const record: KeptRecord = { ...recordOf(truthful()), requests: [without], rest: { ...rest, rows: '' } };
    expect(keptFaults({ ...record, users: { ann, bob: [] } })).toEqual([]);
    expect(keptFaults({ ...record, users: { ann: [...ann, lastFacts], bob: [] } }).join('\n')).toContain(
      'fact0q0q12 was deleted and has come back',
    );
  });
});
