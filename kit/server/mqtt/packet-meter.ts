/** What a client may send: bytes of one packet, and packets that ask for something (acknowledgements are free). */
export type Bound = { packet_bytes: number; per_second: number; burst: number }
export type Offence = 'packet too large' | 'too many packets' | 'unreadable packet'

/** PUBLISH, SUBSCRIBE, UNSUBSCRIBE and PINGREQ; CONNECT comes once. */
const asking: ReadonlySet<number> = new Set([3, 8, 10, 12])
const longest_length = 4

/**
 * Follows the bytes of one connection by the fixed headers of their packets (MQTT 3.1.1 §2.2), so that nobody makes the broker gather what is
 * too large. The answer takes the next bytes and says what is wrong with them; `bound` is asked anew each time, `now` is in milliseconds.
 */
export function meterPackets(bound: () => Bound, now: () => number): (chunk: Uint8Array) => Offence | null {
  const state = { head: [0], in_head: false, body: 0, tokens: Number.POSITIVE_INFINITY, at: now() }
  return chunk => {
    for (let at = 0; at < chunk.length;) {
      if (state.body > 0) {
        const taken = Math.min(state.body, chunk.length - at)
        state.body -= taken
        at += taken
        continue
      }
      const offence = readHead(state, chunk[at] ?? 0, bound(), now)
      if (offence) return offence
      at += 1
    }
    return null
  }
}

type State = { head: number[]; in_head: boolean; body: number; tokens: number; at: number }

function readHead(state: State, byte: number, bound: Bound, now: () => number): Offence | null {
  if (!state.in_head) {
    state.head = []
    state.in_head = true
    return asking.has(byte >> 4) && !takeToken(state, bound, now()) ? 'too many packets' : null
  }
  state.head.push(byte & 0x7f)
  if (byte >= 0x80) return state.head.length < longest_length ? null : 'unreadable packet'
  state.in_head = false
  state.body = state.head.reduceRight((length, part) => length * 128 + part, 0)
  return state.body > bound.packet_bytes ? 'packet too large' : null
}

function takeToken(state: State, { per_second, burst }: Bound, now: number): boolean {
  state.tokens = Math.min(burst, state.tokens + ((now - state.at) / 1000) * per_second)
  state.at = now
  if (state.tokens < 1) return false
  state.tokens -= 1
  return true
}
