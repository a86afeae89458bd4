import { nearestName } from '../core/errors/nearest-name.ts';
import type { StartupFault } from '../core/errors/startup-fault.ts';
import type { KeyPath, LocatedMap, LocatedValue, Place } from './located-value.ts';
import { parseYaml } from './parse-yaml.ts';
import { readText } from './read-values.ts';
import { childSchema, keysOf, type SettingSchema, typesOf } from './schema/setting-schema.ts';
import type { Environment } from './substitute.ts';

const prefix = 'HELPER__';

const placePrefix = 'environment variable ';

/** Whether a value was written in an environment variable instead of the file. */
export function isInEnvironment(place: Place): boolean {
  return place.file.startsWith(placePrefix);
}

interface Override {
  readonly variable: string;
  readonly text: string;
  readonly names: readonly string[];
}

/** Lays `HELPER__SERVER__PORT=8080` and its like over the file (contract/configuration.md#reading). */
export function overrideFromEnvironment(
  root: LocatedValue,
  environment: Environment,
  schema: SettingSchema,
): { readonly root: LocatedValue; readonly faults: readonly StartupFault[] } {
  const faults: StartupFault[] = [];
  let result = root;
  for (const override of overridesIn(environment)) {
    const place: Place = { file: `${placePrefix}${override.variable}` };
    const target = findTarget(override, result, schema);
    if ('fault' in target) {
      faults.push({ ...place, ...target.fault });
      continue;
    }
    const value = readOverride(override.text, target.schema, place);
    if (value === undefined) {
      faults.push({ ...place, path: target.path.join('.'), message: 'the value is not valid YAML' });
      continue;
    }
    result = withValue(result, target.path, value);
  }
  return { root: result, faults: [...faults, ...sameKeyTwice(environment)] };
}

/** Shorter names first, so that `HELPER__SERVER` is refined by `HELPER__SERVER__PORT`. */
function overridesIn(environment: Environment): readonly Override[] {
  return Object.entries(environment)
    .flatMap(([variable, text]) =>
      text !== undefined && variable.toUpperCase().startsWith(prefix)
        ? [{ variable, text, names: variable.slice(prefix.length).split('__') }]
        : [],
    )
    .sort((a, b) => a.names.length - b.names.length || (a.variable < b.variable ? -1 : 1));
}

function sameKeyTwice(environment: Environment): readonly StartupFault[] {
  const seen = new Map<string, string>();
  return overridesIn(environment).flatMap(({ variable }) => {
    const earlier = seen.get(variable.toUpperCase());
    seen.set(variable.toUpperCase(), variable);
    if (earlier === undefined) return [];
    const message = `names the same key as ${earlier}; set one of them`;
    return [{ file: `${placePrefix}${variable}`, path: variable, message }];
  });
}

type Target =
  | { readonly path: KeyPath & readonly string[]; readonly schema: SettingSchema }
  | { readonly fault: Pick<StartupFault, 'path' | 'message' | 'suggestion'> };

function findTarget(override: Override, root: LocatedValue, schema: SettingSchema): Target {
  const path: string[] = [];
  let own = schema;
  let current: LocatedValue | undefined = root;
  for (const [index, name] of override.names.entries()) {
    const known = keysOf(own);
    const written: readonly string[] = current?.kind === 'map' ? [...current.entries.keys()] : [];
    const key = sameWithoutCase(name, known) ?? sameWithoutCase(name, written) ?? newName(name);
    const child = name === '' ? undefined : childSchema(own, key);
    if (child === undefined) {
      const near = nearestName(name, known);
      const meant = near === undefined ? undefined : [...path, near, ...override.names.slice(index + 1)];
      return { fault: unknownVariable(override.variable, meant) };
    }
    path.push(key);
    current = current?.kind === 'map' ? current.entries.get(key)?.value : undefined;
    own = child;
  }
  return { path, schema: own };
}

/** A new name that is written only in capitals becomes lower case, because shells and container tools spell variables in capitals. */
function newName(name: string): string {
  return name === name.toUpperCase() ? name.toLowerCase() : name;
}

function sameWithoutCase(name: string, candidates: readonly string[]): string | undefined {
  return candidates.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
}

function unknownVariable(
  variable: string,
  meant: readonly string[] | undefined,
): Pick<StartupFault, 'path' | 'message' | 'suggestion'> {
  const message = 'no setting has this name';
  if (meant === undefined) return { path: variable, message };
  return { path: variable, message, suggestion: prefix + meant.map((key) => key.toUpperCase()).join('__') };
}

function readOverride(text: string, schema: SettingSchema, place: Place): LocatedValue | undefined {
  const origin = { place, substituted: false };
  // A key that takes a text gets the text exactly as written: `a: b` and `12` are texts, and # begins no comment.
  const quoted = /^\s*(".*"|'.*')\s*$/s.test(text);
  if (typesOf(schema).length > 0 && !quoted) return readText(text, schema, origin);
  const { root, faults } = parseYaml(text, origin);
  return faults.length > 0 ? undefined : (root ?? { kind: 'scalar', value: null, ...origin });
}

function withValue(root: LocatedValue, path: readonly string[], value: LocatedValue): LocatedValue {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const map: LocatedMap =
    root.kind === 'map' ? root : { kind: 'map', place: value.place, substituted: false, entries: new Map() };
  const inner = map.entries.get(key);
  const below: LocatedValue = inner?.value ?? {
    kind: 'map',
    place: value.place,
    substituted: false,
    entries: new Map(),
  };
  const entries = new Map(map.entries);
  entries.set(key, {
    keyPlace: rest.length === 0 ? value.place : (inner?.keyPlace ?? value.place),
    value: withValue(below, rest, value),
  });
  return { ...map, entries };
}
