import type { HelperSettings } from '../config/settings.ts';
import type { Assistant } from '../core/assistant.ts';
import { OpenConfirmations } from '../core/confirmations/open-confirmations.ts';
import { recoverJournal } from '../core/confirmations/recover-journal.ts';
import { createAssistant } from '../core/create-assistant.ts';
import { textsByLanguage } from '../core/language/texts.ts';
import type { ConfirmationJournal } from '../core/ports/confirmation-journal.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import { coordinatorInstructions } from '../core/prompt/instructions.ts';
import type { PreparedServer } from './prepare-server.ts';

/** Wires the core: closes what a crash left in the journal, then takes turns. */
export async function openAssistant(
  settings: HelperSettings,
  prepared: Pick<PreparedServer, 'tools' | 'model'>,
  services: { readonly log: Logger; readonly metrics: Metrics; readonly journal: ConfirmationJournal },
): Promise<Assistant> {
  const { log, metrics, journal } = services;
  const now = Date.now;
  await recoverJournal(journal, log, now());
  const texts = textsByLanguage[settings.language];
  const { tools, model } = prepared;
  return createAssistant({
    flushIntervalMs: settings.server.flushInterval,
    disconnectGraceMs: settings.server.disconnectGrace,
    resumeWindowMs: settings.server.resumeWindow,
    services: {
      model,
      instructions: coordinatorInstructions(settings),
      toolbox: tools.toolbox,
      maxMessageLength: settings.maxMessageLength,
      maxToolRounds: settings.maxToolRounds,
      maxSessionMessages: settings.maxSessionMessages,
      tools: {
        journal,
        openConfirmations: new OpenConfirmations(journal, now),
        metrics,
        log,
        now,
        confirmationTimeoutMs: settings.confirmationTimeout,
        policy: tools.policy,
        pages: tools.pages,
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
