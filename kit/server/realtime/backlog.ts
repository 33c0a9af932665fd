import type { Told } from './notice.ts'

/** Most rows that wait for one browser (chapter 10 S10). */
export const most_waiting = 500
const rows_a_frame = 50

type Row = Record<string, unknown>
type Waiting = { rows: Row[]; gap: boolean }

/** What a browser is told: `n` counts the frames of its channel without a hole; `gap`: rows were lost, ask for everything again. */
export type Frame = { ch: string; n: number; at: string; rows: readonly Row[]; gap?: true }

/** What waits for one browser, by channel; rows beyond the bound are dropped and leave a gap. */
export type Backlog = {
  add(told: Pick<Told, 'ch' | 'rows' | 'gap'>): void
  /** a channel may have been missed */
  lose(ch: string): void
  /** takes what waits */
  take(): ReadonlyMap<string, Waiting>
  isEmpty(): boolean
  /** rows of a channel as frames, numbered */
  frames(ch: string, waiting: { rows: readonly Row[]; gap: boolean }, at: Date): Frame[]
  /** forgets channels that are not watched any more */
  keep(channels: ReadonlySet<string>): void
}

/** Makes the backlog of a browser that has just come. */
export function createBacklog(): Backlog {
  let waiting = new Map<string, Waiting>()
  const numbers = new Map<string, number>()
  const of = (ch: string): Waiting => {
    const known = waiting.get(ch) ?? { rows: [], gap: false }
    waiting.set(ch, known)
    return known
  }
  const next = (ch: string): number => {
    const n = (numbers.get(ch) ?? 0) + 1
    numbers.set(ch, n)
    return n
  }
  return {
    add({ ch, rows, gap }) {
      const one = of(ch)
      if (gap || count(waiting) + rows.length > most_waiting) lose(one)
      else one.rows.push(...rows)
    },
    lose: ch => lose(of(ch)),
    take() {
      const taken = waiting
      waiting = new Map()
      return taken
    },
    isEmpty: () => waiting.size === 0,
    frames(ch, { rows, gap }, at) {
      const stamp = at.toISOString()
      if (gap) return [{ ch, n: next(ch), at: stamp, rows: [], gap: true }]
      return Array.from({ length: Math.ceil(rows.length / rows_a_frame) }, (_, part) => ({ ch, n: next(ch), at: stamp, rows: rows.slice(part * rows_a_frame, (part + 1) * rows_a_frame) }))
    },
    keep(channels) {
      for (const ch of waiting.keys()) if (!channels.has(ch)) waiting.delete(ch)
    },
  }
}

/** Whoever asks for everything again needs none of the rows that waited. */
function lose(one: Waiting): void {
  one.rows = []
  one.gap = true
}

function count(waiting: ReadonlyMap<string, Waiting>): number {
  return [...waiting.values()].reduce((sum, { rows }) => sum + rows.length, 0)
}
