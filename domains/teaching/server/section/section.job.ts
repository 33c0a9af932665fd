import { setImmediate } from 'node:timers/promises'
import { schoolDay } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import type { JobKind } from '@campus/jobs/server'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, TeachingDb } from '../db.ts'
import { requireTerm } from '../plan/plan.queries.ts'
import { addPupils, sectionPupils } from './section.ts'
import type { Pupil, Rules, Section, Sectioned } from './section.ts'

export const section_job = 'teaching_section'
export const run_states = { running: 0, ready: 1, failed: 2, applied: 3, undone: 4 } as const
const Params = z.object({
  run_id: z.string(), semester_id: z.number(), grade: z.string(), subjects: z.enum(['second', 'all']), keep: z.boolean(), seed: z.number(),
  blocks: z.number(), min: z.number(), max: z.number(), rooms: z.number(),
  teachers: z.array(z.object({ subject: z.string(), count: z.number() })).default([]),
})
export type SectionParams = z.output<typeof Params>
/** A plan as it is kept: `moved` of those who had classes already. */
export const StoredPlan = z.object({
  sections: z.array(z.object({ subject: z.string(), block: z.number(), key: z.string().nullable(), ids: z.array(z.string()) })),
  unserved: z.array(z.object({ id: z.string(), reason: z.string() })), moved: z.number(),
})
export type StoredPlan = z.output<typeof StoredPlan>
/** What an accepted plan wrote. */
export const Applied = z.object({ plan_no: z.number(), from: z.string(), made: z.array(z.string()),
  opened: z.array(z.tuple([z.string(), z.string()])), ended: z.array(z.tuple([z.string(), z.string()])) })

const variants = 3
const no_combo = '没有选科结果'

/**
 * Computes plans side by side; nothing is written but the run (chapter 50 §3.7). Running again begins from nothing and comes to the same.
 */
export const sectionJob: JobKind = {
  kind: section_job,
  async run(job) {
    const params = Params.parse(job.params)
    await job.stage('读取选科结果', params.keep ? 1 : variants)
    const { pupils, missing, base } = await job.read<TeachingDb, Read>(db => readPupils(db, job.school_id, params,
      schoolDay(job.app.clock.now())))
    const rules = { ...params, teachers: new Map(params.teachers.map(one => [one.subject, one.count])) }
    const plans: StoredPlan[] = []
    await job.stage('正在分班')
    for (let at = 0; at < (params.keep ? 1 : variants); at += 1) {
      const plan = params.keep ? addTo(base, pupils, rules) : { ...(await sectionPupils(pupils, rules, params.seed + at, setImmediate)),
        moved: 0 }
      plans.push({ ...plan, unserved: [...plan.unserved, ...missing] })
      if (at >= job.committed.done) await job.step<TeachingDb>(() => Promise.resolve({ done: 1 }))
    }
    await job.step<TeachingDb>(async db => {
      await db.updateTable('sectioning_run').set({ state: run_states.ready, plans: JSON.stringify(distinct(plans)) })
        .where('school_id', '=', job.school_id).where('id', '=', params.run_id).execute()
      return { done: 0 }
    })
  },
  async ended(db, job, { state }) {
    if (state === 'succeeded' || state === 'partly') return
    await asTables<TeachingDb>(db).updateTable('sectioning_run').set({ state: run_states.failed }).where('school_id', '=', job.school_id)
      .where('id', '=', Params.parse(job.params).run_id).where('state', '=', run_states.running).execute()
  },
}

const distinct = (plans: readonly StoredPlan[]) =>
  [...new Map(plans.map(plan => [plan.sections.map(one => `${one.subject}${one.block}${one.ids.join()}`).join(' '), plan])).values()]

function addTo(base: readonly Section[], pupils: readonly Pupil[], rules: Rules): StoredPlan {
  const wanted = new Map(pupils.map(pupil => [pupil.id, pupil.subjects]))
  const own = Map.groupBy(base.flatMap(one => one.ids.map(id => ({ id, subject: one.subject }))), one => one.id)
  const is_right = (id: string) => (own.get(id) ?? []).map(one => one.subject).toSorted().join() === wanted.get(id)?.toSorted().join()
  const stay = base.map(one => ({ ...one, ids: one.ids.filter(is_right) }))
  const { moved, ...plan }: Sectioned & { moved: string[] } = addPupils(stay, pupils.filter(one => !is_right(one.id)), rules, wanted)
  return { ...plan, moved: moved.length }
}

type Read = { pupils: Pupil[]; missing: { id: string; reason: string }[]; base: Section[] }

/** Pupils of a grade with the subjects they walk for, and the classes of the accepted plan with who is in them. */
async function readPupils(db: Db, school_id: number, { grade, subjects, semester_id }: SectionParams, today: string): Promise<Read> {
  const { begin_date } = await requireTerm(db, school_id, semester_id)
  const day = begin_date > today ? begin_date : today
  const { rows } = await sql<{ id: string; home: string; sex: string; first: string | null; second: string[] | null }>`
    select l.user_id::text as id, coalesce(l.dept_name, '') as home, l.sex, c.first, c.second
    from live_student l left join student_combo c on c.school_id = ${school_id} and c.student_id = l.user_id
      and c.valid_from <= ${day}::date and (c.valid_to is null or c.valid_to > ${day}::date)
    where l.school_id = ${school_id} and l.grade = ${grade} order by l.user_id, c.valid_from`.execute(db)
  const latest = [...new Map(rows.map(row => [row.id, row])).values()]
  const pupils = latest.flatMap(({ id, home, sex, first, second }): Pupil[] =>
    first === null || second === null ? [] : [{ id, home, is_boy: sex === '1', subjects: subjects === 'all'
      ? [...second, first] : second }])
  return { pupils, missing: latest.filter(one => one.first === null).map(({ id }) => ({ id, reason: no_combo })), base: await readBase(db,
    school_id, semester_id, grade, today) }
}

async function readBase(db: Db, school_id: number, semester_id: number, grade: string, today: string): Promise<Section[]> {
  const run = await db.selectFrom('sectioning_run').select(['plans', 'applied']).where('school_id', '=', school_id)
    .where('semester_id', '=', semester_id).where('grade', '=', grade).where('state', '=', run_states.applied).orderBy('id', 'desc')
      .limit(1)
    .executeTakeFirst()
  if (!run) return []
  const plan = z.array(StoredPlan).parse(run.plans)[Applied.parse(run.applied).plan_no]
  const rosters = await db.selectFrom('teaching_class_student').select(['class_id', 'student_id']).where('school_id', '=', school_id)
    .where('class_id', 'in', ['0', ...(plan?.sections ?? []).flatMap(one => one.key ?? [])])
    .where(sql<boolean>`(valid_to is null or valid_to > ${today}::date)`).orderBy('student_id').execute()
  return (plan?.sections ?? []).map(one => ({ ...one, ids: rosters.filter(row => row.class_id === one.key).map(row => row.student_id) }))
}
