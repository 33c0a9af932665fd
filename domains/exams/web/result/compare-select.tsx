import { examApi } from '@campus/exams/contract'
import type { ExamRow } from '@campus/exams/contract'
import { useCall } from '@kit/web/part'
import { Select } from 'antd'
import type { ReactNode } from 'react'

const most = 300

/** An earlier exam of the same grades that this one is held against. */
export function CompareSelect({ exam, value, onChange }: { exam: ExamRow; value: string | undefined; onChange: (id: string | undefined) => void }): ReactNode {
  const { data } = useCall(examApi.list, { page_size: most })
  const earlier = data?.list.filter(one => one.exam_id !== exam.exam_id && one.begin_date <= exam.begin_date && one.state >= 6 && one.state !== 9 && one.grades.some(grade => exam.grades.includes(grade))) ?? []
  return <Select className="exam-select" aria-label="对比考试" allowClear placeholder="与以前的考试对比" value={value} onChange={onChange} options={earlier.map(one => ({ value: one.exam_id, label: one.exam_name }))} />
}
