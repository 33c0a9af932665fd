import { memberApi } from '@campus/identity/contract'
import { AppModal, call, schoolToday, sentenceOf, toast, useSaving } from '@kit/web'
import { DatePicker, Form, Input } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { OutcomeList } from './outcome-list.tsx'
import type { Outcome } from './outcome-list.tsx'
import type { MemberLine } from './use-member-list.ts'

type Values = { valid_to?: Dayjs | null; reason?: string }
type Props = { rows: readonly MemberLine[]; onClose: () => void; onChanged: () => Promise<void> }

/** Sets another last day for memberships, one after the other; whoever could not be changed is listed with the reason. */
export function ExtendDialog({ rows, onClose, onChanged }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, run } = useSaving(form)
  const [outcomes, setOutcomes] = useState<Outcome[] | null>(null)
  const save = () => run(async () => {
    const told: Outcome[] = []
    for (const row of rows) told.push(await extended(row, form.getFieldsValue()))
    await onChanged()
    if (told.some(({ error }) => error !== null)) return setOutcomes(told)
    toast.success('设置成功')
    onClose()
  })
  const [first] = rows
  const title = rows.length === 1 ? `延长：${first?.user_name ?? ''}` : `延长${rows.length}人的有效期`
  const is_done = outcomes !== null
  return (
    <AppModal open width={480} title={title} okText={is_done ? '关闭' : '保存'} confirmLoading={busy} onOk={() => (is_done ? onClose() : void save())} onCancel={onClose}>
      {outcomes ? <OutcomeList outcomes={outcomes} /> : (
        <Form form={form} name="member-extend" layout="vertical" initialValues={{ valid_to: first?.member?.valid_to ? dayjs(first.member.valid_to) : null }}>
          <Form.Item name="valid_to" label="新的结束日期" extra="当天仍有效；不填表示长期有效"><DatePicker className="kit-fill" placeholder="长期" minDate={dayjs(schoolToday())} /></Form.Item>
          <Form.Item name="reason" label="说明"><Input maxLength={100} showCount /></Form.Item>
        </Form>
      )}
    </AppModal>
  )
}

async function extended({ key, user_name, member }: MemberLine, { valid_to, reason }: Values): Promise<Outcome> {
  if (!member) return { key, name: user_name, error: '不是该角色的成员' }
  try {
    await call(memberApi.update, { role_no: member.role_no, row_version: member.row_version, valid_to: valid_to?.format('YYYY-MM-DD') ?? null, reason: reason?.trim() || undefined }, { quiet: true })
    return { key, name: user_name, error: null }
  } catch (cause) {
    return { key, name: user_name, error: sentenceOf(cause) }
  }
}
