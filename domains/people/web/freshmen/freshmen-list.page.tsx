import { freshman_states, freshmen_import_code, freshmenApi, freshmenArrivalApi } from '@campus/people/contract'
import type { FreshmanRow, FreshmenSeason } from '@campus/people/contract'
import { downloadFile, Filters, ImportButton, ListPage, Table, useCan, useResourceList } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { CheckinDesk } from './checkin-desk.tsx'
import { freshmenFields } from './freshmen.fields.tsx'
import { ListActs } from './list-acts.tsx'
import { SeasonFrame } from './season-frame.tsx'
import { useFreshmenChanged } from './use-seasons.ts'

const NoticeDrawer = lazy(() => import('./notice-drawer.tsx').then(part => ({ default: part.NoticeDrawer })))
const people_reason_above = 1000

/** 新生名单: who applied, who is admitted into which class, and who has arrived. */
export default function FreshmenList(): ReactNode {
  return <SeasonFrame head={figuresOf}>{season => <Roll key={season.id} season={season} />}</SeasonFrame>
}

function figuresOf({ counts, quota }: FreshmenSeason): ReactNode {
  return <p>已录取 {counts['4'] + counts['6']} / 名额 {quota}<b className="fresh-counter" role="status">已报到 {counts['6']} / 应报到 {counts['4'] + counts['6']}</b></p>
}

function Roll({ season }: { season: FreshmenSeason }): ReactNode {
  const list = useResourceList(freshmenApi.page, freshmenFields, { fixed: { season_id: season.id } })
  const [printed, print] = useState<readonly FreshmanRow[] | null>(null)
  const may_admit = useCan(freshmenApi.admit)
  const changed = useFreshmenChanged()
  const may_check_in = useCan(freshmenArrivalApi.checkin)
  const chosen = list.rows.filter(row => list.selected.includes(row.id))
  const { keyword } = list.values
  const state = freshman_states.find(one => one === list.values.state)
  const printable = chosen.filter(({ state: one }) => one === '4' || one === '6')
  return (
    <ListPage
      of={list}
      head={may_check_in && season.state !== 'finished' ? <CheckinDesk season={season} /> : undefined}
      filters={<Filters of={list} show={['keyword', 'state']} />}
      batch={
        <>
          {may_admit && chosen.length > 0 && <ListActs rows={chosen} done={() => list.select([])} />}
          {printable.length > 0 && <Button onClick={() => print(printable)}>打印通知书（{printable.length}）</Button>}
        </>
      }
      actions={
        <>
          <ImportButton code={freshmen_import_code} template="freshman" title="新生报名导入" label="导入" onApplied={() => void changed()} />
          <ExportButton code={freshmenArrivalApi.export} title="导出新生名单" total={list.total} unit="人" kept="24 小时" reason_above={people_reason_above} run={reason => downloadFile(freshmenArrivalApi.export, { season_id: season.id, keyword, state, reason }, { quiet: true })} />
        </>
      }
    >
      <Table of={list} show={['apply_no', 'user_name', 'sex', 'birthday', 'guardian', 'guardian_mobile', 'score', 'state', 'dept_name', 'student_no', 'applied_at']} selectable empty="没有报名：家长提交后会列在这里" />
      <Suspense>{printed && <NoticeDrawer season={season} rows={printed} onClose={() => print(null)} />}</Suspense>
    </ListPage>
  )
}
