import { canonicalJson } from '../base/canonical-json.ts';
import type { RepeatedCall } from '../confirmations/confirmation-request.ts';
import { stateOf, stateOfRow } from '../confirmations/ran-before.ts';
import type { RecordedOutcome } from '../tools/tool-outcome.ts';
import { callKey } from './repeated-call.ts';
import type { CheckedCall, ToolCall } from './tool-call.ts';

/**
 * How far the same call has come in this turn, whichever agent has made it: the same action with the same arguments that has run, runs or is
 * open (contract/confirmations.md#rules-in-place-of-the-user). Of two calls side by side the first in the record is the first one, so the
 * answer stays the same when the turn runs again.
 */
export async function sameWrite(ready: CheckedCall): Promise<RepeatedCall | undefined> {
  const { call, tool, argumentsValue, scope } = ready;
  const { turn, services } = scope;
  const earlier = sameBefore(ready);
  // Only for these the user may have put the arguments of this call in the place of others.
  if (earlier.length === 0 && !tool.editable) return undefined;
  const rows = (await services.journal.ofTurn(turn.id)).filter(({ callId }) => callId !== call.callId);
  const what = canonicalJson(argumentsValue);
  const asked = rows
    .filter((row) => row.action === tool.name && (row.editedArguments ?? row.arguments) === what)
    .map((row) => ({ state: stateOfRow(row), at: row.doneAt ?? row.requestedAt }));
  const others = earlier
    .filter(({ callId }) => !rows.some((row) => row.callId === callId))
    .map(({ at }) => turn.record.get(at) as RecordedOutcome | undefined) // recorded by `invokeTool`
    .map((end) => ({ state: end ? stateOf(end.status) : 'open', at: end?.receipt?.at ?? services.clock.now() }));
  const [first, ...more] = [...asked, ...others].filter((found): found is RepeatedCall => found.state !== undefined);
  return first && more.reduce((newest, found) => (found.at > newest.at ? found : newest), first);
}

/** The same calls before this one. `at` is the key of their outcome. */
function sameBefore({ call, at, scope }: CheckedCall): readonly { readonly callId: string; readonly at: string }[] {
  const found: { readonly callId: string; readonly at: string }[] = [];
  const what = callKey(call);
  for (const [key, value] of scope.turn.record.entries()) {
    if (!key.endsWith('/model')) continue;
    const { calls = [] } = value as { readonly calls?: readonly ToolCall[] }; // recorded by `askModel`
    for (const other of calls) {
      const otherAt = `${key.slice(0, -'/model'.length)}/call/${other.callId}`;
      if (otherAt === at) return found;
      if (callKey(other) === what) found.push({ callId: other.callId, at: otherAt });
    }
  }
  return found;
}
