import { atMost } from './limited.ts';
import type { Transport, TransportOptions } from './transport.ts';

/** A close code of the range for applications. The code 1000 would tell the server that the user has left. */
const brokenLine = 4000;

/** Carries a connection over a WebSocket. Browsers let a WebSocket carry no header, so its address has the token. */
export function openWebSocket(
  { requests, connectionToken, timings, listener }: TransportOptions,
  signal: AbortSignal,
): Promise<Transport> {
  const { latest } = requests.token;
  const url = requests.address({ id: connectionToken, ...(latest === '' ? {} : { access_token: latest }) });
  url.protocol = url.protocol.replace('http', 'ws');
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    const cut = (): void => {
      socket.onclose = socket.onmessage = null;
      socket.close(brokenLine);
    };
    const transport: Transport = {
      isPolled: false,
      get waiting() {
        return socket.bufferedAmount;
      },
      send: (records) => socket.send(records),
      async close() {
        socket.close(1000);
        await atMost(timings.closeMs, new Promise((resolve) => socket.addEventListener('close', resolve)));
      },
      cut,
    };
    let isOpen = false;
    socket.onopen = () => {
      isOpen = true;
      resolve(transport);
    };
    socket.onmessage = ({ data }: { readonly data: unknown }) => {
      if (typeof data === 'string') {
        listener.onText(data);
        return;
      }
      cut();
      listener.onEnded(new Error('a binary message'));
    };
    socket.onclose = ({ code }: { readonly code: number }) => {
      const fault = new Error(`WebSocket closed: ${code}`);
      if (isOpen) listener.onEnded(code === 1000 ? null : fault);
      else reject(fault);
    };
    signal.addEventListener('abort', () => {
      if (isOpen) return;
      cut();
      reject(signal.reason as Error); // every caller aborts with an error
    });
  });
}
