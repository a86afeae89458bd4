import { describe, expect, it } from 'vitest';
import { anonymousPrincipal, type Principal } from '../../../../src/core/identity/principal.ts';
import { isReadOnly, mayRun, needsConfirmation, ToolPolicy } from '../../../../src/core/tools/tool-policy.ts';
import { fakeTool } from '../../../support/fake-tool.ts';

const on = { requireConfirmation: true, requireConfirmationForWrites: true };
const none = { requiresApproval: false, isReadOnlyAction: false };
const action = { source: 'action', readOnly: undefined, requiresConfirmation: undefined } as const;

describe('needsConfirmation (contract/confirmations.md#which-actions-ask)', () => {
  it.each([
    // proves service-2.6-03
    ['an action that declares nothing asks, as a write', action, none, on, 'write'],
    // proves service-2.6-06
    ['readOnly: false alone is still undeclared', { ...action, readOnly: false }, none, on, 'write'],
    ['a read-only action does not ask', { ...action, readOnly: true }, none, on, null],
    // proves service-2.6-11
    ['isReadOnlyAction counts as readOnly: true', action, { ...none, isReadOnlyAction: true }, on, null],
    // proves service-2.6-06
    ['requiresConfirmation: false is a declaration', { ...action, requiresConfirmation: false }, none, on, null],
    // proves service-2.6-01
    ['requiresConfirmation: true asks', { ...action, requiresConfirmation: true }, none, on, 'declared'],
    [
      'requiresConfirmation: true wins over isReadOnlyAction',
      { ...action, requiresConfirmation: true },
      { ...none, isReadOnlyAction: true },
      on,
      'declared',
    ],
    // proves service-2.6-02
    [
      'requiresApproval reaches read-only actions',
      { ...action, readOnly: true },
      { ...none, requiresApproval: true },
      on,
      'policy',
    ],
    [
      'requiresApproval wins over isReadOnlyAction',
      action,
      { requiresApproval: true, isReadOnlyAction: true },
      on,
      'policy',
    ],
    // proves service-2.6-10
    [
      'requiresApproval reaches plain tools',
      { ...action, source: 'tool' as const },
      { ...none, requiresApproval: true },
      on,
      'policy',
    ],
    // proves service-2.6-07
    ['a plain tool asks for nothing', { ...action, source: 'tool' as const }, none, on, null],
    ['a built-in tool asks for nothing', { ...action, source: 'built-in' as const }, none, on, null],
    // proves service-2.6-08
    [
      'without requireConfirmationForWrites a write does not ask',
      action,
      none,
      { ...on, requireConfirmationForWrites: false },
      null,
    ],
    // proves service-2.6-08
    [
      'without requireConfirmationForWrites a declared one still asks',
      { ...action, requiresConfirmation: true },
      none,
      { ...on, requireConfirmationForWrites: false },
      'declared',
    ],
    // proves service-2.6-04
    [
      'requireConfirmation: false asks for nothing at all',
      { ...action, requiresConfirmation: true },
      { ...none, requiresApproval: true },
      { ...on, requireConfirmation: false },
      null,
    ],
  ])('%s', (_title, tool, facts, settings, because) => {
    expect(needsConfirmation(tool, facts, settings)).toEqual(
      because === null ? { ask: false } : { ask: true, because },
    );
  });

  // proves service-2.6-12
  it('a tool that needs confirmation is never read-only', () => {
    expect(isReadOnly({ ...action, readOnly: true }, none, { ask: true, because: 'policy' })).toBe(false);
    expect(isReadOnly({ ...action, requiresConfirmation: true, readOnly: true }, none, { ask: false })).toBe(false);
    expect(isReadOnly({ ...action, readOnly: true }, none, { ask: false })).toBe(true);
  });
});

describe('ToolPolicy', () => {
  const broken = () => {
    throw new Error('host code broke');
  };

  it('asks when requiresApproval throws: in doubt the user decides', async () => {
    const policy = new ToolPolicy({ ...on, requiresApproval: [broken], isReadOnlyAction: [] });
    expect((await policy.judge(fakeTool({ readOnly: true }))).need).toEqual({ ask: true, because: 'policy' });
  });

  it('takes a tool for a write when isReadOnlyAction throws', async () => {
    const policy = new ToolPolicy({
      ...on,
      requiresApproval: [],
      isReadOnlyAction: [() => Promise.reject(new Error())],
    });
    expect((await policy.judge(fakeTool())).need).toEqual({ ask: true, because: 'write' });
  });

  it('ORs the predicates of all sources', async () => {
    const policy = new ToolPolicy({ ...on, requiresApproval: [() => false, () => true], isReadOnlyAction: [] });
    expect((await policy.judge(fakeTool({ readOnly: true }))).need.ask).toBe(true);
  });
});

describe('mayRun (contract/identity.md#roles)', () => {
  it.each([
    ['without required roles everybody may', [], [], true],
    ['one of the roles suffices', ['Admin', 'Sales'], ['Sales'], true],
    // proves service-5-02
    ['an anonymous caller has no role', ['Admin'], [], false],
    ['roles are compared exactly', ['Admin'], ['admin'], false],
  ])('%s', (_title, requiredRoles, roles, may) => {
    const caller: Principal = { ...anonymousPrincipal('x'), roles: new Set(roles) };
    expect(mayRun({ requiredRoles }, caller)).toBe(may);
  });
});

describe('a tool of an MCP server', () => {
  // proves service-2.16-52
  it('is a read where isReadOnlyAction names it', async () => {
    const named = { isReadOnlyAction: [({ name }: { readonly name: string }) => name === 'erp_find'] };
    const policy = new ToolPolicy({ ...on, requiresApproval: [], ...named });
    const judged = (name: string) => policy.judge(fakeTool({ name, source: 'mcp', owner: 'mcp:erp' }));
    expect(await judged('erp_find')).toEqual({ need: { ask: false }, readOnly: true });
    expect(await judged('erp_send')).toEqual({ need: { ask: true, because: 'write' }, readOnly: false });
  });

  const mcp = { source: 'mcp', readOnly: true, requiresConfirmation: undefined } as const;

  // proves service-2.16-52, service-2.16-57
  it.each([
    ['its server', mcp, none, false],
    ['the operator in its entry', { ...mcp, vouchedReadOnly: true } as const, none, true],
    ['isReadOnlyAction', { ...mcp, readOnly: undefined }, { ...none, isReadOnlyAction: true }, true],
  ])(
    'asks nobody where %s says that it reads, and counts as a read where the operator says so',
    (_who, tool, facts, counts) => {
      const need = needsConfirmation(tool, facts, on);
      expect(need).toEqual({ ask: false });
      expect(isReadOnly(tool, facts, need)).toBe(counts);
    },
  );
});
