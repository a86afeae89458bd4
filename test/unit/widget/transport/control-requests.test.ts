import { afterEach, describe, expect, it, vi } from 'vitest';
import { AnswerRefusal, createControlRequests } from '../../../../src/widget/transport/control-requests.ts';
import { PageToken, TokenFault } from '../../../../src/widget/transport/page-token.ts';

/** The requests, with a server that gives each of them the same answer. */
function requests(
  answer: Response,
  provider: () => unknown = () => 'a.b.c',
): { sent: Request[]; control: ReturnType<typeof createControlRequests> } {
  const sent: Request[] = [];
  vi.stubGlobal('fetch', async (url: string, options: RequestInit) => {
    sent.push(new Request(url, options));
    return answer;
  });
  const token = new PageToken();
  token.use(provider);
  const control = createControlRequests('https://a.example/approve', 'https://a.example/cancel', token);
  return { sent, control };
}

const problem = (status: number, detail?: string): Response => Response.json({ status, detail }, { status });

describe('approve and cancel of the widget (contract/confirmations.md#stop)', () => {
  afterEach(() => void vi.unstubAllGlobals());

  // proves service-2.20-02
  it('carry the token in their header, and nowhere else', async () => {
    const { sent, control } = requests(Response.json({ stopped: true }));
    await control.cancel('k1');
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer a.b.c');
    expect(`${String(sent[0]?.url)} ${String(await sent[0]?.text())}`).not.toContain('a.b.c');
  });

  it('an answer is sent as it is given, nothing added', async () => {
    const { sent, control } = requests(Response.json({}), () => null);
    expect(await control.approve({ actionId: 'a1', approved: true, arguments: { n: 1 } })).toBe('approved');
    expect(await sent[0]?.json()).toEqual({ actionId: 'a1', approved: true, arguments: { n: 1 } });
    expect(sent[0]?.headers.has('authorization')).toBe(false);
  });

  it.each([
    ['arguments that do not fit', 400, 'The arguments do not fit: amount must be >= 0', undefined],
    ['arguments that are too large', 413, 'The body is larger than 64 KiB.', undefined],
    ['somebody else’s question', 403, 'This belongs to another user.', undefined],
  ])('tell why the server refused: %s', async (_title, status, detail) => {
    const { control } = requests(problem(status, detail));
    const refusal: unknown = await control.approve({ actionId: 'a1', approved: true }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AnswerRefusal);
    expect((refusal as AnswerRefusal).detail).toBe(detail);
  });

  it('tell that the server does not know the user, in words of the widget', async () => {
    const { control } = requests(problem(401, 'The token has expired.'));
    await expect(control.approve({ actionId: 'a1', approved: true })).rejects.toMatchObject({ detail: null });
  });

  it.each([
    ['a fault of the server', () => problem(500, 'stack trace')],
    ['a page of a proxy', () => new Response('<b>Bad gateway</b>', { status: 400 })],
  ])('keep %s from the user', async (_title, answer) => {
    const { control } = requests(answer());
    const fault: unknown = await control.approve({ actionId: 'a1', approved: true }).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(Error);
    expect(fault).not.toBeInstanceOf(AnswerRefusal);
  });

  it('are not sent without the token that the page owes', async () => {
    const { sent, control } = requests(Response.json({}), () => 17);
    await expect(control.approve({ actionId: 'a1', approved: true })).rejects.toThrow(TokenFault);
    expect(sent).toEqual([]);
  });
});
