import type { StepRecord } from '../../record/step-record.ts';

/** The versions of the agents beside the coordinator that have worked in a turn, by their names, for its log line. Empty without them. */
export function agentsMember(record: Pick<StepRecord, 'entries'>): {
  readonly agents?: Readonly<Record<string, string>>;
} {
  const agents: Record<string, string> = {};
  for (const [key, value] of record.entries()) {
    if (!key.startsWith('coordinator/') || !key.endsWith('/agent')) continue;
    const { name, version } = value as { readonly name: string; readonly version: string }; // recorded by `runMember`
    agents[name] = version;
  }
  return Object.keys(agents).length === 0 ? {} : { agents };
}
