import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DirectCaller } from '../../core/direct/direct-call.ts';
import type { DirectCalls } from '../../core/direct/direct-calls.ts';
import { countedCaller } from '../../core/limits/counted-caller.ts';
import { type Admission, admit, noted } from '../shared/admit-requests.ts';
import { asObject } from '../shared/as-object.ts';
import { networkOf } from '../shared/client-network.ts';
import { StreamPlaces, type StreamPlacesOptions } from '../shared/stream-places.ts';
import { mcpCaller, type McpCallers } from './mcp-caller.ts';
import { toolsOf } from './mcp-server.ts';
import { ToolListeners } from './tool-listeners.ts';

export interface ListeningOptions extends McpCallers, Omit<StreamPlacesOptions, 'channel'> {
  readonly direct: DirectCalls;
  readonly admission: Admission;
  /** Gets the clients that listen, which `close` ends. */
  readonly onListeners: (listeners: Pick<ToolListeners, 'close'>) => void;
}

/** Characters of the id of a request that listens. The id is kept for as long as the stream is open. */
const maxIdLength = 1000;

/** Whether a message asks to be told of changes from now on. */
export function isListening(body: unknown): boolean {
  const { method, id } = asObject(body);
  return method === 'subscriptions/listen' && !(typeof id === 'string' && id.length > maxIdLength);
}

interface ListenRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: DirectCaller;
}

/**
 * What has a client listen. Each gets a handler of its own: the changes that one caller is told of are not those of another.
 * @throws HelperError `overloaded` or `rate_limited` where there is no room for one more.
 */
export function listening(
  options: ListeningOptions,
  openHandler: () => McpHttpHandler,
): (listen: ListenRequest) => McpHttpHandler {
  const { admission, direct } = options;
  const places = new StreamPlaces({ ...options, channel: 'mcp' });
  const listeners = new ToolListeners({ direct, listOf: (caller) => toolsOf(direct, caller) });
  options.onListeners(listeners);
  return ({ request, reply, caller }) => {
    const counted = countedCaller(caller.counted, networkOf(request.ip));
    noted(request, admission, () => {
      places.check(counted);
    });
    places.take(reply, counted);
    // The request is kept for as long as the stream is open.
    request.body = undefined;
    const handler = openHandler();
    listeners.add({
      caller,
      callerNow: async () => {
        // The client has sent one request, however often it is told something.
        await admit(request, { ...admission, rate: undefined });
        return mcpCaller(request, admission.identity.of(request), options);
      },
      expiresAt: admission.identity.of(request).expiresAt,
      answer: reply,
      tell: () => {
        handler.notify.toolsChanged();
      },
      end: () => void handler.close(),
    });
    return handler;
  };
}
