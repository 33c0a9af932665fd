import { informApi, informReport } from '@campus/publishing/contract'
import { ReportPage, useReport } from '@kit/web/report'
import type { Drill, ReportRow } from '@kit/web/report'
import type { ChartData } from '@kit/web/chart'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'

const staff_scene = '2'

/** 通知统计: what was sent and how it was read (chapter 60 §5); a number opens the notices behind it. */
export default function Inform(): ReactNode {
  const of = useReport(informReport, informApi.notice)
  const navigate = useNavigate()
  const drill: Drill = (row, _measure, asked) => {
    const { by = 'week', kind, from, to, scene } = asked
    const group = row === null ? undefined : String(row['group_id'])
    const days = by === 'week' && group !== undefined ? { from: group, to: weekEnd(group) } : { from: from ?? '', to: to ?? '' }
    const of_kind = by === 'kind' ? group : kind
    const search = { ...days, ...(of_kind === undefined ? {} : { kind: of_kind }) }
    return { open: () => void navigate({ to: scene === staff_scene ? '/CustomNoticeTeacher' : '/CustomNotice', search }) }
  }
  return (
    <ReportPage
      of={of}
      figures={['posts', 'expected', 'read', 'read_rate', 'unreachable', 'median']}
      chart={chartOf}
      drill={drill}
      exportCall={informApi.export}
      empty="这段时间没有发布通知"
    />
  )
}

function weekEnd(monday: string): string {
  return new Date(Date.parse(monday) + 6 * 86_400_000).toISOString().slice(0, 10)
}

function chartOf(rows: readonly ReportRow[]): ChartData {
  const numbers = (name: string) => rows.map(row => Number(row[name] ?? 0))
  return {
    kind: 'bar',
    categories: rows.map(row => String(row['group_name'] ?? '')),
    series: [
      { name: '应读', values: numbers('expected') },
      { name: '已读', values: numbers('read') },
    ],
  }
}
