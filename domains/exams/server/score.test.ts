import { dataOf } from '@apps/server/testing'
import type { TestUser } from '@apps/server/testing'
import { examApi, planApi, resultApi, reviewApi, scoreApi } from '@campus/exams/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyChain } from './score/log.ts'
import { at, examSchool, plannedExam, recheckOf, refusal, school_id, semester_id } from './testing/exam-school.ts'
import type { ExamSchool } from './testing/exam-school.ts'

let school: ExamSchool
let second: TestUser
let caller = ''
let parent: TestUser
let junior: { exam_id: string; paper_id: string }
let exam_id = ''
let [chinese, maths] = ['', '']
const day_ms = 86_400_000
const call: typeof school.app.call = (...args) => school.app.call(...args)
const rows = <T>(query: ReturnType<typeof sql<T>>) => school.app.running.database.tenant<unknown, T[]>(school_id, async db => (await query.execute(db)).rows)
const pupil = (key: string, n: number) => school.pupils.get(key)?.[n] ?? ''
const save = (cells: { paper_id?: string; user_id: string; value: string; version?: number }[], as = school.as) =>
  call(scoreApi.cell, { exam_id, cells: cells.map(cell => ({ paper_id: chinese, version: 0, ...cell })) }, as)

/** A published plan of which the sessions are over. */
async function heldExam(name: string): Promise<string> {
  const made = await plannedExam(school, name)
  await call(planApi.refresh, { exam_id: made.exam_id, preview: false }, school.as)
  const rooms = school.places.map(place_id => ({ room_id: null, place_id, col_count: 4, row_count: 4, path: 'S' as const, blocked: [], is_spare: false }))
  await call(planApi.saveRooms, { exam_id: made.exam_id, rooms }, school.as)
  dataOf(planApi.runSeats, await call(planApi.runSeats, { exam_id: made.exam_id, seed: 1 }, school.as))
  dataOf(planApi.publish, await call(planApi.publish, { exam_id: made.exam_id }, school.as))
  const paperOf = (subject: string) => made.papers.find(paper => paper.subject === subject)?.paper_id ?? ''
  chinese = paperOf('13')
  maths = paperOf('14')
  return made.exam_id
}

beforeAll(async () => {
  school = await examSchool(6)
  exam_id = await heldExam('11月月考')
})
afterAll(() => school.app.close())

test('55-A24 0, empty, 零分 and 缺考 are four stored rows; full marks and decimals are refused by name; of two tabs on one cell the second is told who and what', async () => {
  expect(refusal(await save([{ user_id: pupil('c1', 0), value: '100' }]))).toEqual([409, 'exam.notBegun', '考试尚未开始，不能录分'])
  school.app.clock.advance(10 * day_ms)
  const me = await school.app.as({ school_id, codes: 'all', places: 'all' })
  school.as = { token: me.token }
  caller = me.user_id
  second = await school.app.as({ school_id, codes: 'all', places: 'all' })
  const values = ['0', '', '零分', '缺考', '118.5', '90']
  dataOf(scoreApi.cell, await save(values.map((value, n) => ({ user_id: pupil('c1', n), value }))))
  const stored = await rows(sql<{ score: number | null; score_state: number }>`
    select score::float8 as score, score_state::int as score_state from exam_score where school_id = ${school_id} and paper_id = ${chinese} order by user_id`)
  expect(stored.map(one => [one.score, one.score_state])).toEqual([[0, 0], [null, 9], [0, 5], [null, 1], [118.5, 0], [90, 0]])
  expect(refusal(await save([{ user_id: pupil('c1', 5), value: '150.5', version: 1 }]))).toEqual([422, 'exam.scoreRange', '语文分数应在0-150之间'])
  expect(refusal(await save([{ user_id: pupil('c1', 5), value: '90.25', version: 1 }]))).toEqual([422, 'exam.scoreStep', '分数最多保留1位小数'])
  dataOf(scoreApi.cell, await save([{ user_id: pupil('c1', 5), value: '96', version: 1 }], { token: second.token }))
  const late = refusal(await save([{ user_id: pupil('c1', 5), value: '97', version: 1 }]))
  expect([late[0], late[1], String(late[2]).endsWith('改为96，请核对')]).toEqual([409, 'exam.scoreChanged', true])
  const grid = dataOf(scoreApi.grid, await call(scoreApi.grid, { exam_id, dept_id: school.depts.get('c1') ?? '' }, school.as))
  expect(grid.rows.map(row => row.cells[0]?.text)).toEqual(['0', '', '零分', '缺考', '118.5', '96'])
  expect(refusal(await call(scoreApi.submit, { exam_id, paper_id: chinese, dept_id: school.depts.get('c1') ?? '' }, school.as))).toEqual([422, 'exam.incomplete', '还有1名考生没有成绩，请补录或填写缺考'])
})

test('tasks are handed in one by one; without the last there is no review, without a review no publication; a handed-in class is closed', async () => {
  dataOf(scoreApi.cell, await save([{ user_id: pupil('c1', 1), value: '80', version: 1 }]))
  const c2 = [100, 110, 120, 130, 140, 150].map((value, n) => ({ user_id: pupil('c2', n), value: String(value) }))
  dataOf(scoreApi.cell, await save(c2))
  const marks = ['c1', 'c2'].flatMap((key, of) => Array.from({ length: 6 }, (_, n) => ({ paper_id: maths, user_id: pupil(key, n), value: String(60 + of * 30 + n * 5) })))
  dataOf(scoreApi.cell, await save(marks))
  const { list } = dataOf(scoreApi.tasks, await call(scoreApi.tasks, { exam_id }, school.as))
  expect(list.map(one => [one.wanted, one.entered, one.submitted_at])).toEqual(Array.from({ length: 4 }, () => [6, 6, null]))
  for (const { paper_id, dept_id } of list.slice(1)) dataOf(scoreApi.submit, await call(scoreApi.submit, { exam_id, paper_id, dept_id }, school.as))
  expect(refusal(await call(resultApi.review, { exam_id }, school.as))).toEqual([409, 'exam.notSubmitted', '还有1个录分任务未提交'])
  dataOf(scoreApi.submit, await call(scoreApi.submit, { exam_id, paper_id: list[0]?.paper_id ?? '', dept_id: list[0]?.dept_id ?? '' }, school.as))
  expect(refusal(await save([{ user_id: pupil('c2', 0), value: '1', version: 1 }]))).toEqual([409, 'exam.handedIn', '该班成绩已提交，请先退回'])
  const audiences: (1 | 2 | 3)[] = [1, 2, 3]
  const publish = { exam_id, audiences, score_mode: 'score' as const, show_rank: 'self_rank' as const,
    recheck_token: await recheckOf(school, caller) }
  expect(refusal(await call(resultApi.publish, publish, school.as))).toEqual([409, 'exam.notReviewed', '成绩尚未审核'])
  dataOf(resultApi.review, await call(resultApi.review, { exam_id }, school.as))
  expect(refusal(await call(resultApi.publish, { ...publish, recheck_token: 'x' }, school.as))).toEqual([403, 'exam.recheck',
    '密码校验已失效，请重新输入密码'])
  expect(dataOf(resultApi.publish, await call(resultApi.publish, publish, school.as)).row).toMatchObject({ state: 6, publish_version: 1 })
  expect(refusal(await save([{ user_id: pupil('c2', 0), value: '1', version: 1 }]))).toEqual([409, 'exam.released', '成绩已发布，请走更正流程'])
})

test('55-A26 every figure equals an independent question to the database; averages leave out 缺考; ranks are 1, 2, 2, 4', async () => {
  const analysis = dataOf(resultApi.analysis, await call(resultApi.analysis, { exam_id, grade: '31', paper_id: chinese, line: 100, band: 10 }, school.as))
  const [own] = await rows(sql<{ n: number; mean: number; sd: number; median: number; pass: number }>`
    select count(*)::int as n, round(avg(score), 2)::float8 as mean, round(stddev_pop(score), 2)::float8 as sd, percentile_cont(0.5) within group (order by score) as median,
      round(100.0 * count(*) filter (where score >= 90) / count(*), 1)::float8 as pass
    from exam_score where school_id = ${school_id} and paper_id = ${chinese} and score is not null`)
  const { n, mean, sd, median, pass } = analysis.figures[0] ?? {}
  expect({ n, mean, sd, median, pass }).toEqual(own)
  expect([analysis.absent, analysis.near.map(one => [one.score, one.gap])]).toEqual([1, [[110, 10], [100, 0], [96, -4]]])
  expect([analysis.heat.subjects, analysis.heat.values.length, analysis.segments.at(-1)?.above]).toEqual([['13', '14'], 2, 11])
  const { list } = dataOf(resultApi.list, await call(resultApi.list, { exam_id, dept_id: school.depts.get('c1') ?? '' }, school.as))
  expect(list.map(one => [one.total, one.rank_class])).toEqual([[198.5, 1], [181, 2], [145, 3], [70, 4], [60, 5], [null, null]])
})

test('55-A28 after publication only two persons change a score: the same one is refused; agreed, it has a new version, a new release, a log that verifies', async () => {
  const asked = await call(resultApi.amend, { exam_id, paper_id: chinese, user_id: pupil('c1', 3), value: '88', reason: '补登口试成绩' }, school.as)
  const { amend_id } = dataOf(resultApi.amend, asked)
  expect(refusal(await call(resultApi.decide, { amend_id, agreed: true }, school.as))).toEqual([403, 'exam.amendSame', '申请人不能审批自己的更正'])
  dataOf(resultApi.decide, await call(resultApi.decide, { amend_id, agreed: true }, { token: second.token }))
  const { list } = dataOf(resultApi.list, await call(resultApi.list, { exam_id, dept_id: school.depts.get('c1') ?? '' }, school.as))
  expect(list.find(one => one.user_id === pupil('c1', 3))).toMatchObject({ total: 163, rank_class: 3 })
  const { releases } = dataOf(resultApi.state, await call(resultApi.state, { exam_id }, school.as))
  expect(releases.map(one => [one.publish_version, one.reason])).toEqual([[2, '成绩更正'], [1, '']])
  const chain = () => school.app.running.database.tenant<Parameters<typeof verifyChain>[0], boolean>(school_id, db => verifyChain(db.withTables(), school_id, exam_id))
  expect(await chain()).toBe(true)
  await school.app.running.database.owner_exec(`set local app.school_id = '${school_id}'; update exam_score_log set to_text = '150' where school_id = ${school_id} and exam_id = ${exam_id} and seq = 2`)
  expect(await chain()).toBe(false)
  const messages = await rows(sql<{ text: string }>`select title || body as text from message where school_id = ${school_id}`)
  expect(messages.filter(one => /\d+分/u.test(one.text))).toEqual([])
})

test('55-A27 below senior school no scores and no ranks are published; a family asks for its own only', async () => {
  const mine = await call(resultApi.mine, {}, school.as)
  expect(dataOf(resultApi.mine, mine).list).toEqual([])
  expect((await call(resultApi.mine, { user_id: pupil('c1', 0) }, school.as)).status).toBe(404)
  const days = { begin_date: '2026-11-17', end_date: '2026-11-17' }
  const { row } = dataOf(examApi.add, await call(examApi.add, { exam_name: '七年级期中', exam_kind: '20', semester_id, grades: ['21'], ...days, score_mode: 'level' }, school.as))
  const paper = { paper_id: null, subject: '13', grade: '21' as const, dept_ids: [], exam_way: '1' as const, full_score: 100, minutes: 60, excellent_pct: 85, good_pct: 75, pass_pct: 60, low_pct: 40, assign: 'none' as const, in_total: true }
  const { papers } = dataOf(examApi.savePapers, await call(examApi.savePapers, { exam_id: row.exam_id, papers: [paper] }, school.as))
  const session = { session_id: null, session_name: '语文', begin_at: at('2026-11-17', '08:30'), end_at: at('2026-11-17', '09:30'), paper_ids: papers.map(one => one.paper_id) }
  dataOf(examApi.saveSessions, await call(examApi.saveSessions, { exam_id: row.exam_id, sessions: [session] }, school.as))
  dataOf(planApi.refresh, await call(planApi.refresh, { exam_id: row.exam_id, preview: false }, school.as))
  await rows(sql`update exam set state = 5, reviewed_at = now() where school_id = ${school_id} and exam_id = ${row.exam_id} returning exam_id`)
  await rows(sql`insert into exam_entry_task (school_id, exam_id, paper_id, dept_id, submitted_by, submitted_at) values (${school_id}, ${row.exam_id}, ${papers[0]?.paper_id}, ${school.depts.get('j1')}, 1, now()) returning paper_id`)
  const recheck_token = await recheckOf(school, caller)
  const release = (score_mode: 'score' | 'level', show_rank: 'none' | 'self_rank') =>
    call(resultApi.publish, { exam_id: row.exam_id, audiences: [3], score_mode, show_rank, recheck_token }, school.as)
  expect(refusal(await release('level', 'self_rank'))).toEqual([422, 'exam.policyRank', '义务教育阶段不得公布分数和排名'])
  expect(refusal(await release('score', 'none')).slice(0, 2)).toEqual([422, 'exam.policyRank'])
  expect((await release('level', 'none')).status).toBe(200)
  parent = await school.app.as({ school_id, codes: [] })
  await rows(sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${parent.user_id}, '家长甲', 'jiazhangjia', 'jzj', '2') returning user_id`)
  await rows(sql`insert into parent (school_id, user_id) values (${school_id}, ${parent.user_id}) returning user_id`)
  await rows(sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, valid_from) values (${school_id}, ${pupil('j1', 0)}, ${parent.user_id}, '52', '2026-09-01') returning id`)
  junior = { exam_id: row.exam_id, paper_id: papers[0]?.paper_id ?? '' }
  const own = dataOf(resultApi.mine, await school.app.call(resultApi.mine, {}, { token: parent.token }))
  expect(own.list.map(one => [one.total, one.rank, one.lines.map(line => line.score)])).toEqual([[null, null, [null]]])
})

test('55-A27 a family asks for a re-check of its own child only, within three days; a correction still needs a second person', async () => {
  const family = { token: parent.token }
  const ask = (user_id: string, more: object = {}) => school.app.call(reviewApi.ask, { ...junior, user_id, reason: '与答题卡不一致', ...more },
    family)
  expect([(await ask(pupil('j1', 1))).status, (await ask(pupil('j1', 0), { exam_id })).status]).toEqual([404, 404])
  const { review_id } = dataOf(reviewApi.ask, await ask(pupil('j1', 0)))
  expect(refusal(await ask(pupil('j1', 0)))).toEqual([409, 'exam.reviewOpen', '该科目已有待受理的查分申请'])
  const { list } = dataOf(reviewApi.page, await call(reviewApi.page, { exam_id: junior.exam_id }, school.as))
  expect(list.map(one => [one.user_name, one.subject, one.state, one.asked_by_name])).toEqual([['学生j11', '语文', 0, '家长甲']])
  dataOf(reviewApi.answer, await call(reviewApi.answer, { review_id, value: '88', answer: '漏登第5题，已申请更正' }, school.as))
  expect((await call(reviewApi.answer, { review_id, value: null, answer: '再次答复' }, school.as)).status).toBe(404)
  const [mine] = dataOf(resultApi.mine, await school.app.call(resultApi.mine, {}, family)).list
  expect(mine?.lines.map(line => [line.level, line.review])).toEqual([[null, { state: 2, answer: '漏登第5题，已申请更正' }]])
  const { list: amends } = dataOf(resultApi.amends, await call(resultApi.amends, { exam_id: junior.exam_id }, school.as))
  expect(amends.map(one => [one.to_text, one.reason, one.state])).toEqual([['88', '查分：与答题卡不一致', 0]])
  await rows(sql`update exam_release set at = at - interval '73 hours' where school_id = ${school_id}
    and exam_id = ${junior.exam_id} returning exam_id`)
  const late = await ask(pupil('j1', 0), { reason: '再看一次' })
  expect(refusal(late)).toEqual([422, 'exam.reviewClosed', '查分申请已截止：成绩发布后3天内可以申请'])
})
