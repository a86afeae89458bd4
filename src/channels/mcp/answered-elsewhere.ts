import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DirectCaller } from '../../core/direct/direct-call.ts';
import type { DirectCalls } from '../../core/direct/direct-calls.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { asObject } from '../shared/as-object.ts';
import { onceOver } from '../shared/once-over.ts';
import type { ConnectionsElsewhere } from '../shared/replicas/connections-elsewhere.ts';

/**
 * Whether another replica has answered a call: the one that has its question, or that makes the same call now (contract/replicas.md#programs). That
 * replica asks by itself who the caller is, and runs the action where it was approved.
 * @throws HelperError `overloaded`; `cluster_unavailable` where the call names a question. Another call asks anew.
 */
export async function answeredElsewhere(
  {
    request,
    reply,
    caller,
    signal,
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly caller: DirectCaller;
    readonly signal: AbortSignal;
  },
  {
    direct,
    elsewhere,
  }: { readonly direct: Pick<DirectCalls, 'placeOf'>; readonly elsewhere?: ConnectionsElsewhere | undefined },
): Promise<boolean> {
  const call = elsewhere === undefined || !caller.canConfirm ? undefined : callIn(request.body);
  if (call === undefined || elsewhere === undefined) return false;
  const { replica, leave } = await direct.placeOf({ ...call, signal }, caller);
  onceOver(reply, leave);
  try {
    return await elsewhere.sends(() => Promise.resolve(replica), {
      request,
      reply,
      body: Buffer.from(JSON.stringify(request.body)),
    });
  } catch (error) {
    // Nobody knows what the other replica has heard. One more question runs nothing.
    if (call.question === undefined && isUnavailable(error)) return false;
    throw error;
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof HelperError && error.code === 'cluster_unavailable';
}

/** The call in a message, as far as the protocol will take it for one. */
function callIn(
  body: unknown,
): { readonly name: string; readonly argumentsValue: unknown; readonly question: string | undefined } | undefined {
  const { method, params } = asObject(body);
  const { name, arguments: argumentsValue = {}, requestState } = asObject(params);
  if (method !== 'tools/call' || typeof name !== 'string') return undefined;
  return { name, argumentsValue, question: typeof requestState === 'string' ? requestState : undefined };
}
