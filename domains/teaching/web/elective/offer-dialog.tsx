import { allCombos, comboName, courseApi, elective_fields, electiveErrors, lessonApi, offerApi, weekday_names } from '@campus/teaching/contract'
import type { Offer, TaskRow } from '@campus/teaching/contract'
import { grade_codes } from '@campus/calendar/contract'
import { AppModal, call, leaving, ruleOf, useDictionary, useSaving, validValues } from '@kit/web'
import { useCall } from '@kit/web/part'
import { Alert, Form, Input, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'
import { TeachersSelect } from '../plan/teacher-select.tsx'
import { QuotaFields } from './quota-fields.tsx'
import { combo_kind } from './elective-words.ts'

type Props = { task: TaskRow; offer: Offer | null; onClose: () => void; onDone: () => void }
type Values = {
  title: string; course_id?: string | null; combo?: string | null; teacher_ids: string[]; place_id?: string | null; slots: string[]; grades: (typeof grade_codes)[number][]; sex?: '1' | '2' | null
  group_no?: number | null; capacity: number; note: string; quotas?: { dim: 'grade' | 'dept' | 'sex'; value: string; cap: number }[]
}
const homes = { [electiveErrors.titleTaken.id]: 'title', [electiveErrors.badCombo.id]: 'combo', [electiveErrors.hasSeats.id]: 'capacity', 'teaching.teacherUnknown': 'teacher_ids' }
const weekdays = [1, 2, 3, 4, 5, 6, 7]
const sections = Array.from({ length: 12 }, (_, at) => at + 1)
const slot_options = weekdays.flatMap(weekday => sections.map(section => ({ value: `${weekday}-${section}`, label: `${weekday_names[weekday] ?? ''}第${section}节` })))
const default_seats = 40
const rush = 1

/** One offer of a task: course, teachers, place, times, seats and for whom. */
export function OfferDialog({ task, offer, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const grades = useDictionary('GRADE')
  const courses = useCall(courseApi.all, {})
  const places = useCall(lessonApi.targets, { view: 'place', semester_id: task.semester_id })
  const is_combo = task.kind === combo_kind
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { course_id = null, combo = null, place_id = null, sex = null, group_no = null, slots, quotas = [], ...rest } = values
    const parts = slots.map(slot => slot.split('-').map(Number)).map(([weekday = 1, section = 1]) => ({ weekday, section }))
    const draft = { ...rest, course_id, combo, place_id, sex, group_no, slots: parts, quotas }
    const send = () => (offer ? call(offerApi.update, { id: offer.id, row_version: offer.row_version, ...draft }, { quiet: true }) : call(offerApi.add, { task_id: task.id, ...draft }, { quiet: true }))
    if (!(await run(send, offer ? '设置成功' : '添加成功'))) return
    onDone()
    onClose()
  }
  const initial = offer
    ? { ...offer, teacher_ids: offer.teachers.map(one => one.user_id), slots: offer.slots.map(slot => `${slot.weekday}-${slot.section}`),
      grades: grade_codes.filter(code => offer.grades.includes(code)), quotas: offer.quotas.map(({ dim, value, cap }) =>
      ({ dim, value, cap })) }
    : { teacher_ids: [], slots: [], grades: [], capacity: default_seats, note: '' }
  const own_grades = grade_codes.filter(code => task.grades.includes(code))
  return (
    <AppModal open width={680} title={offer ? `编辑选项：${offer.title}` : '新增选项'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="elective-offer" layout="vertical" className="teaching-fields" initialValues={initial}>
        <Form.Item name="title" label="名称" required rules={[ruleOf(elective_fields.title)]}><Input maxLength={30} showCount autoComplete="off" /></Form.Item>
        <Form.Item name="capacity" label="名额" required rules={[ruleOf(elective_fields.capacity)]} extra={offer && offer.taken > 0 ? `已选${offer.taken}人，不能更少` : undefined}><InputNumber className="kit-fill" min={1} max={5000} precision={0} suffix="人" /></Form.Item>
        {is_combo
          ? <Form.Item name="combo" label="科目组合" rules={[{ required: true, message: '请选择科目' }]} className="teaching-wide"><Select options={allCombos().map(value => ({ value, label: comboName(value) }))} /></Form.Item>
          : <Form.Item name="course_id" label="课程" extra="生成教学班时使用"><Select allowClear showSearch={{ optionFilterProp: 'label' }} options={(courses.data?.list ?? []).filter(one => !one.archived).map(one => ({ value: one.id, label: one.course_name }))} /></Form.Item>}
        <Form.Item name="teacher_ids" label="教师"><TeachersSelect semester_id={task.semester_id} /></Form.Item>
        <Form.Item name="place_id" label="上课地点"><Select allowClear showSearch={{ optionFilterProp: 'label' }} options={(places.data?.groups ?? []).map(group => ({ label: group.name, title: group.name, options: group.items.map(one => ({ value: one.id, label: one.name })) }))} /></Form.Item>
        <Form.Item name="slots" label="上课时段" extra="用于检查同一学生的时间冲突"><Select mode="multiple" maxCount={10} options={slot_options} showSearch={{ optionFilterProp: 'label' }} /></Form.Item>
        <Form.Item name="grades" label="限年级"><Select mode="multiple" placeholder="不限" options={own_grades.map(value => ({ value, label: grades.find(one => one.value === value)?.label ?? value }))} /></Form.Item>
        <Form.Item name="sex" label="限性别"><Select allowClear placeholder="不限" options={[{ value: '1', label: '男' }, { value: '2', label: '女' }]} /></Form.Item>
        <Form.Item name="group_no" label="互斥组" extra="同一组内只能选一门"><InputNumber className="kit-fill" min={1} max={20} precision={0} /></Form.Item>
        {task.mode === rush && <QuotaFields task={task} />}
        <Form.Item name="note" label="说明" className="teaching-wide"><Input.TextArea maxLength={300} showCount rows={2} /></Form.Item>
      </Form>
    </AppModal>
  )
}
