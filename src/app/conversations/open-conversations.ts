import type { Stores } from '../../adapters/stores/stores.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { Assistant } from '../../core/assistant.ts';
import { KeptConversations } from '../../core/conversations/kept-conversations.ts';
import { UserErasure } from '../../core/erasure/user-erasure.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { MemoryStore } from '../../core/ports/memory-store.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { UserConversations } from '../../core/sessions/user-conversations.ts';
import { cardRules } from '../open-snapshots.ts';
import type { Sealers } from '../reload/live-sealers.ts';
import { clocksApartOf, type StoredTimes } from '../stored-times.ts';

interface Services {
  readonly stores: Stores;
  readonly sealers: Sealers;
  readonly clock: Clock;
  readonly times: StoredTimes;
  readonly log: Logger;
}

/** The part that keeps conversations; undefined when none are kept (contract/sessions.md#kept-conversations). */
export function openKeptConversations(
  isKept: boolean,
  { stores, sealers, log }: Pick<Services, 'stores' | 'sealers' | 'log'>,
): KeptConversations | undefined {
  if (!isKept) return undefined;
  return new KeptConversations({ store: stores.conversations, sealer: sealers.records, log });
}

/** What users may do with their kept conversations; undefined when none are kept. */
export function openUserConversations(
  settings: HelperSettings,
  kept: KeptConversations | undefined,
  { assistant, clock }: Pick<Services, 'clock'> & { readonly assistant: Assistant },
): UserConversations | undefined {
  if (kept === undefined) return undefined;
  const forget = assistant.forgetConversations.bind(assistant);
  return new UserConversations({ kept, forget, clock, cards: cardRules(settings) });
}

/**
 * The part that erases users (contract/sessions.md#erasing). `facts`: the store of remembered facts. `assistant` is undefined when no
 * process serves.
 */
export function openErasure(
  settings: Pick<HelperSettings, 'scaleOut'>,
  { stores, facts, sealers, times, log }: Omit<Services, 'clock'> & { readonly facts: MemoryStore },
  assistant: Pick<Assistant, 'openConversations' | 'forgetConversations'> | undefined,
): UserErasure {
  const { conversations, erasures, journal, turns, tasks, deliveries } = stores;
  return new UserErasure({
    conversations,
    erasures,
    journal,
    turns,
    tasks,
    deliveries,
    sealer: sealers.records,
    live: assistant,
    marks: sealers.marks,
    clock: times,
    clocksApartMs: clocksApartOf(settings.scaleOut),
    log,
    facts,
  });
}
