import type { HelloUp } from '@kit/terminal-protocol'
import { bringOnline, takeOffline, tellTurned } from './link.write.ts'
import type { Line } from './line.ts'

type Child = NonNullable<HelloUp['children']>[number]
/** What a gateway calls broken is shown as a fault, whatever it is. */
const child_fault = 'child'

/** What a gateway says of the devices below it: they are here as long as it says so. Numbers that nobody has registered below it say nothing. */
export async function followChildren(line: Line, said: readonly Child[], { epoch, client_ip }: { epoch: string; client_ip: string }): Promise<void> {
  const { db, school_id, device_id } = line
  const known = await db
    .selectFrom('device')
    .select(['device_id', 'device_sn', 'online', 'fault_code'])
    .where('school_id', '=', school_id)
    .where('parent_device_id', '=', device_id)
    .where('lifecycle', '<>', 'retired')
    .orderBy('device_id')
    .execute()
  const states = new Map(said.map(child => [child.sn, child.state]))
  for (const child of known) {
    const state = states.get(child.device_sn)
    if (state === undefined) continue
    const own = { ...line, device_id: child.device_id }
    const fault_code = state === 'fault' ? child_fault : null
    if (fault_code !== child.fault_code) await db.updateTable('device').set({ fault_code }).where('school_id', '=', school_id).where('device_id', '=', child.device_id).execute()
    if (state === 'offline' && child.online) await takeOffline(own, 'keepalive')
    if (state !== 'offline' && !child.online) await bringOnline(own, { epoch, client_ip })
    // A fault that ends together with a turn of the line was told of with it.
    const is_same_line = (state !== 'offline') === child.online
    if (fault_code !== child.fault_code && (fault_code !== null || is_same_line)) await tellTurned(own, [child.device_id])
  }
}
