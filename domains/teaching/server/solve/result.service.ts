import { teachingErrors } from '@campus/teaching/contract'
import type { solveApi, SolveMove } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { Db, TeachingCtx } from '../db.ts'
import { named } from '../plan/plan.queries.ts'
import { imageOf } from '../timetable/command.ts'
import { loadContext, placementOf, readLessons } from '../timetable/context.queries.ts'
import type { LessonRow } from '../timetable/context.queries.ts'
import { cellName, checkOne } from '../conflict/check.ts'
import type { Context } from '../conflict/check.ts'
import type { Placement } from '../conflict/world.ts'
import { writeStep } from '../timetable/edit.service.ts'
import { requireDraft, requireVersion } from '../timetable/version.queries.ts'
import { Best } from './solve.job.ts'

const taken = 3
/** A result that moves more is not read row by row. */
const most_read = 300
/** A lesson as it is, and as the result of the search has it. */
type Move = { row: LessonRow; goal: LessonRow }

/**
 * What the result still changes in a draft: rows with their places now and then, and which rows must go together (chapter 50 §3.9.10).
 * @throws Refusal 404, 422 solveNoResult
 */
export async function readMoves({ db, school_id }: TeachingCtx, id: string): Promise<Reply<typeof solveApi.moves>> {
  const { version_id, cells } = await readBest(db, school_id, id)
  const version = await requireVersion(db, school_id, version_id)
  const rows = await readLessons(db, school_id, [version_id])
  const moves = movesOf(rows, cells)
  const context = await loadContext(db, school_id, version.terms, [...rows, ...moves.map(move => move.goal)])
  const before = moves.flatMap(move => placementOf(move.row) ?? [])
  const list = moves.length > most_read ? [] : moves.map(move => moveRow(move, before, context))
  return { list, total: moves.length, lessons: rows.length }
}

/**
 * Takes the result, or the named rows of it, over into the draft as one step that can be undone; locked lessons stay.
 * @throws Refusal 404, 409 stale, 422 published, solveNoResult
 */
export async function takeRun(ctx: TeachingCtx,
  { id, rev, lesson_ids }: Input<typeof solveApi.take>): Promise<Reply<typeof solveApi.take>> {
  const { db, school_id } = ctx
  const { version_id, cells } = await readBest(db, school_id, id)
  const version = await requireDraft(db, school_id, version_id, rev)
  const rows = await readLessons(db, school_id, [version_id])
  const known = new Set(rows.map(row => row.id))
  if (lesson_ids?.some(one => !known.has(one)) === true) throw fail(commonErrors.notFound)
  const open = movesOf(rows, cells)
  const wanted = new Set(lesson_ids ?? open.map(move => move.row.id))
  const moves = open.filter(move => wanted.has(move.row.id))
  const step = { title: `采用自动排课（${moves.length}节）`, command: moves.map(move => imageOf(move.goal)), inverse:
    moves.map(move => imageOf(move.row)) }
  const edited = moves.length === 0 ? { rev } : await writeStep(ctx, version, step)
  const left = open.length - moves.length
  if (left === 0) await db.updateTable('solve_run').set({ state: taken }).where('school_id', '=', school_id).where('id', '=', id).execute()
  return { rev: edited.rev, moved: moves.length, unplaced: cells.filter(cell => cell.weekday === null).length, left }
}

async function readBest(db: Db, school_id: number, id: string) {
  const run = await db.selectFrom('solve_run').select(['version_id', 'best'])
    .where('school_id', '=', school_id).where('id', '=', id).executeTakeFirst()
  if (!run) throw fail(commonErrors.notFound)
  if (run.best === null) throw fail(teachingErrors.solveNoResult)
  return { version_id: run.version_id, cells: Best.parse(run.best).cells }
}

function movesOf(rows: readonly LessonRow[], cells: Best['cells']): Move[] {
  const known = new Map(rows.map(row => [row.id, row]))
  return cells.flatMap(({ lesson_id, weekday, section, place_id }) => {
    const row = known.get(lesson_id)
    if (!row || row.locked) return []
    const goal = { ...row, weekday, section, place_id: place_id === undefined ? row.place_id : place_id }
    return row.weekday === weekday && row.section === section && row.place_id === goal.place_id ? [] : [{ row, goal }]
  })
}

/** `before`: where the lessons that move are now; those that would be in the way must move as well. */
function moveRow({ row, goal }: Move, before: readonly Placement[], context: Context): SolveMove {
  const placed = placementOf(goal)
  const found = placed ? checkOne(placed, before, context).filter(one => one.severity === 1) : []
  const with_ids = [...new Set(found.flatMap(({ a, b }) => [a, b].filter(one => one !== null && one !== row.id).map(String)))]
  const place = (one: LessonRow) => (one.place_id === null ? '' : ` ${context.names.place.get(one.place_id) ?? ''}`)
  const cell = (one: LessonRow) => (one.weekday === null || one.section === null ? '未排'
    : cellName({ weekday: one.weekday, section: one.section }))
  const shown = row.place_id === goal.place_id ? () => '' : (one: LessonRow) => place(one) || ' 本班教室'
  return {
    lesson_id: row.id, class_id: row.class_id, class_name: row.class_name, course_name: row.course_name, teachers: named(row.teacher_ids,
      context.names.teacher),
    pupils: context.sizes.get(row.class_id) ?? 0, from: `${cell(row)}${shown(row)}`, to: `${cell(goal)}${shown(goal)}`, with_ids,
  }
}
