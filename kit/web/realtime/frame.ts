/** What the server tells (chapter 31 §2): `n` counts the frames of a channel without a hole, `gap`: rows were lost. */
export type Frame = { ch: string; n: number; rows: readonly unknown[]; gap: boolean }

/** Reads what arrived; undefined when it is no frame. */
export function readFrame(value: unknown): Frame | undefined {
  if (typeof value !== 'object' || value === null || !('ch' in value) || !('n' in value) || !('rows' in value)) return undefined
  const { ch, n, rows } = value
  if (typeof ch !== 'string' || typeof n !== 'number' || !Array.isArray(rows)) return undefined
  return { ch, n, rows, gap: 'gap' in value && value.gap === true }
}

/** Follows the numbers of each channel: says whether frames are missing before this one. */
export function countFrames(): (frame: Frame) => boolean {
  const last = new Map<string, number>()
  return ({ ch, n }) => {
    const before = last.get(ch) ?? 0
    last.set(ch, n)
    return n !== before + 1
  }
}
