import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { countedCaller } from '../../core/limits/counted-caller.ts';
import { type Admission, admitRequests, noted } from '../shared/admit-requests.ts';
import { networkOf } from '../shared/client-network.ts';
import { isOver } from '../shared/once-over.ts';
import { PingClock } from '../shared/ping-clock.ts';
import { requireJson } from '../shared/require-json.ts';
import { streamHeaders } from '../shared/stream-headers.ts';
import { StreamPlaces, type StreamPlacesOptions } from '../shared/stream-places.ts';
import { traceContextOf } from '../shared/trace-context.ts';
import { beginsTurn, type RunInput, runSchema, withoutNulls } from './read-input.ts';
import { RunStream } from './run-stream.ts';
import { type RunCaller, Runs, type RunsOptions } from './runs.ts';

export interface AgUiChannelOptions extends Omit<StreamPlacesOptions, 'channel'>, RunsOptions {
  /** `server.basePath` with `/agui`. */
  readonly path: string;
  readonly admission: Admission;
  /** Largest body in bytes. */
  readonly bodyLimit: number;
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
    {
      schema: runSchema(admission),
      bodyLimit: options.bodyLimit,
      onRequest: requireJson,
      preValidation: (request, _reply, next) => {
        request.body = withoutNulls(request.body) as RunInput; // the schema checks it next
        next();
      },
    },
    async (request, reply) => {
      if (assistant.draining) throw new HelperError('server_draining', 'The server is shutting down.');
      // The client left while the server checked who it is, so nothing begins.
      if (isOver(reply)) return reply.hijack();
      const caller = callerOf(request, admission);
      const { body } = request;
      const counted = countedCaller(caller.principal, caller.address);
      noted(request, admission, () => {
        if (beginsTurn(body)) places.checkTurn(counted);
        else places.check(counted);
      });
      const { run, first } = await noting(request, admission, runs.open(body, caller));
      if (isOver(reply)) {
        run?.stopUnread();
        return reply.hijack();
      }
      places.take(reply, counted);
      // Large pictures are not kept as long as the run takes.
      request.body = { ...body, messages: [] };
      reply.hijack();
      // The headers that CORS has set are in Fastify's reply. The raw response does not know them.
      const set = reply.getHeaders() as OutgoingHttpHeaders; // the same names and values, in Node's words
      reply.raw.writeHead(200, { ...streamHeaders, ...set });
      new RunStream(reply, { ids: body, pings }).open(run, first);
      return reply;
    },
  );
  done();
};

function callerOf(request: FastifyRequest, { identity }: Admission): RunCaller {
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
