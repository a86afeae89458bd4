import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pluginTypes, pluginTypesFile } from '../../../scripts/plugin-types.ts';

it('the types that helper init writes are those of the plugin API; npm run generate writes them (contract/plugins.md#plugins)', async () => {
  expect(readFileSync(pluginTypesFile, 'utf8')).toBe(await pluginTypes());
});
