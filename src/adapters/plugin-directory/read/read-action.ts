import type { Tool } from '../../../core/tools/tool.ts';
import type { ActionDefinition } from '../../../plugin-api/action.ts';
import { declaredPolicy, destructiveFault } from '../../shared/declared-policy.ts';
import { confirmFaults, confirmMembers, type DeclaredWords, wordsOf } from '../../shared/action-words.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import { titleOf } from '../../shared/title-of.ts';
import type { ReportFault } from '../fault-report.ts';
import { actionProgress } from './action-progress.ts';
import { defaultActionTimeoutMs, parseActionTimeout } from './action-timeout.ts';
import { MemberReader } from './member-reader.ts';
import { readParametersOf } from './read-parameters-of.ts';
import { readToolName } from './read-tool-name.ts';
import { toToolResult } from './tool-result.ts';
import { parseWithZod } from './zod-schema.ts';

const actionMembers = [
  'name',
  'title',
  'description',
  'confirm',
  'parameters',
  'readOnly',
  'requiresConfirmation',
  'destructive',
  'editable',
  'trusted',
  'requiredRoles',
  'tenants',
  'examples',
  'timeout',
  'execute',
] as const satisfies readonly (keyof ActionDefinition)[];

/** Turns an action into a tool (contract/plugins.md#actions). After a reported fault the tool is used only to find clashes of names. */
export async function readAction(action: unknown, owner: string, report: ReportFault): Promise<Tool | undefined> {
  if (!hasMembers(action)) {
    report('', 'must be an object made by defineAction');
    return undefined;
  }
  const reader = new MemberReader(action, report);
  reader.allowOnly(actionMembers);
  const name = readToolName(reader, report);
  const execute = reader.function('execute');
  const declared = {
    readOnly: reader.optionalFlag('readOnly'),
    requiresConfirmation: reader.optionalFlag('requiresConfirmation'),
    destructive: reader.optionalFlag('destructive'),
  };
  const contradiction = destructiveFault(declared);
  if (contradiction !== undefined) report('destructive', contradiction);
  const parameters = await readParametersOf(action['parameters'], 'parameters', report);
  const words = readWords(action, reader, report);
  for (const fault of confirmFaults(words, parameters.schema)) report('confirm.title', fault);
  return {
    name,
    ...wordsOf(words, titleOf(name), parameters.labels),
    examples: reader.texts('examples'),
    parameters: parameters.schema,
    ...(parameters.dialect === undefined ? {} : { dialect: parameters.dialect }),
    source: 'action',
    ...declaredPolicy(declared),
    editable: reader.optionalFlag('editable') ?? false,
    ...(reader.optionalFlag('trusted') === true ? { trusted: true } : {}),
    requiredRoles: reader.texts('requiredRoles'),
    tenants: reader.texts('tenants'),
    timeoutMs: readTimeout(reader, report),
    owner,
    checkArguments: parameters.check,
    async execute(argumentsValue, context) {
      const given = parameters.zod === undefined ? argumentsValue : await parseWithZod(parameters.zod, argumentsValue);
      // These fields of the caller are for callbacks only. Even callbacks get the credential only when they are configured to.
      const { authorization: _authorization, traceparent: _traceparent, span: _span, ...others } = context;
      // What plugins declare changes only with a reload, so they are not told that an approval covers what they declare.
      const { isApproved: _isApproved, ...shared } = others;
      const progress = actionProgress(context.progress);
      return toToolResult(name, await execute(given, { ...shared, progress }));
    },
  };
}

function readWords(action: Members, reader: MemberReader, report: ReportFault): DeclaredWords {
  const title = reader.optionalWords('title');
  const description = reader.optionalWords('description');
  if (action['description'] === undefined) report('description', 'is missing');
  const asked = reader.members('confirm');
  const confirm = new MemberReader(asked, (path, message, suggestion) =>
    report(`confirm.${path}`, message, suggestion),
  );
  confirm.allowOnly(confirmMembers);
  const words = confirmMembers.map((member) => [member, confirm.optionalWords(member)]);
  return { title, description: description ?? '', confirm: Object.fromEntries(words) as DeclaredWords['confirm'] }; // one entry a member
}

function readTimeout(reader: MemberReader, report: ReportFault): number {
  const text = reader.optionalText('timeout');
  const milliseconds = text === undefined ? defaultActionTimeoutMs : parseActionTimeout(text);
  if (milliseconds === undefined) report('timeout', 'must be a duration such as 500ms, 30s or 2m, at most 24h');
  return milliseconds ?? defaultActionTimeoutMs;
}
