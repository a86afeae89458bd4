import type { ArgumentCheck, Tool } from '../tools/tool.ts';

/** Most characters of what is said to the agent who takes over. */
const longestText = 20_000;

/** A tool by which an agent hands over to another agent. */
export interface HandOverTool extends Pick<Tool, 'name' | 'title' | 'description'> {
  /** The parameter that names the agent. */
  readonly chooses: { readonly name: string; readonly from: readonly string[]; readonly description: string };
  /** The parameter with the words for that agent. */
  readonly text: { readonly name: string; readonly description: string };
}

/**
 * Makes a tool that hands over. Its call runs no code of its own: the agents whom it names run in the same turn, below the call. It
 * changes nothing by itself, so it needs no approval.
 */
export function handOverTool({ chooses, text, ...named }: HandOverTool): Tool {
  return {
    ...named,
    source: 'built-in',
    readOnly: true,
    requiresConfirmation: undefined,
    editable: false,
    requiredRoles: [],
    // The agents have limits of their own.
    timeoutMs: 0,
    owner: 'helper',
    handsOver: true,
    parameters: {
      type: 'object',
      properties: {
        [chooses.name]: { type: 'string', enum: chooses.from, description: chooses.description },
        [text.name]: { type: 'string', minLength: 1, maxLength: longestText, description: text.description },
      },
      required: [chooses.name, text.name],
      additionalProperties: false,
    },
    checkArguments: (value) => check(value, { chooses, text }),
    execute: () => Promise.reject(new Error(`${named.name} is not run as a tool`)),
  };
}

function check(value: unknown, { chooses, text }: Pick<HandOverTool, 'chooses' | 'text'>): ArgumentCheck {
  const given =
    typeof value === 'object' && value !== null ? new Map<string, unknown>(Object.entries(value)) : undefined;
  const name = given?.get(chooses.name);
  const words = given?.get(text.name);
  const faults: string[] = [];
  if (typeof name !== 'string' || !chooses.from.includes(name)) {
    faults.push(`${chooses.name} must be one of: ${chooses.from.join(', ')}`);
  }
  if (typeof words !== 'string' || words.trim() === '') faults.push(`${text.name} must be a text`);
  else if (words.length > longestText) faults.push(`${text.name} must have at most ${String(longestText)} characters`);
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, value: { [chooses.name]: name, [text.name]: words } };
}
