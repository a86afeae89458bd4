/** The actions whose names the scenarios of the official suite call. */
import { setTimeout as wait } from 'node:timers/promises';
import { content } from 'helper';

const none = { type: 'object', properties: {}, additionalProperties: false };
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'address',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** One red pixel, and a WAV file without a sample. */
const image = {
  type: 'image',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  mimeType: 'image/png',
};
const sound = {
  type: 'audio',
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=',
  mimeType: 'audio/wav',
};

const reading = (name, execute, parameters = none) => ({
  name,
  description: `Does what the scenario of ${name} needs.`,
  parameters,
  readOnly: true,
  execute,
});

export default {
  name: 'conformance',
  actions: [
    reading('test_simple_text', () => 'This is a simple text response for testing.'),
    reading('test_image_content', () => content([image])),
    reading('test_audio_content', () => content([sound])),
    reading('test_embedded_resource', () =>
      content([
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ]),
    ),
    reading('test_multiple_content_types', () =>
      content([
        { type: 'text', text: 'Multiple content types test:' },
        image,
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: '{"test":"data","value":123}',
          },
        },
      ]),
    ),
    reading('test_error_handling', () => {
      throw new Error('This tool intentionally returns an error for testing');
    }),
    reading('test_tool_with_progress', async (_arguments, { progress }) => {
      for (const done of [0, 50, 100]) {
        progress(`Completed step ${done} of 100`);
        await wait(50);
      }
      return 'done';
    }),
    reading('test_tool_with_logging', async (_arguments, { log }) => {
      for (const step of ['started', 'processing data', 'completed']) {
        log.info({}, `Tool execution ${step}`);
        await wait(50);
      }
      return 'done';
    }),
    reading('json_schema_2020_12_tool', () => 'taken', schema),
  ],
};
