import type { StateRow } from '@campus/devices/contract'

/** What the state of a row looks like. */
export const row_colors: Readonly<Record<StateRow['state'], string>> = { refused: 'red', blocked: 'orange', unknown: 'gold', sent: 'blue', pending: 'blue', applied: 'green', proven: 'green', gone: 'default' }
