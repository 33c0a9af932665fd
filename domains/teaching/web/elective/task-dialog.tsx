import { elective_fields, elective_kinds, elective_modes, electiveApi, electiveErrors } from '@campus/teaching/contract'
import type { TaskRow } from '@campus/teaching/contract'
import { grade_codes } from '@campus/calendar/contract'
import { AppModal, call, leaving, ruleOf, useDictionary, useSaving, validValues } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Alert, Checkbox, DatePicker, Form, Input, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'
import { termOptions, useTerms } from '../use-terms.tsx'
import { clockOf, combo_kind, instantOf } from './elective-words.ts'
import type { Clock } from './elective-words.ts'

type Props = { task: TaskRow | null; onClose: () => void; onDone: () => void }
type Values = {
  kind: 1 | 2 | 3; semester_id: number; name: string; mode: 1 | 2 | 3 | 4; grades: (typeof grade_codes)[number][]; times: [Clock, Clock]; drop_until?: Clock | null
  min_pick: number; max_pick: number; wishes: number; waitlist: boolean; note: string
}
const homes = { [electiveErrors.nameTaken.id]: 'name', 'teaching.semesterClosed': 'semester_id' }
const options = (names: Readonly<Record<number, string>>) => Object.entries(names).map(([value, label]) => ({ value: Number(value), label }))
const required = (message: string) => [{ required: true, message }]
const hours_open = 48
const time_format = 'YYYY-MM-DD HH:mm'

/** A task of choosing: for whom, when, how, how many. */
export function TaskDialog({ task, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const { terms, semester_id } = useTerms()
  const grades = useDictionary('GRADE')
  const kind = Form.useWatch('kind', form) ?? task?.kind
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { times: [open_at, close_at], drop_until, ...rest } = values
    const draft = { ...rest, max_pick: rest.kind === combo_kind ? 1 : rest.max_pick, open_at: instantOf(open_at), close_at: instantOf(close_at), drop_until: drop_until ? instantOf(drop_until) : null }
    const send = () => (task ? call(electiveApi.update, { id: task.id, row_version: task.row_version, ...draft }, { quiet: true }) : call(electiveApi.add, draft, { quiet: true }))
    if (!(await run(send, task ? '设置成功' : '添加成功'))) return
    onDone()
    onClose()
  }
  const begin = dayjs().add(1, 'day').hour(12).minute(0)
  const fresh = { kind: 2 as const, mode: 1 as const, semester_id, times: [begin, begin.add(hours_open, 'hour')], min_pick: 0, max_pick: 1, wishes: 3, waitlist: true, note: '' }
  const initial = task ? { ...task, times: [clockOf(task.open_at), clockOf(task.close_at)], drop_until: task.drop_until === null ? null : clockOf(task.drop_until) } : fresh
  return (
    <AppModal open width={680} title={task ? `编辑任务：${task.name}` : '新增选课任务'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} key={String(semester_id)} name="elective-task" layout="vertical" className="teaching-fields" initialValues={initial}>
        <Form.Item name="name" label="名称" required rules={[ruleOf(elective_fields.name)]} className="teaching-wide"><Input maxLength={40} showCount autoComplete="off" /></Form.Item>
        <Form.Item name="kind" label="类型" required><Select options={options(elective_kinds)} disabled={task !== null && task.offers > 0} /></Form.Item>
        <Form.Item name="mode" label="方式" required extra="先到先得即时占位；志愿抽签在结束后统一抽取"><Select options={options(elective_modes)} /></Form.Item>
        <Form.Item name="semester_id" label="学期" rules={required('请选择学期')}><Select options={termOptions(terms.filter(term => !term.is_closed || term.semester_id === task?.semester_id))} /></Form.Item>
        <Form.Item name="grades" label="面向年级" rules={required('请选择年级')}><Select mode="multiple" allowClear options={grade_codes.map(value => ({ value, label: grades.find(one => one.value === value)?.label ?? value }))} /></Form.Item>
        <Form.Item name="times" label="选课时间" rules={required('请选择时间')} extra="到点自动开始和结束，以服务器时间为准"><DatePicker.RangePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format={time_format} /></Form.Item>
        <Form.Item name="drop_until" label="退选截止" extra="不填则结束前都可退选"><DatePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format={time_format} /></Form.Item>
        <Form.Item name="min_pick" label="最少选择" rules={[ruleOf(elective_fields.min_pick)]}><InputNumber className="kit-fill" min={0} max={10} precision={0} suffix="门" /></Form.Item>
        <Form.Item name="max_pick" label="最多选择" rules={[ruleOf(elective_fields.max_pick)]}><InputNumber className="kit-fill" min={1} max={10} precision={0} suffix="门" disabled={kind === combo_kind} /></Form.Item>
        <Form.Item name="wishes" label="志愿个数" extra="只用于志愿抽签" rules={[ruleOf(elective_fields.wishes)]}><InputNumber className="kit-fill" min={1} max={10} precision={0} suffix="个" /></Form.Item>
        <Form.Item name="waitlist" label="候补" valuePropName="checked"><Checkbox>名额满后可排队候补</Checkbox></Form.Item>
        <Form.Item name="note" label="说明" className="teaching-wide"><Input.TextArea maxLength={300} showCount rows={2} placeholder="学生选课时看到" /></Form.Item>
      </Form>
    </AppModal>
  )
}
