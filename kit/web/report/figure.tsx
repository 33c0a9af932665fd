import { Button } from 'antd'
import type { ReactNode } from 'react'
import type { PageSearch } from '../page/page-context.ts'
import type { ReportRow } from './use-report.ts'

/** What a number opens: its group (null: the totals), its measure, and filters and days to carry on; null: nothing. */
export type Drill = (row: ReportRow | null, measure: string, asked: PageSearch) => { open: () => void } | null

/** A number; pressed, it opens what is behind it. */
export function Figure({ text, label, open }: { text: string; label: string; open: (() => void) | undefined }): ReactNode {
  if (!open || text === '0' || text === '—') return text
  return <Button type="link" size="small" className="kit-report-figure" aria-label={`${label}，查看明细`} onClick={open}>{text}</Button>
}

/** A figure as screens write it; — where nothing can be said. */
export function figureText(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('zh-CN') : '—'
}
