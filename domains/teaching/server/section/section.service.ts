import { enqueueJob } from '@campus/jobs/server'
import { addDays } from '@campus/calendar/contract'
import { deptScope, inScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { first_choices, second_choices, sectionErrors, teachingEvents } from '@campus/teaching/contract'
import type { SectionPlan, SectionRun, sectioningApi } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, TeachingCtx } from '../db.ts'
import { requireOpenTerm, requireTerm } from '../plan/plan.queries.ts'
import { Applied, run_states, section_job, StoredPlan } from './section.job.ts'
import type { SectionParams } from './section.job.ts'

const walking_class = 2
const undo_days = 7
const elective_subjects = [...Object.keys(first_choices), ...Object.keys(second_choices)]
const state_names = ['running', 'ready', 'failed', 'applied', 'undone'] as const
const ByRun = z.object({ subjects: z.enum(['second', 'all']), keep: z.boolean(), blocks: z.number(), min: z.number(), max: z.number(),
  rooms: z.number() })

/**
 * The latest run of a grade with its plans; pupils outside the caller's classes are counted, not named. @throws Refusal 404 semesterUnknown
 */
export async function latestSection(ctx: TeachingCtx,
  { semester_id, grade }: Input<typeof sectioningApi.latest>): Promise<Reply<typeof sectioningApi.latest>> {
  const { db, school_id } = ctx
  await requireTerm(db, school_id, semester_id)
  const scope = await deptScope(ctx, 'student')
  const run = await db.selectFrom('sectioning_run').selectAll().where('school_id', '=', school_id).where('semester_id', '=', semester_id)
    .where('grade', '=', grade).where('state', '<>', run_states.undone).orderBy('id', 'desc').limit(1).executeTakeFirst()
  const names = await subjectNames(db, school_id, grade)
  const teachers = await readTeachers(db, school_id, { semester_id, grade, names })
  if (!run) return { run: null, teachers }
  const pupils = await db.selectFrom('live_student').select(['user_id', 'user_name', 'dept_name', 'sex']).where('school_id', '=', school_id)
    .where('grade', '=', grade).where(inScope('dept_id', scope)).execute()
  const { subjects: _subjects, keep: _keep, ...rules } = ByRun.parse(run.params)
  const applied = run.applied === null ? null : Applied.parse(run.applied)
  const known = new Map(pupils.map(one => [one.user_id, one]))
  return {
    teachers,
    run: {
      id: run.id, semester_id, grade, state: state_names[run.state] ?? 'failed', job_no: run.job_no, ...rules,
        applied_no: applied?.plan_no ?? null,
      plans: z.array(StoredPlan).parse(run.plans).map(plan => shownPlan(plan, known, names, rules)),
      applied_at: run.applied_at?.toISOString() ?? null, created_at: run.created_at.toISOString(),
    } satisfies SectionRun,
  }
}

type Grade = { semester_id: number; grade: string; names: Names }

/** How many teachers of the term teach each of the elective subjects to the grade. */
async function readTeachers(db: Db, school_id: number,
  { semester_id, grade, names }: Grade): Promise<Reply<typeof sectioningApi.latest>['teachers']> {
  const { rows } = await sql<{ subject: string; count: number }>`
    select k.subject, count(distinct u.user_id)::int as count from teaching t
    join teaching_class c on c.school_id = ${school_id} and c.id = t.class_id
    join course k on k.school_id = ${school_id} and k.id = t.course_id cross join lateral unnest(t.teacher_ids) as u(user_id)
    where t.school_id = ${school_id} and t.semester_id = ${semester_id} and c.grade = ${grade} and k.subject = any(${[...elective_subjects]}::text[])
    group by k.subject order by k.subject`.execute(db)
  return rows.map(row => ({ ...row, name: names.subjects.get(row.subject) ?? row.subject }))
}

type PupilFacts = { user_name: string; dept_name: string | null; sex: string }
type Names = { grade: string; subjects: ReadonlyMap<string, string> }

function shownPlan({ sections, unserved, moved }: StoredPlan, known: ReadonlyMap<string, PupilFacts>, names: Names,
  { blocks, min }: Pick<SectionParams, 'blocks' | 'min'>): SectionPlan {
  const sizes = sections.map(one => one.ids.length)
  const homes = (ids: readonly string[]) => [...new Set(ids.flatMap(id => known.get(id)?.dept_name ?? []))].toSorted((a, b) =>
    a.localeCompare(b, 'zh', { numeric: true }))
  return {
    classes: named(sections, names).map(({ name, subject, block, key, ids }) => ({ name, subject, block, size: ids.length,
      is_new: key === null,
      boys: ids.filter(id => known.get(id)?.sex === '1').length, homes: homes(ids) })),
    served: new Set(sections.flatMap(one => one.ids)).size, rooms: Array.from({ length: blocks }, (_, at) => sections
      .filter(one => one.block === at + 1).length),
    smallest: sizes.length === 0 ? 0 : Math.min(...sizes), largest: Math.max(0, ...sizes), under: sizes.filter(size => size < min).length,
      moved,
    mean: sizes.length === 0 ? 0 : Math.round((sizes.reduce((sum, size) => sum + size, 0) / sizes.length) * 10) / 10,
    unserved: unserved.flatMap(({ id, reason }) => { const pupil = known.get(id); return pupil
      ? [{ student_id: id, user_name: pupil.user_name, reason }] : [] }),
  }
}

/** 高二化学1段2班. */
function named<S extends { subject: string; block: number }>(sections: readonly S[], { grade, subjects }: Names): (S & { name: string })[] {
  const counts = new Map<string, number>()
  return sections.map(one => {
    const key = `${one.subject} ${one.block}`
    const no = (counts.get(key) ?? 0) + 1
    counts.set(key, no)
    return { ...one, name: `${grade}${subjects.get(one.subject) ?? one.subject}${one.block}段${no}班` }
  })
}

async function subjectNames(db: Db, school_id: number, grade: string): Promise<Names> {
  const items = await db.selectFrom('dictionary_v').select(['sc_code_type', 'sc_code_item', 'name']).where('school_id', '=', school_id)
    .where('sc_code_type', 'in', ['GRADE', 'SUBJECT']).execute()
  const subjects = items.filter(one => one.sc_code_type === 'SUBJECT').map(one => [one.sc_code_item, one.name] as const)
  return { grade: items.find(one => one.sc_code_type === 'GRADE' && one.sc_code_item === grade)?.name ?? grade,
    subjects: new Map(subjects) }
}

/** Starts a run. @throws Refusal 404 semesterUnknown, 409 running, 422 semesterClosed, noPupils, nothingApplied */
export async function startSection(ctx: TeachingCtx, asked: Input<typeof sectioningApi.start>): Promise<Reply<typeof sectioningApi.start>> {
  const { db, school_id, me, now } = ctx
  const { semester_id, grade, ...params } = asked
  await requireOpenTerm(db, school_id, semester_id)
  const any = await db.selectFrom('live_student as l').innerJoin('student_combo as c', on => on.onRef('c.student_id', '=',
    'l.user_id').on('c.school_id', '=', school_id))
    .select('l.user_id').where('l.school_id', '=', school_id).where('l.grade', '=', grade).limit(1).executeTakeFirst()
  if (!any) throw fail(sectionErrors.noPupils)
  if (params.keep && !(await appliedRun(db, school_id, semester_id, grade))) throw fail(sectionErrors.nothingApplied)
  const row = { school_id, semester_id, grade, params: JSON.stringify(params), state: run_states.running, created_at: now,
    created_by: me.user_id }
  const made = await db.insertInto('sectioning_run').values(row)
    .onConflict(on => on.columns(['school_id', 'semester_id', 'grade']).where('state', '=', 0).doNothing()).returning('id')
      .executeTakeFirst()
  if (!made) throw fail(sectionErrors.running)
  const job_no = await enqueueJob(ctx, { kind: section_job, title: '走班分班', params: { run_id: made.id, ...asked } })
  await db.updateTable('sectioning_run').set({ job_no }).where('school_id', '=', school_id).where('id', '=', made.id).execute()
  ctx.note({ target_kind: 'teaching.sectioning', target_id: made.id, target_name: '走班分班', job_no })
  return { id: made.id, job_no }
}

function appliedRun(db: Db, school_id: number, semester_id: number, grade: string) {
  return db.selectFrom('sectioning_run').select(['id', 'params']).where('school_id', '=', school_id).where('semester_id', '=', semester_id)
    .where('grade', '=', grade).where('state', '=', run_states.applied).orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/**
 * 采用: the plan's classes with their rosters from a day on, and their teaching without teachers yet. @throws Refusal 404, 409 notReady,
 * applied, classNameTaken, 422 semesterClosed, noCourse
 */
export async function applySection(ctx: TeachingCtx,
  { id, plan_no, from }: Input<typeof sectioningApi.apply>): Promise<Reply<typeof sectioningApi.apply>> {
  const { db, school_id, now } = ctx
  const run = await db.selectFrom('sectioning_run').selectAll().where('school_id', '=', school_id).where('id', '=', id).forUpdate()
    .executeTakeFirst()
  if (!run) throw fail(commonErrors.notFound)
  const plans = z.array(StoredPlan).parse(run.plans)
  const plan = plans[plan_no]
  if (run.state !== run_states.ready || !plan) throw fail(sectionErrors.notReady)
  await requireOpenTerm(db, school_id, run.semester_id)
  const { keep } = ByRun.parse(run.params)
  if (!keep && (await appliedRun(db, school_id, run.semester_id, run.grade))) throw fail(sectionErrors.applied)
  const names = await subjectNames(db, school_id, run.grade)
  const made: string[] = []
  for (const [at, { name, subject, key }] of named(plan.sections, names).entries()) {
    const stored = plan.sections[at]
    if (key !== null || !stored) continue
    stored.key = await openSection(ctx, run, { name, subject })
    made.push(stored.key)
  }
  const rosters = await moveRosters(ctx, plan, from)
  const applied = JSON.stringify({ plan_no, from, made, ...rosters })
  await db.updateTable('sectioning_run').set({ state: run_states.applied, plans: JSON.stringify(plans), applied, applied_at: now })
    .where('school_id', '=', school_id).where('id', '=', id).execute()
  await announceRosters(ctx, [...rosters.opened, ...rosters.ended], from)
  ctx.note({ target_kind: 'teaching.sectioning', target_id: id, target_name: `走班分班 采用方案${plan_no + 1}` })
  return { classes: made.length, students: new Set(rosters.opened.map(([, student]) => student)).size }
}

type Run = { semester_id: number; grade: string; params: unknown }

async function openSection({ db, school_id, now }: TeachingCtx, { semester_id, grade, params }: Run,
  { name, subject }: { name: string; subject: string }): Promise<string> {
  const course = await db.selectFrom('course').select(['id', 'weekly', 'double']).where('school_id', '=', school_id).where('subject', '=',
    subject)
    .where('archived', '=', false).where(sql<boolean>`${grade} = any(grades)`).orderBy('walking', 'desc').orderBy('id').limit(1)
      .executeTakeFirst()
  if (!course) throw fail(sectionErrors.noCourse, { params: { name } })
  const { id } = await db.insertInto('teaching_class').values({ school_id, semester_id, kind: walking_class, name, grade,
    course_id: course.id, capacity: ByRun.parse(params).max })
    .returning('id').executeTakeFirstOrThrow()
  await db.insertInto('teaching').values({ school_id, semester_id, class_id: id, course_id: course.id, weekly_odd: course.weekly,
    weekly_even: course.weekly,
    double: Math.min(course.double, Math.floor(course.weekly / 2)), updated_at: now }).execute()
  return id
}

type Pair = [class_id: string, student_id: string]

/** Who comes into a class from the day on, and who leaves one. */
async function moveRosters({ db, school_id }: TeachingCtx, { sections }: StoredPlan,
  from: string): Promise<{ opened: Pair[]; ended: Pair[] }> {
  const wanted = sections.flatMap(({ key, ids }) => ids.map((student): Pair => [key ?? '', student]))
  const present = await db.selectFrom('teaching_class_student').select(['class_id', 'student_id']).where('school_id', '=', school_id)
    .where('class_id', 'in', ['0', ...sections.flatMap(one => one.key ?? [])]).where('valid_to', 'is', null).execute()
  const keys = (pairs: readonly Pair[]) => new Set(pairs.map(pair => pair.join(' ')))
  const here = present.map((row): Pair => [row.class_id, row.student_id])
  const [wants, has] = [keys(wanted), keys(here)]
  const opened = wanted.filter(pair => !has.has(pair.join(' ')))
  const ended = here.filter(pair => !wants.has(pair.join(' ')))
  await insertMany(db, 'teaching_class_student', opened.map(([class_id, student_id]) =>
    ({ school_id, class_id, student_id, valid_from: from, source: 'section' })))
  for (const [class_id, student_id] of ended) {
    await db.deleteFrom('teaching_class_student').where('school_id', '=', school_id).where('class_id', '=', class_id)
      .where('student_id', '=', student_id).where('valid_to', 'is', null).where('valid_from', '>=', from).execute()
  }
  await turnEnds(db, school_id, ended, null, from)
  return { opened, ended }
}

async function turnEnds(db: Db, school_id: number, pairs: readonly Pair[], before: string | null, to: string | null): Promise<void> {
  if (pairs.length === 0) return
  const rows = JSON.stringify(pairs.map(([class_id, student_id]) => ({ class_id, student_id })))
  await sql`update teaching_class_student s set valid_to = ${to}::date from jsonb_to_recordset(${rows}::jsonb) as x(class_id bigint, student_id bigint)
    where s.school_id = ${school_id} and s.class_id = x.class_id and s.student_id = x.student_id and s.valid_to is not distinct from ${before}::date`.execute(db)
}

async function announceRosters(ctx: TeachingCtx, pairs: readonly Pair[], from: string): Promise<void> {
  for (const [class_id, own] of Map.groupBy(pairs, ([id]) => id)) await publish(ctx, teachingEvents.rosterChanged,
    { class_id, student_ids: own.map(([, student]) => student), from })
}

/**
 * 撤回 within a week, while no lesson of the new classes is placed and nothing came later. @throws Refusal 404, 409 notApplied, inUse, 422
 * undoLate
 */
export async function undoSection(ctx: TeachingCtx, id: string): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const run = await db.selectFrom('sectioning_run').selectAll().where('school_id', '=', school_id).where('id', '=', id).forUpdate()
    .executeTakeFirst()
  if (!run) throw fail(commonErrors.notFound)
  if (run.state !== run_states.applied) throw fail(sectionErrors.notApplied)
  if (run.applied_at === null || addDays(schoolDay(run.applied_at), undo_days) < schoolDay(now)) throw fail(sectionErrors.undoLate)
  const { made, opened, ended, from } = Applied.parse(run.applied)
  const newest = await appliedRun(db, school_id, run.semester_id, run.grade)
  const placed = await db.selectFrom('lesson').select('id').where('school_id', '=', school_id).where('class_id', 'in', ['0', ...made])
    .where('weekday', 'is not', null).limit(1).executeTakeFirst()
  if (newest?.id !== id || placed) throw fail(sectionErrors.inUse)
  const rows = JSON.stringify(opened.map(([class_id, student_id]) => ({ class_id, student_id })))
  await sql`delete from teaching_class_student s using jsonb_to_recordset(${rows}::jsonb) as x(class_id bigint, student_id bigint)
    where s.school_id = ${school_id} and s.class_id = x.class_id and s.student_id = x.student_id and s.valid_from = ${from}::date`.execute(db)
  await turnEnds(db, school_id, ended, from, null)
  for (const table of ['lesson', 'teaching', 'teaching_class_student'] as const) {
    await db.deleteFrom(table).where('school_id', '=', school_id).where('class_id', 'in', ['0', ...made]).execute()
  }
  await db.deleteFrom('teaching_class').where('school_id', '=', school_id).where('id', 'in', ['0', ...made]).execute()
  await db.updateTable('sectioning_run').set({ state: run_states.undone }).where('school_id', '=', school_id).where('id', '=', id).execute()
  await announceRosters(ctx, [...opened, ...ended].filter(([class_id]) => !made.includes(class_id)), from)
  ctx.note({ target_kind: 'teaching.sectioning', target_id: id, target_name: '走班分班 撤回' })
  return {}
}
