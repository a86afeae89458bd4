import { describe, expect, it } from 'vitest';
import {
  abilitiesHeader,
  isOwnId,
  programIn,
  rememberedAbilities,
} from '../../../../src/channels/mcp/client-abilities.ts';

const beginning = (clientInfo: unknown): object => ({ method: 'initialize', params: { clientInfo } });

describe('what the session id of an older client says (contract/mcp-server.md#the-page)', () => {
  // proves wire-21-04
  it.each([
    [{ name: 'claude-code', version: '2' }, 'claude-code'],
    [{ name: 'code', title: 'Visual Studio Code' }, 'Visual-Studio-Code'],
    [{ name: 'a'.repeat(100) }, 'a'.repeat(24)],
    [{ name: '程序' }, undefined],
    [{ name: '' }, undefined],
    [{ name: 7 }, undefined],
    [undefined, undefined],
  ])('the name of the program %j', (clientInfo, program) => {
    expect(programIn(beginning(clientInfo))).toBe(program);
    const [, id] = abilitiesHeader({ opensAddresses: true, program });
    expect(id).toMatch(/^[\w.-]{1,64}$/);
    expect(isOwnId(id)).toBe(true);
    expect(rememberedAbilities({ headers: { 'mcp-session-id': id } })).toEqual({ opensAddresses: true, program });
  });

  it('names nobody for an id that this server would not make', () => {
    const headers = { 'mcp-session-id': `client.${'x'.repeat(22)}.${'y'.repeat(40)}` };
    expect(rememberedAbilities({ headers }).program).toBeUndefined();
  });
});
