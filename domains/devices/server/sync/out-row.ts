import type { RowKind } from '@kit/terminal-protocol'

/** A row on its way. */
export type OutRow = { kind: RowKind; row_key: string; want_op: 'put' | 'delete'; want_hash: string; want_version: string; prio: number }
/** What finds a row of one version again. */
export type RowName = Pick<OutRow, 'kind' | 'row_key' | 'want_version'>
