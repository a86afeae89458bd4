import type { Tool } from '../../../core/tools/tool.ts';
import { hasMembers } from '../../shared/members.ts';
import { titleOf } from '../../shared/title-of.ts';
import type { ReportFault } from '../fault-report.ts';
import { defaultActionTimeoutMs } from './action-timeout.ts';
import { MemberReader } from './member-reader.ts';
import { readParametersOf } from './read-parameters-of.ts';
import { readToolName } from './read-tool-name.ts';
import { toToolResult } from './tool-result.ts';

/**
 * Turns a LangChain tool into a tool of this server (contract/plugins.md#actions, `tools`). A LangChain tool declares no policy, so the
 * configured policies decide.
 */
export async function readLangchainTool(tool: unknown, owner: string, report: ReportFault): Promise<Tool | undefined> {
  if (!hasMembers(tool)) {
    report('', 'must be a LangChain tool');
    return undefined;
  }
  const reader = new MemberReader(tool, report);
  const name = readToolName(reader, report);
  const invoke = reader.function('invoke');
  const parameters = await readParametersOf(tool['schema'], 'schema', report);
  return {
    name,
    title: titleOf(name),
    description: reader.text('description'),
    parameters: parameters.schema,
    ...(parameters.dialect === undefined ? {} : { dialect: parameters.dialect }),
    source: 'tool',
    readOnly: undefined,
    requiresConfirmation: undefined,
    editable: false,
    requiredRoles: [],
    timeoutMs: defaultActionTimeoutMs,
    owner,
    checkArguments: parameters.check,
    async execute(argumentsValue, context) {
      // LangChain waits for the moment when a signal becomes aborted. With a signal that is aborted already it would wait for ever.
      context.signal.throwIfAborted();
      return toToolResult(name, await invoke(argumentsValue, { signal: context.signal }));
    },
  };
}
