import { memberApi, MemberOutcome } from '@campus/identity/contract'
import type { RoleRow } from '@campus/identity/contract'
import { AppModal, call, CallError, mayDiscard, schoolToday, toast, useSaving, validValues } from '@kit/web'
import { Alert, DatePicker, Form, Input } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { DeptSelect } from '../dept-select.tsx'
import { OutcomeList } from './outcome-list.tsx'
import type { Outcome } from './outcome-list.tsx'
import { PeopleSelect } from './people-select.tsx'
import type { ChosenPerson } from './people-select.tsx'

type Values = { users: ChosenPerson[]; user_dep?: string; valid_from?: Dayjs | null; valid_to?: Dayjs | null; reason?: string }
type Props = { role: RoleRow; onClose: () => void; onChanged: () => Promise<void> }

const format = 'YYYY-MM-DD'
const Refused = z.object({ list: z.array(MemberOutcome) })

/** Gives people a role: under which department, from when to when. Whoever could not get it is listed with the reason. */
export function AddDialog({ role, onClose, onChanged }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const [outcomes, setOutcomes] = useState<Outcome[] | null>(null)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    setOutcomes(null)
    await run(async () => {
      const told = await send(role.role_id, values)
      const failed = told.filter(({ error }) => error !== null)
      if (failed.length < told.length) await onChanged()
      if (failed.length === 0) {
        toast.success(`已添加${told.length}人`)
        onClose()
        return
      }
      setOutcomes(told.map(one => ({ key: one.user_id, name: one.user_name ?? '未知人员', error: one.error })))
      form.setFieldValue('users', values.users.filter(({ value }) => failed.some(one => one.user_id === value)))
    })
  }
  const leave = async () => {
    if (outcomes !== null || !form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  return (
    <AppModal open width={560} title={`添加成员：${role.name}`} okText="添加" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {outcomes && <OutcomeList outcomes={outcomes} />}
      <Form form={form} name="member-add" layout="vertical">
        <Form.Item name="users" label="人员" rules={[{ required: true, message: '请选择人员' }]} extra="可连续选择多人"><PeopleSelect /></Form.Item>
        <Form.Item name="user_dep" label="任职部门" extra="该身份按哪个部门计算数据范围"><DeptSelect /></Form.Item>
        <div className="member-dates">
          <Form.Item name="valid_from" label="开始日期"><DatePicker className="kit-fill" placeholder="立即" minDate={dayjs(schoolToday())} /></Form.Item>
          <Form.Item name="valid_to" label="结束日期" extra="当天仍有效" dependencies={['valid_from']} rules={[({ getFieldValue }) => ({ validator: (_: unknown, to?: Dayjs | null) => endVerdict(getFieldValue('valid_from'), to) })]}>
            <DatePicker className="kit-fill" placeholder="长期" minDate={dayjs(schoolToday())} />
          </Form.Item>
        </div>
        <Form.Item name="reason" label="说明"><Input maxLength={100} showCount placeholder="例如：代课至期末" /></Form.Item>
      </Form>
    </AppModal>
  )
}

function endVerdict(from: Dayjs | null | undefined, to: Dayjs | null | undefined): Promise<void> {
  return from && to && to.isBefore(from, 'day') ? Promise.reject(new Error('结束日期不能早于开始日期')) : Promise.resolve()
}

/** Answers what became of each; when nobody got it the refusal tells the same. */
async function send(role_id: string, { users, user_dep, valid_from, valid_to, reason }: Values): Promise<z.output<typeof MemberOutcome>[]> {
  const body = { role_id, users: users.map(({ value }) => ({ user_id: value, user_dep })), valid_from: valid_from?.format(format), valid_to: valid_to?.format(format), reason: reason?.trim() || undefined }
  try {
    return (await call(memberApi.add, body, { quiet: true })).list
  } catch (cause) {
    const told = cause instanceof CallError ? Refused.safeParse(cause.data) : undefined
    if (told?.success) return told.data.list
    throw cause
  }
}
