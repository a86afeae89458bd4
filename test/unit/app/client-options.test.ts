import { describe, expect, it } from 'vitest';
import { tourSettings, voiceSettings } from '../../../src/app/client-options.ts';
import type { HelperSettings } from '../../../src/config/settings.ts';
import { loadText } from '../config/load-from-text.ts';

function settings(text: string): HelperSettings {
  const base = 'appName: Desk\nchatClient: demo\nmodels: { demo: { provider: demo } }\nactions: none\n';
  const loaded = loadText(base + text);
  if (loaded.settings === undefined) throw new Error(JSON.stringify(loaded.faults));
  return loaded.settings;
}

describe('what the widget is told of tour and voice (service.md 2.4, 2.20)', () => {
  it.each([
    ['nothing unless an option says so', '', '/b', null],
    ['the path of this server', 'enableOnboardingTour: true', '/b', '/b/helper/tour'],
    ['client before the top level', 'enableOnboardingTour: true\nclient: { enableOnboardingTour: false }', '', null],
    ['another path', 'client: { enableOnboardingTour: true, tourUrl: /tour.json }', '/b', '/b/tour.json'],
    [
      'another address',
      'client: { enableOnboardingTour: true, tourUrl: "https://shop.example.com/tour.json" }',
      '/b',
      'https://shop.example.com/tour.json',
    ],
  ])('of the tour: %s', (_title, text, basePath, expected) => {
    expect(tourSettings(settings(text), basePath).tourUrl ?? null).toBe(expected);
  });

  it('of voice: nothing unless an option says so, and the defaults of service.md 2.4 with one', () => {
    expect(voiceSettings(settings('voiceHandsFree: true'))).toEqual({});
    expect(voiceSettings(settings('enableVoiceInput: true')).voice).toEqual({
      input: true,
      output: false,
      streaming: true,
      bargeIn: true,
      handsFree: false,
      rate: 1,
    });
  });

  it('of voice: hands-free only with both, the script’s own choices first', () => {
    const both = 'enableVoiceInput: true\nenableVoiceOutput: true\nvoiceHandsFree: true\n';
    expect(voiceSettings(settings(both)).voice?.handsFree).toBe(true);
    expect(voiceSettings(settings(`${both}client: { enableVoiceOutput: false }`)).voice?.handsFree).toBe(false);
    const client = 'client: { voiceStreaming: false, voiceBargeIn: false, voiceRate: 1.5 }';
    expect(voiceSettings(settings(both + client)).voice).toMatchObject({ streaming: false, bargeIn: false, rate: 1.5 });
  });

  it.each([
    ['0.1', 0.5],
    ['0.8', 0.8],
    ['10', 2],
  ])('of voice: a rate of %s is %d', (rate, expected) => {
    expect(voiceSettings(settings(`enableVoiceOutput: true\nvoiceRate: ${rate}`)).voice?.rate).toBe(expected);
  });
});
