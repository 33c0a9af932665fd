import { examErrors, examEvents, examTemplates, scoreText } from '@campus/exams/contract'
import type { AmendRow, resultApi } from '@campus/exams/contract'
import { send } from '@campus/messages/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { ExamsCtx } from '../db.ts'
import { lockExam, readPapers, requireExam, states, subjectNames } from '../exam/exam.queries.ts'
import { parse, writeScores } from '../score/entry.service.ts'
import { logChanges } from '../score/log.ts'
import { scoreScope } from '../score/scope.ts'
import { readSitters } from '../score/score.queries.ts'
import { familiesOf, insertRelease } from './release.service.ts'

const [waiting, agreed_state, refused_state, families] = [0, 1, 2, 3] as const

/** Amendments of an exam, those that wait first. @throws Refusal 404 */
export async function listAmends(ctx: ExamsCtx, exam_id: string): Promise<Reply<typeof resultApi.amends>> {
  const { db, school_id, now, me } = ctx
  const exam = await requireExam(db, school_id, now, exam_id)
  const scope = await scoreScope(ctx, exam.grades)
  const names = await subjectNames(db, school_id)
  const { rows } = await sql<Omit<AmendRow, 'asked_at' | 'is_mine' | 'subject'> & { code: string; dept_id: string; asked_at: Date; asked_by: string }>`
    select a.amend_id::text as amend_id, p.display_name as user_name, coalesce(d.dept_name, '') as dept_name, c.dept_id::text as dept_id, x.subject as code, a.from_text, a.to_text, a.reason, a.state::int as state,
      coalesce(q.display_name, '') as asked_by_name, a.asked_by::text as asked_by, a.asked_at, r.display_name as decided_by_name
    from exam_amend a
    join exam_paper x on x.school_id = ${school_id} and x.paper_id = a.paper_id
    join exam_candidate c on c.school_id = ${school_id} and c.exam_id = a.exam_id and c.user_id = a.user_id
    join person_label p on p.school_id = ${school_id} and p.user_id = a.user_id
    left join dept_now d on d.school_id = ${school_id} and d.id = c.dept_id
    left join person_label q on q.school_id = ${school_id} and q.user_id = a.asked_by
    left join person_label r on r.school_id = ${school_id} and r.user_id = a.decided_by
    where a.school_id = ${school_id} and a.exam_id = ${exam_id} order by a.state, a.asked_at desc`.execute(db)
  return {
    list: rows.filter(row => scope.sees(row.dept_id, row.code)).map(({ code, dept_id: _dept_id, asked_by, asked_at, ...row }) => ({ ...row, subject: names.get(code) ?? code, asked_at: asked_at.toISOString(), is_mine: asked_by === me.user_id })),
  }
}

/** Asks for another score after the publication. @throws Refusal 404, 409 notReleased, amendOpen, 422 scoreRange, scoreStep, scoreWord, amendEqual */
export async function askAmend(ctx: ExamsCtx, { exam_id, paper_id, user_id, value, reason }: Input<typeof resultApi.amend>): Promise<Reply<typeof resultApi.amend>> {
  const { db, school_id, me, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  const scope = await scoreScope(ctx, exam.grades)
  const paper = (await readPapers(db, school_id, exam_id)).find(one => one.paper_id === paper_id)
  const sitter = (await readSitters(db, school_id, exam_id)).find(one => one.user_id === user_id)
  if (!paper || !sitter || !scope.sees(sitter.dept_id, paper.subject) || !sitter.papers.includes(paper_id)) throw fail(commonErrors.notFound)
  if (exam.state !== states.released) throw fail(examErrors.notReleased)
  const to_text = scoreText(parse(value, paper, exam.decimals, (await subjectNames(db, school_id)).get(paper.subject) ?? paper.subject))
  const stored = sitter.scores.get(paper_id)
  const from_text = stored ? scoreText(stored) : ''
  if (from_text === to_text) throw fail(examErrors.amendEqual)
  const { amend_id } = await db.insertInto('exam_amend').values({ school_id, exam_id, paper_id, user_id, from_text, to_text, reason, asked_by: me.user_id, asked_at: now }).returning('amend_id').executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 申请更正 ${sitter.user_name}`, reason })
  return { amend_id }
}

/**
 * Another person agrees or refuses. Agreed: the score gets a new version, the old one stays in the log, statistics follow, the family hears of it (55-A28).
 * @throws Refusal 404, 403 amendSame, 409 notReleased
 */
export async function decideAmend(ctx: ExamsCtx, { amend_id, agreed }: Input<typeof resultApi.decide>): Promise<Record<string, never>> {
  const { db, school_id, me, now } = ctx
  const asked = await db.selectFrom('exam_amend').select(['exam_id', 'paper_id', 'user_id', 'from_text', 'to_text', 'reason', 'asked_by', 'state']).where('school_id', '=', school_id).where('amend_id', '=', amend_id).forUpdate().executeTakeFirst()
  if (!asked || asked.state !== waiting) throw fail(commonErrors.notFound)
  if (asked.asked_by === me.user_id) throw fail(examErrors.amendSame)
  const exam = await lockExam(db, school_id, now, asked.exam_id)
  if (exam.state !== states.released) throw fail(examErrors.notReleased)
  await db.updateTable('exam_amend').set({ state: agreed ? agreed_state : refused_state, decided_by: me.user_id, decided_at: now }).where('school_id', '=', school_id).where('amend_id', '=', amend_id).execute()
  if (agreed) await applyAmend(ctx, exam, asked)
  ctx.note({ target_kind: 'exams.exam', target_id: exam.exam_id, target_name: `${exam.exam_name} ${agreed ? '同意' : '驳回'}更正` })
  return {}
}

type Asked = { paper_id: string; user_id: string; to_text: string; reason: string; asked_by: string }

async function applyAmend(ctx: ExamsCtx, { exam_id, exam_name, decimals, publish_version, score_mode, show_rank }: Awaited<ReturnType<typeof requireExam>>, asked: Asked): Promise<void> {
  const { db, school_id, me, now } = ctx
  const paper = (await readPapers(db, school_id, exam_id)).find(one => one.paper_id === asked.paper_id)
  const sitter = (await readSitters(db, school_id, exam_id)).find(one => one.user_id === asked.user_id)
  if (!paper || !sitter) throw fail(commonErrors.notFound)
  const stored = sitter.scores.get(paper.paper_id)
  const version = stored?.version ?? 0
  await writeScores(db, { school_id, exam_id, by: me.user_id, at: now }, [{ paper, sitter, version, score: parse(asked.to_text, paper, decimals, '') }])
  await logChanges(db, { school_id, exam_id, at: now }, [{
    paper_id: paper.paper_id, user_id: sitter.user_id, version: version + 1, from_text: stored ? scoreText(stored) : '', to_text: asked.to_text, cause: 'amend', reason: asked.reason, by_user_id: asked.asked_by, approver_id: me.user_id,
  }])
  const { audiences } = await db.selectFrom('exam_release').select('audiences').where('school_id', '=', school_id).where('exam_id', '=', exam_id).where('publish_version', '=', publish_version).executeTakeFirstOrThrow()
  const next = publish_version + 1
  await db.updateTable('exam').set({ publish_version: next, updated_at: now }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  await insertRelease(ctx, { exam_id, publish_version: next, audiences, score_mode, show_rank, reason: '成绩更正' })
  await publish(ctx, examEvents.resultAmended, { exam_id, publish_version: next })
  if (!audiences.includes(families)) return
  const to = await familiesOf(db, school_id, exam_id, schoolDay(now), sitter.user_id)
  if (to.length > 0) await send(ctx, { template: examTemplates.amended, source_ref: `amend:${exam_id}:${next}`, to, values: { exam: exam_name }, level: 1 })
}
