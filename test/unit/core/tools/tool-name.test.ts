import { describe, expect, it } from 'vitest';
import { toolNameFault } from '../../../../src/core/tools/tool-name.ts';

describe('toolNameFault (contract/plugins.md#actions)', () => {
  it.each(['a', 'close_case', 'x1', 'a'.repeat(64), 'pages', 'remember_me'])('%s is a tool name', (name) => {
    expect(toolNameFault(name)).toBeUndefined();
  });

  it.each(['', 'Close', '1st', '_x', 'a-b', 'é', 'a b', 'a'.repeat(65), 'close_case\n'])('%j is none', (name) => {
    expect(toolNameFault(name)).toMatch(/^must be lower case/);
  });

  it.each([
    'route_to_specialist',
    'navigate_to_page',
    'remember',
    'load_skill',
    'read_skill_resource',
    'page_',
    'page_x',
  ])('%s is reserved', (name) => {
    expect(toolNameFault(name)).toMatch(/^is reserved/);
  });
});
