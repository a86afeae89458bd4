import { describe, expect, it } from 'vitest';
import { type Unasked, unaskedOf, unaskedWarnings } from '../../../src/app/unasked.ts';
import type { HelperSettings } from '../../../src/config/settings.ts';
import { AutoApproval } from '../../../src/core/confirmations/auto-approval.ts';
import type { Tool } from '../../../src/core/tools/tool.ts';
import { Toolbox } from '../../../src/core/tools/toolbox.ts';
import { fakeTool } from '../../support/fake-tool.ts';
import { loadText, minimal, settingsWith } from '../config/load-from-text.ts';

const rules = 'hitlMode: Native\nautoApprovalRules: [{ tool: x }]\n';
const noHub = 'server: { channels: [sse] }\n';
const note = fakeTool({ name: 'add_note' });
const trustedNote = fakeTool({ name: 'add_note', trusted: true });

const composed = (toolList: readonly Tool[], maxRounds: number | null = 3) => ({
  autoApproval: new AutoApproval({ rules: [() => true], maxRounds }),
  toolbox: { current: new Toolbox(toolList) } as never, // only what is offered now is read
});

function warned(
  yaml: string,
  toolList: readonly Tool[] = [trustedNote],
  providers: readonly object[] = [],
  model = 'provider: demo',
): string {
  const { settings } = loadText(minimal.replace('provider: demo', model) + yaml);
  if (settings === undefined) throw new Error('the test configuration has faults');
  return unaskedWarnings({ settings, tools: composed(toolList), providers })
    .map(({ message }) => message)
    .join('\n');
}

describe('the warning about rules that approve little (contract/provenance.md#enforcement)', () => {
  // proves service-10-29
  it.each([
    ['the page of the widget', rules, 'title and the address of its page'],
    [
      'an MCP server',
      `${rules}${noHub}mcpServers: [{ name: erp, serverUrl: "https://erp.example/mcp" }]\n`,
      'what mcpServers.erp say of their tools',
    ],
    [
      'an MCP server with a tool that nobody vouches for',
      `${rules}${noHub}mcpServers: [{ name: crm, serverUrl: "https://crm.example/mcp", allowedTools: [a, b], tools: { a: { trusted: true }, b: { readOnly: true } } }]\n`,
      'what mcpServers.crm say',
    ],
    [
      'a server of the provider',
      `${rules}${noHub}hostedMcpServers: [{ name: erp, url: "https://erp.example" }]\n`,
      'what hostedMcpServers.erp say',
      'provider: openai, model: gpt, apiKey: none',
    ],
  ])('names %s', (_what: string, yaml: string, words: string, model = 'provider: demo') => {
    expect(warned(yaml, [trustedNote], [], model)).toContain(words);
  });

  // proves service-10-29, service-10-63
  it.each([
    ['clients without a page', `${rules}${noHub}`],
    ['rules that hold whatever was read', `${rules}provenance: { enforce: false }\n`],
    ['rules where nothing asks', `${rules}requireConfirmation: false\n`],
    [
      'a server for some users',
      `${rules}${noHub}mcpServers: [{ name: erp, serverUrl: "https://erp.example/mcp", requiredRoles: [Clerk] }]\n`,
    ],
    [
      'a server whose tools are all trusted',
      `${rules}${noHub}mcpServers: [{ name: crm, serverUrl: "https://crm.example/mcp", allowedTools: [a], tools: { a: { trusted: true } } }]\n`,
    ],
    [
      'a server whose tools are chosen for each message',
      `${rules}${noHub}enableToolFiltering: true\nmcpServers: [{ name: erp, serverUrl: "https://erp.example/mcp" }]\n`,
    ],
    [
      'a server of the provider that is off',
      `${rules}${noHub}hostedMcpServers: [{ name: erp, url: "https://erp.example" }]\n`,
    ],
  ])('is not there for %s', (_what, yaml) => {
    expect(warned(yaml)).toBe('');
  });

  // proves service-10-63
  it('names the actions and sources to declare as trusted', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => fakeTool({ name }));
    const yaml = `${rules}${noHub}useRag: true\nragSources: [{ type: files, name: wiki, path: . }, { type: files, name: own, path: ., trusted: true }]\n`;
    const ofPlugin = { knowledgeSources: () => [{ name: 'tickets', isTrusted: false }] };
    expect(warned(yaml, many, [ofPlugin])).toContain(
      'declare trusted: true on the actions a, b, c, d, e and 1 more and on the sources ragSources.wiki, tickets.',
    );
  });

  it('is not there where no round may go unasked', () => {
    const tools = composed([note], 0);
    expect(unaskedWarnings({ settings: settingsWith(rules), tools, providers: [] })).toEqual([]);
  });
});

describe('what helper check tells of an action that asks (contract/provenance.md#enforcement)', () => {
  const of = (
    tool: Tool,
    settings: HelperSettings = settingsWith(rules),
    agent: string | null = null,
  ): Unasked | null => unaskedOf(tool, agent, { settings, tools: composed([tool]) });

  // proves service-10-64
  it.each([
    ['a trusted action', of(trustedNote), { rule: true, choice: true, declare: [] }],
    ['another action', of(note), { rule: true, choice: false, declare: ['trusted: true on add_note'] }],
    [
      'an action that cannot be undone',
      of(fakeTool({ destructive: true })),
      { rule: false, choice: false, declare: [] },
    ],
    [
      'an action of a specialist alone',
      of(trustedNote, undefined, 'billing'),
      { rule: false, choice: false, declare: [] },
    ],
    [
      'a tool of an MCP server',
      of(fakeTool({ name: 'erp_pay', source: 'mcp', owner: 'mcp:erp' })),
      { rule: false, choice: false, declare: ['trusted: true on erp_pay'] },
    ],
    [
      'an action beside a server whose words are read with every message',
      of(trustedNote, settingsWith(`${rules}mcpServers: [{ name: erp, serverUrl: "https://erp.example/mcp" }]\n`)),
      { rule: false, choice: false, declare: [] },
    ],
    [
      'an action where all text counts as trusted',
      of(note, settingsWith(`${rules}provenance: { enforce: false }\n`)),
      { rule: true, choice: true, declare: [] },
    ],
  ])('is told of %s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });

  // proves service-10-64
  it('is nothing where users always answer themselves', () => {
    const tools = { ...composed([note]), autoApproval: undefined };
    expect(unaskedOf(note, null, { settings: settingsWith(''), tools })).toBeNull();
    expect(unaskedOf(note, null, { settings: settingsWith(rules), tools: composed([note], 0) })).toBeNull();
  });
});
