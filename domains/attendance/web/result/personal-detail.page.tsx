import { correctionApi, detailList, flagTexts, most_corrected, sealApi } from '@campus/attendance/contract'
import type { DetailRow, Who } from '@campus/attendance/contract'
import { addDays } from '@campus/calendar/contract'
import { Can, fieldsOf, Filters, ListPage, PageTabs, schoolToday, Table, useCan, usePage, useResourceList } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { Button } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { Corrections } from './corrections.tsx'
import { carriedFilter, useResultFilters } from './filters.tsx'
import { detail_apis } from './result-words.ts'
import { Seals } from './seals.tsx'
import { StateTag } from './state-tag.tsx'
import { Strip } from './strip.tsx'
import './result.css'

const RowDrawer = lazyDialog(() => import('./row-drawer.tsx').then(part => part.RowDrawer))
const CorrectDialog = lazyDialog(() => import('./correct-dialog.tsx').then(part => part.CorrectDialog))
const usual_days = 6
const columns = {
  student: ['lesson_date', 'section', 'user_name', 'dept_name', 'course_name', 'place_name', 'in_at', 'state', 'late_min', 'flags'],
  teacher: ['lesson_date', 'section', 'user_name', 'course_name', 'class_name', 'place_name', 'in_at', 'state', 'late_min', 'flags'],
} as const
const offered = {
  student: ['user_no', 'class_name', 'teacher_names', 'out_at', 'identify_type', 'early_min', 'corrected'],
  teacher: ['user_no', 'dept_name', 'teacher_names', 'out_at', 'identify_type', 'early_min', 'corrected'],
} as const
const shown_filters = [
  'keyword',
  'dept_id',
  'from',
  'state',
  'section',
  'subject',
  'classroom',
  'identify_type',
  'course_type',
  'flag',
] as const

export const PersonalDetailStudent = (): ReactNode => <PersonalDetail who="student" />
export const PersonalDetailTeacher = (): ReactNode => <PersonalDetail who="teacher" />

/** 个人考勤明细: one row an expectation, its corrections, and the months that are sealed (chapter 55 §5). */
function PersonalDetail({ who }: { who: Who }): ReactNode {
  const { search, setSearch } = usePage()
  const [may_correct, may_seal] = [useCan(correctionApi.page), useCan(sealApi.list)]
  const tabs = [
    { key: 'rows', label: '明细' },
    ...(may_correct ? [{ key: 'fix', label: '更正与申诉' }] : []),
    ...(may_seal ? [{ key: 'seal', label: '月度封存' }] : []),
  ]
  const tab = tabs.find(one => one.key === search.tab)?.key ?? 'rows'
  const head = tabs.length > 1 && <PageTabs tabs={tabs} value={tab} onChange={key => setSearch(key === 'rows' ? {} : { tab: key })} />
  if (tab === 'fix') return <Corrections who={who} head={head} />
  if (tab === 'seal')
    return (
      <div className="attend-tab">
        {head}
        <Seals />
      </div>
    )
  return <Rows who={who} head={head} />
}

function Rows({ who, head }: { who: Who; head: ReactNode }): ReactNode {
  const { search } = usePage()
  const { open, close, dialog } = useDialog()
  const api = detail_apis[who]
  const extras = useResultFilters(who, search.from ?? addDays(search.to ?? schoolToday(), -usual_days), search.to ?? schoolToday())
  const fields = useMemo(
    () =>
      fieldsOf(detailList, {
        ...extras,
        user_name: { default_action: true },
        state: { cell: stateCell, filter: extras.state.filter },
        section: { filter: extras.section.filter },
        identify_type: { filter: extras.identify_type.filter },
        user_id: { filter: carriedFilter('user_id', '所选人员') },
        course_id: { filter: carriedFilter('course_id', '所选课程') },
        occurrence_id: { filter: carriedFilter('occurrence_id', '所选的一节课') },
        flags: { cell: row => flagTexts(row.flags).join('、') },
      }),
    [extras],
  )
  const list = useResourceList(api.personal, fields, { part: 'rows' })
  const written = () => {
    list.select([])
    void list.refresh()
  }
  const show = (row: DetailRow) => open(<RowDrawer who={who} of={row} onClose={close} onCorrect={() => correct([row])} />)
  const correct = (rows: readonly DetailRow[]) => open(<CorrectDialog rows={rows} onClose={close} onDone={written} />)
  const chosen = list.rows.filter(row => list.selected.includes(row.row_key)).slice(0, most_corrected)
  return (
    <ListPage
      of={list}
      head={
        <>
          {head}
          {search.user_id !== undefined && <Strip who={who} values={list.values} onPick={show} />}
        </>
      }
      filters={<Filters of={list} show={shown_filters} />}
      batch={
        <Can code={correctionApi.add}>
          <Button disabled={chosen.length === 0} onClick={() => correct(chosen)}>
            批量更正（{chosen.length}）
          </Button>
        </Can>
      }
      actions={<ListExport of={list} fact={detailList} call={api.exportPersonal} />}
    >
      <Table
        of={list}
        show={columns[who]}
        more={offered[who]}
        row={rowButtons(show, row => correct([row]))}
        row_width={128}
        selectable
        empty="最近7天没有考勤结果；可以换一段日期，或检查考勤安排是否覆盖这些课"
      />
      {dialog}
    </ListPage>
  )
}

function stateCell(row: DetailRow): ReactNode {
  return <StateTag state={row.state} provisional={row.provisional} />
}

function rowButtons(show: (row: DetailRow) => void, correct: (row: DetailRow) => void): (row: DetailRow) => ReactNode {
  return row => (
    <>
      <Button type="link" size="small" aria-label={`${row.user_name} ${row.lesson_date} 判定依据`} onClick={() => show(row)}>
        判定依据
      </Button>
      <Can code={correctionApi.add}>
        <Button type="link" size="small" aria-label={`更正 ${row.user_name} ${row.lesson_date}`} onClick={() => correct(row)}>
          更正
        </Button>
      </Can>
    </>
  )
}
