import { lessonApi, weekday_names } from '@campus/teaching/contract'
import { useCall } from '@kit/web/part'
import { MinusCircleOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form, Select } from 'antd'
import type { FormListFieldData, FormListOperation } from 'antd/es/form/FormList'
import type { ReactNode } from 'react'

const weekdays = [1, 2, 3, 4, 5].map(value => ({ value, label: weekday_names[value] ?? '' }))
const required = (message: string) => [{ required: true, message }]

/** What has changed: teachers who are away on some weekdays, rooms that are closed and what is used instead. New lessons come by 同步课时. */
export function ChangesForm({ semester_id }: { semester_id: number | null }): ReactNode {
  const term = semester_id === null ? {} : { semester_id }
  const [teachers, places] = [useOptions('teacher', term), useOptions('place', term)]
  const remover = ({ name }: FormListFieldData, remove: FormListOperation['remove']) => (
    <Button type="text" icon={<MinusCircleOutlined aria-hidden />} aria-label="移除" onClick={() => remove(name)} />
  )
  const search = { optionFilterProp: 'label' } as const
  const awayRow = (field: FormListFieldData, remove: FormListOperation['remove']) => (
    <div key={field.key} className="timetable-change">
      <Form.Item name={[field.name, 'teacher_id']} rules={required('请选择教师')}>
        <Select aria-label="教师" showSearch={search} options={teachers} placeholder="教师" />
      </Form.Item>
      <Form.Item name={[field.name, 'weekdays']} rules={required('请选择星期')}>
        <Select aria-label="不在校的星期" mode="multiple" options={weekdays} placeholder="不在校的星期" />
      </Form.Item>
      {remover(field, remove)}
    </div>
  )
  const roomRow = (field: FormListFieldData, remove: FormListOperation['remove']) => (
    <div key={field.key} className="timetable-change">
      <Form.Item name={[field.name, 'place_id']} rules={required('请选择场所')}>
        <Select aria-label="停用场所" showSearch={search} options={places} placeholder="停用场所" />
      </Form.Item>
      <Form.Item name={[field.name, 'use_id']} rules={required('请选择场所')}>
        <Select aria-label="改用场所" showSearch={search} options={places} placeholder="改用场所" />
      </Form.Item>
      {remover(field, remove)}
    </div>
  )
  const adder = (text: string, add: () => void) => <Button icon={<PlusOutlined aria-hidden />} onClick={add}>{text}</Button>
  return (
    <>
      <p>已排的课尽量保持不变；新增的课请先点“同步课时”，会一并排入。</p>
      <Form.Item label="教师不在校">
        <Form.List name="away">
          {(fields, { add, remove }) => <>{fields.map(field => awayRow(field, remove))}{adder('添加教师', () => add({ weekdays: [] }))}</>}
        </Form.List>
      </Form.Item>
      <Form.Item label="场所停用">
        <Form.List name="rooms">
          {(fields, { add, remove }) => <>{fields.map(field => roomRow(field, remove))}{adder('添加场所', () => add({}))}</>}
        </Form.List>
      </Form.Item>
    </>
  )
}

function useOptions(view: 'teacher' | 'place', term: { semester_id?: number }) {
  const { data } = useCall(lessonApi.targets, { view, ...term })
  return (data?.groups ?? []).map(group =>
    ({ label: group.name, title: group.name, options: group.items.map(one => ({ value: one.id, label: one.name })) }))
}
