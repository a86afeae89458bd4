/** The actions whose names the scenarios of the official suite call. */
import { setTimeout as wait } from 'node:timers/promises';

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
    reading('json_schema_2020_12_tool', () => 'taken', schema),
  ],
};
