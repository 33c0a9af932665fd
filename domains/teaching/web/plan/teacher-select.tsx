import { teachingApi } from '@campus/teaching/contract'
import { dictionaryName } from '@kit/web'
import { useCall } from '@kit/web/part'
import { Select } from 'antd'
import type { ReactNode } from 'react'

type Props = { id?: string; semester_id: number; /** teachers of this subject come first */ subject?: string; label?: string }

/** Teachers of the school with their weekly lessons: those of the subject first, the least busy of them first. */
function useTeacherOptions(semester_id: number, subject: string | undefined) {
  const { data } = useCall(teachingApi.load, { semester_id })
  const ranked = (data?.list ?? []).toSorted((a, b) => Number(b.subjects.includes(subject ?? '')) - Number(a.subjects.includes(subject ?? '')) || a.weekly - b.weekly)
  return ranked.map(({ user_id, user_name, teacher_no, weekly, subjects }) => ({ value: user_id, label: user_name, search: `${user_name} ${teacher_no}`, about: `${subjects.map(code => dictionaryName('SUBJECT', code)).join('、')} ${weekly}节` }))
}

const optionRender = ({ data }: { data: { label: string; about: string } }) => <span>{data.label} <small>{data.about}</small></span>

/** Several teachers; the first one leads. */
export function TeachersSelect({ id, semester_id, subject, value, onChange }: Props & { value?: string[]; onChange?: (ids: string[]) => void }): ReactNode {
  return <Select id={id} mode="multiple" maxCount={5} showSearch={{ optionFilterProp: 'search' }} value={value ?? []} onChange={onChange} options={useTeacherOptions(semester_id, subject)} optionRender={optionRender} placeholder="输入姓名或工号" />
}

/** One teacher. */
export function TeacherSelect({ id, semester_id, subject, label, value, onChange }: Props & { value?: string; onChange?: (id: string) => void }): ReactNode {
  return <Select id={id} aria-label={label} showSearch={{ optionFilterProp: 'search' }} value={value} onChange={onChange} options={useTeacherOptions(semester_id, subject)} optionRender={optionRender} placeholder="输入姓名或工号" />
}
