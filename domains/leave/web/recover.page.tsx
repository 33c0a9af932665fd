import { recordApi, recover_state_names, recoverApi, RecoverRow } from '@campus/leave/contract'
import { AppModal, call, Can, daysFilter, fields, Filters, leaving, ListPage, schoolToday, selectFilter, Table, textFilter, useResourceList, useSaving, validValues } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { Alert, Button, DatePicker, Form, Input, Tag, Tooltip } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import './leave.css'

const LeaveDrawer = lazyDialog(() => import('./leave-drawer.tsx').then(part => part.LeaveDrawer))
const state_colors = { open: 'blue', due: 'orange', suspend: 'red', resumed: 'green' } as const
const usual_days = 180
const resumed_kind = 2

const recover_fields = fields(RecoverRow, 'row_id', {
  keyword: { label: '关键字', filter: textFilter('keyword', '姓名/学号') },
  user_name: { label: '姓名', width: 84, default_action: true },
  user_no: { label: '学号/工号', width: 104 },
  dept_name: { label: '班级/部门', width: 104 },
  from: { label: '起始', width: 100, kind: 'day', filter: daysFilter('from', 'to') },
  bars: { label: '时间轴', width: 220, cell: row => <Timeline row={row} /> },
  school_days: { label: '累计天数', width: 80, kind: 'number' },
  lessons: { label: '缺课(节)', width: 76, kind: 'number' },
  last_follow: { label: '最近随访', width: 100, kind: 'day' },
  next_follow: { label: '下次随访', width: 100, kind: 'day' },
  has_proof: { label: '证明', width: 60, text: row => (row.has_proof ? '有' : '') },
  state: { label: '状态', width: 84, cell: row => <Tag color={state_colors[row.state]}>{recover_state_names[row.state]}</Tag>, filter: selectFilter('state', Object.entries(recover_state_names).map(([value, label]) => ({ value, label }))) },
  person_kind: { label: '人员类型', width: 84, filter: selectFilter('kind', [{ value: '1', label: '学生' }, { value: '2', label: '教职工' }, { value: '6', label: '企业员工' }]) },
})

/** 疗养请假记录: long sick leaves as chains with their follow-ups, until the day somebody is back (chapter 70 L16, §5). */
export default function LeaveLiaoYang(): ReactNode {
  const list = useResourceList(recordApi.recover, recover_fields)
  const { open, close, dialog } = useDialog()
  const written = () => void list.refresh()
  const show = ({ last_leave_id }: RecoverRow) => open(<LeaveDrawer leave_id={last_leave_id} onClose={close} onDone={written} />)
  const follow = (row: RecoverRow, is_resume: boolean) => open(<FollowDialog row={row} is_resume={is_resume} onClose={close} onDone={written} />)
  return (
    <ListPage of={list} filters={<Filters of={list} show={['keyword', 'from', 'state', 'person_kind']} />}>
      <Table
        of={list} show={['user_name', 'user_no', 'dept_name', 'from', 'bars', 'school_days', 'lessons', 'last_follow', 'next_follow', 'state']} more={['has_proof']}
        row={actsOf(show, follow)} row_width={176} empty="没有疗养记录：连续病假达到3个上课日，或原因为疗养的请假会显示在这里"
      />
      {dialog}
    </ListPage>
  )
}

function actsOf(show: (row: RecoverRow) => void, follow: (row: RecoverRow, is_resume: boolean) => void): (row: RecoverRow) => ReactNode {
  return row => (
    <>
      <Button type="link" size="small" aria-label={`查看 ${row.user_name}`} onClick={() => show(row)}>查看</Button>
      {row.state !== 'resumed' && (
        <>
          <Can code={recoverApi.follow}><Button type="link" size="small" aria-label={`登记随访 ${row.user_name}`} onClick={() => follow(row, false)}>随访</Button></Can>
          <Can code={recoverApi.resume}><Button type="link" size="small" aria-label={`办理复课 ${row.user_name}`} onClick={() => follow(row, true)}>复课</Button></Can>
        </>
      )}
    </>
  )
}

/** The chain on the line of the last half year: sick red, 疗养 orange, follow-ups as dots, 复课 green. */
function Timeline({ row }: { row: RecoverRow }): ReactNode {
  const first = dayjs(schoolToday()).subtract(usual_days, 'day')
  const place = (day: string) => `${Math.min(100, Math.max(0, (dayjs(day).diff(first, 'day') / usual_days) * 100))}%`
  const span = (from: string, to: string) => ({ left: place(from), width: `${Math.max(1, ((dayjs(to).diff(dayjs(from), 'day') + 1) / usual_days) * 100)}%` })
  return (
    <span className="leave-line">
      {row.bars.map(bar => <Tooltip key={bar.leave_id} title={`${bar.from} 至 ${bar.to}，${bar.days}天`}><i data-kind={bar.kind} style={span(bar.from, bar.to)} /></Tooltip>)}
      {row.follows.map(one => <Tooltip key={one.follow_id} title={`${one.on} ${one.note}`}><b data-kind={one.kind === resumed_kind ? 'back' : 'follow'} style={{ left: place(one.on) }} /></Tooltip>)}
    </span>
  )
}

type Frame = { onClose: () => void; onDone: () => void }
const far_follow = 3

/** 登记随访 and 办理复课. */
function FollowDialog({ row, is_resume, onClose, onDone }: Frame & { row: RecoverRow; is_resume: boolean }): ReactNode {
  const [form] = Form.useForm<{ note: string; next_on?: Dayjs }>()
  const { busy, refused, run } = useSaving(form, { 'leave.nextTooEarly': 'next_on' })
  const title = is_resume ? '办理复课' : '登记随访'
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const of = { leave_id: row.last_leave_id, user_id: row.user_id, note: values.note }
    const sent = () => (is_resume ? call(recoverApi.resume, of, { quiet: true }) : call(recoverApi.follow, { ...of, next_on: values.next_on?.format('YYYY-MM-DD') ?? null }, { quiet: true }))
    if (!(await run(sent, '操作成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={`${title} · ${row.user_name}`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>{row.from} 起累计 {row.school_days} 天，缺课 {row.lessons} 节。{row.state === 'suspend' ? '已超过60个上课日，建议办理休学。' : ''}</p>
      <Form form={form} name="leave-follow" layout="vertical" initialValues={{ next_on: dayjs(schoolToday()).add(far_follow, 'day') }}>
        <Form.Item name="note" label={is_resume ? '复课说明' : '随访情况'} rules={[{ required: true, whitespace: true, message: '请填写随访情况' }]}><Input.TextArea maxLength={200} showCount rows={3} /></Form.Item>
        {!is_resume && <Form.Item name="next_on" label="下次随访"><DatePicker className="kit-fill" /></Form.Item>}
      </Form>
    </AppModal>
  )
}
