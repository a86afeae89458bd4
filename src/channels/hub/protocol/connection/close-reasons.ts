import type { CloseOptions } from '../codec/hub-codec.ts';
import { MessageTooLarge } from '../codec/message-reader.ts';
import { errorTexts, HubProtocolError } from '../hub-errors.ts';
import type { HubLimits, HubTimings } from '../hub-limits.ts';

export interface CloseReasonsOptions {
  readonly limits: HubLimits;
  readonly timings: HubTimings;
  /** How users know the two byte limits. */
  readonly settingNames: { readonly maxMessageBytes: string; readonly maxBufferedBytes: string };
}

/** The Close messages that tell a client why its connection is closed. */
export class CloseReasons {
  readonly #options: CloseReasonsOptions;

  constructor(options: CloseReasonsOptions) {
    this.#options = options;
  }

  /** The client reads, or acknowledges, too slowly. */
  slow(): CloseOptions {
    const { limits, settingNames } = this.#options;
    const limit = `${String(limits.maxBufferedBytes)} bytes (${settingNames.maxBufferedBytes})`;
    return { error: `The client reads too slowly: more than ${limit} are waiting.`, allowReconnect: true };
  }

  /** There is no room for more of a message that is not whole yet. */
  crowded(): CloseOptions {
    return { error: 'Too much is being uploaded. Try again later.', allowReconnect: true };
  }

  /** A message has been on its way for too long. */
  stalled(): CloseOptions {
    const seconds = String(this.#options.timings.arrivalMs / 1000);
    return { error: `A message was not whole after ${seconds} s.`, allowReconnect: true };
  }

  silent(): CloseOptions {
    const seconds = String(this.#options.timings.clientTimeoutMs / 1000);
    return { error: `The client has not sent a message or ping for ${seconds} s.`, allowReconnect: true };
  }

  /** The Close message for a message of the client that cannot be accepted. Undefined for a fault that the client must not learn about. */
  of(error: unknown, phase: { readonly open: boolean }): CloseOptions | undefined {
    if (error instanceof MessageTooLarge) {
      const { limits, settingNames } = this.#options;
      const limit = `${String(limits.maxMessageBytes)} bytes (${settingNames.maxMessageBytes})`;
      return { error: `${errorTexts.closed} A message is larger than the limit of ${limit}.` };
    }
    if (!(error instanceof HubProtocolError)) return undefined;
    return { error: phase.open ? `${errorTexts.closed} ${error.message}` : error.message };
  }
}
