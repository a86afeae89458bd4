import { stringify } from 'yaml';
import { describeAllowed } from '../describe-setting.ts';
import { sections } from '../schema/helper.schema.ts';
import type { SettingSchema } from '../schema/setting-schema.ts';

const head = `# yaml-language-server: $schema=./helper.schema.json
#
# Every setting with its default. Made by \`helper config-reference --write\`; do not edit.
# A line that begins with "#   " shows what an entry of the setting above may hold.
`;

/**
 * `config/helper.full.yaml`: every key with its default and its description. The file is a valid configuration (contract/configuration.md).
 */
export function fullYaml(): string {
  const parts = sections.map(
    ({ title, properties }) => `\n# --- ${title} ---\n${settingLines(properties, 0).join('\n')}\n`,
  );
  return head + parts.join('');
}

function settingLines(properties: Readonly<Record<string, SettingSchema>>, depth: number): readonly string[] {
  return Object.entries(properties).flatMap(([key, schema]) => [
    ...(depth === 0 ? [''] : []),
    ...comment(about(schema), depth),
    ...valueLines(key, schema, depth),
  ]);
}

function about(schema: SettingSchema): string {
  const isSection = schema.properties !== undefined && schema.default !== null && schema.allowed === undefined;
  return `${schema.description ?? ''}${isSection ? '' : ` (${describeAllowed(schema)})`}`;
}

function valueLines(key: string, schema: SettingSchema, depth: number): readonly string[] {
  const indent = '  '.repeat(depth);
  const isOpenSection = schema.properties !== undefined && schema.default !== null && schema.default !== undefined;
  if (isOpenSection) return [`${indent}${key}:`, ...settingLines(schema.properties ?? {}, depth + 1)];
  const value = schema.examples?.[0] ?? schema.default;
  const lines = value === undefined ? [`${indent}#   ${key}:`] : [`${indent}${key}: ${flow(value)}`];
  return [...lines, ...innerLines(schema, depth + 1)];
}

/** Comment lines with the fields of a list's items, of a map's values, or of a value that the setting may have instead of its default. */
function innerLines(schema: SettingSchema, depth: number): readonly string[] {
  const inner = [
    schema.items,
    schema.additionalProperties === false ? undefined : schema.additionalProperties,
    schema.properties === undefined ? undefined : schema,
  ].find((candidate) => candidate?.properties !== undefined);
  return Object.entries(inner?.properties ?? {}).flatMap(([key, child]) => {
    const fallback = child.default === undefined ? '' : ` Default: ${flow(child.default)}.`;
    return [...comment(`  ${key}: ${about(child)}${fallback}`, depth), ...innerLines(child, depth + 1)];
  });
}

function comment(text: string, depth: number): readonly string[] {
  return [`${'  '.repeat(depth)}# ${text}`];
}

function flow(value: unknown): string {
  return stringify(value, {
    collectionStyle: 'flow',
    lineWidth: 0,
    defaultStringType: 'PLAIN',
    doubleQuotedAsJSON: true,
  }).trim();
}
