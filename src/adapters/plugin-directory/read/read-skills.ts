import type { Skill, SkillFault, SkillSource } from '../../../core/ports/skill-source.ts';
import { isSkillName, plainDescription, skillLengths, skillNameRule } from '../../../core/skills/skill-format.ts';
import type { PluginProviders } from '../../../plugin-api/knowledge.ts';
import type { SkillDefinition, SkillSourceDefinition } from '../../../plugin-api/skills.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import { type ReportFault, reportUnder } from '../fault-report.ts';
import { MemberReader } from './member-reader.ts';

const skillMembers = [
  'name',
  'description',
  'content',
  'resources',
  'requiredRoles',
  'tenants',
] as const satisfies readonly (keyof SkillDefinition)[];
const sourceMembers = ['name', 'skills'] as const satisfies readonly (keyof SkillSourceDefinition)[];
const listName = 'skillSources' satisfies keyof PluginProviders;
/** The most characters of one text of a skill. */
const longestText = 256 * 1024;
const mostResources = 100;
const mostSkills = 200;

/** Reads the skills of a plugin (contract/skills.md#plugins). */
export function readSkills(items: readonly unknown[], report: ReportFault): readonly Skill[] {
  const names = new Set<string>();
  return items.map((item, index) => {
    const reportSkill = reportUnder(report, `skills[${String(index)}]`);
    const skill = readSkill(item, reportSkill);
    if (names.has(skill.name)) reportSkill('name', `"${skill.name}" is the name of another skill of this plugin`);
    names.add(skill.name);
    return skill;
  });
}

/** Reads the sources of skills of a plugin. */
export function readSkillSources(providers: Members, plugin: string, report: ReportFault): readonly SkillSource[] {
  return new MemberReader(providers, report).list(listName).map((definition, index) => {
    const reportSource = reportUnder(report, `${listName}[${String(index)}]`);
    const reader = new MemberReader(hasMembers(definition) ? definition : {}, reportSource);
    reader.allowOnly(sourceMembers);
    const name = `${plugin}: ${reader.text('name')}`;
    const skills = reader.function('skills');
    return {
      name,
      async read(signal) {
        const given = await skills({ signal });
        if (!Array.isArray(given)) throw new TypeError(`skills of ${name} gave no list`);
        return readGiven(given.slice(0, mostSkills), name);
      },
    };
  });
}

/** Reads the skills that a source returns. A skill with a fault is left out, and the others are used. */
function readGiven(given: readonly unknown[], place: string): ReturnType<typeof emptyReading> {
  const reading = emptyReading();
  for (const [index, item] of given.entries()) {
    const faults: SkillFault[] = [];
    const skill = readSkill(item, (path, message) => {
      faults.push({ place: `${place} [${String(index)}]`, reason: `${path} ${message}`.trim(), kind: 'left-out' });
    });
    if (faults.length === 0) reading.skills.push(skill);
    reading.faults.push(...faults.slice(0, 1));
  }
  return reading;
}

function emptyReading(): { readonly skills: Skill[]; readonly faults: SkillFault[] } {
  return { skills: [], faults: [] };
}

function readSkill(item: unknown, report: ReportFault): Skill {
  if (!hasMembers(item)) report('', 'must be an object with name, description and content');
  const reader = new MemberReader(hasMembers(item) ? item : {}, report);
  reader.allowOnly(skillMembers);
  const name = reader.text('name');
  if (name !== '' && !isSkillName(name)) report('name', `must be ${skillNameRule}`);
  const description = plainDescription(reader.text('description'));
  if (description.length > skillLengths.description)
    report('description', `must have at most ${String(skillLengths.description)} characters`);
  const instructions = reader.text('content');
  if (instructions.length > longestText) report('content', `must have at most ${String(longestText)} characters`);
  const resources = readResources(reader.members('resources'), reportUnder(report, 'resources'));
  return {
    name,
    description,
    instructions,
    requiredRoles: reader.texts('requiredRoles'),
    tenants: reader.texts('tenants'),
    resources: () => Promise.resolve([...resources.keys()]),
    read: (resource) => Promise.resolve(resources.get(resource)),
  };
}

function readResources(given: Members, report: ReportFault): ReadonlyMap<string, string> {
  const resources = new Map<string, string>();
  for (const [name, text] of Object.entries(given)) {
    if (typeof text === 'string' && text.length <= longestText) resources.set(name, text);
    else report(name.slice(0, 64), `must be a text of at most ${String(longestText)} characters`);
  }
  if (resources.size > mostResources) report('', `must be at most ${String(mostResources)} texts`);
  return resources;
}
