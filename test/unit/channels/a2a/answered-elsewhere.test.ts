import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { answeredElsewhere } from '../../../../src/channels/a2a/answered-elsewhere.ts';
import type { TaskCaller } from '../../../../src/channels/a2a/tasks.ts';
import type { ConnectionsElsewhere } from '../../../../src/channels/shared/replicas/connections-elsewhere.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';

/** The task that is looked for. Undefined where none is. */
async function taskOf(method: string, params: unknown): Promise<string | undefined> {
  const replicaOf = vi.fn((_id: string) => Promise.resolve(undefined));
  // Asks for the replica, and has nothing else to do, because there is none.
  const elsewhere = { sends: async (find: () => Promise<unknown>) => (await find()) !== undefined };
  const caller: TaskCaller = {
    principal: anonymousPrincipal('test'),
    ...{ authorization: undefined, credential: undefined, address: '', traceparent: undefined },
    gone: new AbortController().signal,
  };
  const [request, reply] = [{} as FastifyRequest, {} as FastifyReply]; // nothing is read of them here
  const answered = await answeredElsewhere(
    { request, reply, rpc: { jsonrpc: '2.0', id: 1, method, params }, caller },
    { tasks: { replicaOf }, elsewhere: elsewhere as unknown as ConnectionsElsewhere }, // no other method is called
  );
  expect(answered).toBe(false);
  return replicaOf.mock.calls[0]?.[0];
}

describe('the task that a request of another agent names (contract/replicas.md#programs)', () => {
  // proves wire-10-92
  it.each([
    ['GetTask', { id: 'a' }],
    ['tasks/cancel', { id: 'a' }],
    ['SendMessage', { message: { taskId: 'a' } }],
    ['SendStreamingMessage', { message: { task_id: 'a' } }],
    ['message/send', { message: { taskId: null, task_id: 'a' } }],
  ])('is found in the parameters of %s', async (method, params) => {
    expect(await taskOf(method, params)).toBe('a');
  });

  // proves wire-10-92
  it.each([
    ['ListTasks', { id: 'a' }],
    ['SendMessage', { message: { text: 'a' } }],
    ['SendMessage', { message: null, id: 'a' }],
    ['GetTask', { id: '' }],
    ['GetTask', null],
  ])('is looked for nowhere where %s names none', async (method, params) => {
    expect(await taskOf(method, params)).toBeUndefined();
  });
});
