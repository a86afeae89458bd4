import type { FastifyInstance } from 'fastify';
import type { HubControl } from '../channels/hub/hub-channel.ts';
import type { Assistant } from '../core/assistant.ts';
import type { ConfirmationJournal } from '../core/ports/confirmation-journal.ts';
import type { OpenHttp } from './open-http.ts';
import type { PreparedServer } from './prepare-server.ts';

/** Everything that is open while the server runs, in the order it is opened. */
export interface OpenServer {
  journal?: ConfirmationJournal;
  /** Ends the daily purge of the journal. */
  stopPurging?: () => void;
  assistant?: Assistant;
  http?: OpenHttp;
  metricsHttp?: FastifyInstance | undefined;
  hub?: HubControl;
}

/**
 * SIGTERM as in wire.md 10: no new turns, `ServerDraining` to the hub, running turns finish within the grace, the rest
 * end with `server_draining`; then connections close with `allowReconnect` and what was opened is closed.
 */
export async function closeServer(open: OpenServer, prepared: PreparedServer, graceMs: number): Promise<void> {
  try {
    await drain(open, graceMs);
  } finally {
    prepared.authenticator.close();
    for (const plugin of prepared.plugins.toReversed()) await plugin.stop();
    await Promise.all(prepared.callbacks.map((callback) => callback.close()));
    await prepared.model.close();
    open.stopPurging?.();
    await open.journal?.close();
  }
}

async function drain({ assistant, http, hub, metricsHttp }: OpenServer, graceMs: number): Promise<void> {
  const inSeconds = (assistant?.runningTurns ?? 0) > 0 ? Math.ceil(graceMs / 1000) : 0;
  const drained = assistant?.drain(graceMs);
  hub?.drain(inSeconds);
  await drained;
  await hub?.closeAll();
  await assistant?.close();
  await Promise.all([closeHttp(http), closeMetrics(metricsHttp)]);
}

/** Milliseconds for answers that are on their way; whoever has not finished asking by now gets none. */
const lastAnswersMs = 1000;

/** Closing waits for every request, even for one whose client never sends the rest of it. */
async function closeHttp(http: OpenHttp | undefined): Promise<void> {
  if (http === undefined) return;
  const timer = setTimeout(http.cutConnections, lastAnswersMs);
  await http.app.close();
  clearTimeout(timer);
}

async function closeMetrics(app: FastifyInstance | undefined): Promise<void> {
  if (app === undefined) return;
  const timer = setTimeout(() => {
    app.server.closeAllConnections();
  }, lastAnswersMs);
  await app.close();
  clearTimeout(timer);
}
