import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { PersonPicker } from '@campus/people/web'
import { placeApi } from '@campus/places/contract'
import { courseApi, teachingApi } from '@campus/teaching/contract'
import { dictionaryName, useSettled } from '@kit/web'
import { useCall } from '@kit/web/part'
import { Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Props = { id?: string; kind: number; semester_id: number; value?: string; onChange?: (id: string) => void }
type Option = { value: string; label: string }

const [stage, grade, of_class, course, teaching_class, place] = [2, 3, 4, 5, 6, 7] as const
const [grade_type, class_type, most] = [3, 4, 300] as const
const stages = ['0', '1', '2', '3', '4']

/** What an arrange reaches, by its kind. */
export function ScopeSelect({ kind, ...field }: Props): ReactNode {
  if (kind === stage) return <Choose {...field} options={stages.map(value => ({ value, label: dictionaryName('STAGE', value) }))} />
  if (kind === grade || kind === of_class) return <DeptSelect {...field} type={kind === grade ? grade_type : class_type} />
  if (kind === course) return <CourseSelect {...field} />
  if (kind === teaching_class) return <ClassSelect {...field} />
  if (kind === place) return <PlaceSelect {...field} />
  return <PersonPicker of={['student', 'teacher']} {...pickedOf(field)} />
}

type Field = Omit<Props, 'kind'>

/** A cleared person is an empty field. */
const pickedOf = ({ id, value, onChange }: Field) => ({ ...(id === undefined ? {} : { id }), ...(value === undefined ? {} : { value }), onChange: (user_id = '') => onChange?.(user_id) })

function Choose({ id, value, onChange, options }: Field & { options: readonly Option[] }): ReactNode {
  return <Select id={id} className="kit-fill" value={value} onChange={onChange} options={[...options]} showSearch={{ optionFilterProp: 'label' }} placeholder="选择范围" />
}

function DeptSelect({ type, ...field }: Field & { type: number }): ReactNode {
  const { data } = useCall(deptApi.tree, { tree: 'student' })
  return <Choose {...field} options={flat(data?.list ?? []).filter(node => node.dept_type === type).map(node => ({ value: node.id, label: node.label }))} />
}

function flat(nodes: readonly DeptTreeNode[]): DeptTreeNode[] {
  return nodes.flatMap(node => [node, ...flat(node.children)])
}

function CourseSelect(field: Field): ReactNode {
  const { data } = useCall(courseApi.all, {})
  return <Choose {...field} options={(data?.list ?? []).map(one => ({ value: one.id, label: one.course_name }))} />
}

function ClassSelect(field: Field): ReactNode {
  const { data } = useCall(teachingApi.matrix, { semester_id: field.semester_id })
  return <Choose {...field} options={(data?.classes ?? []).flatMap(one => (one.class_id === null ? [] : [{ value: one.class_id, label: one.name }]))} />
}

/** Rooms by name; typing finds those beyond the first. */
export function PlaceSelect({ id, value, onChange }: Pick<Field, 'id' | 'value' | 'onChange'>): ReactNode {
  const [text, setText] = useState('')
  const { data } = useCall(placeApi.list, { keyword: useSettled(text), page_size: most }, { keep: true })
  const options = (data?.list ?? []).map(one => ({ value: one.place_id, label: one.node_path_name }))
  return <Select id={id} className="kit-fill" value={value} onChange={onChange} options={options} showSearch={{ filterOption: false, onSearch: setText }} placeholder="输入场所名称查找" />
}
