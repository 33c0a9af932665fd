import { teachingApi } from '@campus/teaching/contract'
import { AppModal, call, leaving, toast, useSaving, validValues } from '@kit/web'
import { Alert, Form } from 'antd'
import type { ReactNode } from 'react'
import { TeacherSelect } from './teacher-select.tsx'

type Props = { semester_id: number; onClose: () => void; onDone: () => void }

/** 教师变更: somebody takes over everything that somebody teaches in the term. */
export function ChangeDialog({ semester_id, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<{ from_id: string; to_id: string }>()
  const { busy, refused, run } = useSaving(form, { 'teaching.teacherUnknown': 'to_id' })
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const ok = await run(async () => {
      const { changed } = await call(teachingApi.changeTeacher, { semester_id, ...values }, { quiet: true })
      toast.success(`已变更 ${changed}项任课，请在课表草稿中点“同步课时”并发布`)
    })
    if (!ok) return
    onDone()
    onClose()
  }
  const rules = [{ required: true, message: '请选择教师' }]
  return (
    <AppModal open width={480} title="教师变更" okText="变更" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>原教师本学期的全部任课改由新教师担任。已发布的课表不变，新的课表版本生效后由新教师上课。</p>
      <Form form={form} name="change-teacher" layout="vertical">
        <Form.Item name="from_id" label="原教师" rules={rules}><TeacherSelect semester_id={semester_id} /></Form.Item>
        <Form.Item name="to_id" label="新教师" rules={rules}><TeacherSelect semester_id={semester_id} /></Form.Item>
      </Form>
    </AppModal>
  )
}
