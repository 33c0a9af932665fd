import type { App } from '@kit/server/http'
import { updateCommand, updateSubjectState } from '../change/command.queries.ts'
import type { Command } from '../change/command.queries.ts'
import type { Db } from '../db.ts'
import { startEffects } from './finish.ts'
import { storedSteps } from './parts.ts'
import type { Part } from './parts.ts'
import { changePlan, lockPlanOfCommand, planJson } from './plan.queries.ts'
import { tellUpgraded } from './upgrade.told.ts'
import { RunImage } from './write.ts'

const window_ms = 30 * 86_400_000

/** The day of a promotion has come: departments and classes are what they are by their dates, the rest is begun and told now. */
export async function turnUpgrade(turn: { db: Db; app: App; school_id: number; now: Date }, command: Command): Promise<void> {
  const { db, school_id, now } = turn
  const plan = await lockPlanOfCommand(db, school_id, command.id)
  if (plan?.state !== 'running') return
  await updateCommand(db, school_id, command.id, { state: 'applied', applied_at: now })
  await updateSubjectState(db, school_id, command.id, 'applied')
  await changePlan(db, school_id, plan.id, { rollback_until: new Date(now.getTime() + window_ms) })
  const steps = await storedSteps(turn, command)
  const of = (part: Part) => steps.find(one => one.part === part)?.step.subjects ?? []
  const image = RunImage.parse((await planJson(db, school_id, plan.id)).image)
  await tellUpgraded(turn, { command_id: command.id, on: command.effective_on, image, moved: of('CLASS'), graduated: of('GRAD'), left: of('OUT') })
  await startEffects(turn, command.id)
}
