import type { HelperSettings } from '../config/settings.ts';
import { type StartupFault, StartupFaults } from '../core/errors/startup-fault.ts';
import type { WelcomeMessage } from '../wire/welcome-message.ts';

/** The welcome messages of the configuration, read once; null where none is set. */
export interface WelcomeMessages {
  /** The message of the top level. */
  readonly own: WelcomeMessage | null;
  readonly client: WelcomeMessage | null;
  /** Warnings about HTML that is not shown as it was written (contract/configuration.md#commands). */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** Documented in `docs/reference/warnings.md`. */
const code = 'HLP1013';

/**
 * Reads the HTML of `welcomeMessage` and `client.welcomeMessage` (contract/configuration.md).
 * @throws StartupFaults for a message that is nested too deeply or has too many elements.
 */
export async function readWelcomeMessages(settings: HelperSettings): Promise<WelcomeMessages> {
  const { welcomeMessage, client, configFile } = settings;
  if (welcomeMessage === null && client.welcomeMessage === null) return { own: null, client: null, warnings: [] };
  // Loaded only for those who have one: every other start would pay for an HTML parser.
  const { parseWelcomeMessage } = await import('../adapters/welcome-message/parse-welcome-message.ts');
  const faults: StartupFault[] = [];
  const warnings: { code: string; message: string }[] = [];
  const read = (path: string, html: string | null): WelcomeMessage | null => {
    if (html === null) return null;
    const parsed = parseWelcomeMessage(html, settings.cards);
    if (!parsed.ok) faults.push({ file: configFile, path, message: parsed.reason });
    else {
      warnings.push(...parsed.losses.map((loss) => ({ code, message: `${path} ${loss}.` })));
      if (parsed.message.length > 0) return parsed.message;
    }
    return null;
  };
  const messages = {
    own: read('welcomeMessage', welcomeMessage),
    client: read('client.welcomeMessage', client.welcomeMessage),
  };
  if (faults.length > 0) throw new StartupFaults(faults);
  return { ...messages, warnings };
}
