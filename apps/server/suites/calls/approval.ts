import { approvalApi } from '@campus/approval/contract'
import { buildersOf } from '../world.ts'
import type { Builder } from '../world.ts'
import { waiting } from './leave.ts'

export const approvalCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>(buildersOf(approvalApi, {
  list: () => ({ input: {} }),
  count: () => ({ input: {} }),
  act: async world => {
    const { task_id, version } = await waiting(world)
    return { input: { source: 'leave', item_id: task_id, version, action: 'pass' } }
  },
}))
