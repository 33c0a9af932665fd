const units = [['天', 86_400], ['小时', 3600], ['分', 60], ['秒', 1]] as const

/** How long something took, by its two greatest units: `3 小时 5 分`. */
export function spanText(seconds: number): string {
  const parts = units.flatMap(([unit, size], at) => {
    const count = Math.floor((at === 0 ? seconds : seconds % (units[at - 1]?.[1] ?? 1)) / size)
    return count > 0 ? [`${count} ${unit}`] : []
  })
  return parts.slice(0, 2).join(' ') || '不到 1 秒'
}
