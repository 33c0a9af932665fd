import { course_fields, COURSE_TYPE, courseApi, teachingErrors } from '@campus/teaching/contract'
import type { CourseRow } from '@campus/teaching/contract'
import { grade_codes } from '@campus/calendar/contract'
import { AppModal, call, leaving, ruleOf, useDictionary, useSaving, validValues } from '@kit/web'
import { Alert, Checkbox, Form, Input, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'

type Props = { course: CourseRow | null; onClose: () => void; onDone: () => void }
type Values = {
  course_no: string; course_name: string; subject: string; grades: (typeof grade_codes)[number][]; course_type: CourseRow['course_type']; course_attr?: CourseRow['course_attr']; weekly: number; double: number; walking: boolean; place_kind?: number | null; color: string
}
const homes = { [teachingErrors.courseNoTaken.id]: 'course_no', [teachingErrors.courseNameTaken.id]: 'course_name' }
const room_kinds = ['4', '5', '6', '15', '16', '17', '19']

/** Makes a course or changes one; the number stays what it was. */
export function CourseDialog({ course, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const [subjects, grades, attrs, kinds] = [useDictionary('SUBJECT'), useDictionary('GRADE'), useDictionary('COURSE_ATTR'), useDictionary('PLACE_KIND')]
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { course_no, course_attr = null, place_kind = null, ...rest } = values
    const draft = { ...rest, course_attr, place_kind }
    const send = () => (course ? call(courseApi.update, { id: course.id, row_version: course.row_version, ...draft }, { quiet: true }) : call(courseApi.add, { course_no, ...draft }, { quiet: true }))
    if (!(await run(send, course ? '设置成功' : '添加成功'))) return
    onDone()
    onClose()
  }
  const initial = course ? { ...course, grades: grade_codes.filter(code => course.grades.includes(code)) } : { course_type: '1' as const, course_attr: '1' as const, weekly: 1, double: 0, walking: false, color: '#4F8DF7' }
  const options = (of: typeof subjects) => of.map(({ value, label }) => ({ value, label }))
  return (
    <AppModal open width={640} title={course ? `编辑课程：${course.course_name}` : '新增课程'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="course" layout="vertical" className="teaching-fields" initialValues={initial}>
        <Form.Item name="course_no" label="课程编号" required rules={[ruleOf(course_fields.course_no)]}><Input maxLength={50} disabled={course !== null} autoComplete="off" /></Form.Item>
        <Form.Item name="course_name" label="课程名称" required rules={[ruleOf(course_fields.course_name)]}><Input maxLength={30} showCount /></Form.Item>
        <Form.Item name="subject" label="学科" required rules={[{ required: true, message: '请选择学科' }]}><Select showSearch={{ optionFilterProp: 'label' }} options={options(subjects)} /></Form.Item>
        <Form.Item name="course_type" label="课程类型" required><Select options={Object.entries(COURSE_TYPE.names).map(([value, label]) => ({ value, label }))} /></Form.Item>
        <Form.Item name="grades" label="适用年级" required rules={[{ required: true, message: '请选择适用年级' }]} className="teaching-wide"><Select mode="multiple" allowClear options={grade_codes.map(value => ({ value, label: grades.find(one => one.value === value)?.label ?? value }))} /></Form.Item>
        <Form.Item name="weekly" label="周课时" required rules={[ruleOf(course_fields.weekly)]}><InputNumber className="kit-fill" min={1} max={20} precision={0} suffix="节" /></Form.Item>
        <Form.Item name="double" label="连堂" tooltip="每周几次两节连上" dependencies={['weekly']} rules={[doubleFits]}><InputNumber className="kit-fill" min={0} max={10} precision={0} suffix="次" /></Form.Item>
        <Form.Item name="course_attr" label="课程属性"><Select allowClear options={options(attrs)} /></Form.Item>
        <Form.Item name="place_kind" label="场地要求"><Select allowClear options={room_kinds.map(code => ({ value: Number(code), label: kinds.find(one => one.value === code)?.label ?? code }))} /></Form.Item>
        <Form.Item name="color" label="颜色" rules={[ruleOf(course_fields.color)]}><Input type="color" /></Form.Item>
        <Form.Item name="walking" label="走班" valuePropName="checked"><Checkbox>需要走班上课</Checkbox></Form.Item>
      </Form>
    </AppModal>
  )
}

const doubleFits = ({ getFieldValue }: { getFieldValue: (name: string) => number | undefined }) => ({
  validator: (_: unknown, double: number | null) => ((double ?? 0) * 2 > (getFieldValue('weekly') ?? 0) ? Promise.reject(new Error('连堂次数的两倍不能超过周课时')) : Promise.resolve()),
})
