import type { Rule } from './rule.ts';

/** What stands before the hub's path is where confirmations, Stop and the tour go too (contract/widget.md#tour, `hubUrl`). */
export const hubUrlRule: Rule = ({ client: { hubUrl }, server: { hubPath } }) => {
  if (hubUrl === null || hubUrl.endsWith(hubPath)) return [];
  const message = `must end with ${hubPath}, the path of server.hubPath`;
  return [{ path: ['client', 'hubUrl'], message, follows: ['server', 'hubPath'] }];
};
