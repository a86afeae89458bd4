import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { objectOf, textOf } from '../json-values.ts';
import { boundFetchedLines } from './bounded-fetch.ts';

const packageName = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/;

/** A kind of class that LangChain packages export. */
export interface WantedClass<Kind> {
  /** The name of the kind, for people. */
  readonly title: string;
  /** Whether a class of this name may be of the kind. Such classes are suggested when no class was named. */
  isNamed(name: string): boolean;
  is(value: unknown): value is Kind;
}

/** Constructs a class of an installed package. @throws Error that names the package or class and what to do. */
export async function construct<Kind>(
  wanted: WantedClass<Kind>,
  { provider, className }: { readonly provider: string; readonly className: string | undefined },
  options: Readonly<Record<string, unknown>>,
): Promise<Kind> {
  // Packages keep the platform's `fetch` when they are loaded or constructed, so it is replaced before that.
  boundFetchedLines();
  const exported = await importPackage(provider);
  const classes = Object.keys(exported).filter((name) => wanted.isNamed(name));
  if (className === undefined) {
    throw new Error(`class is missing: the package ${provider} exports ${classes.join(', ') || `no ${wanted.title}`}`);
  }
  const constructor = exported[className];
  if (typeof constructor !== 'function') {
    throw new Error(
      `the package ${provider} exports no class ${className}; it has ${classes.join(', ') || `no ${wanted.title}`}`,
    );
  }
  const model: unknown = Reflect.construct(constructor, [options]);
  if (!wanted.is(model)) throw new Error(`${className} of ${provider} is not a LangChain ${wanted.title}`);
  return model;
}

/**
 * Resolves a package from the folder where the server is installed, else from the working directory, where a project has its own packages.
 */
async function importPackage(name: string): Promise<Readonly<Record<string, unknown>>> {
  if (!packageName.test(name)) {
    throw new Error(
      `provider ${JSON.stringify(name)} is unknown: use openai, azure, demo or the name of a LangChain package`,
    );
  }
  try {
    return await importModule(name);
  } catch (error) {
    if (!isMissing(error, name)) throw error;
  }
  try {
    const local = createRequire(join(process.cwd(), 'package.json')).resolve(name);
    return await importModule(pathToFileURL(local).href);
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    throw new Error(`the package ${name} is not installed: run \`npm i ${name}\``, { cause: error });
  }
}

async function importModule(specifier: string): Promise<Readonly<Record<string, unknown>>> {
  const imported: unknown = await import(specifier);
  const fields = objectOf(imported) ?? {};
  // A package in the older module format has everything under `default`.
  return { ...objectOf(fields['default']), ...fields };
}

/** Whether the package itself is missing. Another package that this package needs does not count. */
function isMissing(error: unknown, name: string): boolean {
  const fields = objectOf(error);
  const code = fields?.['code'];
  const notFound = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return notFound && (textOf(fields?.['message'])?.includes(`'${name}'`) ?? false);
}
