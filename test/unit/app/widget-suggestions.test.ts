import { describe, expect, it } from 'vitest';
import { widgetSuggestions } from '../../../src/app/widget-suggestions.ts';
import { Toolbox } from '../../../src/core/tools/toolbox.ts';
import { fakeTool } from '../../support/fake-tool.ts';
import { settingsWith } from '../config/load-from-text.ts';

const page = { name: 'cases', title: 'All cases', url: '/cases', description: 'x', requiredRoles: [] };
const tools = [
  fakeTool({ name: 'list_cases', title: 'List cases', readOnly: true }),
  fakeTool({ name: 'close_case', title: 'Close a case' }),
  fakeTool({
    name: 'find_case',
    title: 'Find a case',
    readOnly: true,
    parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  }),
  fakeTool({ name: 'audit', title: 'Audit', readOnly: true, requiredRoles: ['Auditor'] }),
];
const pages = [
  page,
  { ...page, name: 'case', title: 'One case', url: '/cases/{id}' },
  { ...page, name: 'secret', title: 'Secret', requiredRoles: ['Admin'] },
];
const suggested = (lines: string, toolbox = new Toolbox(tools, pages), isOn = true) =>
  widgetSuggestions({ ...settingsWith(lines).client, enableSuggestions: isOn }, toolbox).suggestions;

describe('suggestions of the widget (contract/widget.md#looks)', () => {
  // proves service-2.4-05
  it('are none where they are off, and where there is nothing to suggest', () => {
    expect(suggested('client: { suggestions: [Hello] }\n', new Toolbox(tools, pages), false)).toBeUndefined();
    expect(suggested('', new Toolbox([], []))).toBeUndefined();
  });

  // proves service-2.4-05
  it('come from read-only actions and pages that need no role and no further detail', () => {
    expect(suggested('')).toEqual({
      messages: ['List cases'],
      pages: ['All cases'],
    });
  });

  it('are those of client.suggestions where it names any', () => {
    expect(suggested('client: { suggestions: [What is open?] }\n')).toEqual({
      messages: ['What is open?'],
      pages: [],
    });
  });

  it('are at most six', () => {
    const many = Array.from({ length: 5 }, (_, index) => ({ ...page, name: `p${String(index)}` }));
    const readers = Array.from({ length: 4 }, (_, index) => fakeTool({ name: `r${String(index)}`, readOnly: true }));
    const found = suggested('', new Toolbox(readers, many));
    expect([found?.messages.length, found?.pages.length]).toEqual([4, 2]);
  });
});
