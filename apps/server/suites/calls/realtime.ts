import { realtimeApi } from '@campus/identity/contract'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { World } from '../world.ts'

/** A connection of the world's session. */
async function opened(world: World): Promise<{ client_id: string }> {
  const { client_id } = dataOf(realtimeApi.ticket, await world.app.call(realtimeApi.ticket, {}, { token: world.me.token }))
  return { client_id }
}

export const realtimeCalls = buildersOf(realtimeApi, {
  ticket: async world => ({ input: await opened(world) }),
  watch: async world => ({ input: { ...(await opened(world)), channels: ['member'] } }),
  poll: async world => ({ input: await opened(world) }),
})
