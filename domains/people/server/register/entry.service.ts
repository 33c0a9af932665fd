import { importLines, judgeLines } from '@campus/jobs/server'
import type { DirectVerdict } from '@campus/jobs/server'
import { peopleErrors } from '@campus/people/contract'
import type { registerEntryApi, RegisterEntryRow } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Refusal, Reply } from '@kit/contract'
import { maskMobile } from '@kit/contract/checks'
import type { Me, Pre } from '@kit/server/http'
import { asTables } from '@kit/server/db'
import { schoolDay } from '../day.ts'
import type { PeopleCtx, PeopleDb } from '../db.ts'
import { shownValue } from '../import/field.ts'
import { countEntries, decideEntries, joinBatch, pageEntries, waitingEntries } from './entry.queries.ts'
import type { EntryRecord, WaitingEntry } from './entry.queries.ts'
import { sceneFields, templateOfScene } from './scene.ts'
import type { SceneField } from './scene.ts'
import { openValues } from './values.ts'
import type { KeptValues } from './values.ts'

type Cells = Record<string, string>
type PassInput = Input<typeof registerEntryApi.pass>
type Decision = PassInput['added'][string]

/** Entries with what passing them would do today; protected values masked. */
export async function listEntries(ctx: PeopleCtx, query: Input<typeof registerEntryApi.page>): Promise<Reply<typeof registerEntryApi.page>> {
  const { list, total } = await pageEntries(ctx.db, ctx.school_id, query)
  const rows = new Map<string, RegisterEntryRow>()
  for (const scene of new Set(list.map(entry => entry.field_scene))) {
    const fields = await sceneFields(ctx, scene)
    const entries = list.filter(entry => entry.field_scene === scene)
    const verdicts = await judgeWaiting(ctx, scene, entries)
    for (const entry of entries) rows.set(entry.id, rowOf(ctx, entry, fields, verdicts.get(entry.id)))
  }
  return { list: list.flatMap(({ id }) => rows.get(id) ?? []), total }
}

async function judgeWaiting(ctx: PeopleCtx, field_scene: number, entries: readonly EntryRecord[]): Promise<Map<string, DirectVerdict>> {
  const code = templateOfScene(field_scene)
  const waiting = entries.filter(({ state }) => state === 'waiting')
  if (waiting.length === 0) return new Map()
  const lines = waiting.map(entry => cellsOf(entry.field_scene, openValues(ctx.app.secrets, ctx.school_id, entry.values_enc)))
  const verdicts = await judgeLines(ctx, code, lines)
  return new Map(verdicts.flatMap((verdict, at) => {
    const entry = waiting[at]
    return entry ? [[entry.id, { ...verdict, errors: [...meantIssues(entry.is_new, verdict), ...verdict.errors] }] as const] : []
  }))
}

function rowOf(ctx: PeopleCtx, entry: EntryRecord, fields: readonly SceneField[], verdict: DirectVerdict | undefined): RegisterEntryRow {
  const { values_enc, mobile_mask, created_at, reviewed_at, state, match_user_id, ...rest } = entry
  const { values } = openValues(ctx.app.secrets, ctx.school_id, values_enc)
  const filled = fields.filter(({ field_code }) => values[field_code]).map(({ field_code, label, is_sensitive }) => ({ prop: field_code, label, value: is_sensitive ? maskMobile(values[field_code] ?? '') : shownValue(field_code, values[field_code] ?? '', undefined) }))
  return {
    ...rest, state: stateOf(state), mobile: mobile_mask, created_at: created_at.toISOString(), reviewed_at: reviewed_at?.toISOString() ?? null, filled,
    match_user_id: verdict?.target_id ?? match_user_id, diff: verdict?.diff ?? [], errors: verdict?.errors ?? [], warnings: verdict?.warnings ?? [],
  }
}

function stateOf(state: string): RegisterEntryRow['state'] {
  return state === 'passed' || state === 'refused' || state === 'withdrawn' ? state : 'waiting'
}

/** The texts of an entry as a line of the import; the mobile is the first guardian's, or the staff's own, where the form did not ask for it. */
function cellsOf(field_scene: number, { values, mobile }: KeptValues): Cells {
  if (field_scene !== 1) return { mobile, ...values }
  return values.p1_name && !values.p1_mobile ? { ...values, p1_mobile: mobile } : values
}

/** A newcomer who is known, or a change of somebody who is not (chapter 20 rule 28). */
function meantIssues(is_new: boolean, { verdict, target_id }: Pick<DirectVerdict, 'verdict' | 'target_id'>): DirectVerdict['errors'] {
  if (is_new && target_id !== null) return [{ prop: '', label: '', msg: '该人员已在档案中，请核对后改为“信息变更”' }]
  if (!is_new && target_id === null && verdict === 'new') return [{ prop: '', label: '', msg: '档案中没有该人员，请核对后改为“新登记”' }]
  return []
}

/**
 * Passes entries: each is a line of one import batch, which can be taken back like any other. All or nothing.
 * @throws Refusal 404 for entries of another school, 409 when one of them was decided meanwhile, 422 with what stands in the way (`id.field`)
 */
export async function passEntries(pre: Pre, input: PassInput): Promise<(ctx: PeopleCtx) => Promise<Reply<typeof registerEntryApi.pass>>> {
  const { me } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const entries = await readWaiting(pre, me, input.ids)
  const field_scene = entries[0]?.field_scene ?? 1
  if (entries.some(entry => entry.field_scene !== field_scene)) throw fail(commonErrors.malformed)
  const lines = entries.map(entry => decidedCells(entry, openValues(pre.app.secrets, me.school_id, entry.values_enc), input.added[entry.id]))
  const refused = (verdicts: DirectVerdict[]) => rowsRefusal(entries, verdicts)
  const run = await importLines(pre, me, { template: templateOfScene(field_scene), name: `开放登记${schoolDay(pre.now)}`, lines }, refused)
  return async ctx => {
    const { db, school_id, now } = ctx
    const decided = await decideEntries(db, { school_id, ids: entries.map(({ id }) => id), by: me.user_id, at: now }, { state: 'passed' })
    if (decided < entries.length) throw fail(peopleErrors.registerHandled)
    const { batch_no, verdicts } = await run(ctx, judged => judged.map((verdict, at) => {
      const entry = entries[at]
      return entry ? meantIssues(input.added[entry.id]?.is_new ?? entry.is_new, verdict) : []
    }))
    for (const [at, { target_id }] of verdicts.entries()) await joinBatch(db, school_id, entries[at]?.id ?? '', batch_no, target_id)
    ctx.note({ target_kind: 'people.register_entry', target_name: `${entries.length}条登记`, batch_no })
    return { passed: entries.length, batch_no }
  }
}

async function readWaiting(pre: Pre, { school_id }: Me, ids: readonly string[]): Promise<WaitingEntry[]> {
  const wanted = [...new Set(ids)]
  const [known, entries] = await pre.own<unknown, [number, WaitingEntry[]]>(school_id, async bare => {
    const db = asTables<PeopleDb>(bare)
    return [await countEntries(db, school_id, wanted), await waitingEntries(db, school_id, wanted)]
  })
  if (known < wanted.length) throw fail(commonErrors.notFound)
  if (entries.length < wanted.length) throw fail(peopleErrors.registerHandled)
  return entries
}

/** What was sent in without the changes the reviewer leaves out, and with what he adds. */
function decidedCells({ field_scene }: WaitingEntry, kept: KeptValues, decision: Decision | undefined): Cells {
  const left_out = new Set(decision?.left_out)
  const taken = Object.entries(cellsOf(field_scene, kept)).filter(([prop]) => !left_out.has(prop))
  return { ...Object.fromEntries(taken), ...decision?.cells }
}

function rowsRefusal(entries: readonly WaitingEntry[], verdicts: readonly DirectVerdict[]): Refusal {
  const errors = verdicts.flatMap((verdict, at) => verdict.errors.map(({ prop, label, msg }) => ({ field: `${entries[at]?.id ?? ''}.${prop}`, msg: label ? `${label}：${msg}` : msg })))
  const n = verdicts.filter(verdict => verdict.errors.length > 0).length
  return fail(peopleErrors.registerRows, { params: { n }, errors: errors.slice(0, 50) })
}

/** Refuses entries with a reason that whoever sent them can read. @throws Refusal 404, 409 */
export async function refuseEntries(ctx: PeopleCtx, { ids, reason }: Input<typeof registerEntryApi.refuse>): Promise<Reply<typeof registerEntryApi.refuse>> {
  const { db, school_id, me, now } = ctx
  const wanted = [...new Set(ids)]
  if ((await countEntries(db, school_id, wanted)) < wanted.length) throw fail(commonErrors.notFound)
  const refused = await decideEntries(db, { school_id, ids: wanted, by: me.user_id, at: now }, { state: 'refused', reason })
  if (refused < wanted.length) throw fail(peopleErrors.registerHandled)
  ctx.note({ target_kind: 'people.register_entry', target_name: `${refused}条登记`, reason })
  return { refused }
}
