import { iconButton, nameButton } from '../nodes/icon-button.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { VoiceNotice } from './voice-contract.ts';

const speaker = 'M4 10v4h3l5 4V6l-5 4H4Zm12-1a4 4 0 0 1 0 6m3-9a8 8 0 0 1 0 12';
const microphone = 'M9 12V6a3 3 0 0 1 6 0v6a3 3 0 0 1-6 0Zm-3 0a6 6 0 0 0 12 0m-6 6v3';

/** The visible parts of the voice. */
export class VoiceButtons {
  /** The button that reads replies aloud, for as long as the page lives. Users with a screen reader leave it off. */
  readonly reading: HTMLButtonElement;
  /** The microphone. One press listens, and another stops. */
  readonly microphone: HTMLButtonElement;
  /** Says in writing how the listening goes. */
  readonly line = document.createElement('p');

  constructor(press: { readonly reading: () => void; readonly microphone: () => void }) {
    this.reading = iconButton('speaker', speaker, press.reading);
    this.microphone = iconButton('microphone', microphone, press.microphone);
    this.line.className = 'composer-error voice-line';
    this.line.setAttribute('role', 'status');
  }

  show(texts: WidgetTexts, isReading: boolean, notice: VoiceNotice | null): void {
    nameButton(this.reading, texts.readAloud);
    this.reading.setAttribute('aria-pressed', String(isReading));
    const isListening = notice === 'voiceListening';
    nameButton(this.microphone, isListening ? texts.voiceStop : texts.voiceSpeak);
    this.microphone.classList.toggle('is-listening', isListening);
    this.line.textContent = notice && texts[notice];
  }
}
