import type { FilesSourceState } from '../../adapters/knowledge/files/files-source.ts';
import { oneLine } from '../../core/base/one-line.ts';
import type { FolderFigures } from '../../wire/admin-metrics.ts';

/** The most files of one folder that are named. */
const mostNamed = 20;
/** Characters of a name. Its end says more than its beginning. */
const longestName = 120;

/** A folder as the dashboard shows it (contract/operations.md#dashboard). */
export function folderFigures(source: string, state: FilesSourceState): FolderFigures {
  const { documents, faults, faultCount, passedOver } = state;
  return {
    source,
    documents,
    leftOut: faultCount,
    passedOver: passedOver.count,
    files: [...faults, ...passedOver.files]
      .slice(0, mostNamed)
      .map(({ file, reason }) => ({ file: shortened(oneLine(file)), reason: oneLine(reason) })),
  };
}

function shortened(name: string): string {
  const characters = Array.from(name);
  return characters.length > longestName ? `…${characters.slice(1 - longestName).join('')}` : name;
}
