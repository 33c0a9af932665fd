import { examErrors, scoreText } from '@campus/exams/contract'
import type { scoreApi } from '@campus/exams/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import type { ExamsCtx } from '../db.ts'
import { lockExam, readPapers, requireExam, subjectNames } from '../exam/exam.queries.ts'
import { differencesOf, readSecond } from './difference.ts'
import { parse, readGrid, requireEntering } from './entry.service.ts'
import { requireClass, scoreScope } from './scope.ts'
import { readHandedIn, readSitters } from './score.queries.ts'

/** The grid of a class for the second person, who does not see what the first one entered (chapter 55 rule 33). @throws Refusal 404, 409 singleEntry */
export async function readSecondGrid(ctx: ExamsCtx, asked: Input<typeof scoreApi.second>): Promise<Reply<typeof scoreApi.second>> {
  const exam = await requireExam(ctx.db, ctx.school_id, ctx.now, asked.exam_id)
  const grid = await readGrid(ctx, asked)
  if (!exam.double_entry) throw fail(examErrors.singleEntry)
  const second = await readSecond(ctx.db, ctx.school_id, asked.exam_id)
  const rows = grid.rows.map(row => ({ ...row, cells: row.cells.map(cell => ({ ...cell,
    text: second.get(`${cell.paper_id} ${row.user_id}`)?.text ?? '', version: 0 })) }))
  return { ...grid, rows }
}

/**
 * Saves what the second person enters; nobody enters both times. @throws Refusal 404, 403 secondSelf, 409 singleEntry, notBegun, released, handedIn, 422 scoreRange, scoreStep, scoreWord, notSitting
 */
export async function saveSecond(ctx: ExamsCtx, { exam_id,
  cells }: Input<typeof scoreApi.secondCell>): Promise<Reply<typeof scoreApi.secondCell>> {
  const { db, school_id, me, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  const scope = await scoreScope(ctx, exam.grades)
  const papers = new Map((await readPapers(db, school_id, exam_id)).map(one => [one.paper_id, one]))
  const sitters = new Map((await readSitters(db, school_id, exam_id)).map(one => [one.user_id, one]))
  const first_by = new Map((await db.selectFrom('exam_score').select(['paper_id', 'user_id', 'updated_by']).where('school_id', '=',
    school_id).where('exam_id', '=', exam_id).execute())
    .map(row => [`${row.paper_id} ${row.user_id}`, row.updated_by]))
  const [names, handed] = [await subjectNames(db, school_id), await readHandedIn(db, school_id, exam_id)]
  const written = cells.map(({ paper_id, user_id, value }) => {
    const [sitter, paper] = [sitters.get(user_id), papers.get(paper_id)]
    if (!sitter || !paper || !scope.sees(sitter.dept_id, paper.subject)) throw fail(commonErrors.notFound)
    if (!exam.double_entry) throw fail(examErrors.singleEntry)
    requireEntering(exam)
    const subject = names.get(paper.subject) ?? paper.subject
    if (!sitter.papers.includes(paper_id)) throw fail(examErrors.notSitting, { params: { name: sitter.user_name, subject } })
    if (handed.has(`${paper_id} ${sitter.dept_id}`)) throw fail(examErrors.handedIn)
    if (first_by.get(`${paper_id} ${user_id}`) === me.user_id) throw fail(examErrors.secondSelf)
    return { paper_id, user_id, text: scoreText(parse(value, paper, exam.decimals, subject)) }
  })
  const rows = written.map(one => ({ ...one, school_id, exam_id, by_user_id: me.user_id, at: now }))
  await insertMany(db, 'exam_second_entry', rows, { columns: ['school_id', 'paper_id', 'user_id'], set: ['text', 'by_user_id', 'at'] })
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 第二次录分 ${written.length}项` })
  return { cells: written.map(one => ({ ...one, version: 0 })) }
}

/** The differences of a class, cell by cell; shown to who may hand in. @throws Refusal 404 */
export async function listDifferences(ctx: ExamsCtx, { exam_id,
  dept_id }: Input<typeof scoreApi.differences>): Promise<Reply<typeof scoreApi.differences>> {
  const { db, school_id, now } = ctx
  const exam = await requireExam(db, school_id, now, exam_id)
  const scope = await scoreScope(ctx, exam.grades)
  requireClass(scope, dept_id)
  const papers = new Map((await readPapers(db, school_id, exam_id)).map(paper => [paper.paper_id, paper.subject]))
  const list = (await differencesOf(db, school_id, exam_id, dept_id)).flatMap(({ paper_id, ...one }) => {
    const subject = papers.get(paper_id)
    return subject !== undefined && scope.sees(dept_id, subject) ? [{ ...one, subject }] : []
  })
  return { list }
}
