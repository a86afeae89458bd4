import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { countedCaller } from '../../core/limits/counted-caller.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Admission, admitRequests, noted } from '../shared/admit-requests.ts';
import { networkOf } from '../shared/client-network.ts';
import { PingClock } from '../shared/ping-clock.ts';
import { requireJson } from '../shared/require-json.ts';
import { securityHeaders } from '../shared/security-headers.ts';
import { StreamPlaces, type StreamPlacesOptions } from '../shared/stream-places.ts';
import { traceContextOf } from '../shared/trace-context.ts';
import { askedIn, type RunInput, runSchema } from './read-input.ts';
import { RunStream } from './run-stream.ts';
import { Runs } from './runs.ts';

export interface AgUiChannelOptions extends Omit<StreamPlacesOptions, 'channel'> {
  /** `server.basePath` with `/agui`. */
  readonly path: string;
  readonly assistant: Assistant;
  readonly admission: Admission;
  /** Largest body in bytes. */
  readonly bodyLimit: number;
  readonly clock: Pick<Clock, 'now'>;
  /** The sentence that takes back a text, in the configured language. */
  readonly withdrawn: string;
}

/** `POST /agui`: the assistant for clients of AG-UI 1.0 (contract/ag-ui.md). */
export const agUiChannel: FastifyPluginCallback<AgUiChannelOptions> = (app, options, done) => {
  const { admission, assistant, path } = options;
  const runs = new Runs(options);
  const places = new StreamPlaces({ ...options, channel: 'agui' });
  const pings = new PingClock(15_000);
  admitRequests(app, admission);
  app.addHook('preClose', (closed) => {
    runs.close();
    closed();
  });
  app.post<{ Body: RunInput }>(
    path,
    { schema: runSchema(admission), bodyLimit: options.bodyLimit, onRequest: requireJson },
    async (request, reply) => {
      if (assistant.draining) throw new HelperError('server_draining', 'The server is shutting down.');
      // The client left while the server checked who it is, so nothing begins.
      if (reply.raw.destroyed) return reply.hijack();
      const caller = callerOf(request, admission);
      const { body } = request;
      const resume = body.resume ?? [];
      const counted = countedCaller(caller.principal, caller.address);
      noted(request, admission, () => {
        if (resume.length === 0) places.checkTurn(counted);
        else places.check(counted);
      });
      const run =
        resume.length === 0
          ? runs.begin(body.threadId, askedIn(body), caller)
          : await noting(request, admission, runs.resume(resume, caller));
      if (reply.raw.destroyed) return reply.hijack();
      places.take(reply.raw, counted);
      // Large pictures are not kept as long as the run takes.
      request.body = { ...body, messages: [] };
      reply.hijack();
      // The headers that CORS has set are in Fastify's reply. The raw response does not know them.
      const set = reply.getHeaders() as OutgoingHttpHeaders; // the same names and values, in Node's words
      reply.raw.writeHead(200, { ...streamHeaders, ...set });
      new RunStream(reply.raw, { ids: body, pings }).open(run);
      return reply;
    },
  );
  done();
};

const streamHeaders = {
  ...securityHeaders,
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

function callerOf(request: FastifyRequest, { identity }: Admission): Parameters<Runs['begin']>[2] {
  const { principal, authorization } = identity.of(request);
  return { principal, authorization, address: networkOf(request.ip), traceparent: traceContextOf(request) };
}

/** Notes in the security log when somebody answers the question of somebody else. */
async function noting<Result>(
  request: FastifyRequest,
  { security }: Admission,
  answered: Promise<Result>,
): Promise<Result> {
  try {
    return await answered;
  } catch (error) {
    security.noteOwnerFault(request, error, { what: 'approve_refused' });
    throw error;
  }
}
