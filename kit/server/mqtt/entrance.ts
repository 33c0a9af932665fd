import type { App } from '../http/index.ts'
import { kindsHere } from './client-kind.ts'
import type { ClientKind, Transport } from './client-kind.ts'
import { most_unknown } from './limits.ts'
import { meterPackets } from './packet-meter.ts'
import type { Bound, Offence } from './packet-meter.ts'

/** One way into the broker: holds back who comes too often without saying who he is, and follows the packets of who came in. */
export type Entrance = {
  isFull(address: string): boolean
  /** Somebody has come in; as long as nobody knows him, the widest bound of all kinds holds for him. */
  enter(address: string): Entered
}
export type Entered = {
  /** what is wrong with the next bytes */
  look(chunk: Uint8Array): Offence | null
  /** who it is has been settled one way or the other, or he has gone */
  known(kind: ClientKind | null): void
}

/** Opens the entrance of a transport. */
export function openEntrance(app: App, transport: Transport): Entrance {
  const unknown = new Map<string, number>()
  return {
    isFull: address => (unknown.get(address) ?? 0) >= most_unknown,
    enter(address) {
      let bound = widest(app, transport)
      let waiting = true
      unknown.set(address, (unknown.get(address) ?? 0) + 1)
      return {
        look: meterPackets(() => bound, () => performance.now()),
        known(kind) {
          if (kind) bound = kind.bound
          if (!waiting) return
          waiting = false
          const left = (unknown.get(address) ?? 1) - 1
          if (left > 0) unknown.set(address, left)
          else unknown.delete(address)
        },
      }
    },
  }
}

/** What the kinds of a transport may send at most. */
export function widest(app: App, transport: Transport): Bound {
  const bounds = kindsHere(app).filter(kind => kind.transports.includes(transport)).map(kind => kind.bound)
  const most = (of: (bound: Bound) => number) => Math.max(0, ...bounds.map(of))
  return { packet_bytes: most(bound => bound.packet_bytes), per_second: most(bound => bound.per_second), burst: most(bound => bound.burst) }
}
