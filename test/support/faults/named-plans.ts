import type { Fault, FaultPlan, Life, PlannedCall, PlannedTurn } from './fault-plan.ts';
import { casesOf } from '../run/tier.ts';
import type { Moment, Signal } from './moments.ts';

/** The events in the turn of one approved action, in order. */
const stepsOfATurn: readonly Signal[] = [
  'the model is asked',
  'the model has said something',
  'the model has replied',
  'ConfirmationRequested comes',
  'an approval is sent',
  'an approval is answered',
  'an action is about to run',
  'an action has run',
  'ActionCompleted comes',
  'TurnCompleted comes',
];

type Reactions = Pick<PlannedCall, 'first' | 'last'>;

/** A turn that asks once. It alternates between the hub and server-sent events. */
function turn(life: number, { first, last }: Reactions): PlannedTurn {
  const call: PlannedCall = { id: `${life}.0.0.0`, name: 'change', first, later: 'leave', last, afterMs: 5 };
  return { channel: life % 2 === 0 ? 'hub' : 'sse', user: 'ann', startsAfterMs: 0, paceMs: 2, rounds: [[call]] };
}

const at = (signal: Signal): Moment => ({ signal, nth: 1, delayMs: 0 });

/** A short run plays every third fault of a plan, and the last one of a shorter plan. */
const isShort = (_: Fault, index: number): boolean => index % 3 === 1;

function planOf(hitlMode: FaultPlan['hitlMode'], faults: readonly Fault[], reactions: Reactions): FaultPlan {
  const lives = casesOf('kills and failing disks at each step of an approval', faults, isShort).map(
    (fault, life): Life => ({ turns: [turn(life, reactions)], syncMs: 0, fault }),
  );
  return { hitlMode, confirmationTimeout: '15m', catchesUp: false, lives };
}

/** SIGKILL at every step of an approved turn. Each step gets a process of its own. */
export function killedAtEveryStep(hitlMode: FaultPlan['hitlMode']): FaultPlan {
  const faults = stepsOfATurn.map((signal): Fault => ({ kind: 'kill', at: at(signal) }));
  return planOf(hitlMode, faults, { first: 'approve', last: 'approve' });
}

/** The disk fails at the nth write of an approval: the answer, `executing`, the outcome. */
export function failingWithEveryWrite(hitlMode: FaultPlan['hitlMode']): FaultPlan {
  const faults = Array.from({ length: 8 }, (_, after): Fault => ({
    kind: 'EIO',
    at: at('an approval is sent'),
    after,
    killed: true,
  }));
  return planOf(hitlMode, faults, { first: 'approve', last: 'approve' });
}

/**
 * The disk is full when the user approves. In one life the disk is emptied while the process lives, and in another the process is killed
 * before.
 */
export function fullDisk(hitlMode: FaultPlan['hitlMode']): FaultPlan {
  const faults = (['full disk', 'ENOSPC'] as const).flatMap((kind) =>
    [true, false].map((killed): Fault => ({ kind, at: at('an approval is sent'), after: 0, killed })),
  );
  return planOf(hitlMode, faults, { first: 'approve', last: 'approve' });
}

/** The user stops the turn, the process dies, and the last process gets an approval. */
export function stoppedAndApprovedLater(hitlMode: FaultPlan['hitlMode'], by: 'kills' | 'failing disk'): FaultPlan {
  const kills: readonly Fault[] = [
    { kind: 'kill', at: at('a stop is answered') },
    { kind: 'kill', at: at('a stop is sent') },
  ];
  const failing = [true, false].map((killed): Fault => ({
    kind: 'EIO',
    at: at('ConfirmationRequested comes'),
    after: 0,
    killed,
  }));
  return planOf(hitlMode, by === 'kills' ? kills : failing, { first: 'stop', last: 'approve' });
}

/** The action has run, and its outcome cannot be stored. */
export function outcomeNotWritten(hitlMode: FaultPlan['hitlMode']): FaultPlan {
  const faults = (['EIO', 'EIO of syncs', 'EROFS'] as const).flatMap((kind) =>
    [true, false].map((killed): Fault => ({ kind, at: at('an action has run'), after: 0, killed })),
  );
  return planOf(hitlMode, faults, { first: 'approve', last: 'approve' });
}
