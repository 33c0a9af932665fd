import { addWork } from '@campus/jobs/server'
import type { WorkKind } from '@campus/jobs/server'
import { asTables } from '@kit/server/db'
import { carryLine } from '../change/carry-line.ts'
import { commandEffects, lockCommand, settleCommand, updateEffect } from '../change/command.queries.ts'
import type { Command } from '../change/command.queries.ts'
import type { EffectStep } from '../change/effect-port.ts'
import type { Db, PeopleDb } from '../db.ts'
import { lockPeople } from '../student-file.queries.ts'
import { effectBehind, storedSteps } from './parts.ts'
import { changePlan, lockPlanOfCommand } from './plan.queries.ts'

const work_kind = 'people_upgrade'
const failed_msg = '执行失败，请联系管理员'

type Desk = Pick<EffectStep, 'db' | 'app' | 'school_id' | 'now'>

/** Puts every planned line of the receipt on the due list; they are done one after the other and survive a crash by their rows. */
export async function startEffects(desk: Desk, command_id: string): Promise<void> {
  const db = asTables<PeopleDb>(desk.db)
  const lines = (await commandEffects(db, desk.school_id, command_id)).filter(line => line.state === 'planned')
  for (const { id } of lines) await addWork(desk.db, { school_id: desk.school_id, kind: work_kind, ref: `${command_id} ${id}`, due_at: desk.now, lane: `${work_kind} ${command_id}` })
  if (lines.length === 0) await closeRun(db, desk.school_id, command_id)
}

/** Does one line of the receipt; with the last one the promotion is done. */
export const upgradeEffect: WorkKind = {
  kind: work_kind,
  async run(bare, { school_id, ref, now, app }) {
    const [command_id = '', line_id = ''] = ref.split(' ')
    const db = asTables<PeopleDb>(bare)
    const plan = await lockPlanOfCommand(db, school_id, command_id)
    const command = await lockCommand(db, school_id, command_id)
    if (plan?.state !== 'running' || command?.state !== 'applied') return
    await doLine({ db, app, school_id, now }, command, line_id)
    await closeRun(db, school_id, command_id)
  },
  async gaveUp(bare, { school_id, ref, now }) {
    const [command_id = '', line_id = ''] = ref.split(' ')
    const db = asTables<PeopleDb>(bare)
    await lockPlanOfCommand(db, school_id, command_id)
    await updateEffect(db, school_id, line_id, { state: 'failed', detail: failed_msg, done_at: now })
    await closeRun(db, school_id, command_id)
  },
}

/** Does one planned line; one whose domain is no longer here has nothing to do. */
export async function doLine(desk: Desk & { db: Db }, command: Command, line_id: string): Promise<void> {
  const { db, school_id, now } = desk
  const line = (await commandEffects(db, school_id, command.id)).find(one => one.id === line_id)
  if (line?.state !== 'planned') return
  const found = (await storedSteps(desk, command)).flatMap(({ part, step }) => {
    const effect = effectBehind(step, part, line)
    return effect ? [{ step, effect }] : []
  })
  const [own] = found
  if (!own) return updateEffect(db, school_id, line_id, { state: 'skipped', detail: null, done_at: now })
  await lockPeople(db, school_id, own.step.subjects.map(subject => subject.user_id))
  await carryLine(desk, line_id, own)
}

/** A run is done when every line was carried out; what devices have not confirmed yet keeps the command open, not the promotion. */
export async function closeRun(db: Db, school_id: number, command_id: string): Promise<void> {
  const open = (await commandEffects(db, school_id, command_id)).some(line => line.state === 'planned' || line.state === 'running')
  if (open) return
  await settleCommand(db, school_id, command_id)
  const plan = await lockPlanOfCommand(db, school_id, command_id)
  if (plan?.state === 'running') await changePlan(db, school_id, plan.id, { state: 'done' })
}
