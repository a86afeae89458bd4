import type { ArgumentSources, FilledArguments } from './fill-arguments.ts';
import { fillArguments } from './fill-arguments.ts';
import type { HeardMessage } from './heard-message.ts';
import type { DemoTool } from './tool-schema.ts';

/** A tool that fits a message, with the arguments that are known so far. */
export interface ToolMatch {
  readonly tool: DemoTool;
  readonly filled: FilledArguments;
  readonly points: number;
}

/** A tool with fewer points has hardly more in common with a message than a question word. */
const threshold = 1.6;

/** The tool that fits a message best. A tool that does something else than the message asks is never chosen. Undefined when none fits. */
export function matchTool(
  message: HeardMessage,
  tools: readonly DemoTool[],
  sourcesOf: (tool: DemoTool) => ArgumentSources,
): ToolMatch | undefined {
  const shared = namesByTerm(tools);
  const matches = tools
    .filter((tool) => doesWhatWasAsked(tool, message))
    .map((tool): ToolMatch => {
      const filled = fillArguments(tool, sourcesOf(tool));
      return { tool, filled, points: nameFitness(tool, message, shared) + argumentFitness(tool, filled, message) };
    })
    .sort((one, other) => other.points - one.points);
  const best = matches[0];
  return best !== undefined && best.points >= threshold ? best : undefined;
}

/**
 * Whether the tool does what the message asks. A message without a verb, or with "do not", must not lead to a tool that changes something.
 */
function doesWhatWasAsked(tool: DemoTool, message: HeardMessage): boolean {
  if (message.concepts.has('not') && !tool.verbs.includes('read')) return false;
  if (tool.verbs.length > 0) return tool.verbs.includes(message.verb ?? 'read');
  return message.terms.has(tool.firstTerm);
}

function namesByTerm(tools: readonly DemoTool[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const tool of tools) for (const term of tool.nameTerms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** How well the name of a tool fits. A term that few tools have in their names counts more than one that many have. */
function nameFitness(tool: DemoTool, message: HeardMessage, shared: ReadonlyMap<string, number>): number {
  const verb = message.verb === undefined ? 0.5 : message.verb === 'read' ? 1 : 3;
  const nouns = [...tool.nameTerms].filter(
    (term) => message.terms.has(term) && !tool.verbs.some((own) => own === term),
  );
  const named = nouns.reduce((points, term) => points + 2 / Math.sqrt(shared.get(term) ?? 1), 0);
  const described = [...tool.descriptionTerms].filter((term) => message.terms.has(term) && !tool.nameTerms.has(term));
  return (tool.verbs.length > 0 ? verb : 0) + named + Math.min(1, described.length * 0.25);
}

function argumentFitness(tool: DemoTool, filled: FilledArguments, message: HeardMessage): number {
  const known = Object.keys(filled.values).length - filled.spoken;
  const reused = known > 0 ? (message.concepts.has('it') ? 1 : -0.25) : 0;
  // More numbers than one tool can take may ask for several calls of it. A tool that takes no number is not meant.
  const ignored = filled.unusedNumbers.length > 0 && !tool.parameters.some(({ kind }) => kind !== 'choice') ? -1.5 : 0;
  return filled.spoken - filled.missing.length + reused + ignored;
}
