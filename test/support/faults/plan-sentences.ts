import type { Fault, FaultPlan, PlannedCall, PlannedTurn } from './fault-plan.ts';
import type { Moment } from './moments.ts';

/** A plan in readable sentences. */
export function sentencesOf({ hitlMode, confirmationTimeout, lives }: FaultPlan): string {
  const head = `With hitlMode ${hitlMode}, and questions that expire after ${confirmationTimeout}:`;
  const lines = lives.flatMap(({ turns, syncMs, fault }, index) => [
    `${index + 1}. A process starts on the folder${syncMs > 0 ? `, on a disk that takes ${syncMs} ms to sync` : ''}; ${faultSentence(fault)}.`,
    ...turns.map((turn) => `   ${turnSentence(turn)}.`),
  ]);
  return [head, ...lines, `${lives.length + 1}. A last process starts; all is answered and read.`].join('\n');
}

/** The fault of a process and its moment, as a sentence. */
export function faultSentence(fault: Fault): string {
  switch (fault.kind) {
    case 'kill':
      return `SIGKILL ${momentOf(fault.at)}`;
    case 'kill at a write':
      return `SIGKILL ${fault.when} operation ${fault.operation} of its disk, once it listens`;
    case 'kill while starting':
      return `SIGKILL ${fault.when} operation ${fault.operation} of its disk, while it starts`;
    case 'SIGTERM':
      return `SIGTERM ${momentOf(fault.at)}${fault.killAfterMs === undefined ? '' : `, and SIGKILL ${fault.killAfterMs} ms later`}`;
    case 'deleted folder':
      return `its folder is deleted ${momentOf(fault.at)}`;
    case 'full disk':
    case 'foreign lock':
      return `${fault.kind} ${momentOf(fault.at)}; ${endOf(fault.killed)}`;
    case 'ENOSPC':
    case 'EROFS':
    case 'EIO':
    case 'EIO of syncs':
      return `${fault.kind} after ${fault.after} more operations, ${momentOf(fault.at)}; ${endOf(fault.killed)}`;
  }
}

function endOf(killed: boolean): string {
  return killed ? 'SIGKILL while it lasts' : 'it passes, and SIGKILL at the end';
}

function momentOf({ signal, nth, delayMs }: Moment): string {
  return `${delayMs === 0 ? 'when' : `${delayMs} ms after`} ${signal} for time ${nth}`;
}

function turnSentence({ channel, user, startsAfterMs, paceMs, rounds }: PlannedTurn): string {
  const calls = rounds.map((round) => round.map(callSentence).join(' and ')).join(', then ');
  return `${user} (${channel}) sends a message after ${startsAfterMs} ms; the model, a piece every ${paceMs} ms, calls ${calls}`;
}

function callSentence({ id, name, first, later, last, afterMs }: PlannedCall): string {
  return `${name} ${id} (after ${afterMs} ms: ${first}; later: ${later}; at last: ${last})`;
}
