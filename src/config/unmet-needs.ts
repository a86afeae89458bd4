import { isDeepStrictEqual } from 'node:util';
import { helperSchema } from './schema/helper.schema.ts';
import {
  childSchema,
  type Condition,
  keysOf,
  type Need,
  type SettingSchema,
  typesOf,
} from './schema/setting-schema.ts';
import type { HelperSettings } from './settings.ts';
import type { ConfigurationWarning } from './warnings.ts';
import { defaultSettings, valueOf } from './without-effect.ts';

/** Documented in `docs/reference/warnings.md`. */
export const unmetNeedCode = 'HLP1036';

/** A setting that is set, and what it needs and lacks. */
interface IdleSetting {
  readonly path: string;
  readonly lacking: readonly Need[];
}

/**
 * Warns of every setting that is set and has no effect, because what its schema says it needs is not so (contract/configuration.md#commands).
 * Settings that lack the same share a warning, which says what to change. `provided`: settings whose part plugins, callbacks or agents play.
 */
export function unmetNeeds(
  settings: HelperSettings,
  provided: ReadonlySet<string> = new Set(),
): readonly ConfigurationWarning[] {
  const given = { settings, defaults: defaultSettings(settings), provided };
  const groups = new Map<string, string[]>();
  for (const { path, lacking } of idleBelow({ schema: helperSchema, path: '', needs: [] }, given)) {
    const fix = fixOf(lacking);
    groups.set(fix, [...(groups.get(fix) ?? []), path]);
  }
  return [...groups].map(([fix, paths]) => ({
    code: unmetNeedCode,
    message:
      paths.length === 1
        ? `${paths.join()} has no effect: ${fix}, or take it out.`
        : `${paths.join(', ')} have no effect: ${fix}, or take them out.`,
  }));
}

/** What is set, by the file and by plugins. */
interface Given {
  readonly settings: HelperSettings;
  readonly defaults: HelperSettings;
  readonly provided: ReadonlySet<string>;
}

interface Place {
  readonly schema: SettingSchema;
  readonly path: string;
  /** The needs of the settings above. */
  readonly needs: readonly Need[];
}

function idleBelow({ schema, path, needs }: Place, given: Given): readonly IdleSetting[] {
  return keysOf(schema).flatMap((key): readonly IdleSetting[] => {
    const child = childSchema(schema, key) ?? {};
    const place = {
      schema: child,
      path: path === '' ? key : `${path}.${key}`,
      needs: [...needs, ...(child.needs ?? [])],
    };
    if (isDeepStrictEqual(valueOf(given.settings, place.path), valueOf(given.defaults, place.path))) return [];
    // A section is named by what is set in it. One that is null by default is itself what is set.
    if (keysOf(child).length > 0 && valueOf(given.defaults, place.path) !== null) return idleBelow(place, given);
    const lacking = place.needs.filter((need) => !isMet(need, given));
    return lacking.length === 0 ? [] : [{ path: place.path, lacking }];
  });
}

function conditionsOf(need: Need): readonly Condition[] {
  // The types of arrays that are only read are not narrowed by `Array.isArray`.
  return Array.isArray(need) ? (need as readonly Condition[]) : [need as Condition];
}

function isMet(need: Need, given: Given): boolean {
  return conditionsOf(need).some((condition) => holds(condition, given));
}

function holds({ setting, is, not }: Condition, { settings, provided }: Given): boolean {
  const value = effectiveValue(settings, setting);
  if (not !== undefined) return value !== not;
  if (is === null) return value === undefined || value === null;
  if (is === undefined) return provided.has(setting) || !isOff(value);
  return Array.isArray(value) ? value.includes(is) : value === is;
}

/** `null` in `client` stands for the value of the top level. */
function effectiveValue(settings: HelperSettings, setting: string): unknown {
  const value = valueOf(settings, setting);
  return value === null && setting.startsWith('client.') ? valueOf(settings, setting.slice('client.'.length)) : value;
}

function isOff(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** What to change, as a user writes it: `set useRag: true`. */
function fixOf(needs: readonly Need[]): string {
  const all = needs.map(conditionsOf);
  const texts = (verb: Verb): readonly string[] =>
    all.flatMap((conditions) => {
      const fixes = conditions.map(fixOfOne).filter((fix) => fix.verb === verb);
      return fixes.length === 0 ? [] : [alternatives(fixes.map(({ what }) => what))];
    });
  const parts = (['set', 'add', 'take out'] as const).flatMap((verb) => {
    const whats = texts(verb).join(' and ');
    if (whats === '') return [];
    return [verb === 'take out' ? `take ${whats} out` : `${verb} ${whats}`];
  });
  return parts.join(', and ');
}

type Verb = 'set' | 'add' | 'take out';

/** `hitlMode: Native`; of values of one setting `routingStrategy: Classifier or Cascade`. */
function alternatives(whats: readonly string[]): string {
  const keys = whats.map((what) => what.split(': ')[0]);
  const isOneKey = whats.length > 1 && new Set(keys).size === 1;
  return whats.map((what, index) => (isOneKey && index > 0 ? what.split(': ')[1] : what)).join(' or ');
}

function fixOfOne({ setting, is, not }: Condition): { readonly verb: Verb; readonly what: string } {
  const types = typesOf(schemaOf(setting));
  if (not !== undefined) return { verb: 'take out', what: `${setting}: ${String(not)}` };
  if (is === null) return { verb: 'take out', what: setting };
  if (is !== undefined && types.includes('array')) return { verb: 'add', what: `${String(is)} to ${setting}` };
  if (is !== undefined) return { verb: 'set', what: `${setting}: ${String(is)}` };
  return { verb: 'set', what: types.includes('boolean') ? `${setting}: true` : setting };
}

function schemaOf(setting: string): SettingSchema {
  return setting.split('.').reduce<SettingSchema>((schema, key) => childSchema(schema, key) ?? {}, helperSchema);
}

/** What a setting needs, as a sentence of the reference: `Without effect unless you set useRag: true.` Empty where it needs nothing. */
export function needsText({ needs = [] }: SettingSchema): string {
  if (needs.length === 0) return '';
  return `Without effect unless you ${fixOf(needs)}.`;
}
