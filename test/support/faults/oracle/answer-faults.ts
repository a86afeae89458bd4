import type { FoundFault, ToldAnswer } from '../told.ts';
import type { Facts } from './facts.ts';

const unavailable = (says: string): FoundFault => ({ kind: 'unavailable', says });

/**
 * While the storage fails, approve, decline and Stop must answer 503 `storage_unavailable`. At other times they must not
 * (contract/restarts.md#storage-that-fails).
 */
export function answerFaults(facts: Facts): readonly FoundFault[] {
  return facts.told.answers.flatMap((answer) => {
    const { what, status, body, disk, life } = answer;
    if (status === undefined || what === 'look') return [];
    const told = `${what} was answered ${status} ${String(body?.['code'] ?? body?.['outcome'] ?? body?.['stopped'])}`;
    if (status === 503 && body?.['code'] === 'storage_unavailable') {
      const isCalm = facts.told.lives[life]?.disturbance === 'killed';
      return isCalm ? [unavailable(`${told} while the storage worked`)] : [];
    }
    if (status !== 200 && status !== 404 && !isDraining(answer)) return [unavailable(told)];
    return disk === 'fails' && isTaken(answer, facts) ? [unavailable(`${told} while the storage failed`)] : [];
  });
}

function isDraining({ status, body }: ToldAnswer): boolean {
  return status === 503 && body?.['code'] === 'server_draining';
}

/** A turn that has not asked yet is not stored, so its Stop needs no storage. */
function isTaken({ what, status, body, of, sentAt }: ToldAnswer, { told }: Facts): boolean {
  if (status !== 200) return false;
  if (what !== 'stop') return true;
  return body?.['stopped'] === true && told.questions.some(({ turnId, at }) => turnId === of && at < sentAt);
}
