import { applyApi, leaveChannel, leaveList, leaveReport, leaveTypeName, recordApi, sick_often, stateName } from '@campus/leave/contract'
import type { LeaveRow, LeaveTab, LeaveToday } from '@campus/leave/contract'
import { GRADE } from '@campus/people/contract'
import { useDeptTree } from '@campus/people/web'
import { call, Can, fieldsOf, Filters, ImportButton, ListPage, PageTabs, Table, useChannel, useMay, usePage, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import type { ChartData } from '@kit/web/chart'
import { ListExport } from '@kit/web/export'
import { useCall } from '@kit/web/part'
import { ReportPage, useReport } from '@kit/web/report'
import type { ReportRow } from '@kit/web/report'
import { Button, Tag, Tooltip } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { state_colors, typeColor } from './leave-words.ts'
import { WeekView } from './week-view.tsx'
import './leave.css'

const ApplyDialog = lazyDialog(() => import('./apply-dialog.tsx').then(part => part.ApplyDialog))
const LeaveDrawer = lazyDialog(() => import('./leave-drawer.tsx').then(part => part.LeaveDrawer))
const tabs = [{ key: 'out', label: '今日在外' }, { key: 'wait', label: '待审批' }, { key: 'all', label: '全部' }, { key: 'week', label: '周视图' }, { key: 'sum', label: '汇总' }] as const
type Tab = (typeof tabs)[number]['key']
const grades: Readonly<Record<string, string>> = GRADE.names
const returnable: readonly number[] = [2, 6, 7, 8]
const empty_words: Readonly<Record<LeaveTab, string>> = { out: '今日无人请假', wait: '没有待审批的请假', all: '还没有请假记录：点“代请假”为学生请假，或由家长在手机端申请' }

/** 学生请假记录: who is on leave, what waits, every act on it, the week and the sums (chapter 70 §5). */
export default function StuLeaveRecord(): ReactNode {
  const { search, setSearch } = usePage()
  const { open, close, dialog } = useDialog()
  const may = useMay()
  const shown = tabs.filter(one => (one.key !== 'week' && one.key !== 'sum') || may('leave.record.view'))
  const tab: Tab = shown.find(one => one.key === search.tab)?.key ?? 'out'
  const head = <PageTabs tabs={shown} value={tab} onChange={key => setSearch({ tab: key })} />
  const today = useCall(applyApi.today, {})
  const show = (leave_id: string, done: () => void = () => undefined) => open(<LeaveDrawer leave_id={leave_id} onClose={close} onDone={done} />)
  const apply = (done: () => void) => open(<ApplyDialog onClose={close} onDone={done} />)
  const strip = today.data && <TodayStrip today={today.data} choose={patch => setSearch(patch)} />
  if (tab === 'week') return <div className="leave-page">{head}<WeekView onOpen={leave_id => show(leave_id)} />{dialog}</div>
  if (tab === 'sum') return <div className="leave-page">{head}<Sums /></div>
  return (
    <>
      <Leaves key={tab} tab={tab} head={<>{head}{strip}</>} show={show} apply={apply} onChanged={() => void today.refetch()} />
      {dialog}
    </>
  )
}

type LeavesProps = { tab: LeaveTab; head: ReactNode; show: (leave_id: string, done: () => void) => void; apply: (done: () => void) => void; onChanged: () => void }

function Leaves({ tab, head, show, apply, onChanged }: LeavesProps): ReactNode {
  const tree = useDeptTree(undefined, 'student')
  const fixed = useMemo(() => ({ tab }), [tab])
  const fields = useMemo(() => fieldsOf(leaveList, {
    user_name: { default_action: true },
    leave_type: { cell: typeCell },
    state: { cell: stateCell },
    dept_id: { filter: { names: ['dept_id'], text: values => (values.dept_id ? (tree.nameOf(values.dept_id) ?? '所选班级') : undefined), Input: () => null } },
  }), [tree])
  const list = useResourceList(applyApi.page, fields, { fixed, part: 'list' })
  const written = () => {
    list.select([])
    void list.refresh()
    onChanged()
  }
  const again = () => {
    void list.refresh()
    onChanged()
  }
  useChannel(leaveChannel, again, { onGap: again })
  const { busy, act } = useAct([], written)
  const chosen = list.rows.filter(row => list.selected.includes(row.row_id) && returnable.includes(row.state))
  const bringBack = () => act(() => returnAll(chosen), { ask: { title: `确定为${chosen.length}人登记返校吗？`, ok: '返校登记' }, done: `已登记返校 ${chosen.length}人` })
  return (
    <ListPage
      of={list} head={head}
      filters={<Filters of={list} show={tab === 'all' ? ['keyword', 'type', 'state', 'from', 'overdue'] : ['keyword', 'type', 'from']} />}
      batch={<Can code={applyApi.return}><Button loading={busy} disabled={chosen.length === 0} onClick={() => void bringBack()}>返校登记（{chosen.length}）</Button></Can>}
      actions={<><Can code={applyApi.add}><Button type="primary" onClick={() => apply(written)}>代请假</Button></Can><ImportButton code="leave.apply.import" template="leave" title="请假补录" label="补录导入" unit="条" onApplied={written} /><ListExport of={list} fact={leaveList} call={applyApi.export} fixed={fixed} /></>}
    >
      <Table
        of={list} show={['user_name', 'dept_name', 'leave_type', 'reason_name', 'span', 'lessons', 'state', 'handler', 'effects']} more={['leave_no', 'user_no', 'reason', 'out_at', 'back_at', 'submitted_at']}
        row={viewButton(row => show(row.leave_id, written))} row_width={64} selectable empty={empty_words[tab]}
      />
    </ListPage>
  )
}

function viewButton(show: (row: LeaveRow) => void): (row: LeaveRow) => ReactNode {
  return row => <Button type="link" size="small" aria-label={`查看 ${row.user_name}`} onClick={() => show(row)}>查看</Button>
}

/** Each leave once, with its chosen members: a group may come back in parts. */
async function returnAll(rows: readonly LeaveRow[]): Promise<void> {
  for (const [leave_id, of] of Map.groupBy(rows, row => row.leave_id)) await call(applyApi.return, { leave_id, user_ids: of.map(row => row.user_id) }, { quiet: true })
}

function typeCell(row: LeaveRow): ReactNode {
  return <Tag color={typeColor(row.leave_type)}>{leaveTypeName(row.person_kind, row.leave_type)}</Tag>
}

function stateCell(row: LeaveRow): ReactNode {
  return <span><Tag color={state_colors[row.state]}>{stateName(row.state)}</Tag>{row.changing && <Tooltip title="变更待审批"><Tag color="orange">变更</Tag></Tooltip>}</span>
}

/** 今日: by type and grade, and the three numbers that somebody has to look at. */
function TodayStrip({ today, choose }: { today: LeaveToday; choose: (patch: Record<string, string>) => void }): ReactNode {
  const most = Math.max(1, ...today.by_grade.map(one => one.people))
  return (
    <section className="leave-today" aria-label="今日请假">
      <div className="leave-figures">
        <Button type="text" onClick={() => choose({ tab: 'out' })}><b>{today.people}</b>今日请假</Button>
        <Button type="text" onClick={() => choose({ tab: 'all', state: '6' })}><b>{today.outside}</b>已离校</Button>
        <Button type="text" onClick={() => choose({ tab: 'wait' })}><b>{today.waiting}</b>待审批</Button>
        <Button type="text" danger={today.overdue > 0} onClick={() => choose({ tab: 'all', overdue: '1' })}><b>{today.overdue}</b>超时未返</Button>
      </div>
      <div className="leave-types">{today.by_type.map(one => <Tag key={one.leave_type} color={typeColor(one.leave_type)}>{leaveTypeName(1, one.leave_type)} {one.people}</Tag>)}</div>
      <ul className="leave-bars">
        {today.by_grade.map(one => <li key={one.grade} title={`${grades[one.grade] ?? '其他'} ${one.people}人`}><i style={{ height: `${Math.round((one.people / most) * 100)}%` }} /><small>{grades[one.grade] ?? '其他'} {one.people}</small></li>)}
      </ul>
    </section>
  )
}

/** 汇总: person × month; sick leaves that come often are marked. */
function Sums(): ReactNode {
  const report = useReport(leaveReport, recordApi.page)
  const often = report.data?.list.filter(row => Number(row.sick) >= sick_often).length ?? 0
  return (
    <>
      {often > 0 && <p className="leave-fault">本页有{often}人次一个月内病假达到{sick_often}次，请关注。</p>}
      <ReportPage of={report} chart={chartOf} exportCall={recordApi.export} empty="这段时间没有请假" />
    </>
  )
}

function chartOf(rows: readonly ReportRow[]): ChartData {
  return { kind: 'bar', categories: rows.map(row => String(row.user_name)), series: [{ name: '天数', values: rows.map(row => Number(row.days)) }], unit: '天' }
}
