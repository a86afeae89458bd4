import type { Page } from 'playwright-core';

/**
 * A speech engine and a recogniser that do what the test says, for a browser without voices and microphone. They replace the browser's
 * own before the widget's script runs. `window.speech` and `window.hearing` drive them.
 */
export const scriptedVoice = `<script>
  window.speech = { said: [], current: null, cancelled: 0,
    /** Ends what is being said, as an engine does at its last word. */
    finish() { const { current } = this; this.current = null; current?.dispatchEvent(new Event('end')); } };
  Object.defineProperty(window, 'speechSynthesis', { value: {
    speak(utterance) { speech.current = utterance; speech.said.push(utterance.text);
      speech.lang = utterance.lang; speech.rate = utterance.rate; },
    cancel() { speech.cancelled += 1; speech.current = null; },
  } });
  window.hearing = { started: 0, stopped: 0, aborted: 0, current: null,
    hear(...texts) { this.send(Object.assign(new Event('result'), { results: texts.map((transcript) => [{ transcript }]) })); },
    fail(error) { this.send(Object.assign(new Event('error'), { error })); this.end(); },
    end() { const { current } = this; this.current = null; current?.dispatchEvent(new Event('end')); },
    send(event) { this.current?.dispatchEvent(event); } };
  window.SpeechRecognition = window.webkitSpeechRecognition = class extends EventTarget {
    start() { hearing.started += 1; hearing.current = this; hearing.lang = this.lang; }
    stop() { hearing.stopped += 1; hearing.end(); }
    abort() { hearing.aborted += 1; hearing.end(); }
  };
</script>`;

/** The texts that were spoken so far, in order. */
export const said = (page: Page): Promise<string[]> => page.evaluate<string[]>('speech.said');
