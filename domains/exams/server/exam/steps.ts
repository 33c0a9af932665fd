import type { ExamRow, Step } from '@campus/exams/contract'
import { states } from './exam.queries.ts'

type Counts = { rooms: number; unseated: number; posts: number; duties: number }

/** The plan as a checklist: each step with what is done and what is missing (chapter 55 §5). */
export function stepsOf(exam: ExamRow, { rooms, unseated, posts, duties }: Counts, clashes: number): Step[] {
  const seated = exam.candidates > 0 && posts > 0 && unseated === 0
  return [
    { key: 'setting', done: true, text: `${exam.begin_date} 至 ${exam.end_date}` },
    { key: 'paper', done: exam.papers > 0, text: exam.papers > 0 ? `${exam.papers}个科目` : '还没有科目' },
    { key: 'session', done: exam.sessions > 0 && clashes === 0, text: exam.sessions === 0 ? '还没有场次' : clashes > 0 ? `${exam.sessions}个场次，${clashes}处冲突` : `${exam.sessions}个场次` },
    { key: 'candidate', done: exam.candidates > 0, text: exam.candidates > 0 ? `${exam.candidates}名考生` : '还没有考生名单' },
    { key: 'room', done: rooms > 0, text: rooms > 0 ? `${rooms}个考场` : '还没有选择考场' },
    { key: 'seat', done: seated, text: posts === 0 ? '还没有编排座位' : unseated > 0 ? `${unseated}名考生没有座位` : '全部考生有座位' },
    { key: 'duty', done: posts > 0 && duties === posts, text: duties === 0 ? '还没有安排监考' : `${duties}/${posts}个考场次有监考` },
    { key: 'publish', done: exam.state >= states.published && exam.state !== states.cancelled, text: exam.plan_version === 0 ? '安排尚未发布' : `第${exam.plan_version}次发布` },
  ]
}
