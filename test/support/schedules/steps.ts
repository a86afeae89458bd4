import fc from 'fast-check';
import { type Death, durableSteps } from './mortal-stores.ts';
import { actionNames } from './planned-model.ts';

/** The places of users: two hub connections of one signed-in user, an anonymous one, and streams of both. */
export const hubPlaces = ['ann 1', 'ann 2', 'anonymous'] as const;
export type HubPlace = (typeof hubPlaces)[number];
export const streamPlaces = ['ann (SSE)', 'anonymous (SSE)'] as const;
export type StreamPlace = (typeof streamPlaces)[number];
export type Place = HubPlace | StreamPlace;
/** The sender of a request: the owner, the signed-in user, another user, or nobody. */
export const callers = ['owner', 'ann', 'bob', 'nobody'] as const;
export type Caller = (typeof callers)[number];

/** Chooses the first value four times as often as all others together. */
function mostly<const Value>(first: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(first) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
}

const place = fc.constantFrom<Place>(...hubPlaces, ...streamPlaces);
const hubPlace = fc.constantFrom(...hubPlaces);
const caller = mostly<Caller>('owner', 'ann', 'bob', 'nobody');
/** Counts back from the newest, which is 0. */
const recent = mostly<number>(0, 1, 2, 3);
const after = fc.constantFrom('start', 'middle', 'end');
const round = fc.array(fc.constantFrom(...actionNames), { minLength: 1, maxLength: 3 });
/** The rounds of the model. Repeated rounds let a remembered approval apply. */
const plan = fc.oneof(
  fc.array(round, { minLength: 1, maxLength: 2 }),
  round.map((calls) => [calls, calls]),
);
const death = fc.record<Death>({ step: fc.constantFrom(...durableSteps), when: fc.constantFrom('before', 'after') });

const send = fc.record({ do: fc.constant('send'), place, plan, stream: fc.boolean() });
const answer = fc.record({
  do: fc.constant('answer'),
  question: fc.oneof(
    { weight: 4, arbitrary: fc.constant<'unanswered' | number>('unanswered') },
    { weight: 1, arbitrary: recent },
  ),
  by: caller,
  says: mostly('approve', 'decline', 'approve twice', 'approve and decline'),
  arguments: mostly('as shown', 'another amount', 'nonsense'),
  remember: mostly<boolean>(false, true),
});
const forge = fc.record({ do: fc.constant('forge'), what: fc.constantFrom('id', 'call id', 'answer') });
const stop = fc.record({
  do: fc.constant('stop'),
  turn: recent,
  by: caller,
  what: fc.constantFrom('turn', 'connection'),
});
const newConversation = fc.record({ do: fc.constant('new conversation'), place: hubPlace });
const leave = fc.record({ do: fc.constant('leave'), place, how: fc.constantFrom('drop', 'close') });
const comeBack = fc.record({ do: fc.constant('come back'), place: hubPlace, turn: recent, after });
const readOn = fc.record({ do: fc.constant('read on'), by: caller, turn: recent, after });
const release = fc.record({ do: fc.constant('release') });
const pass = fc.record({ do: fc.constant('pass'), minutes: fc.constantFrom(10, 20, 30) });
const drain = fc.record({ do: fc.constant('drain') });
const restart = fc.record({ do: fc.constant('restart') });
const crash = fc.record({
  do: fc.constant('crash'),
  at: fc.option(death, { nil: undefined, freq: 4 }),
  next: fc.option(death, { nil: undefined, freq: 2 }),
});

const act = fc.oneof(
  { weight: 5, arbitrary: send },
  { weight: 9, arbitrary: answer },
  { weight: 1, arbitrary: forge },
  { weight: 2, arbitrary: stop },
  { weight: 1, arbitrary: newConversation },
  { weight: 2, arbitrary: leave },
  { weight: 3, arbitrary: comeBack },
  { weight: 2, arbitrary: readOn },
  { weight: 3, arbitrary: release },
  { weight: 1, arbitrary: pass },
  { weight: 1, arbitrary: drain },
  { weight: 1, arbitrary: restart },
  { weight: 2, arbitrary: crash },
);

export type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * One act of a user or of the server, and the wait before the next step. The wait lasts until all is quiet, or only for some event loops,
 * so that the two steps race.
 */
export interface Step {
  readonly act: Act;
  readonly then: 'quiet' | number;
}

export interface Schedule {
  readonly hitlMode: 'Blocking' | 'Native';
  /** The event loops that the servers' durable steps take, in turn. */
  readonly slowness: readonly number[];
  readonly steps: readonly Step[];
}

const step: fc.Arbitrary<Step> = fc.record({
  act,
  then: fc.oneof({ weight: 3, arbitrary: fc.constant<Step['then']>('quiet') }, { weight: 2, arbitrary: fc.nat(6) }),
});

/** Random schedules, which are printed as sentences. */
export const scheduleArbitrary: fc.Arbitrary<Schedule> = fc
  .record({
    hitlMode: fc.constantFrom('Native', 'Blocking'),
    slowness: fc.array(fc.nat(4), { minLength: 1, maxLength: 5 }),
    first: fc.record({ place, plan, stream: fc.boolean() }),
    steps: fc.array(step, { minLength: 1, maxLength: 16, size: '+1' }),
  })
  .map(({ first, steps, ...rest }) => {
    const schedule: Schedule = { ...rest, steps: [{ act: { do: 'send', ...first }, then: 'quiet' }, ...steps] };
    return { ...schedule, [fc.toStringMethod]: () => sentencesOf(schedule) };
  });

/** A schedule in readable sentences. */
export function sentencesOf({ hitlMode, slowness, steps }: Schedule): string {
  const lines = steps.map(({ act: done, then }, index) => {
    const wait = then === 'quiet' ? 'wait until all is quiet' : `wait ${String(then)} loops`;
    return `${String(index + 1)}. ${sentenceOf(done)}; ${wait}.`;
  });
  return [`With hitlMode ${hitlMode}, durable steps taking ${slowness.join(', ')} loops:`, ...lines].join('\n');
}

function sentenceOf(done: Act): string {
  switch (done.do) {
    case 'send':
      return `${done.place} ${done.stream ? 'streams' : 'sends'} a message; the model calls ${done.plan.map((round) => round.join(' and ')).join(', then ')}`;
    case 'answer': {
      const changed = done.arguments === 'as shown' ? '' : ` with ${done.arguments}`;
      const remembered = done.remember ? ', to be remembered' : '';
      const question =
        done.question === 'unanswered' ? 'the unanswered question' : `question -${String(done.question)}`;
      return `${done.by} answers ${question}: ${done.says}${changed}${remembered}`;
    }
    case 'forge':
      return `somebody forges an approval with a made-up ${done.what}`;
    case 'stop':
      return `${done.by} stops turn -${String(done.turn)} by its ${done.what}`;
    case 'new conversation':
      return `${done.place} begins a new conversation`;
    case 'leave':
      return `${done.place} ${done.how === 'drop' ? 'is cut off' : 'closes its connection'}`;
    case 'come back':
      return `${done.place} resumes turn -${String(done.turn)} from its ${done.after}`;
    case 'read on':
      return `${done.by} reads turn -${String(done.turn)} on with Last-Event-ID from its ${done.after}`;
    case 'release':
      return 'a held action goes on';
    case 'pass':
      return `${String(done.minutes)} minutes pass`;
    case 'drain':
      return 'the server gets SIGTERM';
    case 'restart':
      return 'the server is restarted';
    case 'crash': {
      const again = done.next === undefined ? '' : `, and the next process ${momentOf(done.next)}`;
      return `the server dies ${done.at === undefined ? 'at once' : momentOf(done.at)}${again}`;
    }
  }
}

function momentOf({ step: name, when }: Death): string {
  return `${when} its next "${name}"`;
}
