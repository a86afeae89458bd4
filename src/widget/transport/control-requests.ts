/** What goes to the server beside the hub, because one hub call runs at a time (wire.md 5). */
export interface ControlRequests {
  /** `gone`: nothing was left to answer. Rejects when the answer did not arrive or was refused. */
  approve(actionId: string, approved: boolean): Promise<'approved' | 'declined' | 'gone'>;
  /** Rejects when the server could not be reached or refused. */
  cancel(connectionId: string): Promise<void>;
}

/** The requests over `fetch`, with the page's cookies for a server on another origin too. */
export function createControlRequests(approveUrl: string, cancelUrl: string): ControlRequests {
  const post = (url: string, body: unknown): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      credentials: 'include',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
  return {
    async approve(actionId, approved) {
      const response = await post(approveUrl, { actionId, approved });
      if (response.status === 404) return 'gone';
      if (!response.ok) throw new Error(`approve was answered with ${String(response.status)}`);
      return approved ? 'approved' : 'declined';
    },
    async cancel(connectionId) {
      const response = await post(cancelUrl, { connectionId });
      if (!response.ok) throw new Error(`cancel was answered with ${String(response.status)}`);
    },
  };
}
