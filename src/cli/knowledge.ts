import type { ExplainedChunk, KnowledgeReport, SourceReport } from '../app/knowledge/report-knowledge.ts';
import { loadSettings } from '../config/load-settings.ts';
import { askServer } from './ask-server.ts';
import { type Command, exitCodes } from './command.ts';
import { configFile, configOption, readArguments } from './read-arguments.ts';

const options = {
  ...configOption,
  query: { type: 'string' },
  as: { type: 'string', multiple: true },
  tenant: { type: 'string' },
} as const;

/** Lists what the running server finds documents in, and with a question what is found for whom, and why (contract/knowledge.md#command). */
export const knowledge: Command = async (parameters, context) => {
  const { values } = readArguments(parameters, { options });
  const { environment, workingDirectory } = context;
  const { settings } = loadSettings({ file: configFile(values.config, context), environment, workingDirectory });
  const { query, as: roles = [], tenant } = values;
  try {
    const { status, body } = await askServer(settings, 'knowledge', { query, roles, tenant });
    // The bodies are those of our own server, of this version.
    const answer = body as Partial<KnowledgeReport> & { readonly message?: string };
    if (status !== 200 || answer.sources === undefined) {
      throw new Error(answer.message ?? `it answered ${String(status)}`);
    }
    const { minScore } = answer;
    const reports = answer.sources.map((source) => reportOf(source, minScore));
    context.write(reports.length === 0 ? 'There are no sources of documents.\n' : reports.join('\n'));
    return exitCodes.ok;
  } catch (error) {
    context.writeError(`nothing is known: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.failed;
  }
};

const places: Readonly<Record<SourceReport['type'], string>> = {
  files: 'a folder',
  http: 'a service',
  code: 'a plugin or callback',
};

function reportOf({ name, type, state, explanation, fault }: SourceReport, minScore: number | undefined): string {
  const lines = [`${name} (${places[type]})`];
  if (state !== undefined) {
    const { phase, documents, chunks, faults, faultCount } = state;
    lines.push(`  ${phase}: ${String(documents)} documents in ${String(chunks)} parts`);
    if (faultCount > 0) lines.push(`  left out: ${String(faultCount)}`);
    for (const { file, reason } of faults) lines.push(`    ${file}: it ${reason}`);
  }
  if (explanation !== undefined) {
    const { terms, threshold, found } = explanation;
    const words = terms.map(({ variants, chunks }) => `${variants.join('/')} (in ${String(chunks)})`).join(', ');
    lines.push(`  looked for: ${words === '' ? 'nothing' : words}`);
    const least = minScore ?? threshold;
    lines.push(`  threshold ${String(least)}${minScore === undefined ? '' : ' (ragMinScore)'}`);
    for (const chunk of found) lines.push(`    ${chunkLine(chunk, least)}`);
    if (found.length === 0) lines.push('    nothing is found');
  }
  if (fault !== undefined) lines.push(`  cannot be asked: ${fault}`);
  return `${lines.join('\n')}\n`;
}

function chunkLine({ score, outcome, title, file }: ExplainedChunk, least: number): string {
  const why = outcome === 'hidden' ? ' [may not be read]' : score >= least ? '' : ' [too little]';
  return `${score.toFixed(1).padStart(4)}  ${title} (${file})${why}`;
}
