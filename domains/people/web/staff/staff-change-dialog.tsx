import { staff_leave_states, staff_leaves } from '@campus/people/contract'
import type { ChangeDraft, StaffRow } from '@campus/people/contract'
import { AppModal, leaving, schoolToday } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Alert, DatePicker, Form, Input, Select } from 'antd'
import type { FormInstance } from 'antd'
import type { ReactNode } from 'react'
import { Footer } from '../change/change-dialog.tsx'
import { Preview } from '../change/change-preview.tsx'
import { Receipt } from '../change/change-receipt.tsx'
import { useChange } from '../change/use-change.ts'
import { PersonPicker } from '../picker/person-picker.tsx'
import { validated } from '../refused.ts'
import { GoneSelect } from './gone-select.tsx'
import { StaffDeptSelect } from './staff-dept-select.tsx'
import { useRefreshStaff } from './use-staff-file.ts'
import type { StaffChangeWay } from './words.ts'
import '../change/change.css'

type Values = { to_dept_id?: string; user_ids?: string[]; leave_state?: (typeof staff_leave_states)[number]; successors?: Record<string, string>; to_where?: string; effective_on: string; reason: string }
type Props = { way: StaffChangeWay; rows: readonly StaffRow[]; onClose: () => void }
const titles: Record<StaffChangeWay, string> = { move: '调部门', leave: '离职', return: '返聘' }
const firsts = { move: 'to_dept_id', leave: 'leave_state', return: 'user_ids' } as const
const FORMAT = 'YYYY-MM-DD'
const back_days = 30
const ahead_days = 180
const most_named = 5

/** 调部门, 离职 or 返聘 in three steps: fill in, see what it does, done with a receipt. */
export function StaffChangeDialog({ way, rows, onClose }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const run = useChange()
  const refresh = useRefreshStaff()
  const look = async () => {
    const values = await validated(form)
    if (values) await run.look(draftOf(way, rows, values))
  }
  const back = () => {
    run.back()
    requestAnimationFrame(() => form.focusField(firsts[way]))
  }
  const close = () => {
    if (run.receipt) refresh()
    onClose()
  }
  const { preview, receipt, refused } = run
  const leave = receipt ? close : leaving(form, close)
  return (
    <AppModal open width={640} title={titles[way]} footer={<Footer run={run} look={() => void look()} back={back} onClose={leave} />} onCancel={leave}>
      {refused !== null && <Alert className="change-refused" type="error" showIcon title={refused} />}
      <div hidden={preview !== null}>
        <Fields way={way} form={form} rows={rows} />
      </div>
      {preview && !receipt && <Preview preview={preview} facet="staff" />}
      {receipt && <Receipt receipt={receipt} />}
    </AppModal>
  )
}

function Fields({ way, form, rows }: { way: StaffChangeWay; form: FormInstance<Values>; rows: readonly StaffRow[] }): ReactNode {
  const names = rows.slice(0, most_named).map(row => `${row.user_name}（${row.teacher_no}）`).join('、')
  return (
    <Form form={form} layout="vertical" initialValues={{ effective_on: schoolToday(), reason: '', leave_state: '07' }}>
      {rows.length > 0 && <p className="change-who">{rows.length > most_named ? `${names}等 ${rows.length} 人` : names}</p>}
      {way === 'return' && (
        <Form.Item name="user_ids" label="离职人员" rules={[{ required: true, message: '请选择离职人员' }]}>
          <GoneSelect />
        </Form.Item>
      )}
      {way !== 'leave' && (
        <Form.Item name="to_dept_id" label={way === 'move' ? '调入部门' : '所在部门'} rules={[{ required: true, message: '请选择部门' }]} extra={way === 'move' ? '主部门随之变更，岗位保留' : undefined}>
          <StaffDeptSelect />
        </Form.Item>
      )}
      {way === 'leave' && <LeaveFields rows={rows} />}
      <DayItem />
      <Form.Item name="reason" label="原因" rules={[...(way === 'leave' ? [{ required: true, whitespace: true, message: '请填写原因' }] : []), { max: 200, message: '超过200个字' }]}>
        <Input.TextArea rows={2} placeholder={way === 'leave' ? undefined : '选填'} />
      </Form.Item>
    </Form>
  )
}

/** How, where to, and who follows as head of each class. */
function LeaveFields({ rows }: { rows: readonly StaffRow[] }): ReactNode {
  const heads = rows.flatMap(row => row.duties.filter(one => one.duty === 'head').map(one => ({ ...one, user_name: row.user_name })))
  return (
    <>
      <Form.Item name="leave_state" label="离职类型" rules={[{ required: true, message: '请选择离职类型' }]}>
        <Select options={staff_leave_states.map(value => ({ value, label: staff_leaves[value] }))} />
      </Form.Item>
      {heads.map(({ dept_id, dept_name, user_name }) => (
        <Form.Item key={dept_id} name={['successors', dept_id]} label={`${dept_name}接任班主任`} extra={`${user_name}担任${dept_name}班主任，请指定接任`} rules={[{ required: true, message: '请指定接任' }]}>
          <PersonPicker of={['teacher']} />
        </Form.Item>
      ))}
      <Form.Item name="to_where" label="去向" rules={[{ max: 100, message: '超过100个字' }]}>
        <Input placeholder="选填" />
      </Form.Item>
    </>
  )
}

function DayItem(): ReactNode {
  const today = dayjs(schoolToday())
  return (
    <Form.Item
      name="effective_on"
      label="生效日期"
      extra="从这一天起按新情况计算；以后的日期到当天自动生效"
      rules={[{ required: true, message: '请选择生效日期' }]}
      getValueProps={(day?: string) => ({ value: day ? dayjs(day) : null })}
      normalize={(day: dayjs.Dayjs | null) => day?.format(FORMAT)}
    >
      <DatePicker className="kit-fill" minDate={today.subtract(back_days, 'day')} maxDate={today.add(ahead_days, 'day')} />
    </Form.Item>
  )
}

/** The command that the form describes; who has no department cannot be moved from one. */
function draftOf(way: StaffChangeWay, rows: readonly StaffRow[], values: Values): ChangeDraft {
  const { effective_on, reason, to_dept_id = '' } = values
  if (way === 'return') return { kind: 'STAFF_RETURN', state: '04', subjects: (values.user_ids ?? []).map(user_id => ({ user_id, to_dept_id })), effective_on, reason }
  if (way === 'leave') {
    const successors = Object.entries(values.successors ?? {}).map(([dept_id, user_id]) => ({ dept_id, user_id }))
    return { kind: 'STAFF_OUT', leave_state: values.leave_state ?? '07', subjects: rows.map(({ user_id }) => ({ user_id })), successors, effective_on, reason, to_where: values.to_where }
  }
  const subjects = rows.flatMap(({ user_id, depts: [primary] }) => (primary ? [{ user_id, from_dept_id: primary.dept_id, to_dept_id }] : []))
  return { kind: 'STAFF_MOVE', subjects, effective_on, reason }
}
