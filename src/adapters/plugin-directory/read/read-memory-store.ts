import { factText } from '../../../core/memory/fact-text.ts';
import type { FactKeeper, KeptFact } from '../../../core/ports/fact-keeper.ts';
import type { PluginProviders } from '../../../plugin-api/knowledge.ts';
import type { MemoryStore } from '../../../plugin-api/memory.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import { type ReportFault, reportUnder } from '../fault-report.ts';
import { MemberReader } from './member-reader.ts';

const timeoutMs = 3_000;
const memberName = 'memoryStore' satisfies keyof PluginProviders;
const storeMembers = ['list', 'save', 'remove'] as const satisfies readonly (keyof MemoryStore)[];
/** The most facts of one user that are read from a plugin. This is more than a user may have. */
const mostListed = 1_000;
const longestId = 200;

/** Reads the memory store of a plugin (contract/memory.md#storage). Undefined when the plugin has none. */
export function readMemoryStore(providers: Members, plugin: string, report: ReportFault): FactKeeper | undefined {
  const store = providers[memberName];
  if (store === undefined) return undefined;
  if (!hasMembers(store)) {
    report(memberName, 'must be an object with the functions list, save and remove');
    return undefined;
  }
  const reader = new MemberReader(store, reportUnder(report, memberName));
  const [list, save, remove] = storeMembers.map((name) => reader.function(name));
  return {
    name: plugin,
    timeoutMs,
    async list(userKey, signal) {
      const facts = await list?.(userKey, { signal });
      if (!Array.isArray(facts)) throw new TypeError('memoryStore.list gave no list of facts');
      return facts.slice(0, mostListed).flatMap(factOf);
    },
    async save(userKey, fact, signal) {
      await save?.(userKey, Object.freeze({ ...fact }), { signal });
    },
    async remove(userKey, id, signal) {
      await remove?.(userKey, id ?? null, { signal });
    },
  };
}

/** Checks a fact that a plugin returns, which is data from outside. A value that is no fact is left out. */
function factOf(value: unknown): readonly KeptFact[] {
  if (!hasMembers(value)) return [];
  const { id, kind, at, turnId, conversationId } = value;
  const text = factText(value['text']);
  const isNamed = typeof id === 'string' && id !== '' && id.length <= longestId;
  const isKind = kind === 'identity' || kind === 'preference' || kind === 'fact';
  if (!isNamed || !isKind || text === undefined || typeof at !== 'number' || !Number.isFinite(new Date(at).getTime()))
    return [];
  return [{ id, kind, text, at, turnId: textOf(turnId), conversationId: textOf(conversationId) }];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, longestId) : '';
}
