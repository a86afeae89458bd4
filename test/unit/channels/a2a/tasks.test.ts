import { TaskState } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { openStores } from '../../../../src/adapters/stores/open-stores.ts';
import { openTaskStates } from '../../../../src/channels/a2a/open-task-states.ts';
import { emptyMessage } from '../../../../src/channels/a2a/read-sent.ts';
import { type TaskCaller, taskOf, Tasks, type TasksOptions } from '../../../../src/channels/a2a/tasks.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';
import type { TurnListener } from '../../../../src/core/record/turn-listener.ts';
import type { Session } from '../../../../src/core/sessions/session.ts';
import { KeptTasks } from '../../../../src/core/tasks/kept-tasks.ts';
import type { Turn } from '../../../../src/core/turn/live/turn.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { testRecordSealer } from '../../../support/test-sealer.ts';

const caller: TaskCaller = {
  principal: anonymousPrincipal('test'),
  ...{ authorization: undefined, credential: undefined, address: '', traceparent: undefined },
  gone: new AbortController().signal,
};

/** The tasks of a replica with one task that runs. `leave` is called as its turn goes to another replica. */
async function running() {
  const { tasks: store } = await openStores({ type: 'memory' });
  const log = recordingLogger();
  const [clock, sealer] = [{ now: () => 1_000_000 }, testRecordSealer()];
  // As of a store that replicas share: the turn is elsewhere.
  const shared = Object.assign(store, { shared: { claim: () => Promise.resolve(false) } });
  const kept = new KeptTasks({ store: shared, sealer, clock, log, open: openTaskStates });
  const readers: TurnListener[] = [];
  // The members of a turn and a session that a task uses.
  const turn = {
    id: 'turn',
    subscribe: (reader: TurnListener) => readers.push(reader),
    result: new Promise(() => undefined),
  } as unknown as Turn;
  const session = { startNow: () => turn, close: () => undefined } as unknown as Session;
  const assistant: TasksOptions['assistant'] = {
    openSession: () => session,
    followTurn: () => Promise.resolve(undefined),
    replicaOfTurn: () => Promise.resolve('bbbbbbbb'),
  };
  const tasks = new Tasks({
    assistant,
    kept,
    clock,
    log,
    interrupted: () => 'interrupted',
    askingText: () => 'asked',
    doneBelow: () => '',
  });
  const sent = {
    ...{ text: 'Tell me.', attachments: [], message: emptyMessage, contextId: undefined },
    ...{ taskId: undefined, isImmediate: false, historyLength: undefined },
  };
  const { id } = await tasks.begin(sent, { ...caller, isReadWhole: false });
  return { tasks, kept, id, leave: () => readers[0]?.onEnd() };
}

describe('a task of another agent on the replica that has begun it (contract/replicas.md#programs)', () => {
  // proves wire-10-92
  it('is that of the replica where its turn goes on, once the turn has left', async () => {
    const { tasks, kept, id, leave } = await running();
    expect(await tasks.replicaOf(id, caller, caller.gone)).toBeUndefined();
    expect(await tasks.find(id, caller)).toHaveProperty('running');
    leave();
    expect(await tasks.replicaOf(id, caller, caller.gone)).toBe('bbbbbbbb');
    expect(await tasks.find(id, caller)).toHaveProperty('later');
    const stored = await kept.find(id);
    const over = JSON.stringify({ ...JSON.parse(stored?.content ?? ''), status: { state: 'TASK_STATE_COMPLETED' } });
    await kept.update({ id, state: 'TASK_STATE_COMPLETED', content: over });
    expect(await tasks.replicaOf(id, caller, caller.gone)).toBeUndefined();
    const found = await tasks.find(id, caller);
    expect(found && taskOf(found).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  });
});
