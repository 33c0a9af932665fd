import { exam_states, examApi } from '@campus/exams/contract'
import type { ExamRow } from '@campus/exams/contract'
import { usePage } from '@kit/web'
import { PartState, useCall } from '@kit/web/part'
import { Select, Tag } from 'antd'
import type { ReactNode } from 'react'

const colors: Readonly<Record<number, string>> = { 0: 'default', 1: 'orange', 2: 'blue', 3: 'blue', 4: 'orange', 5: 'orange', 6: 'green', 7: 'default', 9: 'default' }
const names: Readonly<Record<number, string>> = exam_states
const most = 300

/** The state of an exam as a coloured word. */
export function StateTag({ state }: { state: number }): ReactNode {
  return <Tag color={colors[state]}>{names[state]}</Tag>
}

/** `pending`: grey lines, or the fault with 重试, until the exams are there. */
type Chosen = { exam: ExamRow | undefined; select: ReactNode; pending: ReactNode; failed: boolean; none: boolean }

/** The exam that the address names, else the latest one that `wanted` likes. */
export function useExam(wanted: (exam: ExamRow) => boolean): Chosen {
  const { search, setSearch } = usePage()
  const query = useCall(examApi.list, { page_size: most })
  const { data } = query
  const list = data?.list.filter(one => one.state !== 9) ?? []
  const exam = list.find(one => one.exam_id === search.exam) ?? list.find(wanted) ?? list[0]
  const choose = (exam_id: string) => setSearch({ ...search, exam: exam_id })
  const options = list.map(one => ({ value: one.exam_id, label: one.exam_name }))
  const select = (
    <>
      <Select className="exam-select" aria-label="考试" showSearch={{ optionFilterProp: 'label' }} value={exam?.exam_id} onChange={choose} options={options} placeholder="选择考试" />
      {exam && <StateTag state={exam.state} />}
    </>
  )
  const pending = data === undefined && <PartState query={query} rows={10} />
  return { exam, select, pending, failed: query.error !== null, none: data !== undefined && list.length === 0 }
}
