import type { Skill } from '../ports/skill-source.ts';
import type { ArgumentCheck, Tool } from '../tools/tool.ts';
import { loadSkillName, readSkillResourceName } from '../tools/tool-name.ts';

/** Most milliseconds that reading a file may take. */
const timeoutMs = 10_000;

const common = {
  source: 'built-in',
  readOnly: true,
  requiresConfirmation: undefined,
  editable: false,
  requiredRoles: [],
  timeoutMs,
  owner: 'helper',
} as const;

/** The two tools by which a model loads these skills (contract/skills.md#tools). They only read, so their calls need no approval. */
export function skillTools(skills: readonly Skill[]): readonly [Tool, Tool] {
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const skillName = { type: 'string', enum: [...byName.keys()], description: 'The name of the skill' };
  const load: Tool = {
    ...common,
    name: loadSkillName,
    title: 'Load a skill',
    description: 'Gives the instructions of a skill and the names of its files.',
    parameters: parametersOf({ skillName }),
    checkArguments: (value) => checkTexts(value, ['skillName']),
    execute: async ({ skillName }) => ({ value: await loaded(byName, String(skillName)) }),
  };
  const read: Tool = {
    ...common,
    name: readSkillResourceName,
    title: 'Read a file of a skill',
    description: 'Gives the text of a file that the instructions of a skill name.',
    parameters: parametersOf({ skillName, resourceName: { type: 'string', description: 'The name of the file' } }),
    checkArguments: (value) => checkTexts(value, ['skillName', 'resourceName']),
    execute: async ({ skillName, resourceName }) => ({
      value: await resource(byName, String(skillName), String(resourceName)),
    }),
  };
  return [load, read];
}

function parametersOf(properties: Readonly<Record<string, unknown>>): Tool['parameters'] {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/**
 * Checks that the arguments are texts. A skill that is not offered passes this check: the tool itself answers it like a skill that does not
 * exist.
 */
function checkTexts(value: unknown, names: readonly string[]): ArgumentCheck {
  const given = typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
  const faults = names.filter((name) => typeof given[name] !== 'string').map((name) => `${name} must be a text`);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: given };
}

type SkillsByName = ReadonlyMap<string, Skill>;

async function loaded(skills: SkillsByName, name: string): Promise<string> {
  const skill = skills.get(name);
  if (skill === undefined) return skillNotFound(name);
  const files = await skill.resources();
  const listed = files.length === 0 ? [] : ['', 'Files of this skill, for read_skill_resource:', ...files.map(inList)];
  return [`Instructions of the skill ${name}:`, '', skill.instructions.trim(), ...listed].join('\n');
}

function inList(file: string): string {
  return `- ${file}`;
}

async function resource(skills: SkillsByName, name: string, file: string): Promise<string> {
  const skill = skills.get(name);
  if (skill === undefined) return skillNotFound(name);
  return (await skill.read(file)) ?? `Error: Resource '${shortened(file)}' not found in skill '${name}'.`;
}

function skillNotFound(name: string): string {
  return `Error: Skill '${shortened(name)}' not found.`;
}

function shortened(name: string): string {
  return name.slice(0, 200);
}
