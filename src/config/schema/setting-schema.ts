/** JSON types a setting may have in YAML. */
export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** What must be so for another setting to have an effect. Left out both `is` and `not`: the setting must be on, which is neither off, empty nor null. */
export interface Condition {
  /** The path of the setting, such as `telemetry.otlpEndpoint`. */
  readonly setting: string;
  /** The value it must have, or that its list must hold. `null`: it must be left out. */
  readonly is?: string | boolean | null;
  /** A value it must not have. */
  readonly not?: string | boolean;
}

/** A condition, or several of which one is enough. */
export type Need = Condition | readonly Condition[];

/**
 * How one setting is written down: JSON Schema 2020-12, plus the few annotations that loading, the reference page and the
 * messages need. A setting exists once, here; types, checks, documentation and editor completion are derived from it.
 */
export interface SettingSchema {
  readonly type?: JsonType | readonly JsonType[];
  /** One sentence for a newcomer; also the comment in `helper.full.yaml`. */
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  /** All possible values. It includes `null` where the type does, and `false` for a choice that can be switched off. */
  readonly enum?: readonly (string | null | false)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** One of `setting-formats.ts`. `duration`, `age` and `size` are strings in YAML and numbers in the settings. */
  readonly format?:
    | 'duration'
    | 'age'
    | 'age-or-none'
    | 'time-limit'
    | 'size'
    | 'key'
    | 'regex'
    | 'json-pointer'
    | 'origin'
    | 'frame-ancestor'
    | 'public-url'
    | 'asset-url'
    | 'page-url'
    | 'callback-url'
    | 'redis-url'
    | 'redis-node-url';
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: SettingSchema;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly required?: readonly string[];
  /** `false` for everything but maps; for a map, the schema of its values. `{}` leaves the values to someone else, such as a plugin. */
  readonly additionalProperties?: false | SettingSchema;
  readonly propertyNames?: SettingSchema;
  /** The unit of the value: `characters`, `messages`, … Durations and sizes have their unit in the value. */
  readonly unit?: string;
  /** A duration or size must be more than 0. */
  readonly positive?: true;
  /** The value is never shown. */
  readonly secret?: true;
  /**
   * The value is a path, which loading makes absolute. It is relative to the folder of the YAML file. With `file-or-working-directory`, a
   * path from the environment is relative to the working directory (contract/configuration.md#reading). With `file-unless-address`, an http
   * or https address stays as it is.
   */
  readonly relativeTo?: 'file' | 'file-or-working-directory' | 'file-unless-address';
  /** Names with a special meaning. Other names are allowed too. Case does not matter, as in an enum. */
  readonly knownValues?: readonly string[];
  /** What this setting needs to have an effect: all of it. A warning names settings whose needs are not met. Those below it need the same. */
  readonly needs?: readonly Need[];
  /** Completes "allowed: …" when the pattern itself would not help a reader. */
  readonly allowed?: string;
}

/** Top-level keys that belong together: one heading of the reference page. */
export interface SectionSchema extends SettingSchema {
  readonly title: string;
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly properties: Readonly<Record<string, SettingSchema>>;
}

/** The JSON types of a setting, as a list. Empty: any. */
export function typesOf(schema: SettingSchema): readonly JsonType[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === 'string' ? [schema.type] : schema.type;
}

/** The texts that a setting chooses from. Empty: any. */
export function choicesOf({ enum: values = [] }: SettingSchema): readonly string[] {
  return values.filter((value) => typeof value === 'string');
}

/**
 * The schema of a map's key or a list's item. Undefined when the schema allows no such key. `{}` when the schema leaves the key to someone
 * else.
 */
export function childSchema(schema: SettingSchema, key: string | number): SettingSchema | undefined {
  if (typeof key === 'number') return schema.items ?? (schema.type === undefined ? {} : undefined);
  const properties = schema.properties ?? {};
  if (Object.hasOwn(properties, key)) return properties[key];
  if (schema.additionalProperties === false) return undefined;
  return schema.additionalProperties ?? (typesOf(schema).length === 0 ? {} : undefined);
}

/** The fixed key names directly below a setting; empty for lists and scalars. */
export function keysOf(schema: SettingSchema): readonly string[] {
  return Object.keys(schema.properties ?? {});
}
