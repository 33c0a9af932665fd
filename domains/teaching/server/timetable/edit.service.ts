import { most_steps, teachingErrors, timetableChannel } from '@campus/teaching/contract'
import type { versionApi } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, TeachingCtx } from '../db.ts'
import { imageOf, patchesOf } from './command.ts'
import type { Patch } from './command.ts'
import { readLessons, weeksOfTerms } from './context.queries.ts'
import { syncLessons } from './sync.ts'
import { requireDraft, requireVersion } from './version.queries.ts'
import type { VersionFacts } from './version.queries.ts'

const Patches = z.array(z.object({ lesson_id: z.string(), weekday: z.number().nullable(), section: z.number().nullable(), weeks: z.string(), place_id: z.string().nullable(), locked: z.boolean() }))
type Step = { seq: number; user_id: string; title: string; command: unknown; inverse: unknown; undone: boolean }
type Edited = { rev: number; title: string }
/** Who edits: a handler's ctx, or a job on somebody's behalf. */
export type Editor = Pick<TeachingCtx, 'db' | 'school_id' | 'now' | 'me'> & Partial<Pick<TeachingCtx, 'note'>>

/**
 * Commands at a draft, all or none; findings do not refuse them, people work in steps (chapter 50 rules 20, 22).
 * @throws Refusal 404, 409 stale, 422 published, locked, weeksUnreadable
 */
export async function runCommands(ctx: TeachingCtx, { id, rev, commands }: Input<typeof versionApi.command>): Promise<Reply<typeof versionApi.command>> {
  const { db, school_id } = ctx
  const version = await requireDraft(db, school_id, id, rev)
  const ids = commands.flatMap(command => ('other_id' in command ? [command.lesson_id, command.other_id] : [command.lesson_id]))
  await requirePlaces(db, school_id, commands.flatMap(command => (command.kind === 'room' && command.place_id !== null ? [command.place_id] : [])))
  const rows = new Map((await readLessons(db, school_id, [id], { ids })).map(row => [row.id, row]))
  const before = [...rows.values()].map(imageOf)
  const { patches, title } = patchesOf(commands, rows, weeksOfTerms(version.terms))
  return writeStep(ctx, version, { title, command: patches, inverse: before })
}

async function requirePlaces(db: Db, school_id: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const found = await db.selectFrom('place_live_v').select('place_id').where('school_id', '=', school_id).where('place_id', 'in', [...ids]).execute()
  if (found.length < new Set(ids).size) throw fail(commonErrors.notFound)
}

/** Writes patches as one step that can be taken back. What was undone before it cannot be done again. */
export async function writeStep(ctx: Editor, version: VersionFacts,
  step: { title: string; command: readonly Patch[]; inverse: readonly Patch[] }): Promise<Edited> {
  const { db, school_id, me, now } = ctx
  const rev = version.rev + 1
  await applyPatches(db, school_id, version.id, step.command)
  await db.insertInto('edit_step').values({ school_id, version_id: version.id, seq: rev, user_id: me.user_id, title: step.title.slice(0, 100), command: JSON.stringify(step.command), inverse: JSON.stringify(step.inverse), at: now }).execute()
  await db.deleteFrom('edit_step').where('school_id', '=', school_id).where('version_id', '=', version.id).where(eb => eb.or([eb('seq', '<=', rev - most_steps), eb.and([eb('undone', '=', true), eb('user_id', '=', me.user_id)])])).execute()
  await turnRev(ctx, version, rev)
  ctx.note?.({ target_kind: 'teaching.version', target_id: version.id,
    target_name: `${version.table_name} v${version.version_no}：${step.title}` })
  return { rev, title: step.title }
}

async function turnRev(ctx: Editor, { id }: VersionFacts, rev: number): Promise<void> {
  await ctx.db.updateTable('timetable_version').set({ rev }).where('school_id', '=', ctx.school_id).where('id', '=', id).execute()
  await push(ctx, timetableChannel, [{ version_id: id, rev }], { of: id })
}

/** Writes patches to lessons of a version, the last one of each. */
export async function applyPatches(db: Db, school_id: number, version_id: string, patches: readonly Patch[]): Promise<void> {
  const last = [...new Map(patches.map(patch => [patch.lesson_id, patch])).values()]
  await sql`
    update lesson l set weekday = x.weekday, section = x.section, weeks = x.weeks::int4multirange, place_id = x.place_id, locked = x.locked
    from jsonb_to_recordset(${JSON.stringify(last)}::jsonb) as x(lesson_id bigint, weekday smallint, section smallint, weeks text, place_id bigint, locked boolean)
    where l.school_id = ${school_id} and l.version_id = ${version_id} and l.id = x.lesson_id`.execute(db)
}

/** Takes my last step back. @throws Refusal 404, 409 stale, nothingToUndo, undoBlocked, 422 published */
export async function undoStep(ctx: TeachingCtx, asked: Input<typeof versionApi.undo>): Promise<Edited> {
  const { db, school_id, me } = ctx
  const version = await requireDraft(db, school_id, asked.id, asked.rev)
  const steps = await readSteps(db, school_id, asked.id)
  const step = steps.find(one => one.user_id === me.user_id && !one.undone)
  if (!step) throw fail(teachingErrors.nothingToUndo)
  const ids = idsOf(step)
  const later = steps.find(one => one.seq > step.seq && !one.undone && one.user_id !== me.user_id && idsOf(one).some(id => ids.includes(id)))
  if (later) throw fail(teachingErrors.undoBlocked, { params: { name: await nameOf(db, school_id, later.user_id) } })
  return turnStep(ctx, version, step, true)
}

/**
 * Takes one step back, whoever made it, as long as no later step touches its lessons. @throws Refusal 404, 409 importChanged, 422 published
 */
export async function undoOne(ctx: TeachingCtx, version_id: string, seq: number): Promise<Edited> {
  const version = await requireDraft(ctx.db, ctx.school_id, version_id, null)
  const steps = await readSteps(ctx.db, ctx.school_id, version_id)
  const step = steps.find(one => one.seq === seq && !one.undone)
  if (!step) throw fail(teachingErrors.importChanged)
  const ids = new Set(idsOf(step))
  if (steps.some(one => one.seq > seq && !one.undone && idsOf(one).some(id => ids.has(id)))) throw fail(teachingErrors.importChanged)
  return turnStep(ctx, version, step, true)
}

/** Does my last undone step again. @throws Refusal 404, 409 stale, nothingToUndo, 422 published */
export async function redoStep(ctx: TeachingCtx, asked: Input<typeof versionApi.redo>): Promise<Edited> {
  const { db, school_id, me } = ctx
  const version = await requireDraft(db, school_id, asked.id, asked.rev)
  const step = (await readSteps(db, school_id, asked.id)).findLast(one => one.user_id === me.user_id && one.undone)
  if (!step) throw fail(teachingErrors.nothingToUndo)
  return turnStep(ctx, version, step, false)
}

async function turnStep(ctx: TeachingCtx, version: VersionFacts, step: Step, undone: boolean): Promise<Edited> {
  const { db, school_id } = ctx
  await applyPatches(db, school_id, version.id, Patches.parse(undone ? step.inverse : step.command))
  await db.updateTable('edit_step').set({ undone }).where('school_id', '=', school_id).where('version_id', '=', version.id).where('seq', '=', step.seq).execute()
  await turnRev(ctx, version, version.rev + 1)
  ctx.note({ target_kind: 'teaching.version', target_id: version.id, target_name: `${undone ? '撤销' : '重做'}：${step.title}` })
  return { rev: version.rev + 1, title: `${undone ? '已撤销' : '已重做'}：${step.title}` }
}

function idsOf({ command }: Step): string[] {
  return Patches.parse(command).map(patch => patch.lesson_id)
}

async function readSteps(db: Db, school_id: number, version_id: string): Promise<Step[]> {
  return db.selectFrom('edit_step').select(['seq', 'user_id', 'title', 'command', 'inverse', 'undone']).where('school_id', '=', school_id).where('version_id', '=', version_id).orderBy('seq', 'desc').limit(most_steps).execute()
}

async function nameOf(db: Db, school_id: number, user_id: string): Promise<string> {
  const person = await db.selectFrom('person_label').select('display_name').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  return person?.display_name ?? '其他人'
}

/** The steps of a draft, the latest first. @throws Refusal 404 */
export async function listSteps({ db, school_id }: TeachingCtx, id: string): Promise<Reply<typeof versionApi.steps>> {
  await requireVersion(db, school_id, id)
  const rows = await db.selectFrom('edit_step as e').leftJoin('person_label as p', on => on.onRef('p.user_id', '=', 'e.user_id').on('p.school_id', '=', school_id))
    .select(['e.seq', 'e.title', 'e.at', 'e.undone', 'p.display_name']).where('e.school_id', '=', school_id).where('e.version_id', '=', id).orderBy('e.seq', 'desc').limit(most_steps).execute()
  return { list: rows.map(({ at, display_name, ...row }) => ({ ...row, user_name: display_name ?? '', at: at.toISOString() })) }
}

/** Lessons follow the teaching of the term; the steps before it cannot be taken back. @throws Refusal 404, 409 stale, 422 published */
export async function syncVersion(ctx: TeachingCtx, { id, rev }: Input<typeof versionApi.sync>): Promise<Reply<typeof versionApi.sync>> {
  const { db, school_id } = ctx
  const version = await requireDraft(db, school_id, id, rev)
  const synced = await syncLessons(db, school_id, version)
  if (synced.added + synced.removed + synced.changed === 0) return { rev, ...synced }
  await db.deleteFrom('edit_step').where('school_id', '=', school_id).where('version_id', '=', id).execute()
  await turnRev(ctx, version, rev + 1)
  ctx.note({ target_kind: 'teaching.version', target_id: id, target_name: `${version.table_name}：同步课时` })
  return { rev: rev + 1, ...synced }
}
