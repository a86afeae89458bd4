import type {
  ExplainedChunk,
  ExplainedTerm,
  KnowledgeQuery,
  KnowledgeReport,
  SourceReport,
} from '../app/knowledge/report-knowledge.ts';
import { oneLine } from '../core/base/one-line.ts';
import { loadSettings } from '../config/load-settings.ts';
import type { HelperSettings } from '../config/settings.ts';
import { askServer, NoServer } from './ask-server.ts';
import { type Command, type CommandContext, exitCodes } from './command.ts';
import { configFile, configOption, readArguments } from './read-arguments.ts';

const options = {
  ...configOption,
  query: { type: 'string' },
  as: { type: 'string', multiple: true },
  tenant: { type: 'string' },
} as const;

/**
 * Lists the sources of documents. With a question it also shows which documents are found for which user, and why
 * (contract/knowledge.md#command).
 */
export const knowledge: Command = async (parameters, context) => {
  const { values } = readArguments(parameters, { options });
  const { environment, workingDirectory } = context;
  const { settings } = loadSettings({ file: configFile(values.config, context), environment, workingDirectory });
  const { query, as: roles = [], tenant } = values;
  try {
    const asked = {
      roles,
      ...(query === undefined ? {} : { query }),
      ...(tenant === undefined ? {} : { tenant }),
    };
    const { sources, minScore, isOff } = await known(settings, asked, context);
    if (isOff) context.write('useRag is off: documents are not looked up. Set useRag: true.\n');
    const reports = sources.map((source) => reportOf(source, minScore));
    context.write(reports.length === 0 ? 'There are no sources of documents.\n' : reports.join('\n'));
    return exitCodes.ok;
  } catch (error) {
    context.writeError(`nothing is known: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.failed;
  }
};

/** Asks the running server. Without one, this process reads the folders itself. */
async function known(
  settings: HelperSettings,
  asked: KnowledgeQuery,
  { untilStopped }: CommandContext,
): Promise<KnowledgeReport> {
  const alone = async (): Promise<KnowledgeReport> => {
    // Only this needs the server's code.
    const { reportKnowledgeAlone } = await import('../app/knowledge/report-alone.ts');
    return reportKnowledgeAlone(settings, asked, untilStopped());
  };
  if (settings.storage.type === 'memory') return alone();
  try {
    const { status, body } = await askServer(settings, 'knowledge', asked);
    // The bodies are those of our own server, of this version.
    const { sources, message, ...more } = body as Partial<KnowledgeReport> & { readonly message?: string };
    if (status !== 200 || sources === undefined) throw new Error(message ?? `it answered ${String(status)}`);
    return { sources, ...more };
  } catch (error) {
    if (!(error instanceof NoServer)) throw error;
    return alone();
  }
}

type FolderState = NonNullable<SourceReport['state']>;

const places: Readonly<Record<SourceReport['type'], string>> = {
  files: 'a folder',
  http: 'a service',
  code: 'a plugin or callback',
};

function reportOf(
  { name, type, state, explanation, search, fault }: SourceReport,
  minScore: number | undefined,
): string {
  const lines = [`${name} (${places[type]})`];
  if (state !== undefined) {
    const { phase, documents, chunks, faults, faultCount, passedOver, vectors } = state;
    lines.push(`  ${phase}: ${String(documents)} documents in ${String(chunks)} parts`);
    if (vectors !== undefined) lines.push(vectorsLine(vectors, chunks));
    if (faultCount > 0) lines.push(`  left out: ${String(faultCount)}`);
    for (const { file, reason } of faults) lines.push(`    ${file}: it ${reason}`);
    if (passedOver.count > 0) lines.push(`  passed over: ${String(passedOver.count)}`);
    for (const { file, reason } of passedOver.files) lines.push(`    ${file}: it ${reason}`);
  }
  if (explanation !== undefined) {
    const { terms, keywords, threshold, found, meaning } = explanation;
    lines.push(`  looked for: ${terms.length === 0 ? 'nothing' : wordsOf(terms)}`);
    if (keywords.length > 0) lines.push(`  and for keywords of the small model: ${wordsOf(keywords)}`);
    const least = minScore ?? threshold;
    lines.push(`  threshold ${String(least)}${minScore === undefined ? '' : ' (ragMinScore)'}`);
    if (meaning !== undefined) {
      lines.push(`  meaning by ${meaning.model}, from a cosine of ${String(meaning.minCosine)} on`);
    }
    for (const chunk of found) lines.push(`    ${chunkLine(chunk, least)}`);
    if (found.length === 0) lines.push('    nothing is found');
  }
  if (search !== undefined) lines.push(...searchLines(search));
  if (fault !== undefined) lines.push(`  cannot be asked: ${fault}`);
  return `${lines.join('\n')}\n`;
}

const thresholds = { ragMinScore: ' (ragMinScore)', source: ' (its own)', default: ' (where none is set)' } as const;

function searchLines({
  isOpen,
  threshold,
  thresholdOf,
  found,
}: NonNullable<SourceReport['search']>): readonly string[] {
  if (!isOpen) return ['  may not be searched'];
  const lines = found.map(({ score, title, sourceUrl, outcome }) => {
    const why = outcome === 'hidden' ? ' [may not be read]' : outcome === 'found' ? '' : ' [too little]';
    return `    ${score.toFixed(1).padStart(4)}  ${oneLine(title)}${sourceUrl === undefined ? '' : ` (${oneLine(sourceUrl)})`}${why}`;
  });
  return [
    `  threshold ${String(threshold)}${thresholds[thresholdOf]}`,
    ...(lines.length === 0 ? ['    nothing is found'] : lines),
  ];
}

function wordsOf(terms: readonly ExplainedTerm[]): string {
  return terms.map(({ variants, chunks }) => `${variants.join('/')} (in ${String(chunks)})`).join(', ');
}

function vectorsLine({ model, chunks, fault, answering }: NonNullable<FolderState['vectors']>, all: number): string {
  const why = fault === undefined ? '' : `: ${fault}`;
  const meanwhile = answering === undefined ? '' : `; until then questions are asked by ${answering}`;
  return `  vectors by ${model}: ${String(chunks)} of ${String(all)} parts${meanwhile}${why}`;
}

function chunkLine({ score, words, cosine, outcome, title, file }: ExplainedChunk, least: number): string {
  const why = outcome === 'hidden' ? ' [may not be read]' : score >= least ? '' : ' [too little]';
  const parts = cosine === undefined ? '' : ` (words ${words.toFixed(1)}, cosine ${cosine.toFixed(2)})`;
  return `${score.toFixed(1).padStart(4)}${parts}  ${title} (${file})${why}`;
}
