import { arrangeApi, scope_kinds } from '@campus/attendance/contract'
import type { ArrangeRow, WeekCell } from '@campus/attendance/contract'
import { useDeptTree } from '@campus/people/web'
import type { Reply } from '@kit/contract'
import { call, Can, schoolToday, TreePanel } from '@kit/web'
import { lazyDialog, useAct } from '@kit/web/act'
import { WeekGrid } from '@kit/web/grid'
import { Loaded, useCall } from '@kit/web/part'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button, Empty, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Term } from './use-terms.ts'

const ArrangeDialog = lazyDialog(() => import('./arrange-dialog.tsx').then(part => part.ArrangeDialog))

type Props = { kind: 'course' | 'clock'; term: Term; query: UseQueryResult<Reply<typeof arrangeApi.list>>; open: (element: ReactNode) => void; onClose: () => void; onDone: () => void }
const workdays = [1, 2, 3, 4, 5] as const
const kinds: Readonly<Record<string, string>> = scope_kinds

/** Arranges of a kind from the widest scope to the narrowest; of lessons also the week of a class, painted by what decides. */
export function ArrangeTab({ kind, term, query, open, onClose, onDone }: Props): ReactNode {
  const edit = (arrange: ArrangeRow) => open(<ArrangeDialog kind={kind} term={term} arrange={arrange} onClose={onClose} onDone={onDone} />)
  const columns = [
    { key: 'scope', title: '范围', width: 160, render: (_: unknown, row: ArrangeRow) => <>{row.scope_kind > 1 && <Tag>{kinds[String(row.scope_kind)]}</Tag>}{row.scope_name}</> },
    { key: 'name', title: '安排名称', width: 160, dataIndex: 'arrange_name' },
    { key: 'rule', title: '规则', width: 160, dataIndex: 'rule_name' },
    { key: 'who', title: '对象', width: 72, render: (_: unknown, row: ArrangeRow) => (row.person_kind === 1 ? '学生' : '教职工') },
    kind === 'course'
      ? { key: 'section', title: '节次', width: 96, render: (_: unknown, row: ArrangeRow) => (row.section_from === null ? '全部' : `第${row.section_from}–${row.section_to}节`) }
      : { key: 'slots', title: '时段', width: 240, render: (_: unknown, row: ArrangeRow) => row.slots.map(slot => `${slot.slot_name} ${slot.begin}–${slot.end}`).join('，') },
    { key: 'days', title: '日期', width: 184, render: (_: unknown, row: ArrangeRow) => `${row.valid_from}至${row.valid_to}` },
    { key: 'enabled', title: '状态', width: 72, render: (_: unknown, row: ArrangeRow) => <Tag color={row.enabled ? 'green' : 'default'}>{row.enabled ? '启用' : '停用'}</Tag> },
    { key: 'acts', title: '操作', width: 120, render: (_: unknown, row: ArrangeRow) => <Acts row={row} edit={edit} onDone={onDone} /> },
  ]
  return (
    <>
      <Loaded query={query} rows={6} empty="还没有安排：点“新增安排”，选择规则和范围" isEmpty={({ list }) => list.length === 0}>
        {({ list }) => <Table<ArrangeRow> size="small" rowKey="arrange_id" columns={columns} dataSource={list} pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }} />}
      </Loaded>
      {kind === 'course' && <ClassWeek />}
    </>
  )
}

function Acts({ row, edit, onDone }: { row: ArrangeRow; edit: (row: ArrangeRow) => void; onDone: () => void }): ReactNode {
  const { act } = useAct([arrangeApi.week], onDone)
  const ask = { title: `删除安排“${row.arrange_name}”？`, touches: '从今天起不再使用，今天以前的考勤结果不变。', ok: '删除' }
  const remove = () => void act(() => call(arrangeApi.remove, { id: row.arrange_id }, { quiet: true }), { ask, done: '删除成功!' })
  return (
    <>
      <Can code={arrangeApi.update}><Button type="link" size="small" aria-label={`编辑 ${row.arrange_name}`} onClick={() => edit(row)}>编辑</Button></Can>
      <Can code={arrangeApi.remove}><Button type="link" size="small" danger aria-label={`删除 ${row.arrange_name}`} onClick={remove}>删除</Button></Can>
    </>
  )
}

/** The week of a class: colour by rule, hatched where none holds, a red corner where the room has no device. */
function ClassWeek(): ReactNode {
  const [dept_id, choose] = useState<string>()
  const tree = useDeptTree(undefined, 'student')
  const query = useCall(arrangeApi.week, { dept_id: dept_id ?? '0', date: schoolToday() }, { enabled: dept_id !== undefined, keep: true })
  return (
    <section className="attend-week" aria-label="班级周视图">
      <TreePanel name="attend-arrange" load={tree.load} search={tree.search} selected={dept_id} onSelect={choose} />
      {dept_id === undefined
        ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="选择一个班级，查看本周每节课由哪条规则判定" />
        : <Loaded query={query} empty="该班本周没有课" isEmpty={({ list }) => list.length === 0}>{({ list }) => <Week list={list} />}</Loaded>}
    </section>
  )
}

function Week({ list }: { list: readonly WeekCell[] }): ReactNode {
  const cells = new Map(list.map(cell => [`${cell.section}/${cell.weekday}`, cell]))
  const rules = [...new Set(list.flatMap(cell => cell.rule_name ?? []))]
  const lines = [...new Set(list.map(cell => cell.section))].toSorted((a, b) => a - b).map(section => ({ key: String(section), name: `第${section}节`, begin: '', end: '' }))
  const weekdays = [...new Set([...workdays, ...list.map(cell => cell.weekday)])].toSorted((a, b) => a - b)
  const cellAt = (line: { key: string }, weekday: number) => cells.get(`${line.key}/${weekday}`)
  const renderCell = (line: { key: string }, weekday: number) => <Cell cell={cellAt(line, weekday)} />
  return (
    <div>
      <p className="attend-legend">{rules.map((name, at) => <span key={name}><i data-tone={`rule${at % 6}`} aria-hidden />{name}</span>)}<span><i data-tone="none" aria-hidden />未设置规则</span><span><i data-tone="bare" aria-hidden />教室没有考勤设备</span></p>
      <WeekGrid
        label="本周考勤规则" lines={lines} weekdays={weekdays} has={(line, weekday) => cells.has(`${line.key}/${weekday}`)} renderCell={renderCell} titleOf={(line, weekday) => titleOf(cellAt(line, weekday))}
        toneOf={(line, weekday) => toneOf(cellAt(line, weekday), rules)}
      />
    </div>
  )
}

function Cell({ cell }: { cell: WeekCell | undefined }): ReactNode {
  if (!cell) return null
  return <span className={cell.points === 0 ? 'attend-lesson attend-bare' : 'attend-lesson'}>{cell.title}<small>{cell.rule_name ?? '未设置规则'}</small></span>
}

function titleOf(cell: WeekCell | undefined): string {
  if (!cell) return '无课'
  const rule = cell.rule_name === null ? '未设置规则' : `${cell.rule_name}，来自${cell.arrange_name ?? ''}`
  return `${cell.title} ${cell.place_name ?? ''} ${rule}${cell.points === 0 ? '，教室没有考勤设备' : ''}`
}

function toneOf(cell: WeekCell | undefined, rules: readonly string[]): string | undefined {
  if (!cell) return undefined
  return cell.rule_name === null ? 'none' : `rule${rules.indexOf(cell.rule_name) % 6}`
}
