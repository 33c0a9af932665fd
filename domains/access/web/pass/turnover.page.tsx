import {
  abnormalApi,
  deptTurnover, flagTexts, passList, placeTurnover, strangerTurnoverApi, studentTurnoverApi, teacherTurnoverApi, userDayList, visitorTurnoverApi,
} from '@campus/access/contract'
import type { PassRow, TurnoverKind, UserDayRow } from '@campus/access/contract'
import { useDeptTree } from '@campus/people/web'
import { dictionaryName, fieldsOf, Filters, ListPage, PageTabs, schoolToday, Table, TreePanel, useCan, usePage, useResourceList } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { ReportPage, useReport } from '@kit/web/report'
import type { Drill, ReportRow } from '@kit/web/report'
import { Button, Tag } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { AbnormalList } from '../abnormal/abnormal.list.tsx'
import { useDeptFilter, usePlaceFilter } from './pickers.tsx'
import './pass.css'

const PassDrawer = lazyDialog(() => import('./pass-drawer.tsx').then(part => part.PassDrawer))
const accepted = 1
const apis = { student: studentTurnoverApi, teacher: teacherTurnoverApi, stranger: strangerTurnoverApi, visitor: visitorTurnoverApi } as const
const tabs = [
  { key: 'summary', label: '汇总' }, { key: 'page', label: '明细' }, { key: 'day', label: '按人按日' }, { key: 'abnormal', label: '异常' },
] as const
const door_tabs = [tabs[0], tabs[1], tabs[3]] as const

export const StudentsTurnover = (): ReactNode => <PeopleTurnover kind="student" />
export const TeacherTurnover = (): ReactNode => <PeopleTurnover kind="teacher" />
export const StrangerTurnover = (): ReactNode => <DoorTurnover kind="stranger" />
export const VisitorTurnover = (): ReactNode => <DoorTurnover kind="visitor" />

function useTabs(all: readonly (typeof tabs)[number][]) {
  const { search, setSearch } = usePage()
  const may_handle = useCan(abnormalApi.list)
  const shown = may_handle ? all : all.filter(one => one.key !== 'abnormal')
  const tab = shown.find(one => one.key === search.tab)?.key ?? 'summary'
  const { from, to, dept_id } = search
  const head = <PageTabs tabs={shown} value={tab} onChange={key => setSearch({ tab: key, ...(from && to ? { from, to } : {}), ...(dept_id ? { dept_id } : {}) })} />
  return { tab, head }
}

/** 学生、教职工: departments by day, every number open to its passes; people by day; passes one by one (chapter 35 §5). */
function PeopleTurnover({ kind }: { kind: 'student' | 'teacher' }): ReactNode {
  const { tab, head } = useTabs(tabs)
  if (tab === 'page') return <Passes kind={kind} head={head} />
  if (tab === 'day') return <Days kind={kind} head={head} />
  if (tab === 'abnormal') return <AbnormalList head={head} />
  return <DeptSummary kind={kind} head={head} />
}

/** 陌生人、访客: doors by day, and their passes. */
function DoorTurnover({ kind }: { kind: 'stranger' | 'visitor' }): ReactNode {
  const { tab, head } = useTabs(door_tabs)
  if (tab === 'abnormal') return <AbnormalList head={head} />
  return tab === 'page' ? <Passes kind={kind} head={head} /> : <PlaceSummary kind={kind} head={head} />
}

function DeptSummary({ kind, head }: { kind: 'student' | 'teacher'; head: ReactNode }): ReactNode {
  const dept = useDeptFilter(kind === 'student' ? 'student' : 'staff')
  const of = useReport(deptTurnover, apis[kind].summary, { dept_id: { filter: dept } })
  return <div className="pass-tab">{head}<ReportPage of={of} drill={useDrill('dept_id', 'row_dept_id')} exportCall={apis[kind].exportSummary} empty="这段时间没有进出记录" /></div>
}

function PlaceSummary({ kind, head }: { kind: 'stranger' | 'visitor'; head: ReactNode }): ReactNode {
  const of = useReport(placeTurnover, apis[kind].summary, { place_id: { filter: usePlaceFilter() } })
  return <div className="pass-tab">{head}<ReportPage of={of} drill={useDrill('place_id', 'row_place_id')} exportCall={apis[kind].exportSummary} empty="这段时间没有进出记录" /></div>
}

const directions: Readonly<Record<string, Record<string, string>>> = { in_count: { direction: '1' }, out_count: { direction: '2' } }
const of_days = ['people', 'no_exit', 'no_entry']

/** Every number opens what is behind it: passes, or people by day where people are counted. */
function useDrill(filter: 'dept_id' | 'place_id', key: 'row_dept_id' | 'row_place_id'): Drill {
  const { setSearch } = usePage()
  return (row: ReportRow | null, measure, asked) => {
    const date = row === null ? undefined : String(row['date'])
    const group = row !== null && typeof row[key] === 'string' ? { [filter]: row[key] } : {}
    const days = { from: date ?? asked['from'] ?? schoolToday(), to: date ?? asked['to'] ?? schoolToday() }
    return { open: () => setSearch({ tab: of_days.includes(measure) ? 'day' : 'page', ...days, ...group, ...directions[measure] }) }
  }
}

/** A column of departments left of the list. */
function DeptSide({ which }: { which: 'student' | 'staff' }): ReactNode {
  const { search, setSearch } = usePage()
  const tree = useDeptTree(undefined, which)
  const { dept_id, page_index: _page, ...rest } = search
  return <TreePanel name={which === 'student' ? '班级' : '部门'} load={tree.load} search={tree.search} selected={dept_id} onSelect={chosen => setSearch(chosen === undefined ? rest : { ...rest, dept_id: chosen })} />
}

const shown_of = {
  student: ['at', 'user_name', 'user_no', 'dept_name', 'place_name', 'direction', 'verify_mode', 'result'],
  teacher: ['at', 'user_name', 'user_no', 'dept_name', 'place_name', 'direction', 'verify_mode', 'result'],
  stranger: ['at', 'user_name', 'place_name', 'device_name', 'direction', 'verify_mode', 'result', 'delay'],
  visitor: ['at', 'user_name', 'apply_no', 'receiver_name', 'place_name', 'direction', 'verify_mode', 'result'],
} as const

function Passes({ kind, head }: { kind: TurnoverKind; head: ReactNode }): ReactNode {
  const { open, close, dialog } = useDialog()
  const which = kind === 'student' ? 'student' : 'staff'
  const [dept, place] = [useDeptFilter(which), usePlaceFilter()]
  const with_dept = kind === 'student' || kind === 'teacher'
  const fields = useMemo(() => fieldsOf(passList, {
    dept_id: { filter: dept }, place_id: { filter: place },
    user_name: { default_action: true },
    result: { cell: resultCell },
  }), [dept, place])
  const list = useResourceList(apis[kind].page, fields, { part: 'page' })
  const show = (row: PassRow) => open(<PassDrawer of={row} onClose={close} />)
  const filters = with_dept ? (['keyword', 'place_id', 'direction', 'result', 'from'] as const) : kind === 'visitor' ? (['place_id', 'direction', 'result', 'from'] as const) : (['place_id', 'result', 'from'] as const)
  return (
    <ListPage of={list} head={head} side={with_dept ? <DeptSide which={which} /> : undefined} filters={<Filters of={list} show={filters} />} actions={<ListExport of={list} fact={passList} call={apis[kind].export} />}>
      <Table of={list} show={shown_of[kind]} more={['received_at', 'source', 'code_masked']} row={detailButton(show)} row_width={64} empty="最近7天没有进出记录；可以换一段日期" />
      {dialog}
    </ListPage>
  )
}

function resultCell(row: PassRow): ReactNode {
  return <ResultTag row={row} />
}

function ResultTag({ row }: { row: PassRow }): ReactNode {
  const name = dictionaryName('PASS_STATE', String(row.result))
  return <><Tag color={row.result === accepted ? 'green' : 'red'}>{name}</Tag>{row.is_repeat && <small>重复</small>}{row.is_late && <small>补传</small>}</>
}

function detailButton(show: (row: PassRow) => void): (row: PassRow) => ReactNode {
  return row => <Button type="link" size="small" aria-label={`查看 ${row.user_name ?? '陌生人'} 的通行`} onClick={() => show(row)}>查看</Button>
}

function Days({ kind, head }: { kind: 'student' | 'teacher'; head: ReactNode }): ReactNode {
  const { setSearch } = usePage()
  const which = kind === 'student' ? 'student' : 'staff'
  const dept = useDeptFilter(which)
  const fields = useMemo(() => fieldsOf(userDayList, { dept_id: { filter: dept }, flags: { cell: row => flagTexts(row.flags).map(text => <Tag key={text} color="orange">{text}</Tag>) } }), [dept])
  const list = useResourceList(apis[kind].day, fields, { part: 'day' })
  const show = ({ date, user_id }: UserDayRow) => setSearch({ tab: 'page', from: date, to: date, user_id })
  return (
    <ListPage of={list} head={head} side={<DeptSide which={which} />} filters={<Filters of={list} show={['keyword', 'from']} />} actions={<ListExport of={list} fact={userDayList} call={apis[kind].exportDay} />}>
      <Table
        of={list} show={['date', 'user_name', 'dept_name', 'first_in', 'last_out', 'in_count', 'out_count', 'minutes_inside', 'flags']} more={['user_no', 'denied_count']}
        row={passesButton(show)} row_width={64} empty="最近7天没有进出记录；可以换一段日期"
      />
    </ListPage>
  )
}

function passesButton(show: (row: UserDayRow) => void): (row: UserDayRow) => ReactNode {
  return row => <Button type="link" size="small" aria-label={`${row.user_name ?? ''} ${row.date} 明细`} onClick={() => show(row)}>明细</Button>
}
