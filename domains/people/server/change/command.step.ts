import { change_kinds } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import { z } from 'zod'
import type { PeopleDb } from '../db.ts'
import { lockPeople } from '../student-file.queries.ts'
import { commandEffects, commandSubjects } from './command.queries.ts'
import type { Command } from './command.queries.ts'
import { effectsOf } from './effect-port.ts'
import type { ChangeEffect, EffectStep } from './effect-port.ts'

const Kind = z.enum(change_kinds)
const Payload = z.object({ to_where: z.string().nullable().default(null), made_parents: z.array(z.string()).default([]) })

/** What a command carries besides its people: where leavers go, parents made with an enrolment. */
export function payloadOf({ payload }: Pick<Command, 'payload'>): z.output<typeof Payload> {
  return Payload.parse(payload)
}

/** A command that was given, as its effects see it; its people are locked until the transaction ends. */
export async function commandStep(desk: Pick<EffectStep, 'db' | 'app' | 'school_id' | 'now'>, command: Command): Promise<EffectStep> {
  const { db, app, school_id, now } = desk
  const { id, kind, effective_on, reason } = command
  const own = asTables<PeopleDb>(db)
  const subjects = await commandSubjects(own, school_id, id)
  await lockPeople(own, school_id, subjects.map(subject => subject.user_id))
  return { db, app, school_id, now, kind: Kind.parse(kind), effective_on, subjects, command_id: id, reason, to_where: payloadOf(command).to_where }
}

/** A line of a receipt with the effect that stands behind it. */
export type ReceiptLine = { line: Awaited<ReturnType<typeof commandEffects>>[number]; effect: ChangeEffect }

/** The receipt of a command in order; lines of domains that are no longer here are left out. */
export async function receiptLines({ db, app, school_id, kind, command_id }: EffectStep): Promise<ReceiptLine[]> {
  const registered = new Map(effectsOf(app, kind).map(effect => [`${effect.domain} ${effect.effect_code}`, effect]))
  const lines = await commandEffects(asTables<PeopleDb>(db), school_id, command_id)
  return lines.flatMap(line => {
    const effect = registered.get(`${line.domain} ${line.effect_code}`)
    return effect ? [{ line, effect }] : []
  })
}
