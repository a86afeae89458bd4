import { describeAllowed } from '../describe-setting.ts';
import { sections } from '../schema/helper.schema.ts';
import type { SettingSchema } from '../schema/setting-schema.ts';
import { needsText } from '../unmet-needs.ts';

const head = `<!-- Made by \`helper config-reference --write\` from the configuration schema; do not edit. -->

# Configuration reference

Every key of \`helper.yaml\`. How files, references and environment variables work together is told in the
[configuration guide](../guides/configuration.md). An unknown key keeps the server from starting. A key in a map of your own
names stands below \`NAME\`, an entry of a list below \`[]\`.
`;

/** `docs/reference/configuration.md` (contract/configuration.md). */
export function referencePage(): string {
  return [head, ...sections.map(({ title, properties, required }) => sectionTable(title, properties, required))].join(
    '\n',
  );
}

function sectionTable(
  title: string,
  properties: Readonly<Record<string, SettingSchema>>,
  required: readonly string[] = [],
): string {
  const rows = Object.entries(properties).flatMap(([key, schema]) => settingRows(key, schema, required.includes(key)));
  return `## ${title}\n\n| Key | Allowed | Default | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function settingRows(path: string, schema: SettingSchema, isRequired: boolean): readonly string[] {
  const secret = schema.secret === true ? ' Never shown.' : '';
  const cells = [
    `\`${path}\``,
    capital(describeAllowed(schema)),
    defaultCell(schema, isRequired),
    [`${schema.description ?? ''}${secret}`, needsText(schema)].filter((text) => text !== '').join(' '),
  ];
  return [`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`, ...innerRows(path, schema)];
}

function innerRows(path: string, schema: SettingSchema): readonly string[] {
  const map = schema.additionalProperties === false ? undefined : schema.additionalProperties;
  return [
    ...propertyRows(path, schema),
    ...(map === undefined ? [] : propertyRows(`${path}.NAME`, map)),
    // A list of what may also stand alone has the same members.
    ...(schema.items === undefined || schema.items.properties === schema.properties
      ? []
      : propertyRows(`${path}[]`, schema.items)),
  ];
}

function propertyRows(path: string, schema: SettingSchema): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, child]) =>
    settingRows(`${path}.${key}`, child, schema.required?.includes(key) ?? false),
  );
}

function defaultCell(schema: SettingSchema, isRequired: boolean): string {
  if (isRequired) return 'required';
  if (schema.default === undefined) return '';
  const isSection = schema.properties !== undefined && schema.default !== null;
  if (isSection) return '';
  return `\`${typeof schema.default === 'string' && !schema.default.includes('\n') ? schema.default || '""' : JSON.stringify(schema.default)}\``;
}

function capital(text: string): string {
  return /^(a|an|one|empty|letters)\b/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
