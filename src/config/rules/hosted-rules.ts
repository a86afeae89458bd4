import type { Rule, RuleFault } from './rule.ts';

/** A file search must name its stores, and MCP servers must have different names (contract/hosted-tools.md). */
export const hostedToolsRule: Rule = ({ hostedTools, hostedToolOptions, hostedMcpServers }) => {
  const stores = hostedToolOptions.FileSearch?.['vectorStoreIds'];
  const lacksStores = hostedTools.includes('FileSearch') && (!Array.isArray(stores) || stores.length === 0);
  const ofStores: RuleFault = {
    path: ['hostedToolOptions', 'FileSearch', 'vectorStoreIds'],
    message: 'missing; FileSearch needs the ids of the vector stores that it looks through',
    follows: ['hostedToolOptions', 'FileSearch'],
  };
  return [
    ...(lacksStores ? [ofStores] : []),
    ...hostedMcpServers.flatMap(({ name }, index): readonly RuleFault[] => {
      const first = hostedMcpServers.findIndex((server) => server.name.toLowerCase() === name.toLowerCase());
      if (first === index) return [];
      const message = `hostedMcpServers[${String(first)}] has the same name; names are unique`;
      return [{ path: ['hostedMcpServers', index, 'name'], message }];
    }),
  ];
};
