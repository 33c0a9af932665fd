import { readFrame } from './frame.ts'
import type { Frame } from './frame.ts'
import type { RealtimeState } from './listeners.ts'

/** What tabs of one browser say to each other: who leads, what is wanted, what was heard. */
export type TabWord =
  | { kind: 'lead' }
  | { kind: 'want'; tab: string; channels: string[] }
  | { kind: 'bye'; tab: string }
  | { kind: 'frame'; frame: Frame }
  | { kind: 'gap' }
  | { kind: 'state'; state: RealtimeState }

const states: readonly RealtimeState[] = ['off', 'live', 'polling']

/** Reads a word; undefined when it is none of these (another version of the console in another tab). */
export function readWord(data: unknown): TabWord | undefined {
  if (typeof data !== 'object' || data === null || !('kind' in data)) return undefined
  switch (data.kind) {
    case 'lead':
    case 'gap':
      return { kind: data.kind }
    case 'bye':
      return 'tab' in data ? { kind: 'bye', tab: String(data.tab) } : undefined
    case 'want':
      return 'tab' in data && 'channels' in data && Array.isArray(data.channels) ? { kind: 'want', tab: String(data.tab), channels: data.channels.map(String) } : undefined
    case 'frame':
      return 'frame' in data ? frameWord(readFrame(data.frame)) : undefined
    case 'state':
      return 'state' in data ? stateWord(states.find((state) => state === data.state)) : undefined
    default:
      return undefined
  }
}

function frameWord(frame: Frame | undefined): TabWord | undefined {
  return frame && { kind: 'frame', frame }
}

function stateWord(state: RealtimeState | undefined): TabWord | undefined {
  return state && { kind: 'state', state }
}
