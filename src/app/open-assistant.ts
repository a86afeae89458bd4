import type { Stores } from '../adapters/stores/stores.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { Assistant } from '../core/assistant.ts';
import { OpenConfirmations } from '../core/confirmations/open-confirmations.ts';
import { journalRetentionMs, recoverJournal } from '../core/confirmations/recover-journal.ts';
import { createAssistant } from '../core/create-assistant.ts';
import { textsByLanguage } from '../core/language/texts.ts';
import { MessageRate } from '../core/limits/message-rate.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import type { SuspendedTurnStore } from '../core/ports/suspended-turn-store.ts';
import { coordinatorInstructions } from '../core/prompt/instructions.ts';
import { suspendedTurn } from '../core/turn/turn-suspension.ts';
import type { CallerRooms } from './caller-rooms.ts';
import type { PreparedServer } from './prepare-server.ts';

interface OpenServices {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly stores: Stores;
  readonly rooms: CallerRooms;
}

/** Wires the core: closes what a crash left in the journal, then takes turns. */
export async function openAssistant(
  settings: HelperSettings,
  prepared: Pick<PreparedServer, 'tools' | 'model'>,
  services: OpenServices,
): Promise<Assistant> {
  const { log, metrics, stores, rooms } = services;
  const { journal } = stores;
  const suspendedTurns = settings.hitlMode === 'Native' ? stores.suspendedTurns : undefined;
  if (suspendedTurns === undefined) await forgetAll(stores.suspendedTurns, log);
  const now = Date.now;
  const retentionMs = journalRetentionMs(settings.dataProtection.maxAge);
  const kept = await keptQuestions(suspendedTurns);
  const interrupted = await recoverJournal(journal, log, { now: now(), retentionMs, kept });
  const texts = textsByLanguage[settings.language];
  const { tools, model } = prepared;
  return createAssistant({
    flushIntervalMs: settings.server.flushInterval,
    disconnectGraceMs: settings.server.disconnectGrace,
    resumeWindowMs: settings.server.resumeWindow,
    maxSuspendedMs: settings.dataProtection.maxAge,
    rooms,
    interrupted,
    services: {
      model,
      instructions: coordinatorInstructions(settings),
      toolbox: () => tools.toolbox.current,
      maxMessageLength: settings.maxMessageLength,
      messageRate: new MessageRate({
        max: settings.rateLimitPerUser,
        windowSecs: settings.rateLimitWindowSecs,
        now,
        metrics,
      }),
      maxToolRounds: settings.maxToolRounds,
      maxSessionMessages: settings.maxSessionMessages,
      suspendedTurns,
      tools: {
        journal,
        openConfirmations: new OpenConfirmations(journal, now),
        metrics,
        log,
        now,
        confirmationTimeoutMs: settings.confirmationTimeout,
        autoApproval: tools.autoApproval,
        policy: tools.policy,
        texts,
        enableActionFeedback: settings.enableActionFeedback,
        enableGenerativeCards: settings.enableGenerativeCards,
        cardImageHosts: settings.cards.imageHosts,
        transformResult: tools.transformResult,
        exceptionTexts: (error, toolName) => tools.exceptionTexts(error, toolName, texts.actionFailed),
      },
    },
  });
}

/** With `Blocking` nothing survives a restart: turns kept by an earlier configuration would go on one day unasked for. */
async function forgetAll(store: SuspendedTurnStore, log: Logger): Promise<void> {
  const kept = await store.all();
  for (const { turnId } of kept) await store.delete(turnId);
  if (kept.length > 0)
    log.warn({ turns: kept.length }, 'hitlMode is Blocking: turns kept for their users were given up');
}

/** The questions of turns that are still kept: their rows in the journal are not what a crash left behind. */
async function keptQuestions(store: SuspendedTurnStore | undefined): Promise<ReadonlySet<string>> {
  const kept = (await store?.all()) ?? [];
  return new Set(kept.flatMap(({ state }) => suspendedTurn(state)?.open ?? []).map(({ actionId }) => actionId));
}
