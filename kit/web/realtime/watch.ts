import { CallError } from '../call/envelope.ts'
import { kitPorts } from '../ports.ts'

/** Says what the browser wants to hear; what it may not hear is left out, the rest is heard. */
export async function sendWatch(client_id: string, channels: readonly string[]): Promise<void> {
  let asked = channels
  for (;;) {
    try {
      return await kitPorts().realtime.watch(client_id, asked)
    } catch (cause) {
      const refused = cause instanceof CallError && cause.status === 403 ? channelOf(cause.data) : undefined
      const rest = asked.filter((ch) => ch !== refused)
      if (rest.length === asked.length) throw cause
      asked = rest
    }
  }
}

function channelOf(data: unknown): string | undefined {
  const channel = typeof data === 'object' && data !== null && 'channel' in data ? data.channel : undefined
  return typeof channel === 'string' ? channel : undefined
}
