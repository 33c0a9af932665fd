import type { FilePart } from './context.ts'

const one_range = /^bytes=(\d*)-(\d*)$/

/**
 * What a Range header asks for of a file of `size` bytes.
 * @returns null for the whole file (no header, or one that is not understood: several parts, another unit), 'outside' when nothing of the
 * file lies in it
 */
export function partOf(header: string | undefined, size: number): FilePart | 'outside' | null {
  const [, from = '', to = ''] = one_range.exec(header ?? '') ?? []
  if (from === '' && to === '') return null
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from !== '' && to !== '' && Number(to) < start) return null
  return start >= size || end < start ? 'outside' : { start, end }
}
