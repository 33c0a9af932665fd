import { teachingApi } from '@campus/teaching/contract'
import type { TaughtClass, TeacherLoad, TeachingCell } from '@campus/teaching/contract'
import { grade_codes } from '@campus/calendar/contract'
import type { Reply } from '@kit/contract'
import { Can, dictionaryName, ImportButton, PageFrame, useCan, useDictionary } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Empty, Progress, Segmented, Select, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTerms } from '../use-terms.tsx'
import '../teaching.css'

const CellDialog = lazyDialog(() => import('./cell-dialog.tsx').then(part => part.CellDialog))
const CopyDialog = lazyDialog(() => import('./copy-dialog.tsx').then(part => part.CopyDialog))
const ChangeDialog = lazyDialog(() => import('./change-dialog.tsx').then(part => part.ChangeDialog))

const [by_class, by_teacher] = ['按班级', '按教师'] as const
type Matrix = Reply<typeof teachingApi.matrix>
type Course = Matrix['courses'][number]

/** 教师任课: who teaches what to which class, with the load of each teacher (chapter 50 §5). */
export default function TeacherTeaching(): ReactNode {
  const { terms, semester_id, select, ready } = useTerms()
  const [view, show] = useState<string>(by_class)
  const [grade, choose] = useState<(typeof grade_codes)[number]>()
  const grades = useDictionary('GRADE')
  const { open, close, dialog } = useDialog()
  const client = useQueryClient()
  const enabled = semester_id !== undefined
  const matrix = useCall(teachingApi.matrix, { semester_id: semester_id ?? 10_000, ...(grade === undefined ? {} : { grade }) }, { enabled, keep: true })
  const load = useCall(teachingApi.load, { semester_id: semester_id ?? 10_000 }, { enabled: enabled && view === by_teacher, keep: true })
  const written = () => {
    for (const { call } of [teachingApi.matrix, teachingApi.load]) void client.invalidateQueries({ queryKey: [call] })
  }
  const frame = { onClose: close, onDone: written }
  const copy = () => open(<CopyDialog terms={terms} to={semester_id} {...frame} />)
  const change = () => open(<ChangeDialog semester_id={semester_id ?? 0} {...frame} />)
  const edit = (of: TaughtClass, course: Course, cell: TeachingCell | undefined) => open(<CellDialog semester_id={semester_id ?? 0} of={of} course={course} cell={cell} {...frame} />)
  return (
    <div className="teaching-page" data-ready={matrix.error ? 'failed' : matrix.data || (ready && !enabled) ? 'teaching' : undefined}>
      <PageFrame
        actions={
          <>
            <ImportButton code="teaching.teaching.import" template="teaching" title="教师任课导入" label="导入" unit="项" onApplied={written} />
            <Can code={teachingApi.changeTeacher}><Button disabled={!enabled} onClick={change}>教师变更</Button></Can>
            <Can code={teachingApi.copy}><Button disabled={!enabled} onClick={copy}>任课复制</Button></Can>
          </>
        }
      />
      <div className="teaching-head">
        {select}
        <Select className="teaching-grade" aria-label="年级" allowClear value={grade} onChange={choose} placeholder="全部年级" options={grade_codes.map(value => ({ value, label: grades.find(one => one.value === value)?.label ?? value }))} />
        <Segmented options={[by_class, by_teacher]} value={view} onChange={show} />
        {matrix.data && <Summary matrix={matrix.data} />}
      </div>
      {ready && !enabled && <Empty description="还没有学期：请先在学期管理中新增学期" />}
      {enabled && view === by_class && <Loaded query={matrix} rows={12} empty="该学期没有班级" isEmpty={({ classes }) => classes.length === 0}>{data => <MatrixTable matrix={data} edit={edit} />}</Loaded>}
      {enabled && view === by_teacher && <Loaded query={load} rows={12}>{({ list }) => <LoadTable list={list} />}</Loaded>}
      {dialog}
    </div>
  )
}

function Summary({ matrix: { cells } }: { matrix: Matrix }): ReactNode {
  const lessons = cells.reduce((sum, cell) => sum + (cell.weekly_odd + cell.weekly_even) / 2, 0)
  const open = cells.filter(cell => cell.teachers.length === 0).length
  return <span className="teaching-summary">共 <b className="kit-number">{cells.length}</b> 项任课，每周 <b className="kit-number">{lessons}</b> 节{open > 0 && <Tag color="red">未安排教师 {open}</Tag>}</span>
}

type Edit = (of: TaughtClass, course: Course, cell: TeachingCell | undefined) => void

function MatrixTable({ matrix: { classes, courses, cells }, edit }: { matrix: Matrix; edit: Edit }): ReactNode {
  const may_edit = useCan(teachingApi.save)
  const keyOf = (one: { class_id: string | null; dept_id: string | null }) => one.dept_id ?? one.class_id ?? ''
  const by_cell = new Map(cells.map(cell => [`${keyOf(cell)} ${cell.course_id}`, cell]))
  const totals = Map.groupBy(cells, keyOf)
  const columns = [
    { key: 'name', title: '班级', width: 112, fixed: 'left' as const, render: (_: unknown, row: TaughtClass) => row.name },
    { key: 'total', title: '课时', width: 64, fixed: 'left' as const, align: 'right' as const, render: (_: unknown, row: TaughtClass) => <b className="kit-number">{(totals.get(keyOf(row)) ?? []).reduce((sum, cell) => sum + (cell.weekly_odd + cell.weekly_even) / 2, 0)}</b> },
    ...courses.map(course => ({
      key: course.id, title: <><i className="teaching-color" style={{ background: course.color }} aria-hidden />{course.course_name}</>, width: 116,
      render: (_: unknown, row: TaughtClass) => <Cell cell={by_cell.get(`${keyOf(row)} ${course.id}`)} label={`${row.name} ${course.course_name}`} open={may_edit ? () => edit(row, course, by_cell.get(`${keyOf(row)} ${course.id}`)) : null} />,
    })),
  ]
  return <Table<TaughtClass> className="teaching-matrix" size="small" rowKey={keyOf} columns={columns} dataSource={classes} pagination={false} virtual={false} scroll={{ x: 176 + courses.length * 116, y: 'calc(100vh - 300px)' }} />
}

/** Teachers and lessons of one cell; a cell without a teacher stands out. */
function Cell({ cell, label, open }: { cell: TeachingCell | undefined; label: string; open: (() => void) | null }): ReactNode {
  const names = cell?.teachers.map(one => one.user_name).join('、')
  const count = cell && (cell.weekly_odd === cell.weekly_even ? `${cell.weekly_odd}节` : `单${cell.weekly_odd}双${cell.weekly_even}`)
  const content = cell ? <><span data-open={names === '' || undefined}>{names === '' ? '未安排' : names}</span><small>{count}{cell.double > 0 && ` 连堂${cell.double}`}</small></> : <span aria-hidden>–</span>
  if (!open) return <div className="teaching-cell">{content}</div>
  return <button type="button" className="teaching-cell" aria-label={`${label}：${cell ? `${names === '' ? '未安排教师' : names} ${count}` : '未开课'}`} onClick={open}>{content}</button>
}

function LoadTable({ list }: { list: readonly TeacherLoad[] }): ReactNode {
  const columns = [
    { key: 'name', title: '教师', width: 120, dataIndex: 'user_name' },
    { key: 'no', title: '工号', width: 120, dataIndex: 'teacher_no' },
    { key: 'subjects', title: '学科', width: 160, render: (_: unknown, row: TeacherLoad) => row.subjects.map(code => dictionaryName('SUBJECT', code)).join('、') },
    { key: 'weekly', title: '周课时', width: 88, align: 'right' as const, render: (_: unknown, row: TeacherLoad) => <span className="kit-number">{row.weekly}</span> },
    { key: 'bar', title: '工作量', render: (_: unknown, row: TeacherLoad) => <LoadBar row={row} /> },
  ]
  return <Table<TeacherLoad> size="small" rowKey="user_id" columns={columns} dataSource={[...list]} pagination={{ pageSize: 50, showSizeChanger: false }} scroll={{ y: 'calc(100vh - 340px)' }} />
}

function LoadBar({ row: { weekly, most } }: { row: TeacherLoad }): ReactNode {
  const over = weekly > most
  return (
    <div className="teaching-load">
      <Progress percent={Math.min(100, Math.round((weekly / most) * 100))} showInfo={false} size="small" status={over ? 'exception' : 'normal'} aria-label={`${weekly}节，上限${most}节`} />
      <small>{over ? `超出${weekly - most}节` : `上限${most}节`}</small>
    </div>
  )
}
