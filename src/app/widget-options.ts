import type { HelperSettings } from '../config/settings.ts';
import type { Language } from '../wire/client-settings.ts';
import type { WelcomeMessage } from '../wire/welcome-message.ts';
import type { WelcomeMessages } from './welcome-messages.ts';

type SharedOption =
  | 'botName'
  | 'avatarUrl'
  | 'inputPlaceholder'
  | 'theme'
  | 'position'
  | 'primaryColor'
  | 'enableSuggestions'
  | 'enableFollowUps'
  | 'enableOnboardingTour'
  | 'enableVoiceInput'
  | 'enableVoiceOutput'
  | 'voiceStreaming'
  | 'voiceBargeIn'
  | 'voiceHandsFree'
  | 'voiceRate'
  | 'enableImageInput'
  | 'maxImageBytes'
  | 'maxImagesPerMessage'
  | 'allowedImageTypes'
  | 'enableFileInput'
  | 'maxFileBytes'
  | 'maxFilesPerMessage'
  | 'allowedFileTypes';

/** The look and the functions of the widget, either for the script or for the embed page (contract/widget.md#looks). */
export interface WidgetOptions extends Pick<HelperSettings, SharedOption> {
  /** Null: the page decides. */
  readonly language: Language | null;
  readonly welcomeMessage: WelcomeMessage | null;
}

/** The options of the top level, unchanged: `/helper/embed` follows them. */
export function embedOptions(settings: HelperSettings, welcome: Pick<WelcomeMessages, 'own'>): WidgetOptions {
  return {
    ...settings,
    language: settings.isLanguageChosen ? settings.language : null,
    welcomeMessage: welcome.own,
  };
}

/** The options of `client`, laid over the top level: the script follows them. */
export function scriptOptions(settings: HelperSettings, welcome: Omit<WelcomeMessages, 'warnings'>): WidgetOptions {
  const { client } = settings;
  const own = embedOptions(settings, welcome);
  return {
    botName: client.botName ?? own.botName,
    welcomeMessage: welcome.client ?? own.welcomeMessage,
    avatarUrl: client.avatarUrl ?? own.avatarUrl,
    inputPlaceholder: client.inputPlaceholder ?? own.inputPlaceholder,
    theme: client.theme ?? own.theme,
    position: client.position ?? own.position,
    primaryColor: client.primaryColor ?? own.primaryColor,
    language: client.language ?? own.language,
    enableOnboardingTour: client.enableOnboardingTour ?? own.enableOnboardingTour,
    enableVoiceInput: client.enableVoiceInput ?? own.enableVoiceInput,
    enableVoiceOutput: client.enableVoiceOutput ?? own.enableVoiceOutput,
    voiceStreaming: client.voiceStreaming ?? own.voiceStreaming,
    voiceBargeIn: client.voiceBargeIn ?? own.voiceBargeIn,
    voiceHandsFree: client.voiceHandsFree ?? own.voiceHandsFree,
    voiceRate: client.voiceRate ?? own.voiceRate,
    // These options have their own default (contract/widget.md).
    enableSuggestions: client.enableSuggestions ?? own.enableSuggestions,
    enableFollowUps: client.enableFollowUps ?? own.enableFollowUps,
    ...imageOptions(settings),
    enableFileInput: client.enableFileInput && settings.enableFileInput,
    maxFileBytes: own.maxFileBytes,
    maxFilesPerMessage: own.maxFilesPerMessage,
    allowedFileTypes: own.allowedFileTypes,
  };
}

/** The stricter of the widget's and the server's limits, so that the server accepts the pictures that the widget sends. */
function imageOptions(settings: HelperSettings): Pick<WidgetOptions, Extract<SharedOption, `${string}Image${string}`>> {
  const { client } = settings;
  return {
    enableImageInput: client.enableImageInput && settings.enableImageInput,
    maxImageBytes: Math.min(client.maxImageBytes, settings.maxImageBytes),
    maxImagesPerMessage: Math.min(client.maxImagesPerMessage, settings.maxImagesPerMessage),
    allowedImageTypes: client.allowedImageTypes.filter((type) => settings.allowedImageTypes.includes(type)),
  };
}
