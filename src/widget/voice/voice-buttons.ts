import { iconButton, nameButton } from '../nodes/icon-button.ts';
import type { WidgetTexts } from '../texts/widget-texts.ts';
import type { VoiceNotice } from './voice-contract.ts';

const microphone = 'M9 12V6a3 3 0 0 1 6 0v6a3 3 0 0 1-6 0Zm-3 0a6 6 0 0 0 12 0m-6 6v3';

/** The visible parts of the voice in the composer. */
export class VoiceButtons {
  /** The microphone. One press listens, and another stops. */
  readonly microphone: HTMLButtonElement;
  /** Says in writing how the listening goes. */
  readonly line = document.createElement('p');

  constructor(press: () => void) {
    this.microphone = iconButton('microphone', microphone, press);
    this.line.className = 'composer-error voice-line';
    this.line.setAttribute('role', 'status');
  }

  show(texts: WidgetTexts, notice: VoiceNotice | null): void {
    const isListening = notice === 'voiceListening';
    nameButton(this.microphone, isListening ? texts.voiceStop : texts.voiceSpeak);
    this.microphone.classList.toggle('is-listening', isListening);
    this.line.textContent = notice && texts[notice];
  }
}
