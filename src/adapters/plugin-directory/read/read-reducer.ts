import type { ChatReducer } from '../../../core/ports/chat-reducer.ts';
import type { PluginProviders } from '../../../plugin-api/knowledge.ts';
import type { Members } from '../../shared/members.ts';
import type { ReportFault } from '../fault-report.ts';
import { historyMessage } from '../history-message.ts';
import { MemberReader } from './member-reader.ts';

/** Milliseconds that a reducer may take. A user waits for it before each answer. */
const timeoutMs = 3_000;
const memberName = 'chatReducer' satisfies keyof PluginProviders;

/** Reads the reducer of a plugin (contract/sessions.md#a-reducer-of-your-own). Undefined when the plugin has none. */
export function readReducer(providers: Members, plugin: string, report: ReportFault): ChatReducer | undefined {
  const reduce = new MemberReader(providers, report).optionalFunction(memberName);
  if (reduce === undefined) return undefined;
  return {
    name: plugin,
    timeoutMs,
    async reduce(messages, signal) {
      const given = messages.map(historyMessage);
      const places = new Map<unknown, number>(given.map((message, index) => [message, index]));
      const kept = await reduce([...given], { signal });
      if (!Array.isArray(kept)) throw new TypeError('chatReducer gave no list of messages');
      return kept.map((message) => places.get(message) ?? -1);
    },
  };
}
