import { setImmediate as nextLoop } from 'node:timers/promises';
import { vi } from 'vitest';
import { AutoApproval } from '../../../../src/core/confirmations/auto-approval.ts';
import type { Principal } from '../../../../src/core/identity/principal.ts';
import type { ConfirmationJournal, JournalRow } from '../../../../src/core/ports/confirmation-journal.ts';
import type { KeptTurn } from '../../../../src/core/ports/turn-store.ts';
import type { Session } from '../../../../src/core/sessions/session.ts';
import { openTurn } from '../../../../src/core/record/opened-turn.ts';
import type { RecordLine } from '../../../../src/core/record/record-line.ts';
import type { TurnHeader } from '../../../../src/core/record/turn-header.ts';
import { SessionSnapshots } from '../../../../src/core/sessions/snapshot/session-snapshots.ts';
import { Toolbox } from '../../../../src/core/tools/toolbox.ts';
import { call, fakeModel, type FakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { recordingMetrics } from '../../../support/quiet.ts';
import {
  type ReadEvent,
  readTurn,
  type TestAssistant,
  testAssistant,
  type TestAssistantOptions,
  type TurnReader,
} from '../../../support/test-assistant.ts';
import { testRecordSealer, testSealer } from '../../../support/test-sealer.ts';

/** Epoch milliseconds at which all moments were recorded. */
export const recordedAt = 1_790_000_000_000;

/** The user of the recorded turns. */
export const anna: Principal = {
  kind: 'signed-in',
  userKey: 'sub:anna',
  id: 'anna',
  name: 'Anna',
  roles: new Set(['Clerk']),
  claims: { tenant: 't1' },
};

/** What a process had stored of a turn at the moment of its death. */
export interface RecordedMoment {
  /** The stored turn, sealed with the key of the tests. */
  readonly kept: KeptTurn;
  /** The content of the sealed text, for people who read the fixture. */
  readonly plain: { readonly header: TurnHeader; readonly lines: readonly RecordLine[] };
  /** The journal's rows of the turn's calls. */
  readonly rows: readonly JournalRow[];
  /** The events that the turn's reader had got. */
  readonly events: readonly ReadEvent[];
  /** A snapshot of its session. */
  readonly snapshot: string;
}

type ModelStep = Parameters<typeof fakeModel>[number];

interface Moment {
  readonly options?: Partial<TestAssistantOptions>;
  /** What the model says to "close them". `held` resolves once the moment is recorded. */
  readonly replies: (held: Promise<unknown>) => readonly ModelStep[];
  /** Resolves when the moment has come. */
  readonly until: (first: FirstProcess) => Promise<unknown>;
}

const closing = (...cases: readonly number[]): ModelStep => ({
  text: 'One moment. ',
  toolCalls: cases.map((caseId) => call('close_case', { caseId }, `call_${String(caseId)}`)),
});

/** The moments, under the names of their fixtures. */
const moments = {
  'one-question': {
    replies: () => [closing(3)],
    until: ({ reader }) => reader.next('confirmation-requested'),
  },
  'running-beside-a-question': {
    replies: () => [closing(1, 3)],
    until: async ({ reader, answer }) => {
      const first = await reader.next('confirmation-requested');
      await reader.next('confirmation-requested');
      await answer(first);
      await reader.next('action-executing');
    },
  },
  'outcome-without-an-end': {
    replies: (held) => [closing(3), { until: held }],
    until: async ({ reader, answer, model }) => {
      await answer(await reader.next('confirmation-requested'));
      await reader.next('action-completed');
      await vi.waitUntil(() => model.requests.length === 3);
    },
  },
  'edited-arguments': {
    replies: (held) => [closing(3), { until: held }],
    until: async ({ reader, answer, model }) => {
      await answer(await reader.next('confirmation-requested'), { caseId: 4 });
      await reader.next('action-completed');
      await vi.waitUntil(() => model.requests.length === 3);
    },
  },
  'half-a-reply': {
    options: { tapePolicy: 'always' },
    replies: (held) => [
      { text: 'Let me see. ', toolCalls: [call('get_case', { caseId: 3 })] },
      { pieces: ['The case ', 'is op'], until: held },
    ],
    until: async ({ reader }) => {
      await reader.next('text-delta');
      await reader.next('text-delta');
    },
  },
  'write-that-nobody-was-asked-about': {
    options: { tapePolicy: 'always' },
    replies: () => [{ toolCalls: [call('note_case', { caseId: 1 })] }],
    until: ({ reader }) => reader.next('action-executing'),
  },
  'approved-by-rule': {
    // With provenance enforced, the text of the page would switch all rules off.
    options: { enforcesProvenance: false },
    replies: () => [closing(7), closing(8)],
    until: ({ reader }) => reader.next('confirmation-requested'),
  },
} as const satisfies Readonly<Record<string, Moment>>;

export type MomentName = keyof typeof moments;

/** The names of all moments. */
export const momentNames = Object.keys(moments) as readonly MomentName[]; // the keys of a literal

/** The tools of every process. A call on case 1 lasts until `held` resolves. */
export function caseTools(held: Promise<unknown> = Promise.resolve()) {
  const execute = async ({ caseId }: Readonly<Record<string, unknown>>) => {
    if (caseId === 1) await held;
    return { value: { closed: caseId } };
  };
  return {
    close: fakeTool({ editable: true, execute }),
    read: fakeTool({ name: 'get_case', readOnly: true }),
    note: fakeTool({ name: 'note_case', requiresConfirmation: false, execute }),
  };
}

/** The settings of every process: a rule approves the cases from 7 on, in one round of a turn. */
export function caseSettings(name: MomentName): Partial<TestAssistantOptions> {
  const autoApproval = new AutoApproval({
    rules: [({ arguments: { caseId } }) => Number(caseId) >= 7],
    maxRounds: 1,
  });
  const moment: Moment = moments[name];
  return { autoApproval, now: () => recordedAt, ...moment.options };
}

/** Snapshots of sessions that use these tools, at the time of the records. */
export function caseSnapshots(journal: ConfirmationJournal, tools: ReturnType<typeof caseTools>): SessionSnapshots {
  return new SessionSnapshots({
    sealer: testSealer({ now: () => recordedAt }),
    journal,
    toolbox: () => new Toolbox(Object.values(tools)),
    asksAgain: true,
    cards: { enableGenerativeCards: true, cardHosts: { images: [], links: [] } },
    metrics: recordingMetrics(),
  });
}

/** Runs the assistant up to the moment, and returns what it has stored by then. */
export async function recordMoment(name: MomentName): Promise<RecordedMoment> {
  const held = Promise.withResolvers<undefined>();
  const moment: Moment = moments[name];
  const first = await firstProcess(name, moment.replies(held.promise), caseTools(held.promise));
  await moment.until(first);
  const recorded = await storedBy(first);
  held.resolve(undefined);
  return recorded;
}

interface FirstProcess extends TestAssistant {
  readonly model: FakeModel;
  readonly session: Session;
  readonly turnId: string;
  readonly reader: TurnReader;
  readonly answer: (question: ReadEvent, edited?: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** A process whose turn is the second of its conversation. */
async function firstProcess(
  name: MomentName,
  replies: readonly ModelStep[],
  tools: ReturnType<typeof caseTools>,
): Promise<FirstProcess> {
  const model = fakeModel({ text: 'Good day.' }, ...replies, { text: 'Done.' });
  const test = testAssistant({ ...memoryStores(), toolList: Object.values(tools), model, ...caseSettings(name) });
  const session = test.assistant.openSession({ channel: 'hub', principal: anna });
  await session.startNow({ text: 'hello' }).result;
  session.setPage({ name: 'cases', title: 'Cases', data: { count: 3 } });
  const turn = session.startNow({ text: 'close them' });
  const snapshots = caseSnapshots(test.journal, tools);
  const answer: FirstProcess['answer'] = ({ fields }, edited) =>
    test.assistant.answerConfirmation(
      { actionId: String(fields['actionId']), approved: true, ...(edited && { arguments: edited }) },
      anna,
    );
  return { ...test, snapshots, model, session, turnId: turn.id, reader: readTurn(turn), answer };
}

async function storedBy({ turns, journal, turnId, session, snapshots, reader }: FirstProcess): Promise<RecordedMoment> {
  // The stores are in memory, so a few rounds of the event loop suffice for all pending writes.
  for (let loop = 0; loop < 4; loop += 1) await nextLoop();
  const kept = await turns.read(turnId);
  if (kept === undefined) throw new Error('the turn is not kept');
  const { header, lines } = openTurn(kept, testRecordSealer());
  const rows = await journal.ofTurn(turnId);
  return { kept, plain: { header, lines }, rows, events: [...reader.events], snapshot: await snapshots.save(session) };
}
