import { createHash } from 'node:crypto';
import { isSecret } from './describe-found.ts';
import type { KeyPath, LocatedValue } from './located-value.ts';
import { helperSchema } from './schema/helper.schema.ts';

/**
 * Tells one configuration from another, in 12 characters. It covers what is written. Secrets and values from `${…}` are
 * left out, so that nobody can try out secrets by the hash. Order and comments do not count, nor does whether a default
 * is written out. The kill switch is left out because it counts without a reload: `/readyz` tells it by itself.
 */
export function configurationHash(root: LocatedValue): string {
  return createHash('sha256').update(textOf(root, [])).digest('hex').slice(0, 12);
}

function textOf(value: LocatedValue, path: KeyPath): string {
  if (value.substituted || isSecret(path, helperSchema)) return '***';
  switch (value.kind) {
    case 'map': {
      const entries = [...value.entries]
        .filter(([key]) => path.length > 0 || key !== 'killSwitch')
        .map(([key, entry]) => [key, textOf(entry.value, [...path, key])] as const);
      return JSON.stringify(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
    }
    case 'list':
      return JSON.stringify(value.items.map((item, index) => textOf(item, [...path, index])));
    case 'scalar':
      return JSON.stringify(value.value);
  }
}
