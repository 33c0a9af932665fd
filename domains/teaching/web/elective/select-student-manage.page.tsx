import { allCombos, comboList, comboName, electiveApi, missingList, seat_states, seatApi, seatList } from '@campus/teaching/contract'
import type { ComboRow, Missing, Seat } from '@campus/teaching/contract'
import { Can, fieldsOf, Filters, ImportButton, ListPage, PageTabs, selectFilter, Table, useCan, usePage, useResourceList } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { useCall } from '@kit/web/part'
import { Button, Tag } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import '../teaching.css'

const AssignDialog = lazyDialog(() => import('./assign-dialogs.tsx').then(part => part.AssignDialog))
const RemoveDialog = lazyDialog(() => import('./assign-dialogs.tsx').then(part => part.RemoveDialog))
const ComboDialog = lazyDialog(() => import('./assign-dialogs.tsx').then(part => part.ComboDialog))
const EventsDrawer = lazyDialog(() => import('./events-drawer.tsx').then(part => part.EventsDrawer))

const tabs = [{ key: 'seat', label: '选课名单' }, { key: 'missing', label: '未选名单' }, { key: 'combo', label: '选科结果' }] as const
type Tab = (typeof tabs)[number]['key']
const most_tasks = 100
const seat_colors: Readonly<Record<number, string>> = { 1: 'green', 2: 'blue', 3: 'orange', 4: 'green', 5: 'default', 6: 'default' }
const removable: readonly number[] = [1, 2, 3, 4]
const names: Readonly<Record<number, string>> = seat_states

const stateTag = ({ state }: Seat) => <Tag color={seat_colors[state]}>{names[state]}</Tag>

/** 走班学生管理: who chose what, who has not, who studies which three of six subjects (chapter 50 §5). */
export default function SelectStudentManage(): ReactNode {
  const { search, setSearch } = usePage()
  const tab: Tab = tabs.find(one => one.key === search.tab)?.key ?? 'seat'
  const head = <PageTabs tabs={tabs} value={tab}
    onChange={key => setSearch({ tab: key, ...(search.task_id === undefined ? {} : { task_id: search.task_id }) })} />
  const views: Readonly<Record<Tab, ReactNode>> = { seat: <Seats head={head} />, missing: <MissingPupils head={head} />, combo: <Combos
    head={head} /> }
  return views[tab]
}

/** The tasks for choosing one, the latest first. */
function useTaskOptions(): { value: string; label: string }[] {
  const { data } = useCall(electiveApi.list, { page_size: most_tasks })
  return useMemo(() => (data?.list ?? []).map(({ id, name }) => ({ value: id, label: name })), [data])
}

function Seats({ head }: { head: ReactNode }): ReactNode {
  const tasks = useTaskOptions()
  const fields = useMemo(() => fieldsOf(seatList, {
    user_name: { default_action: true }, state: { cell: stateTag }, task_id: { filter: selectFilter('task_id', tasks) },
  }), [tasks])
  const list = useResourceList(seatApi.list, fields, { part: 'seat' })
  const { open, close, dialog } = useDialog()
  const written = () => void list.refresh()
  const may_assign = useCan(seatApi.remove)
  const assign = () => open(<AssignDialog task_id={list.values.task_id} onClose={close} onDone={written} />)
  const look = ({ task_id, student_id, user_name }: Seat) => open(<EventsDrawer task_id={task_id} student_id={student_id}
    user_name={user_name} onClose={close} />)
  const remove = (row: Seat) => open(<RemoveDialog seat={row} onClose={close} onDone={written} />)
  const rowActs = (row: Seat) => (
    <>
      <Button type="link" size="small" aria-label={`记录 ${row.user_name}`} onClick={() => look(row)}>记录</Button>
      {may_assign && removable.includes(row.state) && (
        <Button type="link" size="small" danger aria-label={`移除 ${row.user_name} ${row.title}`} onClick={() => remove(row)}>移除</Button>
      )}
    </>
  )
  return (
    <ListPage
      of={list} head={head} filters={<Filters of={list} show={['task_id', 'keyword', 'state']} />}
      actions={<><ListExport of={list} fact={seatList} call={seatApi.export} /><ImportButton code="teaching.elective.import" template="elective_wish"
        title="选课志愿导入" label="导入" unit="条" onApplied={written} /><Can code={seatApi.assign}><Button type="primary"
        onClick={assign}>分配学生</Button></Can></>}
    >
      <Table of={list} show={['student_no', 'user_name', 'dept_name', 'title', 'state', 'rank', 'wait_no', 'draw_no', 'at']} row={rowActs}
        row_width={112} empty="还没有学生选课" />
      {dialog}
    </ListPage>
  )
}

function MissingPupils({ head }: { head: ReactNode }): ReactNode {
  const tasks = useTaskOptions()
  const fields = useMemo(() => fieldsOf(missingList,
    { user_name: { default_action: true }, task_id: { filter: selectFilter('task_id', tasks) } }), [tasks])
  const list = useResourceList(seatApi.missing, fields, { part: 'missing' })
  const { open, close, dialog } = useDialog()
  const written = () => void list.refresh()
  const { task_id } = list.values
  const may_assign = useCan(seatApi.assign)
  const assign = (row: Missing) => open(<AssignDialog task_id={task_id} student={row} onClose={close} onDone={written} />)
  const rowActs = (row: Missing) => <Button type="link" size="small" aria-label={`分配 ${row.user_name}`}
    onClick={() => assign(row)}>分配</Button>
  return (
    <ListPage of={list} head={head} filters={<Filters of={list} show={['task_id', 'keyword']} />} actions={<ListExport of={list}
      fact={missingList} call={seatApi.exportMissing} />}>
      <Table of={list} show={['student_no', 'user_name', 'dept_name', 'picks']}
        row={may_assign && task_id !== undefined ? rowActs : undefined} row_width={72} empty={task_id === undefined ? '请先在上方选择选课任务' : '没有未选的学生'} />
      {dialog}
    </ListPage>
  )
}

const combo_options = allCombos().map(value => ({ value, label: comboName(value) }))
const combo_fields = fieldsOf(comboList, { user_name: { default_action: true }, combo: { filter: selectFilter('combo', combo_options) } })

function Combos({ head }: { head: ReactNode }): ReactNode {
  const list = useResourceList(seatApi.combos, combo_fields, { part: 'combo' })
  const counts = useCall(seatApi.combos, {})
  const { open, close, dialog } = useDialog()
  const written = () => {
    void list.refresh()
    void counts.refetch()
  }
  const may_change = useCan(seatApi.saveCombo)
  const change = (row: ComboRow | null) => open(<ComboDialog row={row} onClose={close} onDone={written} />)
  const rowActs = (row: ComboRow) => <Button type="link" size="small" aria-label={`改选 ${row.user_name}`}
    onClick={() => change(row)}>改选</Button>
  return (
    <ListPage
      of={list} filters={<Filters of={list} show={['keyword', 'combo']} />}
      head={<>{head}<ComboCounts counts={counts.data?.counts ?? []} chosen={list.values.combo}
        choose={combo => list.filterBy({ combo })} /></>}
      more={<><ListExport of={list} fact={comboList} call={seatApi.exportCombos} /><ImportButton code="teaching.elective.import"
        template="elective_student" title="走班学生导入" label="导入走班学生" unit="人" onApplied={written} /></>}
      actions={<Can code={seatApi.saveCombo}><Button type="primary"
        onClick={() => change(null)}>登记选科</Button></Can>}
    >
      <Table of={list} show={['student_no', 'user_name', 'dept_name', 'combo_name', 'valid_from', 'reason']}
        row={may_change ? rowActs : undefined} row_width={72} empty="还没有选科结果：公布选科任务后自动生成" />
      {dialog}
    </ListPage>
  )
}

type Count = { combo: string; name: string; count: number }

/** How many pupils have each of the twelve combinations; a click filters by it. */
function ComboCounts({ counts, chosen,
  choose }: { counts: readonly Count[]; chosen: string | undefined; choose: (combo: string | undefined) => void }): ReactNode {
  if (counts.length === 0) return null
  return (
    <div className="elective-combos" role="group" aria-label="选科组合人数">
      {counts.map(({ combo, name, count }) => (
        <button key={combo} type="button" aria-pressed={chosen === combo} onClick={() => choose(chosen === combo ? undefined : combo)}><b
          className="kit-number">{count}</b><small>{name}</small></button>
      ))}
    </div>
  )
}
