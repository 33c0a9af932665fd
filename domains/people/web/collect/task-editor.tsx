import { collectTaskApi } from '@campus/people/contract'
import type { CollectTaskRow } from '@campus/people/contract'
import { AppDrawer, call, useSaving } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Alert, Button, DatePicker, Form, Input, Radio, Select } from 'antd'
import type { ReactNode } from 'react'
import { DeptsPicker } from '../book/depts-picker.tsx'
import { useAskable, useCollectChanged } from './use-collect.ts'

type Values = { title: string; dept_ids: string[]; field_codes: string[]; close_at: dayjs.Dayjs | null; review_mode: 'auto' | 'review' }
const zone_ms = 8 * 3_600_000
const usual = ['address', 'tel', 'hukou', 'study_method', 'commute']
const missing = (what: string) => [{ required: true, message: `请选择${what}` }]
const homes = { 'people.collectEnd': 'close_at', 'people.collectField': 'field_codes' }

/** A task before it begins: which classes, which fields, until when. */
export function TaskEditor({ task, onClose }: { task: CollectTaskRow | null; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const askable = useAskable()
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useCollectChanged()
  const save = async ({ title, dept_ids, field_codes, close_at, review_mode }: Values) => {
    const draft = { title, field_codes, audience: { dept_ids, user_ids: task?.audience.user_ids ?? [] }, close_at: `${close_at?.format('YYYY-MM-DDTHH:mm') ?? ''}:00+08:00`, review_mode }
    const saved = await run(() => (task ? call(collectTaskApi.update, { ...draft, id: task.id, row_version: task.row_version }, { quiet: true }) : call(collectTaskApi.add, draft, { quiet: true })), '已保存')
    if (!saved) return
    changed()
    onClose()
  }
  return (
    <AppDrawer size={520} title={task ? '编辑采集任务' : '新建采集任务'} onClose={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="collect_task" layout="vertical" initialValues={valuesOf(task)} onFinish={values => void save(values)}>
        <Form.Item name="title" label="标题" rules={[{ required: true, whitespace: true, message: '请填写标题' }]}><Input maxLength={40} showCount /></Form.Item>
        <Form.Item name="dept_ids" label="班级" rules={task && task.audience.user_ids.length > 0 ? [] : missing('班级')} extra="开始采集时名单固定，之后转入的学生点“加入新来的学生”"><Classes /></Form.Item>
        <Form.Item name="field_codes" label="要核对的字段" rules={missing('要核对的字段')}>
          <Select mode="multiple" loading={askable.isPending} optionFilterProp="label" options={(askable.data ?? []).map(({ field_code, label }) => ({ value: field_code, label }))} />
        </Form.Item>
        <Form.Item name="close_at" label="截止时间" rules={missing('截止时间')}><DatePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" /></Form.Item>
        <Form.Item name="review_mode" label="家长提交后"><Radio.Group options={[{ value: 'review', label: '学校逐项审核后更新档案' }, { value: 'auto', label: '直接更新档案' }]} /></Form.Item>
        <Button type="primary" htmlType="submit" loading={busy}>保存</Button>
      </Form>
    </AppDrawer>
  )
}

function Classes({ id, value = [], onChange }: { id?: string; value?: string[]; onChange?: (ids: string[]) => void }): ReactNode {
  return <DeptsPicker id={id} label="班级" tree="student" placeholder="请选择学部、年级或班级" value={value} onChange={depts => onChange?.(depts.map(dept => dept.id))} />
}

function valuesOf(task: CollectTaskRow | null): Partial<Values> {
  if (!task) return { field_codes: usual, review_mode: 'review' }
  const { title, audience, field_codes, close_at, review_mode } = task
  return { title, dept_ids: audience.dept_ids, field_codes, review_mode, close_at: dayjs(new Date(Date.parse(close_at) + zone_ms).toISOString().slice(0, 16)) }
}
