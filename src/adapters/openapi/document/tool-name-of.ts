/** The name of the tool for an operation: its id in snake case, so that `getOrder` becomes `get_order` (extending-3-03). */
export function toolNameOf(operationId: string): string {
  return operationId
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/[\s./:-]/g, '_')
    .split('_')
    .filter((word) => word !== '')
    .join('_')
    .toLowerCase();
}
