import type { KnowledgeSource } from '../../../core/ports/knowledge-source.ts';
import type { KnowledgeSourceDefinition, PluginProviders } from '../../../plugin-api/knowledge.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import { readDocuments } from '../../shared/read-documents.ts';
import { type ReportFault, reportUnder } from '../fault-report.ts';
import { MemberReader } from './member-reader.ts';

const providerNames = [
  'ragSources',
  'skillSources',
  'chatReducer',
  'chatHistoryProvider',
  'chatHistoryProviderFactory',
  'memoryStore',
] as const satisfies readonly (keyof PluginProviders)[];
const sourceMembers = [
  'name',
  'search',
  'defaultMinScore',
  'timeoutSeconds',
  'requiredRoles',
  'tenants',
  'trusted',
] as const satisfies readonly (keyof KnowledgeSourceDefinition)[];
const sourceName = /^[a-z][a-z0-9-]{0,63}$/;
const defaultTimeoutSeconds = 3;
const mostSeconds = 60;

/** Reads the sources of documents of a plugin (contract/knowledge.md#sources). */
export function readSources(providers: Members, report: ReportFault): readonly KnowledgeSource[] {
  const reader = new MemberReader(providers, report);
  reader.allowOnly(providerNames);
  return reader.list('ragSources').flatMap((source, index) => {
    const reportSource = reportUnder(report, `ragSources[${String(index)}]`);
    if (hasMembers(source)) return [readSource(source, reportSource)];
    reportSource('', 'must be an object with a name and a function search');
    return [];
  });
}

function readSource(definition: Members, report: ReportFault): KnowledgeSource {
  const reader = new MemberReader(definition, report);
  reader.allowOnly(sourceMembers);
  const name = reader.text('name');
  if (name !== '' && !sourceName.test(name))
    report(
      'name',
      'must be lower case letters, digits and hyphens, begin with a letter and have at most 64 characters',
    );
  const search = reader.function('search');
  const defaultMinScore = numberIn(definition, 'defaultMinScore', { least: 0, most: Infinity, report });
  const seconds = numberIn(definition, 'timeoutSeconds', { least: 0.001, most: mostSeconds, report });
  return {
    name,
    isTrusted: reader.optionalFlag('trusted') ?? false,
    requiredRoles: reader.texts('requiredRoles'),
    tenants: reader.texts('tenants'),
    timeoutMs: (seconds ?? defaultTimeoutSeconds) * 1000,
    async search(request, signal) {
      const documents = await search({ ...request, signal });
      return { ...readDocuments({ documents }), defaultMinScore };
    },
  };
}

function numberIn(
  definition: Members,
  name: string,
  { least, most, report }: { readonly least: number; readonly most: number; readonly report: ReportFault },
): number | undefined {
  const value = definition[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= least && value <= most) return value;
  report(
    name,
    `must be a number${most === Infinity ? '' : ` of at most ${String(most)}`} and at least ${String(least)}`,
  );
  return undefined;
}
