import { createHash } from 'node:crypto';

/** One package of a CycloneDX list, as far as it is read here. */
export interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

/** A CycloneDX list, as far as it is read here. */
export interface Bom {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly component: Component; readonly [more: string]: unknown };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly [more: string]: unknown;
}

export interface Contents {
  /** `name@version` of each package that is shipped; the rest is left out. */
  readonly shipped: ReadonlySet<string>;
  /** What comes on top. */
  readonly more: readonly Component[];
  /** When it was made, in seconds since 1970; without it the list carries no time. */
  readonly seconds?: number;
}

/** The list of npm, reduced to what is shipped, in a fixed order and without what differs from one run to the next. */
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
      // npm takes the name of the folder.
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

/** A UUID of version 8: made from the content, so that the same list has the same one. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
