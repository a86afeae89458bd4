import { describe, expect, it } from 'vitest';
import { readWelcomeMessages } from '../../../src/app/welcome-messages.ts';
import { StartupFaults } from '../../../src/core/errors/startup-fault.ts';
import { settingsWith } from '../config/load-from-text.ts';

const nothing = { own: null, client: null, warnings: [] };

describe('the welcome messages of a configuration (contract/configuration.md)', () => {
  it.each([
    ['none', ''],
    ['empty ones', 'welcomeMessage: ""\nclient: { welcomeMessage: " <!-- later --> " }\n'],
  ])('%s leave the words to the widget', async (_title, lines) => {
    expect(await readWelcomeMessages(settingsWith(lines))).toEqual(nothing);
  });

  it('are read by the rules of the cards’ images, and say what they lose (contract/configuration.md#commands)', async () => {
    const image = '<img src=https://images.example.com/a.png>';
    const lines = `welcomeMessage: "<b>Hi</b><hr>"\ncards: { imageHosts: [images.example.com] }\nclient: { welcomeMessage: "${image}" }\n`;
    const { own, client, warnings } = await readWelcomeMessages(settingsWith(lines));
    expect(own).toEqual([{ tag: 'b', children: ['Hi'] }, '<hr>']);
    expect(client).toMatchObject([{ tag: 'img', attributes: { src: 'https://images.example.com/a.png' } }]);
    expect(warnings).toEqual([{ code: 'HLP1013', message: 'welcomeMessage shows <hr> as text.' }]);
  });

  it('that are too much of a page are faults of the start, all at once', async () => {
    const lines = `welcomeMessage: "${'<br>'.repeat(301)}"\nclient: { welcomeMessage: "${'<ul><li>'.repeat(5)}" }\n`;
    const settings = settingsWith(lines);
    const error: unknown = await readWelcomeMessages(settings).catch((thrown: unknown) => thrown);
    const faults = error instanceof StartupFaults ? error.faults : [];
    const ends = 'say less here, and link to a page that says the rest';
    expect(faults).toEqual([
      { file: settings.configFile, path: 'welcomeMessage', message: `has more than 300 elements and texts: ${ends}` },
      {
        file: settings.configFile,
        path: 'client.welcomeMessage',
        message: `is nested deeper than 8 elements: ${ends}`,
      },
    ]);
  });
});
