import { isLegacyJsonRpcMethod } from '@a2a-js/sdk/compat/v0_3';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { VersionNotSupportedError } from '@a2a-js/sdk/errors';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { countedCaller } from '../../core/limits/counted-caller.ts';
import { type Admission, admitRequests, noted } from '../shared/admit-requests.ts';
import { networkOf } from '../shared/client-network.ts';
import { credentialOf } from '../shared/credential-of.ts';
import { isOver, overSignal } from '../shared/once-over.ts';
import { PingClock } from '../shared/ping-clock.ts';
import type { ConnectionsElsewhere } from '../shared/replicas/connections-elsewhere.ts';
import { StreamPlaces, type StreamPlacesOptions } from '../shared/stream-places.ts';
import { traceContextOf } from '../shared/trace-context.ts';
import { protocolVersion } from './agent-card.ts';
import { answeredElsewhere } from './answered-elsewhere.ts';
import { cardRoute, type CardRouteOptions } from './card-route.ts';
import { checkParams } from './check-params.ts';
import { legacyVersion } from './legacy-card.ts';
import { readRpc, type RpcRequest } from './json-rpc.ts';
import { sendStream } from './send-stream.ts';
import { TaskRequests } from './task-requests.ts';
import { type TaskCaller, Tasks, type TasksOptions } from './tasks.ts';

export interface A2aChannelOptions extends TasksOptions, CardRouteOptions, Omit<StreamPlacesOptions, 'channel'> {
  readonly assistant: Assistant;
  readonly admission: Admission;
  /** Left out, this is the only server. */
  readonly elsewhere?: ConnectionsElsewhere | undefined;
  /** Called once with the tasks. Their `recover` is called now and then, where there are other replicas. */
  readonly onTasks: (tasks: Pick<Tasks, 'recover'>) => void;
  /** Bytes of a request. */
  readonly bodyLimit: number;
  /** Whether users are asked on a page (`endpoints.a2a.confirmations: page`). */
  readonly asksOnPage: boolean;
}

/** Methods whose answer is there only once a turn has come on. */
const beginning = ['SendMessage', 'SendStreamingMessage', 'message/send', 'message/stream'];
const following = [...beginning, 'SubscribeToTask', 'tasks/resubscribe'];

/**
 * `/a2a` and the card of the agent: the assistant for other agents (contract/a2a-server.md). Each task is a turn of its own.
 */
export const a2aChannel: FastifyPluginCallback<A2aChannelOptions> = (app, options, done) => {
  const { admission, assistant, elsewhere, path, log } = options;
  const tasks = new Tasks(options);
  const places = new StreamPlaces({ ...options, channel: 'a2a' });
  const pings = new PingClock(15_000);
  admitRequests(app, admission);
  app.removeAllContentTypeParsers();
  // Bad JSON is answered in the shape of the protocol, so the text is read below.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, parsed) => {
    parsed(null, body);
  });
  void tasks.takeUp();
  options.onTasks(tasks);
  app.addHook('preClose', () => tasks.close());
  cardRoute(app, options);
  app.post<{ Body: string }>(path, { bodyLimit: options.bodyLimit }, async (request, reply) => {
    void reply.header('cache-control', 'no-store');
    if (assistant.draining) throw new HelperError('server_draining', 'The server is shutting down.');
    // The client left while the server checked who it is, so nothing begins.
    if (isOver(reply)) return reply.hijack();
    // A request without a content type has no body.
    const rpc = readRpc(typeof request.body === 'string' ? request.body : '');
    // The text of large pictures is not kept as long as the task takes.
    request.body = '';
    if ('error' in rpc) return reply.send(rpc);
    const { 'a2a-version': version = legacyVersion } = request.headers;
    const isLegacy = options.legacy && version === legacyVersion;
    if (version !== protocolVersion && !isLegacy) return reply.send(versionFault(rpc, version));
    const malformed = malformedIn(rpc);
    if (malformed !== undefined) return reply.send(malformed);
    const caller = callerOf(request, reply, options);
    if (await answeredElsewhere({ request, reply, rpc, caller }, { tasks, elsewhere })) return reply;
    if (following.includes(rpc.method)) {
      const counted = countedCaller(caller.principal, caller.address);
      noted(request, admission, () => {
        if (beginning.includes(rpc.method)) places.checkTurn(counted);
        else places.check(counted);
      });
      places.take(reply, counted);
    }
    const requests = new TaskRequests(tasks, caller, { inputModes: options.card().inputModes, log });
    // An unknown method is answered alike in both versions.
    const isOldMethod = isLegacy && isLegacyJsonRpcMethod(rpc.method);
    const handler = isOldMethod ? new LegacyJsonRpcTransportHandler(requests) : new JsonRpcTransportHandler(requests);
    const answer = await handler.handle({ ...rpc }, new ServerCallContext({ requestedVersion: protocolVersion }));
    return Symbol.asyncIterator in answer ? sendStream(reply, answer, { id: rpc.id, pings }) : reply.send(answer);
  });
  done();
};

function callerOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { admission, asksOnPage }: Pick<A2aChannelOptions, 'admission' | 'asksOnPage'>,
): TaskCaller {
  const { principal, authorization } = admission.identity.of(request);
  const mayBeAsked = asksOnPage && principal.kind === 'signed-in' && authorization !== undefined;
  const credential = mayBeAsked ? credentialOf(authorization) : undefined;
  const address = networkOf(request.ip);
  return {
    principal,
    authorization,
    credential,
    address,
    traceparent: traceContextOf(request),
    gone: overSignal(reply),
  };
}

/** The answer to parameters that are not what they must be. Undefined for all others. */
function malformedIn({ id, params }: RpcRequest): object | undefined {
  try {
    checkParams(params);
    return undefined;
  } catch (error) {
    return { jsonrpc: '2.0', id, error: JsonRpcTransportHandler.mapToJSONRPCError(error) };
  }
}

/** Requests without a version are of the version before 1.0 (A2A 1.0, section 3.6.2). */
function versionFault({ id }: RpcRequest, version: string | string[]): object {
  const error = new VersionNotSupportedError(
    `The header A2A-Version must be ${protocolVersion}. This request is of version ${String(version).slice(0, 20)}.`,
  );
  return { jsonrpc: '2.0', id, error: JsonRpcTransportHandler.mapToJSONRPCError(error) };
}
