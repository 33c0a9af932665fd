import { memberApi } from '@campus/identity/contract'
import type { RoleRow } from '@campus/identity/contract'
import { AppModal, call, mayDiscard, schoolToday, useSaving, validValues } from '@kit/web'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import { Alert, DatePicker, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { PeopleSelect } from './people-select.tsx'
import type { ChosenPerson } from './people-select.tsx'
import type { MemberLine } from './use-member-list.ts'

type Values = { user_id?: ChosenPerson[]; valid_from?: Dayjs | null; valid_to?: Dayjs | null; reason?: string }
type Props = { role: RoleRow; row: MemberLine; onClose: () => void; onChanged: () => Promise<void> }

const format = 'YYYY-MM-DD'

/** Lets somebody act for a member until a day; what is done under it is marked 代办. */
export function SubstituteDialog({ role, row, onClose, onChanged }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const last = row.member?.valid_to ? dayjs(row.member.valid_to) : undefined
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    if (!(await run(() => send(row, values), '已委托代办'))) return
    await onChanged()
    onClose()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  return (
    <AppModal open width={520} title={`委托代办：${row.user_name} · ${role.name}`} okText="委托" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p className="role-small">代办人登录时可选择身份“{role.name}（代{row.user_name}）”，数据范围与{row.user_name}相同；以此身份做的每项操作在日志中标记为代办，到期自动结束。</p>
      <Form form={form} name="member-substitute" layout="vertical">
        <Form.Item name="user_id" label="代办人" rules={[{ required: true, message: '请选择代办人' }, { type: 'array', max: 1, message: '只能选择一人' }]}><PeopleSelect /></Form.Item>
        <div className="member-dates">
          <Form.Item name="valid_from" label="开始日期"><DatePicker className="kit-fill" placeholder="立即" minDate={dayjs(schoolToday())} maxDate={last} /></Form.Item>
          <Form.Item name="valid_to" label="结束日期" extra="当天仍有效" rules={[{ required: true, message: '请选择结束日期' }]}><DatePicker className="kit-fill" minDate={dayjs(schoolToday())} maxDate={last} /></Form.Item>
        </div>
        <Form.Item name="reason" label="说明"><Input maxLength={100} showCount placeholder="例如：外出培训" /></Form.Item>
      </Form>
    </AppModal>
  )
}

function send({ member }: MemberLine, { user_id, valid_from, valid_to, reason }: Values): Promise<unknown> {
  const body = { role_no: member?.role_no ?? '', user_id: user_id?.[0]?.value ?? '', valid_from: valid_from?.format(format), valid_to: valid_to?.format(format) ?? '', reason: reason?.trim() || undefined }
  return call(memberApi.substitute, body, { quiet: true })
}
