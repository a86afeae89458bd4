import type { JSX } from 'preact';
import { Icon } from '../icon.tsx';
import type { PanelContext } from '../panel-context.ts';

/** Reads replies aloud, for as long as the page is there; whoever has a screen reader leaves it off. */
export function ReadButton({ context: { texts, voice } }: { readonly context: PanelContext }): JSX.Element | null {
  if (!voice.canRead) return null;
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={texts.readAloud}
      title={texts.readAloud}
      aria-pressed={voice.isReading}
      onClick={voice.toggleReading}
    >
      <Icon name="speaker" />
    </button>
  );
}

/** The microphone: one press listens, another stops. */
export function MicrophoneButton({
  context: { texts, voice },
}: {
  readonly context: PanelContext;
}): JSX.Element | null {
  if (!voice.canListen) return null;
  const isListening = voice.notice === 'voiceListening';
  const label = isListening ? texts.voiceStop : texts.voiceSpeak;
  return (
    <button
      type="button"
      class={isListening ? 'icon-button is-listening' : 'icon-button'}
      aria-label={label}
      title={label}
      onClick={voice.pressMicrophone}
    >
      <Icon name="microphone" />
    </button>
  );
}

/** What becomes of listening, in writing. */
export function VoiceLine({ context: { texts, voice } }: { readonly context: PanelContext }): JSX.Element | null {
  if (!voice.canListen && !voice.canRead) return null;
  return (
    <p class="composer-error voice-line" role="status">
      {voice.notice && texts[voice.notice]}
    </p>
  );
}
