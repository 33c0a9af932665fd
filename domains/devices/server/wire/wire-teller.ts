import { randomUUID } from 'node:crypto'
import { wire_lease_s, wireChannel } from '@campus/devices/contract'
import type { WireLine } from '@campus/devices/contract'
import { push } from '@kit/server/realtime'
import { Together } from '../link/together.ts'
import { describeMessage } from './describe.ts'
import type { Said } from './describe.ts'

/** More of one device in a fifth of a second are not told one by one: the last of them say so. */
const most_told = 25

type Of = { school_id: number; device_id: string }
type Waiting = Of & { line: WireLine }

/** Tells whoever looks at the line of a device what is said on it; costs nothing while nobody looks. */
export class WireTeller extends Together<Waiting> {
  /** devices whose messages are told, until when */
  readonly #until = new Map<string, number>()

  /** Somebody looks at a device from now on, for five minutes. */
  watch(of: Of): void {
    const now = this.desk.now().getTime()
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key)
    this.#until.set(keyOf(of), now + wire_lease_s * 1000)
  }

  /** A message has come or goes. */
  said(of: Of, message: Said): void {
    const until = this.#until.get(keyOf(of))
    const at = this.desk.now()
    if (until !== undefined && until > at.getTime()) this.add([{ ...of, line: { line_id: randomUUID(), at: at.toISOString(), ...describeMessage(message) } }])
  }

  protected async tell(told: readonly Waiting[]): Promise<void> {
    // Each in a notice of its own: they are long.
    for (const lines of Map.groupBy(told, keyOf).values()) {
      const [of] = lines
      if (of) await this.desk.tenant(of.school_id, async db => {
        for (const { line } of lines.slice(-most_told)) await push({ db, school_id: of.school_id }, wireChannel, [line], { of: of.device_id })
      })
    }
  }
}

function keyOf({ school_id, device_id }: Of): string {
  return `${school_id} ${device_id}`
}
