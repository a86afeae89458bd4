import { describe, expect, it } from 'vitest';
import { InProcessExchange } from '../../../../src/adapters/bus/in-process/in-process-exchange.ts';
import { hintedId } from '../../../../src/core/base/hinted-id.ts';
import { AssistantOverReplicas } from '../../../../src/core/replicas/assistant-over-replicas.ts';
import { turnKinds } from '../../../../src/core/replicas/turn-messages.ts';
import { at, joinedBuses } from '../../../support/bus/opened-buses.ts';
import { fakeModel } from '../../../support/fake-model.ts';
import { signedIn } from '../../../support/principals.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { testAssistant } from '../../../support/test-assistant.ts';

/** The assistants of two replicas, and how often the second one is asked for a turn. */
async function replicas() {
  const [here, there] = await joinedBuses(new InProcessExchange(), 2).then((buses) => [at(buses, 0), at(buses, 1)]);
  if (here === undefined || there === undefined) throw new Error('there are two buses');
  const asked: unknown[] = [];
  const answer = there.answer.bind(there);
  there.answer = (kind, handler) => {
    answer(kind, (body, replica) => {
      if (kind === turnKinds.find) asked.push(body);
      return handler(body, replica);
    });
  };
  const shared = {
    free: () => Promise.resolve([]),
    stateOf: () => Promise.resolve(undefined),
    others: () => Promise.resolve([]),
    release: () => Promise.resolve(),
    lost: () => Promise.resolve([]),
    onHeardAgain: () => undefined,
  };
  const [assistant, other] = [here, there].map((bus) => {
    const { assistant: own, journal } = testAssistant({ model: fakeModel({ text: 'Hello.' }), replica: bus.replica });
    return new AssistantOverReplicas(own, { bus, shared, journal, log: recordingLogger() });
  });
  if (assistant === undefined || other === undefined) throw new Error('there are two assistants');
  return { assistant, other, replica: there.replica, asked };
}

describe('a turn that is looked for over replicas (contract/replicas.md#turns)', () => {
  it('costs another replica one call when nobody has it, and one when it is of somebody else', async () => {
    const { assistant, other, replica, asked } = await replicas();
    const reasons: string[] = [];
    const onForeign = (reason: string): void => void reasons.push(reason);
    expect(await assistant.findTurn(hintedId(replica), signedIn('bob'), onForeign)).toBeUndefined();
    expect([asked.length, reasons]).toEqual([1, []]);
    const turn = other.openSession({ channel: 'sse', principal: signedIn('ann') }).startNow({ text: 'hi' });
    await turn.result;
    expect(await assistant.findTurn(turn.id, signedIn('bob'), onForeign)).toBeUndefined();
    expect([asked.length, reasons]).toEqual([2, ['not_owner']]);
    expect(await assistant.findTurn(turn.id, signedIn('ann'), onForeign)).toMatchObject({ id: turn.id });
    expect([asked.length, reasons]).toEqual([3, ['not_owner']]);
  });
});
