import type { VoiceNotice } from './voice-contract.ts';

/** Longer than anybody speaks in one breath: a microphone is never open for longer. */
const longestMs = 60_000;
const longestText = 10_000;

/** What is used of the browser's recognition; TypeScript's library does not know the constructor. */
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
  /** What was heard so far; it may still change. */
  readonly onHeard: (text: string) => void;
  /** The microphone is off again: with text, with nothing because it was taken away, or with what went wrong. */
  readonly onEnd: (text: string, problem: VoiceNotice | null) => void;
}

/** Listens once, until the user is silent; the browser asks for its leave by itself. */
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
      text = transcript(event as Event & Heard).slice(0, longestText); // a result event (Web Speech API)
      this.#options.onHeard(text);
    });
    recognition.addEventListener('error', (event) => {
      const { error } = event as Event & { readonly error?: string }; // an error event (Web Speech API)
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

  /** What was said so far counts. */
  finish(): void {
    this.#recognition?.stop();
  }

  /** Nothing more is heard; what was written stays. */
  abort(): void {
    const recognition = this.#recognition;
    this.#recognition = null;
    recognition?.abort();
  }
}

function createRecognition(): Recognition {
  const names = window as unknown as Readonly<Record<string, (new () => Recognition) | undefined>>; // the panel has looked
  const Constructor = names['SpeechRecognition'] ?? names['webkitSpeechRecognition'];
  if (Constructor === undefined) throw new Error('this browser does not listen');
  return new Constructor();
}

/** Each result is a piece of what was said, and its first alternative the likeliest. */
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
