import { dataOf } from '@apps/server/testing'
import { examApi } from '@campus/exams/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examSchool, paperOf, plannedExam, refusal, school_id, semester_id } from './testing/exam-school.ts'
import type { ExamSchool } from './testing/exam-school.ts'

let school: ExamSchool
const call: typeof school.app.call = (...args) => school.app.call(...args)
const days = { begin_date: '2026-11-10', end_date: '2026-11-11' }
const add = (more: object) => call(examApi.add, { exam_name: '考试', exam_kind: '13', semester_id, grades: ['31'], ...days, ...more }, school.as)

beforeAll(async () => { school = await examSchool(4) })
afterAll(() => school.app.close())

test('55-A27 the policy of compulsory schools refuses: too many exams, scores and ranks, written papers of the lowest grades; a reason with the right passes', async () => {
  expect(refusal(await add({ grades: ['21'] }))).toEqual([422, 'exam.policyCount', '本学期该年级考试次数已达上限'])
  expect(refusal(await add({ grades: ['21'], exam_kind: '20' }))).toEqual([422, 'exam.policyRank', '义务教育阶段不得公布分数和排名'])
  expect((await add({ exam_name: '七年级期中', grades: ['21'], exam_kind: '20', score_mode: 'level' })).status).toBe(200)
  expect(refusal(await add({ exam_name: '七年级期中二', grades: ['21'], exam_kind: '20', score_mode: 'level' })).slice(0, 2)).toEqual([422, 'exam.policyCount'])
  const { row } = dataOf(examApi.add, await add({ exam_name: '一年级期末', grades: ['11'], exam_kind: '21', score_mode: 'level' }))
  const written = { exam_id: row.exam_id, papers: [{ ...paperOf('13', 100), grade: '11' as const }] }
  expect(refusal(await call(examApi.savePapers, written, school.as))).toEqual([422, 'exam.policyLow', '一、二年级不得安排纸笔考试'])
  const { exam_name, exam_kind, row_version } = row
  await call(examApi.update, { exam_id: row.exam_id, exam_name, exam_kind, row_version, ...days, score_mode: 'level', override_reason: '区级质量监测' }, school.as)
  const plan = dataOf(examApi.savePapers, await call(examApi.savePapers, written, school.as))
  expect(plan.notes).toContain('已突破考试政策，原因：区级质量监测')
  const weak = await school.app.as({ school_id, codes: ['exams.exam.edit'] })
  const forced = await school.app.call(examApi.add, { exam_name: 'x', exam_kind: '13', semester_id, grades: ['21'], ...days, override_reason: '想考' }, { token: weak.token })
  expect(refusal(forced)).toEqual([403, 'exam.overrideRight', '没有突破考试政策的权限，请联系教务处'])
})

test('an exam is a checklist: papers, sessions with their clashes by name; names are once, days lie in the term, a stale save is refused', async () => {
  const { exam_id, papers, sessions } = await plannedExam(school, '11月月考')
  expect(refusal(await add({ exam_name: '11月月考' }))).toEqual([409, 'exam.nameTaken', '本学期已存在同名考试'])
  expect(refusal(await add({ exam_name: '寒假考', begin_date: '2027-02-10', end_date: '2027-02-11' })).slice(0, 2)).toEqual([422, 'exam.outsideTerm'])
  const both = [{ ...sessions[0], session_name: '同时', session_id: null, begin_at: sessions[0]?.begin_at ?? '', end_at: sessions[0]?.end_at ?? '', paper_ids: papers.map(one => one.paper_id) }]
  const plan = dataOf(examApi.saveSessions, await call(examApi.saveSessions, { exam_id, sessions: both }, school.as))
  expect(plan.clashes.map(one => one.text)).toEqual(['高一1班、高一2班在11月10日 08:30同时有语文、数学'])
  expect(plan.steps.find(one => one.key === 'session')).toMatchObject({ done: false })
  const { sessions: drafts } = dataOf(examApi.suggest, await call(examApi.suggest, { exam_id }, school.as))
  expect(drafts.map(one => [one.session_name, one.begin_at])).toEqual([['语文', '2026-11-10T00:30:00.000Z'], ['数学', '2026-11-10T02:50:00.000Z']])
  expect(dataOf(examApi.saveSessions, await call(examApi.saveSessions, { exam_id, sessions: drafts }, school.as)).clashes).toEqual([])
  const outside = [{ ...drafts[0], session_id: null, session_name: '早', begin_at: '2026-11-09T00:30:00.000Z', end_at: '2026-11-09T02:30:00.000Z', paper_ids: [papers[0]?.paper_id ?? ''] }]
  expect(refusal(await call(examApi.saveSessions, { exam_id, sessions: outside }, school.as))).toEqual([422, 'exam.sessionOutside', '场次“早”不在考试日期内'])
  expect(refusal(await call(examApi.update, { exam_id, exam_name: '改', exam_kind: '13', row_version: 1, ...days }, school.as)).slice(0, 2)).toEqual([409, 'exam.staleRow'])
  expect(refusal(await call(examApi.remove, { exam_id }, school.as))).toEqual([422, 'exam.notDraft', '只能删除草稿，其他考试可取消'])
  const copy = dataOf(examApi.copy, await call(examApi.copy, { exam_id, exam_name: '12月月考', begin_date: '2026-12-08' }, school.as)).row
  expect([copy.end_date, copy.papers, copy.sessions]).toEqual(['2026-12-09', 2, 2])
  const { list, total } = dataOf(examApi.list, await call(examApi.list, { keyword: '月考', phase: 'plan' }, school.as))
  expect([total, list.map(one => one.exam_name)]).toEqual([2, ['12月月考', '11月月考']])
  expect(dataOf(examApi.cancel, await call(examApi.cancel, { exam_id: copy.exam_id, reason: '与活动冲突' }, school.as)).row.state).toBe(9)
})
