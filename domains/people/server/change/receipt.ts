import { change_kinds, change_states, effect_states } from '@campus/people/contract'
import type { changeApi, ChangeReceipt, ChangeRow } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { App } from '@kit/server/http'
import { z } from 'zod'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { parseKeyword, pupilFits, staffListed } from '../keyword.ts'
import { visibleDepts } from '../scope.ts'
import { actorNames, countCommands, effectCounts, pageCommands, subjectNames, visibleCommand, visibleSubjects, wasSubject } from './change.queries.ts'
import type { CommandFilter, CommandLine } from './change.queries.ts'
import { commandEffects } from './command.queries.ts'
import { payloadOf } from './command.step.ts'
import { expiryOf } from './expiry.ts'
import { sideLabels } from './plan.ts'
import { detailNow } from './waiting.ts'

const Side = z.object({ dept_id: z.string().nullable(), state: z.string().nullable() })
const Kind = z.enum(change_kinds)
const State = z.enum(change_states)
const EffectState = z.enum(effect_states)

const gone = '已注销人员'
const named_people = 3

type ChangeAsked = Omit<Input<typeof changeApi.page>, 'page_index' | 'page_size'>
type Subject = Awaited<ReturnType<typeof visibleSubjects>>[number]
type Counts = ChangeRow['counts']

/**
 * Commands over people inside the reader's scope, the latest first.
 * @throws Refusal 404 for a person whom the school does not and never did know
 */
export async function listChanges(ctx: PeopleCtx, query: Input<typeof changeApi.page>): Promise<Reply<typeof changeApi.page>> {
  const { db, school_id, app } = ctx
  if (query.user_id !== undefined && !(await wasSubject(db, school_id, query.user_id))) throw fail(commonErrors.notFound)
  const whole = commandFilter(app, await reader(ctx), query)
  const commands = await pageCommands(db, whole, query)
  return { list: await changeRows(ctx, whole, commands), total: await countCommands(db, whole) }
}

/** What a list of commands was asked for, seen by its reader. */
export function commandFilter(app: App, seen: CommandFilter, { kind, state, user_id, from, to, keyword: text }: ChangeAsked): CommandFilter {
  const keyword = parseKeyword(text)
  const words = keyword ? { keyword: pupilFits(keyword, app.secrets, seen.school_id, seen.today), staff_keyword: staffListed(keyword, app.secrets) } : {}
  return { ...seen, kind, state, user_id, from, to, ...words }
}

/** The reader of commands: school, scope and day. */
export async function reader(ctx: PeopleCtx): Promise<CommandFilter> {
  ctx.scoped()
  return readerOf(ctx)
}

/** The same for an export, which carries the identity of the moment it was asked for. */
export async function readerOf(desk: Pick<PeopleCtx, 'db' | 'school_id' | 'me' | 'now'>): Promise<CommandFilter> {
  const today = schoolDay(desk.now)
  const pupils = await visibleDepts(desk, 'student', today)
  const staff = await visibleDepts(desk, 'staff', today)
  return { school_id: desk.school_id, scope: pupils === 'all' || staff === 'all' ? 'all' : [...new Set([...pupils, ...staff])], today }
}

/**
 * What became of one command. People outside the scope are counted, not named.
 * @throws Refusal 404 when nobody of it is inside the scope
 */
export async function readReceipt(ctx: PeopleCtx, id: string): Promise<ChangeReceipt> {
  const { db, school_id } = ctx
  const filter = await reader(ctx)
  const command = await visibleCommand(db, filter, id)
  if (!command) throw fail(commonErrors.notFound)
  const [row] = await changeRows(ctx, filter, [command])
  if (!row) throw fail(commonErrors.notFound)
  const people = await visibleSubjects(db, filter, [id], command.subject_count)
  const visible = new Set(people.map(person => person.user_id))
  const effects = (await commandEffects(db, school_id, id)).filter(({ user_id }) => user_id === null || visible.has(user_id))
  const shown: ChangeReceipt['effects'] = []
  for (const line of effects.map(receiptEffect)) shown.push({ ...line, detail: await detailNow(ctx, { command_id: id, kind: command.kind }, line) })
  const names = await actorNames(db, school_id, command.undone_by === null ? [] : [command.undone_by])
  return {
    ...row,
    to_where: payloadOf(command).to_where,
    expiry: await expiryOf(ctx, command, effects),
    subjects: await subjectRows(ctx, people, command.effective_on),
    effects: shown,
    undone_by: command.undone_by === null ? null : (names.get(command.undone_by) ?? gone),
    undo_reason: command.undo_reason,
  }
}

function receiptEffect({ id, user_id, domain, effect_code, title, state, detail, undoable, done_at }: Awaited<ReturnType<typeof commandEffects>>[number]): ChangeReceipt['effects'][number] {
  return { id, user_id, domain, effect_code, title, state: EffectState.parse(state), detail, undoable, done_at: done_at?.toISOString() ?? null }
}

async function subjectRows(ctx: PeopleCtx, people: readonly Subject[], on: string): Promise<ChangeReceipt['subjects']> {
  const sides = people.map(({ before, after }) => ({ before: Side.parse(before), after: Side.parse(after) }))
  const label = await sideLabels(ctx, sides, on)
  const names = await subjectNames(ctx.db, ctx.school_id, people.map(person => person.user_id))
  return people.map(({ user_id }, at) => {
    const { before, after } = sides[at] ?? { before: nowhere, after: nowhere }
    return { user_id, ...(names.get(user_id) ?? vanished), before: label(before), after: label(after), warnings: [] }
  })
}

const nowhere = { dept_id: null, state: null }
const vanished = { user_name: gone, user_no: '' }

/** The lines of the change record; people outside the scope are counted, not named. */
export async function changeRows({ db, school_id }: Pick<PeopleCtx, 'db' | 'school_id'>, filter: Pick<CommandFilter, 'school_id' | 'scope' | 'today'>, commands: readonly CommandLine[]): Promise<ChangeRow[]> {
  const ids = commands.map(command => command.id)
  const people = await visibleSubjects(db, filter, ids, named_people)
  const subject_names = await subjectNames(db, school_id, people.map(person => person.user_id))
  const by_command = Map.groupBy(people, person => person.command_id)
  const counts = await effectCounts(db, school_id, ids)
  const names = await actorNames(db, school_id, [...new Set(commands.map(command => command.created_by))])
  return commands.map(command => ({
    command_id: command.id,
    kind: Kind.parse(command.kind),
    state: State.parse(command.state),
    effective_on: command.effective_on,
    subject_count: command.subject_count,
    subject_names: (by_command.get(command.id) ?? []).map(person => (subject_names.get(person.user_id) ?? vanished).user_name),
    reason: command.reason,
    created_by: names.get(command.created_by) ?? null,
    created_at: command.created_at.toISOString(),
    applied_at: command.applied_at?.toISOString() ?? null,
    undo_until: command.undo_until?.toISOString() ?? null,
    counts: countsOf(counts.get(command.id) ?? []),
  }))
}

/** What is planned or on its way waits. */
function countsOf(effects: readonly { state: string; n: number }[]): Counts {
  const sum = (states: readonly string[]) => effects.reduce((total, { state, n }) => (states.includes(state) ? total + n : total), 0)
  return { done: sum(['done']), waiting: sum(['planned', 'waiting', 'running']), failed: sum(['failed']), skipped: sum(['skipped']) }
}
