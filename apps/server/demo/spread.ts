/** So many of the list, evenly over it. */
export function spread<T>(list: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, at) => list[Math.floor(((at + 0.5) * list.length) / count)]).filter(one => one !== undefined)
}
