import type { ChangeKind } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import { z } from 'zod'
import { commandSubjects, insertEffects, saveSubjects } from '../change/command.queries.ts'
import type { Command, NewEffect } from '../change/command.queries.ts'
import { effectsOf } from '../change/effect-port.ts'
import type { ChangeEffect, EffectStep, EffectSubject } from '../change/effect-port.ts'
import { readRows, withTouched } from '../change/subject.rows.ts'
import type { PeopleDb } from '../db.ts'
import type { Move } from './simulate.ts'

/** A promotion is one command over pupils who graduate, who leave, and who go to another class; each has the effects of that kind. */
const parts = ['GRAD', 'OUT', 'CLASS'] as const
export type Part = (typeof parts)[number]
const part_titles: Readonly<Record<Part, string>> = { GRAD: '毕业', OUT: '离校', CLASS: '换班' }

const ids = z.array(z.string()).default([])
const Payload = z.object({ plan_id: z.string(), parts: z.object({ GRAD: ids, OUT: ids, CLASS: ids }) })
type Desk = Pick<EffectStep, 'db' | 'app' | 'school_id' | 'now'>

/** What the command keeps of its parts. */
export function payloadOf(plan_id: string, moves: readonly Move[]): z.input<typeof Payload> {
  const of = (kind: Part) => moves.filter(move => move.kind === kind).map(move => move.user_id)
  return { plan_id, parts: { GRAD: of('GRAD'), OUT: of('OUT'), CLASS: of('CLASS') } }
}

/** The pupils of a run as its effects see them; `made`: ids of the departments that were made, by key. */
export function subjectsOf(moves: readonly Move[], made: ReadonlyMap<string, string>): EffectSubject[] {
  return moves.map(({ user_id, kind, state, from, to }) => {
    const dept_id = to === null ? null : (made.get(to) ?? to)
    return { user_id, before: { dept_id: from, state, rows: {} }, after: { dept_id, state: kind === 'CLASS' ? state : null, rows: {} } }
  })
}

/** The command cut into its parts; parts without pupils are left out. */
export function stepsOf(desk: Desk, command: Pick<Command, 'id' | 'effective_on' | 'reason' | 'payload'>, subjects: readonly EffectSubject[]): { part: Part; step: EffectStep }[] {
  const said = Payload.parse(command.payload)
  return parts.flatMap(part => {
    const own = new Set(said.parts[part])
    const chosen = subjects.filter(subject => own.has(subject.user_id))
    const kind: ChangeKind = part
    const step = { ...desk, kind, effective_on: command.effective_on, subjects: chosen, command_id: command.id, reason: command.reason, to_where: null }
    return chosen.length === 0 ? [] : [{ part, step }]
  })
}

/** The same for a command that was given before. */
export async function storedSteps(desk: Desk, command: Command): Promise<{ part: Part; step: EffectStep }[]> {
  return stepsOf(desk, command, await commandSubjects(asTables<PeopleDb>(desk.db), desk.school_id, command.id))
}

/** The effect behind a line of the receipt; undefined when its domain is no longer here. */
export function effectBehind(step: EffectStep, part: Part, line: { domain: string; effect_code: string }): ChangeEffect | undefined {
  return effectsOf(step.app, step.kind).find(effect => effect.domain === line.domain && line.effect_code === `${part}.${effect.effect_code}`)
}

/** Writes what has days of its own; what acts on the present is put down as planned and done afterwards, line by line. */
export async function writeParts(steps: readonly { part: Part; step: EffectStep }[], is_due: boolean): Promise<EffectSubject[]> {
  const written: EffectSubject[] = []
  for (const { part, step } of steps) {
    const db = asTables<PeopleDb>(step.db)
    const before = await readRows(step)
    const lines = await linesOf(part, step)
    const touched = withTouched(step.subjects, before, await readRows(step))
    await saveSubjects(db, step.school_id, step.command_id, touched, is_due ? 'applied' : 'scheduled')
    await insertEffects(db, step.school_id, step.command_id, lines)
    written.push(...touched)
  }
  return written
}

async function linesOf(part: Part, step: EffectStep): Promise<NewEffect[]> {
  const lines: NewEffect[] = []
  for (const effect of effectsOf(step.app, step.kind)) {
    const { domain, undoable, dated } = effect
    const told: Awaited<ReturnType<ChangeEffect['apply']>> = dated ? await effect.apply(step) : await effect.preview(step)
    const state = told.count === 0 ? 'skipped' : dated ? 'done' : 'planned'
    const detail = state === 'done' ? (told.detail ?? `${told.count}项`) : state === 'planned' ? `${told.count}项` : null
    const common = { domain, effect_code: `${part}.${effect.effect_code}`, title: `${part_titles[part]}：${effect.title}`, undoable }
    lines.push({ ...common, state, detail, ref: told.ref, done_at: state === 'planned' ? null : step.now })
  }
  return lines
}
