import { hasMembers, type Members } from '../../shared/members.ts';
import type { ReportFault } from '../fault-report.ts';

/** Reads a plugin's LangChain chat models. A model is checked further when it is used. */
export function readModels(models: Members, report: ReportFault): ReadonlyMap<string, object> {
  const read = new Map<string, object>();
  for (const [name, model] of Object.entries(models)) {
    if (hasMembers(model) && typeof model['stream'] === 'function') read.set(name, model);
    else report(name, 'must be a LangChain chat model, an object with a function stream');
  }
  return read;
}
