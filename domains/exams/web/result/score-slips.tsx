import type { ExamRow, ResultRow } from '@campus/exams/contract'
import { dictionaryName } from '@kit/web'
import type { ReactNode } from 'react'

/** 成绩条: one slip a pupil with lines to cut along; on paper only (chapter 55 rule 39). */
export function ScoreSlips({ exam, list }: { exam: ExamRow; list: readonly ResultRow[] }): ReactNode {
  return (
    <section className="exam-sheet exam-paper-only">
      {list.map(row => (
        <div key={row.user_id} className="exam-slip">
          <p>{exam.exam_name}　<b>{row.user_name}</b>　{row.dept_name}　{row.student_no}{exam.absent_as === 'zero' && '　缺考按0分计'}</p>
          <table>
            <thead><tr>{row.scores.map(one => <th key={one.paper_id}>{dictionaryName('SUBJECT', one.subject)}</th>)}<th>总分</th></tr></thead>
            <tbody><tr>{row.scores.map(one => <td key={one.paper_id}>{one.text}{one.assigned !== null &&
              `（赋${one.assigned}）`}</td>)}<td>{row.total ?? '—'}</td></tr></tbody>
          </table>
        </div>
      ))}
    </section>
  )
}
