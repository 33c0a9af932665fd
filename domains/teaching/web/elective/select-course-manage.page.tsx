import { electiveApi, taskList, walkingApi, walkingList } from '@campus/teaching/contract'
import type { TaskRow, Walking } from '@campus/teaching/contract'
import { AppModal, call, Can, dictionaryName, fieldsOf, Filters, ListPage, PageTabs, Table, useCan, usePage,
  useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { Loaded, useCall } from '@kit/web/part'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Dropdown, Table as AntdTable, Tag } from 'antd'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { combo_kind, lottery, state_colors, stateName, states } from './elective-words.ts'
import { SeatBar } from './offers-drawer.tsx'
import { useEvery } from '../use-every.ts'
import '../teaching.css'

const TaskDialog = lazyDialog(() => import('./task-dialog.tsx').then(part => part.TaskDialog))
const OffersDrawer = lazyDialog(() => import('./offers-drawer.tsx').then(part => part.OffersDrawer))
const VoidDialog = lazyDialog(() => import('./act-dialogs.tsx').then(part => part.VoidDialog))
const ReopenDialog = lazyDialog(() => import('./act-dialogs.tsx').then(part => part.ReopenDialog))
const ResultDialog = lazyDialog(() => import('./act-dialogs.tsx').then(part => part.ResultDialog))
const ProofDialog = lazyDialog(() => import('./act-dialogs.tsx').then(part => part.ProofDialog))

const Sectioning = lazy(() => import('./sectioning-tab.tsx').then(part => ({ default: part.Sectioning })))
const tabs = [{ key: 'task', label: '选课任务' }, { key: 'section', label: '分班' }, { key: 'class', label: '教学班' }] as const
type Tab = (typeof tabs)[number]['key']

/** 走班教学班管理: tasks in which pupils choose, what they offer, and the classes that come of them (chapter 50 §5). */
export default function SelectCourseManage(): ReactNode {
  const { search, setSearch } = usePage()
  const tab: Tab = tabs.find(one => one.key === search.tab)?.key ?? 'task'
  const head = <PageTabs tabs={tabs} value={tab} onChange={key => setSearch({ tab: key })} />
  if (tab === 'section') return <Suspense fallback={head}><Sectioning head={head} /></Suspense>
  return tab === 'task' ? <Tasks head={head} /> : <Classes head={head} />
}

const task_fields = fieldsOf(taskList, {
  name: { default_action: true },
  grades: { cell: row => row.grades.map(grade => dictionaryName('GRADE', grade)).join('、') },
  state: { cell: row => <Tag color={state_colors[row.state]}>{stateName(row)}</Tag> },
  taken: { cell: row => <SeatBar taken={row.taken} capacity={row.capacity} /> },
})

function Tasks({ head }: { head: ReactNode }): ReactNode {
  const list = useResourceList(electiveApi.list, task_fields, { part: 'task' })
  const { open, close, dialog } = useDialog()
  const written = () => void list.refresh()
  useEvery(list.rows.some(row => row.state === states.open), written)
  const add = () => open(<TaskDialog task={null} onClose={close} onDone={written} />)
  const rowActs = (row: TaskRow) => <TaskActs key={row.id} task={row} open={open} close={close} written={written} />
  return (
    <ListPage of={list} head={head} filters={<Filters of={list} show={['keyword', 'kind', 'grade']} />} actions={<Can
      code={electiveApi.add}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={add}>新增任务</Button></Can>}>
      <Table
        of={list} show={['name', 'kind', 'mode', 'grades', 'open_at', 'close_at', 'state', 'taken',
          'chosen']} more={['semester_name']} row={rowActs} row_width={128}
        empty="还没有选课任务：点“新增任务”，设置选项后发布"
      />
      {dialog}
    </ListPage>
  )
}

type ActsProps = { task: TaskRow; open: (element: ReactNode) => void; close: () => void; written: () => void }

function TaskActs({ task, open, close, written }: ActsProps): ReactNode {
  const { act } = useAct([], written)
  const may = { edit: useCan(electiveApi.update), draw: useCan(electiveApi.draw) }
  const frame = { task, onClose: close, onDone: written }
  const { id } = task
  const publish = () => act(() => call(electiveApi.publish, { id }, { quiet: true }),
    { ask: { title: `发布“${task.name}”？`, touches: `${task.audience}名学生将看到该任务，共${task.offers}个选项；发布后规则不能再改。`, ok: '发布' }, done: '已发布' })
  const draw = () => act(() => call(electiveApi.draw, { id }, { quiet: true }),
    { ask: { title: `对“${task.name}”抽签？`, touches: '按发布时锁定的种子抽取，只能抽一次。', ok: '抽签' },
    done: ({ won, lost }) => `抽签完成：中签${won}人次，${lost}人未中签` })
  const pause = () => act(() => call(electiveApi.pause, { id, paused: !task.paused }, { quiet: true }),
    { done: task.paused ? '已继续' : '已暂停，已选的名额保留' })
  const remove = () => act(() => call(electiveApi.remove, { id }, { quiet: true }),
    { ask: { title: `删除“${task.name}”？`, touches: '选项一并删除。', ok: '删除' }, done: '删除成功!' })
  const edit = () => open(<TaskDialog {...frame} />)
  const offers = () => open(<OffersDrawer {...frame} />)
  const end = () => open(<VoidDialog {...frame} />)
  const reopen = () => open(<ReopenDialog {...frame} />)
  const announce = () => open(<ResultDialog {...frame} mode="announce" />)
  const classes = () => open(<ResultDialog {...frame} mode="classes" />)
  const proof = () => open(<ProofDialog task={task} onClose={close} />)
  const acts: Readonly<Record<string, () => unknown>> = { edit, publish, draw, pause, remove, void: end, reopen, announce, classes, proof }
  const items = itemsOf(task, may)
  return (
    <>
      <Button type="link" size="small" aria-label={`选项 ${task.name}`} onClick={offers}>选项</Button>
      {items.length > 0 && <Dropdown trigger={['click']} menu={{ items, onClick: ({ key }) => void acts[key]?.() }}><Button type="link"
        size="small" aria-label={`更多 ${task.name}`} aria-haspopup="menu">更多</Button></Dropdown>}
    </>
  )
}

/** What may be done with a task as it stands. */
function itemsOf({ state, mode, kind, drawn_at, proof_code, paused, classes }: TaskRow, may: { edit: boolean; draw: boolean }) {
  const live = state === states.coming || state === states.open
  const closed = state === states.closed
  const waits_for_draw = mode === lottery && drawn_at === null
  const all = [
    { key: 'edit', label: '编辑', shown: may.edit && (state === states.draft || live) },
    { key: 'publish', label: '发布', shown: may.edit && state === states.draft },
    { key: 'pause', label: paused ? '继续' : '暂停', shown: may.edit && live },
    { key: 'reopen', label: '重新开放', shown: may.edit && closed && drawn_at === null },
    { key: 'draw', label: '抽签', shown: may.draw && closed && waits_for_draw },
    { key: 'proof', label: '抽签公示', shown: proof_code !== null },
    { key: 'announce', label: '公布结果', shown: may.edit && closed && !waits_for_draw },
    { key: 'classes', label: '生成教学班', shown: may.edit && state === states.announced && kind !== combo_kind && classes === 0 },
    { key: 'void', label: '作废', danger: true, shown: may.edit && (live || closed) },
    { key: 'remove', label: '删除', danger: true, shown: may.edit && state === states.draft },
  ]
  return all.filter(item => item.shown).map(({ shown: _shown, ...item }) => item)
}

const class_fields = fieldsOf(walkingList, { name: { default_action: true } })

function Classes({ head }: { head: ReactNode }): ReactNode {
  const list = useResourceList(walkingApi.list, class_fields, { part: 'class' })
  const { open, close, dialog } = useDialog()
  const look = (row: Walking) => open(<RosterDialog of={row} onClose={close} />)
  const rowActs = (row: Walking) => <Button type="link" size="small" aria-label={`名单 ${row.name}`} onClick={() => look(row)}>名单</Button>
  return (
    <ListPage of={list} head={head} filters={<Filters of={list} show={['keyword', 'kind', 'grade']} />} actions={<ListExport of={list}
      fact={walkingList} call={walkingApi.export} />}>
      <Table of={list} show={['name', 'kind', 'semester_name', 'grade', 'course_name', 'teachers', 'place_name', 'students']} row={rowActs}
        row_width={72} empty="还没有教学班：选课任务公布结果后点“生成教学班”" />
      {dialog}
    </ListPage>
  )
}

const roster_columns = [
  { key: 'no', title: '学号', width: 140, dataIndex: 'student_no' }, { key: 'name', title: '姓名', width: 120, dataIndex: 'user_name' },
  { key: 'dept', title: '班级', width: 160, dataIndex: 'dept_name' }, { key: 'from', title: '加入日期', dataIndex: 'valid_from' },
]

function RosterDialog({ of, onClose }: { of: Walking; onClose: () => void }): ReactNode {
  const query = useCall(walkingApi.students, { id: of.id })
  return (
    <AppModal open width={640} title={`名单：${of.name}`} footer={null} onCancel={onClose}>
      <Loaded query={query} rows={8} empty="还没有学生">{({ list }) => <AntdTable size="small" rowKey="student_id" columns={roster_columns}
        dataSource={list} pagination={false} scroll={{ y: 420 }} />}</Loaded>
    </AppModal>
  )
}
