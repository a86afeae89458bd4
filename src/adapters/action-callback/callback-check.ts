import { randomId } from '../../core/base/random-id.ts';
import type { CheckedDirection, TextCheck } from '../../core/guardrails/text-check.ts';
import { hasMembers } from '../shared/members.ts';
import type { CallbackClient } from './callback-client.ts';
import { parsed, UnusableAnswer } from './read-result.ts';

/**
 * Makes a host application a check of messages or replies. Each check is one signed request, or its retries
 * (contract/plugins.md#callbacks).
 */
export function callbackCheck(direction: CheckedDirection, name: string, client: CallbackClient): TextCheck {
  return {
    name: `callback ${name}`,
    isSafe: ({ text, tenant }, signal) => {
      const id = randomId();
      const body = { type: 'guardrail', text, direction };
      return client.ask({ type: 'guardrail', id, trace: id, body, readOnly: true, tenant, signal, read: readVerdict });
    },
  };
}

function readVerdict(text: string): boolean {
  const answer = parsed(text);
  if (hasMembers(answer) && typeof answer['safe'] === 'boolean') return answer['safe'];
  throw new UnusableAnswer('the answer says neither safe: true nor safe: false');
}
