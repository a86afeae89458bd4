import { untilStopped } from '../../../core/base/until-stopped.ts';
import type { StoredConversationHead } from '../../../core/ports/conversation-store.ts';
import type { HistoryKeeper, KeptHistory } from '../../../core/ports/history-keeper.ts';
import type { ChatHistoryProvider } from '../../../plugin-api/history.ts';
import type { PluginProviders } from '../../../plugin-api/knowledge.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import { type ReportFault, reportUnder } from '../fault-report.ts';
import { MemberReader } from './member-reader.ts';

const timeoutMs = 3_000;
const memberName = 'chatHistoryProvider' satisfies keyof PluginProviders;
const factoryName = 'chatHistoryProviderFactory' satisfies keyof PluginProviders;
/** The most conversations of one user that are read from a plugin. This is more than a user may have. */
const mostListed = 1_000;
/** The most users whose providers are kept. */
const mostProviders = 1_000;

type Functions = Readonly<Record<keyof ChatHistoryProvider, (...values: readonly unknown[]) => unknown>>;

/**
 * Reads the provider that keeps conversations in a plugin (contract/sessions.md#conversations-in-a-store-of-your-own). Undefined when there
 * is none.
 */
export function readHistoryProvider(
  providers: Members,
  plugin: string,
  report: ReportFault,
): HistoryKeeper | undefined {
  const make = new MemberReader(providers, report).optionalFunction(factoryName);
  const provider = providers[memberName];
  if (make !== undefined && provider !== undefined)
    report(factoryName, `stands beside ${memberName}; take one of them`);
  if (make !== undefined) return keeperBy(plugin, heldByUser(make));
  if (provider === undefined) return undefined;
  const read = functionsOf(provider, reportUnder(report, memberName));
  return keeperBy(plugin, () => Promise.resolve(read));
}

function functionsOf(provider: unknown, report: ReportFault): Functions {
  if (!hasMembers(provider)) {
    report('', 'must be an object with the functions list, read, save and remove');
    return functionsOf({}, () => undefined);
  }
  const reader = new MemberReader(provider, report);
  return {
    list: reader.function('list'),
    read: reader.function('read'),
    save: reader.function('save'),
    remove: reader.function('remove'),
  };
}

/**
 * Returns what the factory makes for a user. It is made once and kept for a while. A factory that fails or takes too long is called again.
 */
function heldByUser(make: (...values: readonly unknown[]) => unknown): (userKey: string) => Promise<Functions> {
  const held = new Map<string, Promise<Functions>>();
  const made = async (userKey: string): Promise<Functions> => {
    const making = Promise.resolve(make(userKey));
    return functionsOf(await untilStopped(making, AbortSignal.timeout(timeoutMs)), (path, fault) => {
      throw new TypeError(`what ${factoryName} has made: ${path} ${fault}`);
    });
  };
  return (userKey) => {
    const provider = held.get(userKey) ?? made(userKey);
    held.delete(userKey);
    held.set(userKey, provider);
    provider.catch(() => held.delete(userKey));
    const [oldest] = held.keys();
    if (held.size > mostProviders && oldest !== undefined) held.delete(oldest);
    return provider;
  };
}

function keeperBy(name: string, of: (userKey: string) => Promise<Functions>): HistoryKeeper {
  return {
    name,
    timeoutMs,
    async list(userKey, signal) {
      const heads = await (await of(userKey)).list(userKey, { signal });
      if (!Array.isArray(heads)) throw new TypeError(`${memberName}.list gave no list of conversations`);
      return heads.slice(0, mostListed).flatMap((head) => headOf(head) ?? []);
    },
    async read(userKey, id, signal) {
      const found = await (await of(userKey)).read(userKey, id, { signal });
      return found === undefined || found === null ? undefined : conversationOf(found, id);
    },
    async save(userKey, conversation, signal) {
      await (await of(userKey)).save(userKey, Object.freeze({ ...conversation }), { signal });
    },
    async remove(userKey, id, signal) {
      await (await of(userKey)).remove(userKey, id ?? null, { signal });
    },
  };
}

/**
 * Checks the conversation that a plugin returns, which is data from outside.
 * @throws TypeError when it is not the conversation that was asked for.
 */
function conversationOf(value: unknown, asked: string): KeptHistory {
  const head = headOf(value);
  const content = hasMembers(value) ? value['content'] : undefined;
  if (head?.id !== asked || typeof content !== 'string') {
    throw new TypeError(`${memberName}.read gave another conversation than was asked for, or none`);
  }
  return { ...head, content };
}

/** Undefined when the value is no conversation. */
function headOf(value: unknown): StoredConversationHead | undefined {
  if (!hasMembers(value)) return undefined;
  const { id, title, startedAt, lastAt } = value;
  const isNamed = typeof id === 'string' && id !== '' && typeof title === 'string';
  return isNamed && isTime(startedAt) && isTime(lastAt) ? { id, title, startedAt, lastAt } : undefined;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(new Date(value).getTime());
}
