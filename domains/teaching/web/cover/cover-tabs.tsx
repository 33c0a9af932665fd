import { changeApi, changeList, ledgerList, lessonChannel, need_states, order_states, weekday_names } from '@campus/teaching/contract'
import type { ChangeOrder, CoverNeed } from '@campus/teaching/contract'
import { addDays } from '@campus/calendar/contract'
import { call, Can, fieldsOf, Filters, instantText, ListPage, schoolToday, Table, useCan, useChannel, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { dayjs } from '@kit/web/day'
import { ListExport } from '@kit/web/export'
import { Loaded, useCall } from '@kit/web/part'
import { Button, DatePicker, Segmented, Table as AntdTable, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const CoverDialog = lazyDialog(() => import('./cover-dialog.tsx').then(part => part.CoverDialog))
const NewChangeDialog = lazyDialog(() => import('./new-change-dialog.tsx').then(part => part.NewChangeDialog))
const RefuseDialog = lazyDialog(() => import('./refuse-dialog.tsx').then(part => part.RefuseDialog))
const [only_open, all_needs] = ['待安排', '全部'] as const
const days_ahead = 14
const need_colors: Readonly<Record<number, string>> = { 0: 'red', 1: 'green', 2: 'default', 3: 'orange', 4: 'default' }
const need_names: Readonly<Record<number, string>> = need_states

/** 待安排: lessons whose teacher is on leave, one by one or all of a day at once (chapter 50 §3.5). */
export function Needs({ head }: { head: ReactNode }): ReactNode {
  const [span, choose] = useState<[string, string]>([schoolToday(), addDays(schoolToday(), days_ahead)])
  const [shown, show] = useState<string>(only_open)
  const query = useCall(changeApi.needs, { from: span[0], to: span[1], state: shown === only_open ? 'open' : 'all' }, { keep: true })
  const { open, close, dialog } = useDialog()
  const written = () => void query.refetch()
  useChannel(lessonChannel, written, { onGap: written })
  const { busy, act } = useAct([], written)
  const may_apply = useCan(changeApi.cover)
  const arrange = ({ lesson, teacher }: CoverNeed) => open(<CoverDialog lesson={lesson} absent={teacher} onClose={close}
    onDone={written} />)
  const dismiss = ({ lesson, teacher }: CoverNeed) => act(() => call(changeApi.dismiss,
    { date: lesson.date, lesson_day_id: lesson.lesson_day_id, teacher_id: teacher.user_id }, { quiet: true }), {
    ask: { title: '这节课不需要代课？', touches: '课表不变，该项不再提醒。', ok: '不需要' }, done: '已标记不需要',
  })
  const undo = ({ order_id }: CoverNeed) => act(() => call(changeApi.undo, { id: order_id ?? '0' }, { quiet: true }), { done: '已撤销，恢复待安排' })
  const days = [...new Set((query.data?.list ?? []).filter(one => one.state === 0 && one.order_id === null
    && !one.begun).map(one => one.lesson.date))]
  const { auto, undoAll, may_undo } = useAuto(act, days)
  const acts = { arrange, dismiss, undo }
  return (
    <div className="teaching-page" data-ready={query.error ? 'failed' : query.data ? 'needs' : undefined}>
      {head}
      <div className="teaching-head">
        <DatePicker.RangePicker allowClear={false} aria-label="日期" value={[dayjs(span[0]), dayjs(span[1])]}
          onChange={range => range?.[0] && range[1] && choose([range[0].format('YYYY-MM-DD'), range[1].format('YYYY-MM-DD')])} />
        <Segmented options={[only_open, all_needs]} value={shown} onChange={show} />
        {query.data && <span>待安排 <b className="kit-number">{query.data.open}</b> 节</span>}
        <span className="timetable-acts"><Can code={changeApi.autoCover}>{may_undo && <Button loading={busy}
          onClick={() => void undoAll()}>撤销一键安排</Button>}<Button type="primary" loading={busy} disabled={days.length === 0}
          onClick={() => void auto()}>一键安排</Button></Can></span>
      </div>
      <Loaded query={query} rows={8} empty="没有需要安排的课：教师请假批准后，受影响的课出现在这里">
        {({ list }) => <AntdTable<CoverNeed> size="small" rowKey="key" columns={needColumns(may_apply ? acts : null)} dataSource={list}
          pagination={{ pageSize: 50, showSizeChanger: false }} scroll={{ x: 1000 }} />}
      </Loaded>
      {dialog}
    </div>
  )
}

/** 一键安排 of days, and its undo as long as the page is open. */
function useAuto(act: ReturnType<typeof useAct>['act'], days: readonly string[]) {
  const [commands, remember] = useState<readonly string[]>([])
  const auto = async () => {
    const made: string[] = []
    for (const date of days) {
      const told = await act(() => call(changeApi.autoCover, { date }, { quiet: true }),
        { done: ({ arranged, left }) => `${date} 已安排${arranged}节${left.length > 0 ? `，${left.length}节没有空闲教师` : ''}` })
      if (told?.command_id) made.push(told.command_id)
      if (!told) break
    }
    remember(made)
  }
  const undoAll = async () => {
    for (const id of commands) await act(() => call(changeApi.undoAuto, { id }, { quiet: true }), { done: ({ undone, begun }) =>
      `已撤销${undone}单${begun > 0 ? `，${begun}单已上课不能撤销` : ''}` })
    remember([])
  }
  return { auto, undoAll, may_undo: commands.length > 0 }
}

type Acts = { arrange: (need: CoverNeed) => void; dismiss: (need: CoverNeed) => unknown; undo: (need: CoverNeed) => unknown }

function needColumns(acts: Acts | null) {
  const plain = [
    { key: 'date', title: '日期', width: 160,
      render: (_: unknown, { lesson }: CoverNeed) => `${lesson.date} ${weekday_names[lesson.weekday] ?? ''}` },
    { key: 'time', title: '节次', width: 152,
      render: (_: unknown,
      { lesson }: CoverNeed) => `第${lesson.section}节 ${instantText(lesson.begin_at).slice(11, 16)}–${instantText(lesson.end_at).slice(11, 16)}` },
    { key: 'class', title: '班级', width: 120, render: (_: unknown, { lesson }: CoverNeed) => lesson.class_name },
    { key: 'course', title: '课程', width: 112, render: (_: unknown, { lesson }: CoverNeed) => lesson.course_name },
    { key: 'teacher', title: '请假教师', width: 104, render: (_: unknown, { teacher }: CoverNeed) => teacher.user_name },
    { key: 'cover', title: '代课', width: 104, render: (_: unknown, one: CoverNeed) => one.cover_name ?? '' },
    { key: 'state', title: '状态', width: 96, render: (_: unknown, one: CoverNeed) => <Tag
      color={need_colors[one.state]}>{one.begun && one.state === 0 ? '已过' : waits(one) ? '待同意' : need_names[one.state]}</Tag> },
  ]
  if (acts === null) return plain
  return [...plain, { key: 'acts', title: '操作', width: 144, fixed: 'right' as const, render: (_: unknown, need: CoverNeed) => <NeedActs
    need={need} acts={acts} /> }]
}

/** Somebody is asked to take it and has not answered yet. */
const waits = ({ state, order_id }: CoverNeed) => state === 0 && order_id !== null

function NeedActs({ need, acts }: { need: CoverNeed; acts: Acts }): ReactNode {
  const label = `${need.lesson.class_name} ${need.lesson.course_name}`
  if (need.begun) return null
  if (need.state === 0 && !waits(need)) {
    return (
      <>
        <Button type="link" size="small" aria-label={`安排 ${label}`} onClick={() => acts.arrange(need)}>安排</Button>
        <Button type="link" size="small" aria-label={`不需要 ${label}`} onClick={() => void acts.dismiss(need)}>不需要</Button>
      </>
    )
  }
  return need.order_id === null ? null : <Button type="link" size="small" danger aria-label={`撤销 ${label}`}
    onClick={() => void acts.undo(need)}>撤销</Button>
}

const order_fields = fieldsOf(changeList, { order_no: { default_action: true }, state: { cell: orderState } })

const order_names: Readonly<Record<number, string>> = order_states
const order_colors: Readonly<Record<number, string>> = { 1: 'green', 3: 'orange', 4: 'red', 5: 'gold', 6: 'red' }
const waits_approval = 5

function orderState({ state }: ChangeOrder): ReactNode {
  return <Tag color={order_colors[state]}>{order_names[state]}</Tag>
}

/** 调课代课: every order; what teachers ask for is approved here, and everything is undone before its lesson begins. */
export function Orders({ head }: { head: ReactNode }): ReactNode {
  const list = useResourceList(changeApi.list, order_fields, { part: 'change' })
  const { open, close, dialog } = useDialog()
  const written = () => void list.refresh()
  useChannel(lessonChannel, written, { onGap: written })
  const { act } = useAct([], written)
  const may_apply = useCan(changeApi.undo)
  const add = () => open(<NewChangeDialog onClose={close} onDone={written} />)
  const undo = ({ id, order_no }: ChangeOrder) => act(() => call(changeApi.undo, { id }, { quiet: true }),
    { ask: { title: `撤销“${order_no}”？`, touches: '课恢复原来的安排，相关教师和班级课表同时更新。', ok: '撤销' }, done: '已撤销' })
  const may_approve = useCan(changeApi.approve)
  const approve = ({ id, order_no, class_name, course_name }: ChangeOrder) => act(() => call(changeApi.approve, { id }, { quiet: true }),
    { ask: { title: `通过“${order_no}”？`, touches: `${class_name} ${course_name}按申请调整，相关教师和班级课表同时更新。`, ok: '通过' }, done: '已通过，课表已更新' })
  const refuse = (row: ChangeOrder) => open(<RefuseDialog order={row} onClose={close} onDone={written} />)
  const rowActs = (row: ChangeOrder) => (
    <>
      {may_approve && row.state === waits_approval && (
        <>
          <Button type="link" size="small" aria-label={`通过 ${row.order_no}`} onClick={() => void approve(row)}>通过</Button>
          <Button type="link" size="small" danger aria-label={`驳回 ${row.order_no}`} onClick={() => refuse(row)}>驳回</Button>
        </>
      )}
      {may_apply && row.may_undo && <Button type="link" size="small" danger aria-label={`撤销 ${row.order_no}`}
        onClick={() => void undo(row)}>撤销</Button>}
    </>
  )
  return (
    <ListPage
      of={list} head={head} filters={<Filters of={list} show={['keyword', 'kind', 'state', 'from']} />}
      actions={<><ListExport of={list} fact={changeList} call={changeApi.export} /><Can code={changeApi.cover}><Button type="primary"
        onClick={add}>新建调课</Button></Can></>}
    >
      <Table
        of={list} show={['order_no', 'kind', 'date', 'section', 'class_name', 'course_name', 'from_name', 'to_name', 'state',
          'applied_at']} more={['reason', 'by_name']}
        row={may_apply || may_approve ? rowActs : undefined} row_width={may_approve ? 152 : 72} empty="还没有调课单"
      />
      {dialog}
    </ListPage>
  )
}

const ledger_fields = fieldsOf(ledgerList, { user_name: { default_action: true } })

/** 代课统计: given and received by teacher. */
export function Ledger({ head }: { head: ReactNode }): ReactNode {
  const list = useResourceList(changeApi.ledger, ledger_fields, { part: 'ledger' })
  return (
    <ListPage of={list} head={head} filters={<Filters of={list} show={['keyword', 'from']} />} actions={<ListExport of={list}
      fact={ledgerList} call={changeApi.exportLedger} />}>
      <Table of={list} show={['user_name', 'given', 'received', 'net']} empty="还没有代课记录" />
    </ListPage>
  )
}
