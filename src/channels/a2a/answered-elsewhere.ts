import type { FastifyReply, FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { asObject } from '../shared/as-object.ts';
import type { ConnectionsElsewhere } from '../shared/replicas/connections-elsewhere.ts';
import type { RpcRequest } from './json-rpc.ts';
import type { TaskCaller, Tasks } from './tasks.ts';

/** Methods that name a task, as both versions of the protocol call them. */
const byId = ['GetTask', 'CancelTask', 'SubscribeToTask', 'tasks/get', 'tasks/cancel', 'tasks/resubscribe'];
const byMessage = ['SendMessage', 'SendStreamingMessage', 'message/send', 'message/stream'];

/** Methods that tell what is stored where the replica of a task does not answer, and how many milliseconds it has. */
const reading = ['GetTask', 'tasks/get'];
const longestReadMs = 2_000;

interface TaskRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly rpc: RpcRequest;
  readonly caller: TaskCaller;
}

/**
 * Whether the replica that runs the task of a request has answered (contract/replicas.md#programs). That replica asks by itself who the caller is.
 * @throws HelperError `cluster_unavailable` when it cannot be reached, but for a request that only reads the task.
 */
export async function answeredElsewhere(
  { request, reply, rpc, caller }: TaskRequest,
  {
    tasks,
    elsewhere,
  }: { readonly tasks: Pick<Tasks, 'replicaOf'>; readonly elsewhere: ConnectionsElsewhere | undefined },
): Promise<boolean> {
  const id = taskIn(rpc);
  if (elsewhere === undefined || id === undefined) return false;
  const reads = reading.includes(rpc.method);
  const signal = reads ? AbortSignal.any([caller.gone, AbortSignal.timeout(longestReadMs)]) : caller.gone;
  try {
    const forwarded = { request, reply, body: Buffer.from(JSON.stringify(rpc)) };
    return await elsewhere.sends(() => tasks.replicaOf(id, caller, signal), forwarded);
  } catch (error) {
    if (caller.gone.aborted) return true;
    // This replica tells what is stored, and what is wrong with the store.
    if (reads || !(error instanceof HelperError)) return false;
    throw error;
  }
}

/** The task that a request names. */
function taskIn({ method, params }: RpcRequest): string | undefined {
  const fields = asObject(params);
  // The library knows the members of a message by the names of the schema, too.
  const { taskId, task_id: sameId } = asObject(fields['message']);
  const id = byId.includes(method) ? fields['id'] : byMessage.includes(method) ? (taskId ?? sameId) : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
