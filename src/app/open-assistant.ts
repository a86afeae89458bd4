import { createAesRecordSealer } from '../adapters/snapshots/aes-record-sealer.ts';
import type { Stores } from '../adapters/stores/stores.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { Assistant } from '../core/assistant.ts';
import { OpenConfirmations } from '../core/confirmations/open-confirmations.ts';
import { journalRetentionMs, recoverJournal } from '../core/confirmations/recover-journal.ts';
import { createAssistant } from '../core/create-assistant.ts';
import { textsByLanguage } from '../core/language/texts.ts';
import { MessageRate } from '../core/limits/message-rate.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import { coordinatorInstructions } from '../core/prompt/instructions.ts';
import type { TapeServices } from '../core/record/tape.ts';
import { convertVersionOne } from '../core/turn/convert-version-one.ts';
import type { TurnServices } from '../core/turn/turn-services.ts';
import type { CallerRooms } from './caller-rooms.ts';
import type { DataKeys } from './open-snapshots.ts';
import type { PreparedServer } from './prepare-server.ts';

/** What the core is given beside its settings. */
export interface AssistantServices {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly stores: Stores;
  readonly keys: DataKeys;
  readonly clock: Clock;
  readonly rooms: CallerRooms;
}

/** Wires the core: closes what a crash left in the journal, then takes turns. */
export async function openAssistant(
  settings: HelperSettings,
  prepared: Pick<PreparedServer, 'tools' | 'model'>,
  services: AssistantServices,
): Promise<Assistant> {
  const { log, stores, clock } = services;
  const { journal, turns } = stores;
  const turnServices = turnServicesOf(settings, prepared, services);
  await convertVersionOne(stores.suspendedTurns, turnServices);
  const { maxAge } = settings.dataProtection;
  const now = clock.now();
  const retentionMs = journalRetentionMs(maxAge);
  // What nobody could resume or go on with any more.
  await turns.forget(now, now - retentionMs);
  await recoverJournal(journal, log, { now, retentionMs, kept: new Set(await turns.ids()) });
  return createAssistant({
    flushIntervalMs: settings.server.flushInterval,
    disconnectGraceMs: settings.server.disconnectGrace,
    resumeWindowMs: settings.server.resumeWindow,
    maxSuspendedMs: maxAge,
    rooms: services.rooms,
    services: turnServices,
  });
}

function turnServicesOf(
  settings: HelperSettings,
  { tools, model }: Pick<PreparedServer, 'tools' | 'model'>,
  services: AssistantServices,
): TurnServices {
  const { metrics, clock } = services;
  return {
    model,
    instructions: coordinatorInstructions(settings),
    toolbox: () => tools.toolbox.current,
    maxMessageLength: settings.maxMessageLength,
    images: settings,
    messageRate: new MessageRate({
      max: settings.rateLimitPerUser,
      windowSecs: settings.rateLimitWindowSecs,
      now: () => clock.elapsed(),
      metrics,
    }),
    maxToolRounds: settings.maxToolRounds,
    maxSessionMessages: settings.maxSessionMessages,
    hitlMode: settings.hitlMode,
    tape: tapeServices(settings, services),
    calls: callServices(settings, tools, services),
  };
}

function tapeServices(settings: HelperSettings, { stores, keys, clock, log }: AssistantServices): TapeServices {
  return {
    store: stores.turns,
    sealer: createAesRecordSealer(keys),
    policy: settings.server.durableTurns ? 'always' : 'question',
    clock,
    log,
    resumeWindowMs: settings.server.resumeWindow,
  };
}

function callServices(
  settings: HelperSettings,
  tools: PreparedServer['tools'],
  { log, metrics, stores, clock }: AssistantServices,
): TurnServices['calls'] {
  const { journal } = stores;
  const texts = textsByLanguage[settings.language];
  return {
    journal,
    openConfirmations: new OpenConfirmations(journal, () => clock.now()),
    metrics,
    log,
    clock,
    confirmationTimeoutMs: settings.confirmationTimeout,
    autoApproval: tools.autoApproval,
    policy: tools.policy,
    texts,
    enableActionFeedback: settings.enableActionFeedback,
    enableGenerativeCards: settings.enableGenerativeCards,
    cardImageHosts: settings.cards.imageHosts,
    transformResult: tools.transformResult,
    exceptionTexts: (error, toolName) => tools.exceptionTexts(error, toolName, texts.actionFailed),
  };
}
