import { classBoardApi, playReport } from '@campus/publishing/contract'
import type { ChartData } from '@kit/web/chart'
import { ReportPage, useReport } from '@kit/web/report'
import type { ReportRow } from '@kit/web/report'
import type { ReactNode } from 'react'

/** 播放统计: what was on the screens, as their players have counted. */
export function PlayStat(): ReactNode {
  const of = useReport(playReport, classBoardApi.playstat)
  return <ReportPage of={of} chart={chartOf} exportCall={classBoardApi.playstat_export} empty="这段时间没有播放页面上报的播放记录" />
}

function chartOf(rows: readonly ReportRow[]): ChartData {
  const values = rows.map(row => Number(row['minutes'] ?? 0))
  return { kind: 'bar', categories: rows.map(row => String(row['group_name'] ?? '')), series: [{ name: '播放时长（分钟）', values }] }
}
