import { teachingApi } from '@campus/teaching/contract'
import type { TaughtClass, TeachingCell } from '@campus/teaching/contract'
import type { Reply } from '@kit/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { Alert, Form, InputNumber } from 'antd'
import type { ReactNode } from 'react'
import { TeachersSelect } from './teacher-select.tsx'

type Course = Reply<typeof teachingApi.matrix>['courses'][number]
type Props = { semester_id: number; of: TaughtClass; course: Course; cell: TeachingCell | undefined; onClose: () => void; onDone: () => void }
type Values = { teacher_ids: string[]; weekly_odd: number; weekly_even: number; double: number }

/** One class and one course: teachers and lessons of odd and even weeks; 0 and 0 takes the course away. */
export function CellDialog({ semester_id, of, course, cell, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const send = async (values: Values) => {
    const whose = of.dept_id === null ? { class_id: of.class_id ?? '' } : { dept_id: of.dept_id }
    const asked = { ...whose, course_id: course.id, ...values, place_id: cell?.place_id ?? null, row_version: cell?.row_version ?? null }
    if (!(await run(() => call(teachingApi.save, { semester_id, cells: [asked] }, { quiet: true }), '设置成功'))) return
    onDone()
    onClose()
  }
  const save = async () => {
    const values = await validValues(form)
    if (values) await send(values)
  }
  const initial = cell ? { ...cell, teacher_ids: cell.teachers.map(one => one.user_id) } : { teacher_ids: [], weekly_odd: course.weekly, weekly_even: course.weekly, double: course.double }
  const count = <InputNumber className="kit-fill" min={0} max={20} precision={0} suffix="节" />
  return (
    <AppModal open width={520} title={`${of.name} · ${course.course_name}`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="teaching-cell" layout="vertical" className="teaching-fields" initialValues={initial}>
        <Form.Item name="teacher_ids" label="任课教师" className="teaching-wide" extra="第一位为主讲；同学科、课时少的教师排在前面"><TeachersSelect semester_id={semester_id} subject={course.subject} /></Form.Item>
        <Form.Item name="weekly_odd" label="单周课时" required rules={[{ required: true, message: '请填写课时' }]}>{count}</Form.Item>
        <Form.Item name="weekly_even" label="双周课时" required rules={[{ required: true, message: '请填写课时' }]} extra="单双周都填0则取消该课程">{count}</Form.Item>
        <Form.Item name="double" label="连堂次数" required rules={[{ required: true, message: '请填写连堂次数' }]}><InputNumber className="kit-fill" min={0} max={10} precision={0} suffix="次" /></Form.Item>
      </Form>
    </AppModal>
  )
}
