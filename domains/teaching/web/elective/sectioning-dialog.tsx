import { section_fields, sectioningApi } from '@campus/teaching/contract'
import type { SubjectTeachers } from '@campus/teaching/contract'
import type { grade_codes } from '@campus/calendar/contract'
import { AppModal, call, leaving, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Form, InputNumber, Radio } from 'antd'
import type { ReactNode } from 'react'

type Props = {
  semester_id: number; grade: (typeof grade_codes)[number]; may_keep: boolean; teachers: readonly (SubjectTeachers & { name: string })[]
  onClose: () => void; onDone: () => void }
type Values = { subjects: 'second' | 'all'; keep: boolean; blocks: number; min: number; max: number; rooms: number; seed: number
  limits?: Record<string, number | null> }
const subject_options = [{ value: 'second', label: '两门再选科目走班' }, { value: 'all', label: '三门都走班' }]
const keep_options = [{ value: false, label: '重新分班' }, { value: true, label: '保留现有教学班，只补充新学生' }]
const initial: Values = { subjects: 'second', keep: false, blocks: 2, min: 30, max: 46, rooms: 10, seed: 1 }

/** How a grade is to be divided; the plans are computed as a job. */
export function StartDialog({ semester_id, grade, may_keep, teachers, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, {})
  const start = async () => {
    const values = await validValues(form)
    if (!values) return
    const { limits = {}, ...rest } = values
    const named = Object.entries(limits).flatMap(([subject, count]) => (count === null ? [] : [{ subject, count }]))
    if (!(await run(() => call(sectioningApi.start, { semester_id, grade, ...rest, teachers: named }, { quiet: true }), '已开始分班'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title="分班" okText="开始" confirmLoading={busy} onOk={() => void start()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="sectioning" layout="vertical" initialValues={{ ...initial, keep: may_keep }}>
        {may_keep && <Form.Item name="keep" label="方式"><Radio.Group options={keep_options} /></Form.Item>}
        {!may_keep && <Form.Item name="keep" hidden><InputNumber /></Form.Item>}
        <Form.Item name="subjects" label="走班科目"><Radio.Group options={subject_options} /></Form.Item>
        <Form.Item name="blocks" label="平行时段数" rules={[ruleOf(section_fields.blocks)]} extra="三门都走班时至少3段"><InputNumber min={2} max={6}
          precision={0} /></Form.Item>
        <Form.Item name="min" label="每班最少人数" rules={[ruleOf(section_fields.min)]}><InputNumber min={1} max={100}
          precision={0} /></Form.Item>
        <Form.Item name="max" label="每班最多人数" rules={[ruleOf(section_fields.max)]}><InputNumber min={1} max={100}
          precision={0} /></Form.Item>
        <Form.Item name="rooms" label="每段教室数" rules={[ruleOf(section_fields.rooms)]}><InputNumber min={1} max={60}
          precision={0} /></Form.Item>
        {teachers.length > 0 && (
          <Form.Item label="每段可用教师数" extra="同一时段一门科目的教学班不多于可用教师；清空为不限">
            <div className="section-limits">
              {teachers.map(({ subject, name, count }) => (
                <Form.Item key={subject} name={['limits',
                  subject]} label={name} initialValue={count}><InputNumber min={1} max={60} precision={0} /></Form.Item>
              ))}
            </div>
          </Form.Item>
        )}
        <Form.Item name="seed" label="随机种子" tooltip="相同的种子得到相同的方案" rules={[ruleOf(section_fields.seed)]}><InputNumber min={1}
          max={1_000_000} precision={0} /></Form.Item>
      </Form>
    </AppModal>
  )
}
