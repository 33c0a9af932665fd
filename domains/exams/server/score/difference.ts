import { examErrors, scoreText } from '@campus/exams/contract'
import { fail } from '@kit/contract'
import type { Db } from '../db.ts'
import { readSitters } from './score.queries.ts'

type Second = { text: string; by_user_id: string }

/** What was entered the second time: `paper pupil`. */
export async function readSecond(db: Db, school_id: number, exam_id: string): Promise<Map<string, Second>> {
  const rows = await db.selectFrom('exam_second_entry').select(['paper_id', 'user_id', 'text', 'by_user_id']).where('school_id', '=',
    school_id).where('exam_id', '=', exam_id).execute()
  return new Map(rows.map(({ paper_id, user_id, ...rest }) => [`${paper_id} ${user_id}`, rest]))
}

/** Where the two entries of a class differ, or the second one is missing; of all papers or one. */
export async function differencesOf(db: Db, school_id: number, exam_id: string, dept_id: string, paper_id?: string) {
  const second = await readSecond(db, school_id, exam_id)
  return (await readSitters(db, school_id, exam_id, dept_id)).flatMap(sitter => sitter.papers.filter(id => paper_id === undefined ||
    id === paper_id).flatMap(id => {
    const stored = sitter.scores.get(id)
    const [first, other] = [stored ? scoreText(stored) : '', second.get(`${id} ${sitter.user_id}`)?.text ?? '']
    return first === other ? [] : [{ paper_id: id, user_id: sitter.user_id, user_name: sitter.user_name, exam_no: sitter.exam_no, first,
      second: other }]
  }))
}

/** @throws Refusal 422 doubleMismatch with how many cells differ */
export async function refuseMismatch(db: Db, school_id: number,
  asked: { exam_id: string; paper_id: string; dept_id: string }): Promise<void> {
  const { length: n } = await differencesOf(db, school_id, asked.exam_id, asked.dept_id, asked.paper_id)
  if (n > 0) throw fail(examErrors.doubleMismatch, { params: { n } })
}
