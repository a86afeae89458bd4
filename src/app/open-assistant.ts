import type { Stores } from '../adapters/stores/stores.ts';
import type { HelperSettings } from '../config/settings.ts';
import { longestHeldMs } from '../core/confirmations/ran-before.ts';
import type { Assistant } from '../core/assistant.ts';
import type { KeptConversations } from '../core/conversations/kept-conversations.ts';
import { interruptedCalls } from '../core/direct/asked-call.ts';
import { recoverJournal } from '../core/confirmations/recover-journal.ts';
import { createAssistant } from '../core/create-assistant.ts';
import type { TokenEstimates } from '../core/history/token-estimates.ts';
import type { RecentSecurity } from '../core/identity/recent-security.ts';
import type { RefusalLog } from '../core/limits/refusal-log.ts';
import type { ChatReducer } from '../core/ports/chat-reducer.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Embedder } from '../core/ports/embedder.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { JournalRow } from '../core/ports/confirmation-journal.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import type { ReplicaBus } from '../core/ports/replica-bus.ts';
import type { RecordSealer } from '../core/ports/record-sealer.ts';
import type { Tracing } from '../core/ports/turn-trace.ts';
import { AssistantOverReplicas } from '../core/replicas/assistant-over-replicas.ts';
import { tellReleased } from '../core/replicas/tell-released.ts';
import { convertVersionOne } from '../core/turn/kept/convert-version-one.ts';
import type { FileInput, TurnServices } from '../core/turn/live/turn-services.ts';
import type { RemoteAgents } from './agents/remote-agents.ts';
import type { McpServers } from './providers/mcp-servers.ts';
import type { LiveBudgets } from './budgets/live-budgets.ts';
import type { CallerRooms } from './caller-rooms.ts';
import type { KillSwitch } from './kill-switch.ts';
import type { LiveToolFilter } from './live-tool-filter.ts';
import type { LiveMemory } from './memory/open-memory.ts';
import type { Recovery } from './replicas/recovery.ts';
import { SharedJournalRecovery } from './replicas/shared-journal-recovery.ts';
import type { KnowledgeSources } from './knowledge/open-knowledge.ts';
import type { OpenedSkills } from './skills/open-skills.ts';
import type { StoredTimes } from './stored-times.ts';

/** What the core is given beside its settings. */
export interface AssistantServices {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly stores: Stores;
  /** Seals the records of turns. */
  readonly sealer: RecordSealer;
  /** The mark that stands for a user key in the store. */
  readonly markOf: (userKey: string) => string;
  readonly clock: Clock;
  readonly rooms: CallerRooms;
  /** Where a message has its time from. */
  readonly times: StoredTimes;
  readonly estimates: TokenEstimates;
  /** Left out, `maxSessionMessages` decides which messages are kept. */
  readonly reducer?: ChatReducer | undefined;
  /** Left out, no documents are looked for. */
  readonly knowledge?: Pick<KnowledgeSources, 'by'> | undefined;
  /** Left out, no files are read. */
  readonly files?: FileInput | undefined;
  /** Left out, nothing is remembered about users. */
  readonly memory?: Pick<LiveMemory, 'by'> | undefined;
  /** Left out, there are no skills. */
  readonly skills?: Pick<OpenedSkills, 'by'> | undefined;
  /** Left out, all tools go along with each message. */
  readonly toolFilter?: Pick<LiveToolFilter, 'by'> | undefined;
  /** Left out, nobody follows the turns. */
  readonly tracing?: Tracing | undefined;
  /** Left out, nobody is told of refusals. */
  readonly refusals?: RefusalLog | undefined;
  /** Left out, nobody sees the newest lines of the security log. */
  readonly recentSecurity?: Pick<RecentSecurity, 'add'> | undefined;
  /** The models that give texts their vectors; left out, there are none. */
  readonly embedders?: { get(name: string): Embedder } | undefined;
  /** Left out, only the policy of the tools switches anything off. */
  readonly killSwitch?: Pick<KillSwitch, 'stops' | 'thrown'> | undefined;
  /** Left out, there are no budgets. */
  readonly budgets?: LiveBudgets | undefined;
  /** Left out, this server is the only one. */
  readonly bus?: ReplicaBus | undefined;
  /** Left out, there are no agents on other servers. */
  readonly remoteAgents?: Pick<RemoteAgents, 'of'> | undefined;
  /** Left out, there are none. */
  readonly mcpServers?: Pick<McpServers, 'wake'> | undefined;
  /** Called when the end of a turn is to be told to a webhook. Left out: none is told. */
  readonly onDelivery?: (() => void) | undefined;
  /** Looks for what dead replicas leave behind while this one runs. Left out: there are no other replicas. */
  readonly recovery?: Pick<Recovery, 'add'> | undefined;
  /** Left out, no conversations are kept. */
  readonly conversations?: KeptConversations | undefined;
}

/** Wires the core: first closes the rows that a crash left open in the journal, then accepts turns. */
export async function openAssistant(
  settings: HelperSettings,
  turnServices: TurnServices,
  services: AssistantServices,
): Promise<Assistant> {
  const { log, stores, clock, metrics } = services;
  const { journal, turns } = stores;
  const { shared } = journal;
  await convertVersionOne(stores.suspendedTurns, turnServices);
  const { maxAge } = settings.dataProtection;
  const now = clock.now();
  // Deletes turns that nobody can resume any more.
  await turns.forget(now, now - maxAge);
  const retentionMs = settings.retention.journal;
  const { interrupted, purged } =
    shared === undefined
      ? await closeRows(stores, log, { now, retentionMs })
      : { interrupted: [], purged: await journal.purge(now - retentionMs, now - longestHeldMs) };
  metrics.purged('journal', purged);
  const { bus } = services;
  const assistant = createAssistant({
    onReleased: bus && tellReleased(bus),
    flushIntervalMs: settings.server.flushInterval,
    disconnectGraceMs: settings.server.disconnectGrace,
    resumeWindowMs: settings.server.resumeWindow,
    maxSuspendedMs: maxAge,
    rooms: services.rooms,
    services: turnServices,
  });
  assistant.direct.interrupted(interrupted);
  if (shared !== undefined) {
    const interrupt = (rows: readonly JournalRow[]): void => assistant.direct.interrupted(rows);
    const recovered = new SharedJournalRecovery(shared, { clock, log, interrupted: interrupt });
    await recovered.run();
    services.recovery?.add(recovered);
  }
  if (bus === undefined || turns.shared === undefined) return assistant;
  return new AssistantOverReplicas(assistant, { bus, shared: turns.shared, journal, log });
}

/** Closes the rows that an earlier process has left open. `interrupted` are the calls whose callers will ask for the outcome. */
async function closeRows(
  { journal, turns }: Pick<Stores, 'journal' | 'turns'>,
  log: Logger,
  { now, retentionMs }: { readonly now: number; readonly retentionMs: number },
): Promise<{ readonly interrupted: readonly JournalRow[]; readonly purged: number }> {
  // Read before the rows are closed.
  const interrupted = interruptedCalls(await journal.unfinished());
  const kept = new Set(await turns.ids());
  return { interrupted, purged: await recoverJournal(journal, log, { now, retentionMs, kept }) };
}
