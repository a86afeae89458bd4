import { toolNameFault } from '../../../core/tools/tool-name.ts';
import type { ReportFault } from '../fault-report.ts';
import { type MemberReader } from './member-reader.ts';

/** The name by which the model calls a tool. Empty when the tool has none. */
export function readToolName(reader: MemberReader, report: ReportFault): string {
  const name = reader.text('name');
  const fault = name === '' ? undefined : toolNameFault(name);
  if (fault !== undefined) report('name', `"${name}" ${fault}`);
  return name;
}
