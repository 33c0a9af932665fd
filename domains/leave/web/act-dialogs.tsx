import { applyApi, taskApi } from '@campus/leave/contract'
import type { LeaveAct, LeaveFile } from '@campus/leave/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { Alert, DatePicker, Form, Input, Select } from 'antd'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { act_words } from './leave-words.ts'
import { PersonPicker } from '@campus/people/web'
import { spanAsked, TimeFields } from './time-fields.tsx'
import type { TimeValues } from './time-fields.tsx'

type Frame = { onClose: () => void; onDone: () => void }
type Values = TimeValues & { reason?: string; end?: Dayjs; user_ids?: string[] }
const minute_step = 5
const needs_reason: readonly LeaveAct[] = ['change', 'extend', 'void']
const hints: Readonly<Record<LeaveAct, string>> = {
  withdraw: '撤回后审批终止，需要时可以重新提交。',
  cancel: '取消后门禁、考勤等影响全部恢复。',
  change: '新的时间须重新审批，审批通过前仍按原时间执行。',
  extend: '续假须重新审批，审批通过前仍按原时间执行。',
  end_early: '缩短请假时间无需审批，保存后立即生效。',
  return: '登记后请假结束；提前返校的，剩余时间不再计为请假。',
  void: '作废后视为没有请过假，已产生的考勤等结果会重新计算。',
}
const homes = { 'leave.endPast': 'end', 'leave.needShorter': 'end', 'leave.needExtension': 'mode', 'leave.overlap': 'mode', 'leave.spanOrder': 'mode' }

/** One act on a leave, with what it asks. */
export function ActDialog({ act, file, onClose, onDone }: Frame & { act: LeaveAct; file: LeaveFile }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const { label } = act_words[act]
  const is_time = act === 'change' || act === 'extend'
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const sent = () => send(act, file.leave_id, values)
    if (!(await run(sent, is_time ? '已提交，等待审批' : `已${label}`))) return
    onDone()
    onClose()
  }
  const out = file.members.filter(one => one.state !== 5)
  return (
    <AppModal open width={520} title={`${label} · ${file.members[0]?.user_name ?? ''}`} okText={label} okButtonProps={{ danger: act === 'void' }} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>{hints[act]}</p>
      <Form form={form} name={`leave-${act}`} layout="vertical" initialValues={{ mode: 'time' }}>
        {is_time && <TimeFields />}
        {act === 'end_early' && <Form.Item name="end" label="结束时间" rules={[{ required: true, message: '请选择结束时间' }]}><DatePicker className="kit-fill" showTime={{ format: 'HH:mm', minuteStep: minute_step }} format="YYYY-MM-DD HH:mm" /></Form.Item>}
        {act === 'return' && file.members.length > 1 && <Form.Item name="user_ids" label="返校学生" extra="不选为全部"><Select mode="multiple" maxTagCount={6} options={out.map(one => ({ value: one.user_id, label: one.user_name }))} /></Form.Item>}
        {act !== 'return' && <Form.Item name="reason" label="原因" rules={needs_reason.includes(act) ? [{ required: true, whitespace: true, message: '请填写原因' }, { min: 2, message: '原因至少2个字' }] : []}><Input.TextArea maxLength={200} showCount rows={2} /></Form.Item>}
      </Form>
    </AppModal>
  )
}

function send(act: LeaveAct, leave_id: string, values: Values): Promise<unknown> {
  const { reason = '', user_ids = [] } = values
  const why = reason.trim().length < 2 ? {} : { reason }
  const span = spanAsked(values)
  const quiet = { quiet: true }
  switch (act) {
    case 'withdraw':
      return call(applyApi.withdraw, { leave_id, ...why }, quiet)
    case 'cancel':
      return call(applyApi.cancel, { leave_id, ...why }, quiet)
    case 'change':
      return call(applyApi.change, { leave_id, reason, spans: span ? [span] : [] }, quiet)
    case 'extend':
      return call(applyApi.extend, { leave_id, reason, spans: span ? [span] : [] }, quiet)
    case 'end_early':
      return call(applyApi.endEarly, { leave_id, ...why, end: `${values.end?.format('YYYY-MM-DDTHH:mm') ?? ''}:00+08:00` }, quiet)
    case 'return':
      return call(applyApi.return, { leave_id, ...(user_ids.length > 0 ? { user_ids } : {}) }, quiet)
    case 'void':
      return call(applyApi.void, { leave_id, reason }, quiet)
  }
}

type Verdict = 'pass' | 'refuse' | 'sendBack' | 'transfer' | 'addSign'
export const verdict_words: Readonly<Record<Verdict, string>> = { pass: '同意', refuse: '拒绝', sendBack: '退回补充', transfer: '转交', addSign: '加签' }

/** A verdict on a task of one's own. */
export function VerdictDialog({ verdict, task, onClose, onDone }: Frame & { verdict: Verdict; task: { task_id: string; version: number } }): ReactNode {
  const [form] = Form.useForm<{ opinion?: string; to_user_id?: string }>()
  const { busy, refused, run } = useSaving(form, { 'leave.opinionMissing': 'opinion' })
  const label = verdict_words[verdict]
  const asks_person = verdict === 'transfer' || verdict === 'addSign'
  const must = verdict === 'refuse' || verdict === 'sendBack'
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const body = { task_id: task.task_id, version: task.version, ...(values.opinion ? { opinion: values.opinion } : {}) }
    const sent = () => (verdict === 'transfer' || verdict === 'addSign' ? call(taskApi[verdict], { ...body, to_user_id: values.to_user_id ?? '' }, { quiet: true }) : call(taskApi[verdict], body, { quiet: true }))
    if (!(await run(sent, `已${label}`))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={label} okText={label} okButtonProps={{ danger: verdict === 'refuse' }} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="leave-verdict" layout="vertical">
        {asks_person && <Form.Item name="to_user_id" label="审批人" rules={[{ required: true, message: '请选择审批人' }]}><PersonPicker of={['teacher']} /></Form.Item>}
        <Form.Item name="opinion" label="意见" rules={must ? [{ required: true, whitespace: true, message: '请填写意见' }] : []}><Input.TextArea maxLength={200} showCount rows={3} /></Form.Item>
      </Form>
    </AppModal>
  )
}
