import type { Stores } from '../adapters/stores/stores.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { Assistant } from '../core/assistant.ts';
import { recoverJournal } from '../core/confirmations/recover-journal.ts';
import { createAssistant } from '../core/create-assistant.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import type { Tracing } from '../core/ports/turn-trace.ts';
import { convertVersionOne } from '../core/turn/convert-version-one.ts';
import type { TurnServices } from '../core/turn/turn-services.ts';
import type { CallerRooms } from './caller-rooms.ts';
import type { DataKeys } from './open-snapshots.ts';

/** What the core is given beside its settings. */
export interface AssistantServices {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly stores: Stores;
  readonly keys: DataKeys;
  readonly clock: Clock;
  readonly rooms: CallerRooms;
  /** Left out, nobody follows the turns. */
  readonly tracing?: Tracing | undefined;
}

/** Wires the core: closes what a crash left in the journal, then takes turns. */
export async function openAssistant(
  settings: HelperSettings,
  turnServices: TurnServices,
  services: AssistantServices,
): Promise<Assistant> {
  const { log, stores, clock, metrics } = services;
  const { journal, turns } = stores;
  await convertVersionOne(stores.suspendedTurns, turnServices);
  const { maxAge } = settings.dataProtection;
  const now = clock.now();
  // Rows and turns that nobody could resume or go on with any more.
  await turns.forget(now, now - maxAge);
  const purged = await recoverJournal(journal, log, {
    now,
    retentionMs: settings.retention.journal,
    kept: new Set(await turns.ids()),
  });
  metrics.purged('journal', purged);
  return createAssistant({
    flushIntervalMs: settings.server.flushInterval,
    disconnectGraceMs: settings.server.disconnectGrace,
    resumeWindowMs: settings.server.resumeWindow,
    maxSuspendedMs: maxAge,
    rooms: services.rooms,
    services: turnServices,
  });
}
