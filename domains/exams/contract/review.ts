import { UserId } from '@campus/people/contract'
import { api, Done, get, id, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { ExamId, PaperId } from './exam.ts'

const ReviewId = id('exams.review')
const Words = (what: string) => z.string().trim().min(2, { error: `请填写2至200个字的${what}` }).max(200, { error: `请填写2至200个字的${what}` })

/** Families may ask for a re-check so long after a release (chapter 55 §1.2 exam_review). */
export const review_days = 3
export const review_states = { 0: '待受理', 1: '维持原分', 2: '已申请更正' } as const

export const ReviewRow = z.object({
  review_id: ReviewId, user_name: z.string(), dept_name: z.string(), subject: z.string(), score: z.string(), reason: z.string(),
    state: z.number().int(), asked_by_name: z.string(), asked_at: Instant,
  answer: z.string(), answered_by_name: z.string().nullable(),
})
export type ReviewRow = z.output<typeof ReviewRow>

/** 查分: a family asks for a score to be looked at again; the school answers, with another score where it was wrong (chapter 55 §1.2, §4). */
export const reviewApi = api('v2', 'exams.review', {
  page: get('exam/review/page', { query: z.object({ exam_id: ExamId }), reply: z.object({ list: z.array(ReviewRow) }),
    need: 'exams.score.amend', within: 'dept' }),
  ask: post('exam/my/review', {
    body: z.strictObject({ exam_id: ExamId, paper_id: PaperId, user_id: UserId, reason: Words('原因') }),
      reply: z.object({ review_id: ReviewId }), op: 4, session: true, within: 'self',
  }),
  answer: post('exam/review/:review_id/answer', {
    params: z.object({ review_id: ReviewId }), reply: Done, op: 4, need: 'exams.score.amend', within: 'dept',
    body: z.strictObject({ value: z.string().trim().min(1, { error: '请填写更正后的成绩' }).max(10).nullable(), answer: Words('答复') }),
  }),
})
