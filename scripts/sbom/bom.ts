import { createHash } from 'node:crypto';

/** The fields of a package in a CycloneDX list that this code reads. */
export interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

/** The fields of a CycloneDX list that this code reads. */
export interface Bom {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly component: Component; readonly [more: string]: unknown };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly [more: string]: unknown;
}

export interface Contents {
  /** `name@version` of each shipped package. Other packages are left out. */
  readonly shipped: ReadonlySet<string>;
  /** Packages that npm does not list. */
  readonly more: readonly Component[];
  /** When the list was made, in seconds since 1970. Left out, the list has no time. */
  readonly seconds?: number;
}

/** npm's list, reduced to the shipped packages and put into a fixed order. Anything that differs between two runs is removed. */
export function fixedIn(all: Bom, { shipped, more, seconds }: Contents): Bom {
  const { timestamp: _now, component, ...metadata } = all.metadata;
  const [name = ''] = component['bom-ref'].split('@');
  const kept = all.components.filter((one) => shipped.has(`${one.name}@${one.version}`));
  const missing = [...shipped].filter((id) => !kept.some((one) => `${one.name}@${one.version}` === id));
  if (missing.length > 0) throw new Error(`npm does not list ${missing.join(', ')}`);
  const refs = new Set([component, ...kept].map((one) => one['bom-ref']));
  const { serialNumber: _random, ...rest } = all;
  const bom: Bom = {
    ...rest,
    metadata: {
      ...(seconds !== undefined && { timestamp: new Date(seconds * 1000).toISOString() }),
      ...metadata,
      // npm would use the name of the folder.
      component: { ...component, name },
    },
    components: [...kept, ...more].sort((one, other) => compare(one['bom-ref'], other['bom-ref'])),
    dependencies: all.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)).sort(compare) }))
      .sort((one, other) => compare(one.ref, other.ref)),
  };
  return { ...bom, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(bom))}` };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** A UUID of version 8, made from the content, so that the same list has the same UUID. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
