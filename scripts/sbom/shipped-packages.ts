interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly dev?: boolean; readonly optional?: boolean }>
  >;
}

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
}

/**
 * `name@version` of two kinds of packages: those of an installation without development and optional packages, and development packages
 * that the sources import and the build puts into our own files.
 */
export function shippedPackages(lock: unknown, manifest: unknown, sources: readonly string[]): ReadonlySet<string> {
  // npm wrote both files
  const { packages } = lock as Lock;
  const { devDependencies } = manifest as Manifest;
  const builtIn = new Set(sources.flatMap(importedPackages).filter((name) => Object.hasOwn(devDependencies, name)));
  return new Set(
    Object.entries(packages).flatMap(([path, { version = '', dev = false, optional = false }]) => {
      const name = path.split('node_modules/').at(-1) ?? '';
      const isBuiltIn = path === `node_modules/${name}` && builtIn.has(name);
      return name !== '' && (isBuiltIn || (!dev && !optional)) ? [`${name}@${version}`] : [];
    }),
  );
}

/** The packages from which a source imports values. The build removes imports of types. */
function importedPackages(source: string): readonly string[] {
  return [...source.matchAll(/^(import|export) (?!type )[^;]*?from '([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm)].map(
    ([, , fixed, late]) => {
      const specifier = fixed ?? late ?? '';
      return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    },
  );
}
