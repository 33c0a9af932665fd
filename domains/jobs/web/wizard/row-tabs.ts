import type { ImportBatch } from '@campus/jobs/contract'

export type RowTab = 'all' | 'error' | 'warn' | 'new' | 'change' | 'same' | 'skipped'

/** What rows can be asked for: a counter of the dry run, what an import left as 需重新核对, or what an undo had to leave. */
export type RowPick = RowTab | 'recheck' | 'blocked'
type RowQuery = { verdict?: Exclude<RowTab, 'all' | 'warn'>; only_warn?: '1'; only_recheck?: '1'; only_blocked?: '1' }

/** The counters of the dry run; each shows its rows. Errors stand first, since nothing goes on before they are gone. */
export const rowTabs: readonly { name: RowTab; label: string; tone: string; count: (batch: ImportBatch) => number }[] = [
  { name: 'error', label: '错误', tone: 'red', count: (batch) => batch.rows_error },
  { name: 'warn', label: '警告', tone: 'orange', count: (batch) => batch.rows_warn },
  { name: 'new', label: '新增', tone: 'green', count: (batch) => batch.rows_new },
  { name: 'change', label: '变更', tone: 'blue', count: (batch) => batch.rows_change },
  { name: 'same', label: '未变', tone: 'grey', count: (batch) => batch.rows_same },
  { name: 'skipped', label: '已忽略', tone: 'grey', count: (batch) => batch.rows_skipped },
  { name: 'all', label: '全部', tone: 'grey', count: (batch) => batch.rows_total },
]

/** The tab to open first: what has to be mended, else what the import will do. */
export function firstTab(batch: ImportBatch): RowTab {
  const order: readonly RowTab[] = ['error', 'warn', 'change', 'new']
  return order.find((name) => rowTabs.some((tab) => tab.name === name && tab.count(batch) > 0)) ?? 'all'
}

/** Query of the rows behind a counter. */
export function rowQuery(pick: RowPick): RowQuery {
  if (pick === 'all') return {}
  if (pick === 'warn') return { only_warn: '1' }
  if (pick === 'blocked') return { only_blocked: '1' }
  return pick === 'recheck' ? { only_recheck: '1' } : { verdict: pick }
}
