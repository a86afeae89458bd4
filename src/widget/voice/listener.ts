import type { VoiceNotice } from './voice-contract.ts';

/** Milliseconds after which the microphone is turned off in any case. Nobody speaks longer in one breath. */
const longestMs = 60_000;
const longestText = 10_000;

/** The members of the browser's recognition that are used. TypeScript's library does not know the constructor. */
interface Recognition extends EventTarget {
  lang: string;
  interimResults: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}

interface Heard {
  readonly results: Iterable<Iterable<{ readonly transcript: string }>>;
}

export interface ListenerOptions {
  readonly language: () => string;
  /** The words so far, which may still change. */
  readonly onHeard: (text: string) => void;
  /** The microphone is off: with a text, with an empty text because listening was ended, or with a problem. */
  readonly onEnd: (text: string, problem: VoiceNotice | null) => void;
}

/** Listens once, until the user is silent. The browser itself asks for permission. */
export class Listener {
  readonly #options: ListenerOptions;
  #recognition: Recognition | null = null;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  get isListening(): boolean {
    return this.#recognition !== null;
  }

  start(): void {
    if (this.#recognition !== null) return;
    const recognition = createRecognition();
    recognition.lang = this.#options.language();
    recognition.interimResults = true;
    let text = '';
    let problem: VoiceNotice | null = 'voiceNoSpeech';
    const timer = setTimeout(() => recognition.stop(), longestMs);
    const end = (): void => {
      clearTimeout(timer);
      if (this.#recognition !== recognition) return;
      this.#recognition = null;
      this.#options.onEnd(text, text === '' ? problem : null);
    };
    recognition.addEventListener('result', (event) => {
      if (this.#recognition !== recognition) return;
      text = transcript(event as Event & Heard).slice(0, longestText); // a result event has this shape (Web Speech API)
      this.#options.onHeard(text);
    });
    recognition.addEventListener('error', (event) => {
      const { error } = event as Event & { readonly error?: string }; // an error event has this shape (Web Speech API)
      problem = problemOf(error ?? '');
    });
    recognition.addEventListener('end', end);
    this.#recognition = recognition;
    try {
      recognition.start();
    } catch {
      problem = 'voiceFailed';
      end();
    }
  }

  /** Ends the listening. The words so far count. */
  finish(): void {
    this.#recognition?.stop();
  }

  /** Ends the listening without further words. The text in the composer stays. */
  abort(): void {
    const recognition = this.#recognition;
    this.#recognition = null;
    recognition?.abort();
  }
}

function createRecognition(): Recognition {
  const names = window as unknown as Readonly<Record<string, (new () => Recognition) | undefined>>; // the panel has checked that one of them exists
  const Constructor = names['SpeechRecognition'] ?? names['webkitSpeechRecognition'];
  if (Constructor === undefined) throw new Error('this browser does not listen');
  return new Constructor();
}

/** Each result is a piece of what was said. Its first alternative is the likeliest. */
function transcript({ results }: Heard): string {
  return [...results].map(([likeliest]) => likeliest?.transcript ?? '').join('');
}

function problemOf(code: string): VoiceNotice | null {
  switch (code) {
    case 'aborted':
      return null;
    case 'not-allowed':
    case 'service-not-allowed':
      return 'voiceDenied';
    case 'no-speech':
      return 'voiceNoSpeech';
    case 'audio-capture':
      return 'voiceNoMicrophone';
    default:
      return 'voiceFailed';
  }
}
