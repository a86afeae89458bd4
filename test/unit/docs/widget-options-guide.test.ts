import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseWelcomeMessage } from '../../../src/adapters/welcome-message/parse-welcome-message.ts';
import { clientSection } from '../../../src/config/schema/client.schema.ts';
import { helperSchema } from '../../../src/config/schema/helper.schema.ts';
import { imagesSection } from '../../../src/config/schema/images.schema.ts';
import type { SettingSchema } from '../../../src/config/schema/setting-schema.ts';
import { widgetSection } from '../../../src/config/schema/widget.schema.ts';
import { settingsWith } from '../config/load-from-text.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../docs/guides/widget-options.md'), 'utf8');
const client: Readonly<Record<string, SettingSchema>> = clientSection.properties.client.properties;
const options = new Set([
  ...Object.keys(widgetSection.properties),
  ...Object.keys(imagesSection.properties),
  ...Object.keys(client),
  ...['enableGenerativeCards', 'language'],
]);

/** The cells of an option's row: its name, its default, and its default in `client`. */
function row(option: string): readonly string[] {
  const line = guide.split('\n').find((each) => each.startsWith(`| \`${option}\` `)) ?? '';
  return line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
}

function shown(schema: SettingSchema | undefined): string {
  if (schema === undefined) return '';
  const value = schema.default;
  if (Array.isArray(value) && value.length === 4) return 'all four';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function example(file: string): string {
  return guide.split(`\`\`\`yaml file=${file}\n`)[1]?.split('```', 1)[0] ?? '';
}

describe('the guide to the options of the widget (docs/guides/widget-options.md)', () => {
  it.each([...options])('has %s with its defaults (contract/widget.md#looks)', (option) => {
    const [, name, own, ofClient] = row(option);
    expect([name, own, ofClient]).toEqual([option, shown(helperSchema.properties[option]), shown(client[option])]);
  });

  it('has an example that loads and loses nothing', () => {
    const settings = settingsWith(example('options.yaml'));
    expect(settings).toMatchObject({ botName: 'Ada', client: { position: 'SideRight', enableSuggestions: false } });
    const parsed = parseWelcomeMessage(settings.welcomeMessage ?? '', settings.cards);
    expect(parsed).toMatchObject({ ok: true, losses: [] });
  });

  it('has an example of client.hubUrl that loads', () => {
    expect(settingsWith(example('hub-url.yaml')).client.hubUrl).toBe('https://chat.example.com/helper-hub');
  });
});
