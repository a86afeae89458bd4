import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type StartupFault, StartupFaults } from '../core/errors/startup-fault.ts';
import { takeAgentVariables } from './agents/agent-variables.ts';
import { besideAgent } from './beside-agent.ts';
import { configurationHash } from './configuration-hash.ts';
import { checkShape, type ShapeFault } from './check-shape.ts';
import { describeFound } from './describe-found.ts';
import { describeShapeFault } from './describe-shape-fault.ts';
import { isInEnvironment, overrideFromEnvironment } from './environment-overrides.ts';
import { finishSettings } from './finish-settings.ts';
import {
  formatPath,
  keyPlaceOf,
  type KeyPath,
  type LocatedValue,
  placeOfWritten,
  toPlain,
  valueAt,
} from './located-value.ts';
import { locateObject } from './locate-object.ts';
import { parseYaml } from './parse-yaml.ts';
import { readValues } from './read-values.ts';
import { allRules } from './rules/all-rules.ts';
import type { RuleFault } from './rules/rule.ts';
import { helperSchema } from './schema/helper.schema.ts';
import type { HelperSettings } from './settings.ts';
import { soundPart } from './sound-part.ts';
import { codeOf, type Environment, substitute } from './substitute.ts';

export interface LoadOptions {
  /** The YAML file; messages name it as it is given here. */
  readonly file: string;
  readonly environment: Environment;
  /**
   * The folder from which `storage.path` starts where the environment sets it. Left out: the working directory of the
   * process.
   */
  readonly workingDirectory?: string;
}

const largestFile = 1024 * 1024;

export interface LoadedSettings {
  readonly settings: HelperSettings;
  /** Adds the line to a fault of the configuration that was found only with the help of the plugins. Other faults stay as they are. */
  readonly locate: (fault: StartupFault) => StartupFault;
}

/**
 * Reads the configuration: the YAML file, overrides from the environment, references, the schema, the cross-field rules
 * (contract/configuration.md).
 * @throws StartupFaults with every fault found, none of which shows a secret.
 */
export function loadSettings(options: LoadOptions): LoadedSettings {
  const workingDirectory = options.workingDirectory ?? process.cwd();
  const configFile = resolve(workingDirectory, options.file);
  const folder = dirname(configFile);
  const { environment } = options;
  const { root, warnings } = readRoot(configFile, options.file);
  return load(root, {
    fileWarnings: warnings,
    name: options.file,
    configFile,
    folder,
    workingDirectory,
    environment,
    substituteIn: (root) => substitute(root, { environment, folder }),
  });
}

/** What messages call a configuration that is no file. */
const objectName = '(configuration)';

/**
 * Like `loadSettings`, for a configuration that a program has put together. `${…}` in its texts is not replaced, because a program can read
 * its environment itself. Relative paths start at the working directory.
 * @throws StartupFaults with every fault found, none of which shows a secret.
 */
export function loadObjectSettings(
  configuration: unknown,
  options: Pick<LoadOptions, 'environment' | 'workingDirectory'>,
): LoadedSettings {
  const workingDirectory = options.workingDirectory ?? process.cwd();
  const { root, faults } = locateObject(configuration, { file: objectName });
  if (faults.length > 0) throw new StartupFaults(faults);
  if (root.kind !== 'map') throw notKeysAndValues(root);
  return load(root, {
    fileWarnings: [],
    name: objectName,
    configFile: objectName,
    folder: workingDirectory,
    workingDirectory,
    environment: options.environment,
    substituteIn: (unchanged) => ({ root: unchanged, faults: [], unresolved: [], files: [] }),
  });
}

/** Where a configuration comes from. */
interface Source {
  /** For messages. */
  readonly name: string;
  readonly configFile: string;
  /** The folder to which its paths are relative. */
  readonly folder: string;
  readonly workingDirectory: string;
  readonly environment: Environment;
  /** The warnings from reading the file. */
  readonly fileWarnings: HelperSettings['fileWarnings'];
  readonly substituteIn: (root: LocatedValue) => ReturnType<typeof substitute>;
}

function load(root: LocatedValue, source: Source): LoadedSettings {
  const overridden = overrideFromEnvironment(root, source.environment, helperSchema);
  const substituted = source.substituteIn(overridden.root);
  const own = takeAgentVariables(substituted.root);
  const read = readValues(own.root, helperSchema);

  const earlier = [...overridden.faults, ...substituted.faults, ...own.faults, ...read.faults];
  const shape = checkShape(asMap(toPlain(read.root)));
  const described = shape.map((fault) => ({ ...fault, words: describeShapeFault(fault, read.root) }));
  const meant = misspeltPaths(described);
  const later = described
    .filter(({ kind, path }) => kind !== 'missing-key' || !meant.has(formatPath(path)))
    .map(({ words }) => words);
  const sound = soundPart(asMap(toPlain(read.root)), shape);
  if (sound === undefined) throw new StartupFaults(inOrder([...earlier, ...later]));

  const isFromEnvironment = (path: KeyPath): boolean => {
    const place = valueAt(read.root, path)?.place;
    return place !== undefined && isInEnvironment(place);
  };
  const { configFile, name, folder, workingDirectory, fileWarnings } = source;
  const folders = { file: folder, workingDirectory, isFromEnvironment };
  const isLanguageChosen = valueAt(read.root, ['language']) !== undefined;
  const configuration = configurationHash(read.root);
  const secretFiles = substituted.files;
  const agentVariables = own.variables;
  const derived = { configFile, fileWarnings, isLanguageChosen, configuration, secretFiles, agentVariables };
  const settings = finishSettings(withDefaults(sound.value), derived, folders);
  const broken = [...sound.removed, ...substituted.unresolved];
  const rules = allRules
    .flatMap((rule) => rule(settings))
    .filter(({ path, follows = path }) => !meant.has(formatPath(path)) && !meant.has(formatPath(follows)))
    .filter((fault) => !broken.some((path) => explains(path, fault)))
    .map((fault) => describeRuleFault(fault, read.root));
  const faults = inOrder([...earlier, ...later, ...rules]);
  if (faults.length > 0) throw new StartupFaults(faults);
  return { settings: besideAgent(settings), locate: locator(read.root, { configFile, name }) };
}

/**
 * The paths of known keys that users probably meant by an unknown key. A misspelt key is one fault: it is reported as an unknown key, and
 * not as a missing one too.
 */
function misspeltPaths(faults: readonly (ShapeFault & { readonly words: StartupFault })[]): ReadonlySet<string> {
  return new Set(
    faults
      .filter(({ kind }) => kind === 'unknown-key')
      .map(({ path, words }) => formatPath([...path.slice(0, -1), words.suggestion ?? ''])),
  );
}

function locator(
  root: LocatedValue,
  { configFile, name }: { readonly configFile: string; readonly name: string },
): LoadedSettings['locate'] {
  return (fault) => {
    if (fault.file !== configFile || fault.line !== undefined) return fault;
    return { ...fault, file: name, ...placeOfWritten(root, fault.path) };
  };
}

function readRoot(
  path: string,
  name: string,
): { readonly root: LocatedValue; readonly warnings: HelperSettings['fileWarnings'] } {
  const { root, faults, warnings } = parseYaml(readText(path, name), { file: name });
  if (faults.length > 0) throw new StartupFaults(faults);
  if (root === undefined || (root.kind === 'scalar' && root.value === null)) {
    const place = { file: name, line: 1, column: 1 };
    return { root: { kind: 'map', place, substituted: false, entries: new Map() }, warnings };
  }
  if (root.kind === 'map') return { root, warnings };
  throw notKeysAndValues(root);
}

function notKeysAndValues({ place }: LocatedValue): StartupFaults {
  const path = place.file === objectName ? '(whole configuration)' : '(whole file)';
  return new StartupFaults([{ ...place, path, message: 'must hold keys and values' }]);
}

function readText(path: string, name: string): string {
  const fail = (message: string): never => {
    throw new StartupFaults([{ file: name, path: '(whole file)', message }]);
  };
  try {
    const entry = statSync(path, { throwIfNoEntry: false });
    if (entry === undefined) return fail('there is no such file; `helper init DIR` writes one to begin with');
    if (!entry.isFile()) return fail('is not a file');
    if (entry.size > largestFile) return fail('is larger than 1 MiB');
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof StartupFaults) throw error;
    return fail(error instanceof TypeError ? 'is not UTF-8 text' : `cannot be read (${codeOf(error)})`);
  }
}

function asMap(value: unknown): Record<string, unknown> {
  // readRoot lets nothing but a map through, and no later step changes that.
  return value as Record<string, unknown>;
}

/** Fills in defaults once more where something at fault was taken out. */
function withDefaults(value: Record<string, unknown>): Record<string, unknown> {
  checkShape(value);
  return value;
}

/** Whether the fault of a rule only follows from the setting at `broken`, which is itself at fault. */
function explains(broken: KeyPath, fault: RuleFault): boolean {
  const startsWith = (path: KeyPath, start: KeyPath): boolean => start.every((key, index) => path[index] === key);
  if (startsWith(fault.path, broken)) return true;
  const near = [fault.path, ...(fault.follows === undefined ? [] : [fault.follows])];
  return near.some(
    (path) => startsWith(path, broken) || (startsWith(broken, path) && broken.length === path.length + 1),
  );
}

function describeRuleFault({ path, message, suggestion, showsValue }: RuleFault, root: LocatedValue): StartupFault {
  return {
    ...keyPlaceOf(root, path),
    path: formatPath(path),
    message: showsValue === true ? `${describeFound(root, path, helperSchema)} ${message}` : message,
    ...(suggestion !== undefined && { suggestion }),
  };
}

/** Sorts the faults in the order of the file, one for each path: later faults of a path follow from the first. */
function inOrder(faults: readonly StartupFault[]): readonly StartupFault[] {
  const first = new Map<string, StartupFault>();
  for (const fault of faults) if (!first.has(fault.path)) first.set(fault.path, fault);
  return [...first.values()].sort(
    (a, b) =>
      (a.line ?? Number.MAX_SAFE_INTEGER) - (b.line ?? Number.MAX_SAFE_INTEGER) || (a.column ?? 0) - (b.column ?? 0),
  );
}
