import { describeError } from '../../shared/describe-error.ts';
import type { ReportFault } from '../fault-report.ts';
import { readToolParameters, type ToolParameters } from './tool-parameters.ts';

const noParameters: ToolParameters = {
  schema: { type: 'object' },
  zod: undefined,
  check: () => ({ ok: false, faults: ['arguments: the schema of this tool cannot be used'] }),
};

/** Reads the parameters of an action or tool. After a reported fault, the result accepts no call. */
export async function readParametersOf(declared: unknown, path: string, report: ReportFault): Promise<ToolParameters> {
  if (declared === undefined) {
    report(path, "is missing; a tool without arguments declares { type: 'object', properties: {} }");
    return noParameters;
  }
  try {
    return await readToolParameters(declared);
  } catch (error) {
    report(path, `cannot be used: ${describeError(error)}`);
    return noParameters;
  }
}
