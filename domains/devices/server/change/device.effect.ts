import { leave_kinds } from '@campus/people/contract'
import type { ChangeEffect, EffectPlan } from '@campus/people/server'
import { followPeople, knownPeople } from '../subject.follow.ts'
import { countHolding, insertWaits, readWaiting } from './wait.queries.ts'
import { waitingText } from './waiting.sentence.ts'

/** How the line of the devices is called in every receipt. */
export const device_effect = { domain: 'devices', effect_code: 'device_rights' } as const

/**
 * What a change of people means for terminals (chapter 20 §7): they learn of it in the very transaction, and the line of the receipt waits until each of
 * them that holds one of these people, or is to, has confirmed. Nothing but the devices' own words closes it.
 */
export const deviceEffect: ChangeEffect = {
  ...device_effect,
  title: '终端上的人员和权限',
  kinds: ['CLASS', 'REPEAT', 'SKIP', 'SUSPEND', 'RESUME', 'RETURN', ...leave_kinds, 'GRAD', 'STAFF_MOVE', 'STAFF_OUT', 'STAFF_RETURN'],
  dated: false,
  undoable: true,
  async preview(plan) {
    const known = await knownPeople(plan, idsOf(plan))
    const devices = known.length === 0 ? 0 : await countHolding(plan, known)
    // People are counted, for the plan must not differ because a device has just confirmed something.
    return { count: known.length, ...(devices > 0 ? { detail: `${devices} 台设备` } : {}) }
  },
  async apply(step) {
    const turned = await followPeople(step, idsOf(step))
    const waits = turned.length === 0 ? 0 : await insertWaits(step, step, turned)
    return waits === 0 ? { count: 0 } : { count: waits, waits: true, detail: waitingText(await readWaiting(step, step)) }
  },
  waiting: async step => waitingText(await readWaiting(step, step)),
  // People return to the terminals when they have returned to the school: devices hear of that as of any change.
  undo: async () => undefined,
}

function idsOf({ subjects }: EffectPlan): string[] {
  return subjects.map(subject => subject.user_id)
}
