import { pathToFileURL } from 'node:url';
import { describeError } from '../../shared/describe-error.ts';
import { hasMembers, type Members } from '../../shared/members.ts';
import type { FaultPlace, ReportFault } from '../fault-report.ts';
import type { PluginFile } from '../find/plugin-file.ts';
import { placeOfError } from '../place-of-error.ts';
import { placeOfSyntaxError } from '../place-of-syntax-error.ts';
import { waitAtMost } from '../wait-at-most.ts';

/** Runs a plugin's module and returns what it exports: `export default`, or an export called `plugin`. */
export async function importPlugin(
  plugin: PluginFile,
  timeoutMs: number,
  reportAt: (place: FaultPlace) => ReportFault,
): Promise<Members | undefined> {
  try {
    const work: Promise<unknown> = import(pathToFileURL(plugin.file).href);
    const definition = exportedPlugin(
      await waitAtMost(work, timeoutMs, `did not finish within ${String(timeoutMs)} ms`),
    );
    if (definition !== undefined) return definition;
    reportAt({ file: plugin.file })(plugin.label, 'has no default export made by definePlugin');
  } catch (error) {
    const known = placeOfError(error, plugin);
    const isUnplaced = error instanceof SyntaxError && known.line === undefined;
    const place = (isUnplaced ? await placeOfSyntaxError(plugin) : undefined) ?? known;
    reportAt(place)(plugin.label, `failed to load: ${describeError(error)}`);
  }
  return undefined;
}

function exportedPlugin(namespace: unknown): Members | undefined {
  if (!hasMembers(namespace)) return undefined;
  const exported = namespace['default'];
  // A CommonJS file that was compiled from an ES module has its default export in a member of the exported object.
  const wrapped = hasMembers(exported) && exported['__esModule'] === true ? exported['default'] : exported;
  const definition = wrapped ?? namespace['plugin'];
  // A promise, or an object like one, is no plugin. Code that awaits such an object would wait for as long as it likes.
  return hasMembers(definition) && typeof definition['then'] !== 'function' ? definition : undefined;
}
