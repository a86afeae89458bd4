import { describe, expect, it } from 'vitest';
import { embedOptions, scriptOptions } from '../../../src/app/widget-options.ts';
import { settingsWith } from '../config/load-from-text.ts';

const noWelcome = { own: null, client: null };

describe('client, laid over the top level (contract/widget.md#looks)', () => {
  // proves service-2.20-08
  it.each([
    ['botName', 'Ada', 'Bob'],
    ['avatarUrl', '/a.png', '/b.png'],
    ['inputPlaceholder', 'Ask Ada', 'Ask Bob'],
    ['theme', 'Dark', 'Minimal'],
    ['position', 'TopLeft', 'SideRight'],
    ['primaryColor', '#111111', '#222222'],
    ['language', 'Polish', 'Dutch'],
    ['enableOnboardingTour', true, false],
    ['enableVoiceInput', true, false],
    ['enableVoiceOutput', true, false],
    ['voiceStreaming', false, true],
    ['voiceBargeIn', false, true],
    ['voiceHandsFree', true, false],
    ['voiceRate', 1.5, 0.8],
  ] as const)('%s is that of client where it has one', (name, own, client) => {
    const top = `${name}: ${JSON.stringify(own)}\n`;
    const alone = settingsWith(top);
    const both = settingsWith(`${top}client: { ${name}: ${JSON.stringify(client)} }\n`);
    expect(scriptOptions(alone, noWelcome)[name]).toBe(own);
    expect(scriptOptions(both, noWelcome)[name]).toBe(client);
    expect(embedOptions(both, noWelcome)[name]).toBe(own);
  });

  // proves service-2.20-08
  it('welcomeMessage too', () => {
    const settings = settingsWith('');
    expect(scriptOptions(settings, { own: ['Hello'], client: null }).welcomeMessage).toEqual(['Hello']);
    expect(scriptOptions(settings, { own: ['Hello'], client: ['Hi'] }).welcomeMessage).toEqual(['Hi']);
    expect(embedOptions(settings, { own: ['Hello'] }).welcomeMessage).toEqual(['Hello']);
  });

  // proves service-2.4-05
  it('enableSuggestions is on, and client decides in its place for the script (contract/widget.md#looks)', () => {
    const both = (lines: string): readonly boolean[] => {
      const settings = settingsWith(lines);
      return [embedOptions(settings, noWelcome), scriptOptions(settings, noWelcome)].map(
        (each) => each.enableSuggestions,
      );
    };
    expect(both('')).toEqual([true, true]);
    expect(both('enableSuggestions: false\n')).toEqual([false, false]);
    expect(both('enableSuggestions: false\nclient: { enableSuggestions: true }\n')).toEqual([false, true]);
  });

  it('pictures of the embed page are those of the server', () => {
    const settings = settingsWith('enableImageInput: true\nmaxImagesPerMessage: 9\n');
    expect(embedOptions(settings, noWelcome)).toMatchObject({ enableImageInput: true, maxImagesPerMessage: 9 });
    expect(scriptOptions(settings, noWelcome).enableImageInput).toBe(false);
  });

  it('the texts are in the page\u2019s language where neither sets one', () => {
    expect(scriptOptions(settingsWith(''), noWelcome).language).toBeNull();
    expect(scriptOptions(settingsWith('client: { language: dutch }\n'), noWelcome).language).toBe('Dutch');
  });
});
