/** A set of weeks as a value: ascending numbers. Weeks of a whole year are term × 100 + week (chapter 50 §1.3). */
export type Weeks = readonly number[]

const longest_term = 31
const per_term = 100

/** `1-8,10` of weeks; weeks of a year keep their term: `101-122`. */
export function weeksText(weeks: Weeks): string {
  const runs: [number, number][] = []
  for (const week of weeks) {
    const last = runs.at(-1)
    if (last && last[1] + 1 === week) last[1] = week
    else runs.push([week, week])
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

/** Weeks of `1-8,10`, 单, 双 or 每周 within those there are; null when it cannot be read. Weeks that do not exist stay in, for the checker to name. */
export function parseWeeks(text: string, all: Weeks): Weeks | null {
  const plain = text.replaceAll(/[\s周第]/gu, '').replaceAll(/[，、;；]/gu, ',')
  if (plain === '' || plain === '每') return all
  if (plain === '单' || plain === '双') return all.filter(week => week % 2 === (plain === '单' ? 1 : 0))
  const found = new Set<number>()
  for (const part of plain.split(',')) {
    const [, first, last = first] = /^(\d{1,3})(?:-(\d{1,3}))?$/u.exec(part) ?? []
    const [from, to] = [Number(first), Number(last)]
    if (first === undefined || from < 1 || to < from || to - from > per_term || to % per_term > longest_term) return null
    for (let week = from; week <= to; week += 1) found.add(week)
  }
  return [...found].toSorted((a, b) => a - b)
}

/** 每周, 单周, 双周 or `1-8,10周`. */
export function weeksName(weeks: Weeks, all: Weeks): string {
  const missing = all.filter(week => !weeks.includes(week))
  if (missing.length === 0) return '每周'
  const odd = all.filter(week => week % 2 === 1)
  if (weeks.length === odd.length && weeks.every(week => week % 2 === 1)) return '单周'
  if (weeks.length === all.length - odd.length && weeks.every(week => week % 2 === 0)) return '双周'
  return `${weeksText(weeks)}周`
}

/** Weeks that both have. */
export function commonWeeks(a: Weeks, b: Weeks): Weeks {
  const other = new Set(b)
  return a.filter(week => other.has(week))
}

/** As PostgreSQL writes a multirange of integers: {[1,9),[10,11)}. */
export function weeksRange(weeks: Weeks): string {
  const runs = weeksText(weeks).split(',').map(run => run.split('-').map(Number))
  return `{${runs.map(([from = 0, to = from]) => `[${from},${to + 1})`).join(',')}}`
}

/** Weeks of a multirange. */
export function weeksOfRange(text: string): Weeks {
  return [...text.matchAll(/\[(\d+),(\d+)\)/gu)].flatMap(([, from, to]) => Array.from({ length: Number(to) - Number(from) }, (_, at) => Number(from) + at))
}

/** All weeks of a term; `term` 0: plain numbers, else term × 100 + week. */
export function allWeeks(count: number, term = 0): Weeks {
  return Array.from({ length: count }, (_, at) => term * per_term + at + 1)
}
