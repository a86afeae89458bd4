import { createHash } from 'node:crypto';
import type { TeamMode } from '../../../core/agents/agent-definition.ts';
import type { OwnModelOptions, WrittenAgent, WrittenModel, WrittenTeam } from '../../../core/agents/written-agent.ts';
import type { Tool } from '../../../core/tools/tool.ts';
import type { SpecialistDefinition, TeamDefinition } from '../../../plugin-api/agents.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import { type ReportFault, reportUnder } from '../fault-report.ts';
import { MemberReader } from './member-reader.ts';
import { modelOptionRules, readByRules, teamOptionRules } from './option-rules.ts';
import { readAction } from './read-action.ts';

const specialistMembers = [
  'name',
  'description',
  'instructions',
  'model',
  'tools',
  'actions',
  'skills',
  'requiredRoles',
  'outputSchema',
] as const satisfies readonly (keyof SpecialistDefinition)[];
const teamMembers = [
  'name',
  'description',
  'mode',
  'members',
  'options',
  'requiredRoles',
] as const satisfies readonly (keyof TeamDefinition)[];
const modes: readonly TeamMode[] = ['sequential', 'concurrent', 'groupChat', 'handoff', 'magentic'];
const agentName = /^[^\s/]([^/\p{Cc}]{0,62}[^\s/])?$/u;

/** The plugin that an agent belongs to. */
export interface AgentOwner {
  readonly name: string;
  readonly file: string;
}

/** Reads a specialist of a plugin (contract/plugins.md#plugins). */
export async function readSpecialist(
  item: unknown,
  owner: AgentOwner,
  report: ReportFault,
): Promise<WrittenAgent | undefined> {
  if (!hasMembers(item)) {
    report('', 'must be an object');
    return undefined;
  }
  const reader = new MemberReader(item, report);
  reader.allowOnly(specialistMembers);
  const ownTools: Tool[] = [];
  for (const [index, action] of reader.list('actions').entries()) {
    const tool = await readAction(action, owner.name, reportUnder(report, `actions[${String(index)}]`));
    if (tool !== undefined) ownTools.push(tool);
  }
  const outputSchema = item['outputSchema'] === undefined ? undefined : reader.members('outputSchema');
  const definition: WrittenAgent['definition'] = {
    kind: 'specialist',
    ...common(reader, report),
    version: versionOf(item),
    instructions: reader.text('instructions'),
    tools: reader.texts('tools'),
    ownTools,
    skills: reader.texts('skills'),
    ...(outputSchema === undefined ? {} : { outputSchema }),
  };
  return written({ definition, model: readModel(item['model'], reader, report) }, owner, 'specialists');
}

/** Reads a team of a plugin (contract/plugins.md#plugins). */
export function readTeam(item: unknown, owner: AgentOwner, report: ReportFault): WrittenAgent | undefined {
  if (!hasMembers(item)) {
    report('', 'must be an object');
    return undefined;
  }
  const reader = new MemberReader(item, report);
  reader.allowOnly(teamMembers);
  const given = reader.text('mode');
  const mode = modes.find((known) => known === given);
  if (given !== '' && mode === undefined) report('mode', `must be one of ${modes.join(', ')}`);
  const members = reader.texts('members');
  if (members.length === 0) report('members', 'must name at least one agent');
  if (new Set(members).size < members.length) report('members', 'must name each agent once');
  const options: WrittenTeam['options'] = readByRules(
    reader.members('options'),
    teamOptionRules,
    reportUnder(report, 'options'),
  );
  const definition: WrittenTeam = {
    kind: 'team',
    ...common(reader, report),
    version: versionOf(item),
    mode: mode ?? 'sequential',
    members,
    options,
  };
  return written({ definition }, owner, 'teams');
}

function common(
  reader: MemberReader,
  report: ReportFault,
): Pick<WrittenAgent['definition'], 'name' | 'description' | 'requiredRoles'> {
  const name = reader.text('name');
  if (name !== '' && !agentName.test(name)) report('name', 'must be at most 64 characters without a slash');
  return { name, description: reader.text('description'), requiredRoles: reader.texts('requiredRoles') };
}

function readModel(model: unknown, reader: MemberReader, report: ReportFault): WrittenModel {
  if (model === undefined) return { options: {} };
  if (typeof model === 'string') return { id: reader.optionalText('model'), options: {} };
  const reportModel = reportUnder(report, 'model');
  const members = new MemberReader(reader.members('model'), reportModel);
  members.allowOnly(['id', 'options']);
  const options: OwnModelOptions = readByRules(
    members.members('options'),
    modelOptionRules,
    reportUnder(reportModel, 'options'),
  );
  return { id: members.optionalText('id'), options };
}

function written(
  agent: Pick<WrittenAgent, 'definition' | 'model'>,
  { name, file }: AgentOwner,
  list: string,
): WrittenAgent {
  const within = `${name}.${list}.${agent.definition.name}`;
  return {
    ...agent,
    from: `plugin ${name}`,
    place: (path) => ({ file, path: path === '' ? within : `${within}.${path}` }),
    ignored: [],
  };
}

/** Tells one wording of a definition from another. Functions count by their source. */
function versionOf(item: Members): string {
  const text = JSON.stringify(item, (_key, value: unknown) => (typeof value === 'function' ? String(value) : value));
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
