/** A pupil with the subjects that he walks for. */
export type Pupil = { id: string; subjects: readonly string[]; home: string; is_boy: boolean }
/** `teachers`: how many classes of a subject may run side by side; a subject that is not named has no limit. */
export type Rules = { blocks: number; min: number; max: number; rooms: number; teachers?: ReadonlyMap<string, number> }
/** A class of a plan; `key` names one that exists already. */
export type Section = { subject: string; block: number; key: string | null; ids: string[] }
export type Sectioned = { sections: Section[]; unserved: { id: string; reason: string }[] }

/** Which block each subject of a group is taken in. */
type Pattern = readonly number[]
type Group = { subjects: readonly string[]; pupils: Pupil[]; counts: number[] }
type Model = { groups: Group[]; patterns: ReadonlyMap<number, readonly Pattern[]>; subjects: string[]; loads: number[]; rules: Rules }

const [steps, steps_a_turn] = [120_000, 4000] as const
const [warm, cold] = [4000, 20] as const
/** What is worse costs more than everything below it together: missing rooms or teachers, classes too small, classes, uneven sizes. */
const weights = { rooms: 100_000, under: 1000, classes: 200 } as const

/**
 * Pupils into walking classes: pupils of the same subjects are alike at first, and so many of them follow each way to lay their subjects
 * into blocks that rooms suffice, classes are neither too small nor too many, and sizes even; then the pupils themselves are placed, those
 * of a home class together, boys and girls even (chapter 50 §3.7 a, b). The same seed gives the same plan.
 * @param pause called between turns of the search, so that others get on
 */
export async function sectionPupils(pupils: readonly Pupil[], rules: Rules, seed: number, pause: () =>
  Promise<unknown>): Promise<Sectioned> {
  const model = modelOf(pupils, rules)
  const random = generator(seed)
  const state = { cost: costOf(model) }
  let best = { cost: state.cost, counts: model.groups.map(group => [...group.counts]) }
  for (let done = 0; done < steps; done += steps_a_turn) {
    for (let at = 0; at < steps_a_turn; at += 1) {
      turn(model, state, random, warm * (cold / warm) ** ((done + at) / steps))
      if (state.cost < best.cost) best = { cost: state.cost, counts: model.groups.map(group => [...group.counts]) }
    }
    await pause()
  }
  for (const [at, group] of model.groups.entries()) group.counts = best.counts[at] ?? group.counts
  return place(model)
}

function modelOf(pupils: readonly Pupil[], rules: Rules): Model {
  const lists = Map.groupBy(pupils, one => one.subjects.toSorted().join())
  const subjects = [...new Set(pupils.flatMap(one => one.subjects))].toSorted()
  const sizes = new Set([...lists.keys()].map(key => key.split(',').length))
  const patterns = new Map([...sizes].map(size => [size, patternsOf(size, rules.blocks)]))
  const groups = [...lists].toSorted(([a], [b]) => a.localeCompare(b)).map(([key, own]): Group => {
    const ways = patterns.get(key.split(',').length)?.length ?? 1
    const counts = Array.from({ length: ways }, (_, at) => Math.floor(own.length / ways) + (at < own.length % ways ? 1 : 0))
    return { subjects: key.split(','), counts, pupils: own.toSorted((a, b) => a.home.localeCompare(b.home) || a.id.localeCompare(b.id)) }
  })
  const model = { groups, patterns, subjects, loads: Array.from({ length: subjects.length * rules.blocks }, () => 0), rules }
  for (const group of groups) for (const [at, count] of group.counts.entries()) load(model, group, at, count)
  return model
}

/** Every way to lay subjects into different blocks. */
function patternsOf(size: number, blocks: number): Pattern[] {
  if (size === 0) return [[]]
  return patternsOf(size - 1, blocks).flatMap(start => Array.from({ length: blocks }, (_, block) => block)
    .filter(block => !start.includes(block)).map(block => [...start, block]))
}

const cellOf = ({ subjects, rules }: Model, subject: string, block: number) => subjects.indexOf(subject) * rules.blocks + block

function load(model: Model, { subjects }: Group, pattern: number, by: number): void {
  const way = model.patterns.get(subjects.length)?.[pattern] ?? []
  for (const [at, subject] of subjects.entries()) {
    const cell = cellOf(model, subject, way[at] ?? 0)
    model.loads[cell] = (model.loads[cell] ?? 0) + by
  }
}

const classesOf = (count: number, { max }: Rules) => Math.ceil(count / max)

function costOf({ loads, subjects, rules }: Model): number {
  const opened = Array.from({ length: rules.blocks }, () => 0)
  const middle = (rules.min + rules.max) / 2
  let cost = 0
  for (const [cell, count] of loads.entries()) {
    if (count === 0) continue
    const classes = classesOf(count, rules)
    const block = cell % rules.blocks
    const teachers = rules.teachers?.get(subjects[Math.floor(cell / rules.blocks)] ?? '') ?? classes
    opened[block] = (opened[block] ?? 0) + classes
    cost += weights.rooms * Math.max(0, classes - teachers)
    cost += weights.under * Math.max(0,
      classes * rules.min - count) + weights.classes * classes + (count / classes - middle) ** 2 / subjects.length
  }
  return cost + opened.reduce((sum, rooms) => sum + weights.rooms * Math.max(0, rooms - rules.rooms), 0)
}

/** Some pupils of a group follow another pattern; it stays so when it helps, or by luck while it is warm. */
function turn(model: Model, state: { cost: number }, random: () => number, heat: number): void {
  const group = model.groups[Math.floor(random() * model.groups.length)]
  if (!group || group.counts.length < 2) return
  const [from, to] = [Math.floor(random() * group.counts.length), Math.floor(random() * group.counts.length)]
  const by = Math.min(group.counts[from] ?? 0, 1 + Math.floor(random() * 12))
  if (from === to || by === 0) return
  shift(model, group, from, to, by)
  const cost = costOf(model)
  if (cost <= state.cost || random() < Math.exp((state.cost - cost) / heat)) state.cost = cost
  else shift(model, group, to, from, by)
}

function shift(model: Model, group: Group, from: number, to: number, by: number): void {
  group.counts[from] = (group.counts[from] ?? 0) - by
  group.counts[to] = (group.counts[to] ?? 0) + by
  load(model, group, from, -by)
  load(model, group, to, by)
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6D2B79F5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Pupils themselves into the classes; a block without enough rooms or teachers leaves its smallest classes out. */
function place(model: Model): Sectioned {
  const { rules } = model
  const cells = new Map<number, Pupil[]>()
  for (const group of model.groups) {
    let taken = 0
    for (const [at, count] of group.counts.entries()) {
      const own = group.pupils.slice(taken, taken + count)
      taken += count
      const way = model.patterns.get(group.subjects.length)?.[at] ?? []
      for (const [nth, subject] of group.subjects.entries()) {
        const cell = cellOf(model, subject, way[nth] ?? 0)
        cells.set(cell, [...(cells.get(cell) ?? []), ...own])
      }
    }
  }
  const sections = [...cells].filter(([, own]) => own.length > 0).toSorted(([a], [b]) => a - b).flatMap(([cell, own]) => {
    const subject = model.subjects[Math.floor(cell / rules.blocks)] ?? ''
    return divide(own, classesOf(own.length, rules)).map((ids): Section => ({ subject, block: cell % rules.blocks + 1, key: null, ids }))
  })
  return dropExcess(sections, rules)
}

/** Pupils of one subject and block into classes of even size: those of a home class together, boys spread evenly. */
function divide(pupils: readonly Pupil[], classes: number): string[][] {
  const sorted = pupils.toSorted((a, b) => a.home.localeCompare(b.home) || a.id.localeCompare(b.id))
  const parts = [sorted.filter(one => one.is_boy), sorted.filter(one => !one.is_boy)]
  const made: string[][] = Array.from({ length: classes }, () => [])
  let filled = 0
  for (const part of parts) {
    for (const [nth, { id }] of part.entries()) made[Math.floor((nth * classes) / part.length)]?.push(id)
    filled += part.length
  }
  return even(made, Math.ceil(filled / classes))
}

/** Rounding leaves a class one or two above another: the last of the largest go to the smallest. */
function even(classes: string[][], most: number): string[][] {
  for (;;) {
    const large = classes.find(one => one.length > most)
    const small = classes.toSorted((a, b) => a.length - b.length)[0]
    const moved = large?.pop()
    if (moved === undefined || !small) return classes
    small.push(moved)
  }
}

function dropExcess(sections: readonly Section[], { rooms, blocks, teachers }: Rules): Sectioned {
  const largest = (own: readonly Section[]) => own.toSorted((a, b) => b.ids.length - a.ids.length)
  const untaught = [...Map.groupBy(sections, one => `${one.subject} ${one.block}`).values()]
    .flatMap(own => largest(own).slice(teachers?.get(own[0]?.subject ?? '') ?? own.length))
  const taught = sections.filter(one => !untaught.includes(one))
  const homeless = Array.from({ length: blocks }, (_,
    at) => taught.filter(one => one.block === at + 1)).flatMap(own => largest(own).slice(rooms))
  const unserved = new Map([
    ...homeless.flatMap(({ block, ids }) => ids.map(id => [id, `第${block}段教室不足`] as const)),
    ...untaught.flatMap(({ block, ids }) => ids.map(id => [id, `第${block}段教师不足`] as const)),
  ])
  const kept = taught.filter(one => !homeless.includes(one)).map(one => ({ ...one, ids: one.ids.filter(id => !unserved.has(id)) }))
  return { sections: kept, unserved: [...unserved].map(([id, reason]) => ({ id, reason })) }
}

/**
 * Brings pupils into a plan that is in force: where a seat is free in the wrong block only, one other pupil changes his blocks for it; who
 * fits nowhere is named (chapter 50 §3.7 c).
 * @param base classes with those who stay in them
 * @param subjectsOf what those who stay walk for
 * @returns the plan, and who of those who stay has moved
 */
export function addPupils(base: readonly Section[], fresh: readonly Pupil[], { blocks, max }: Rules,
  subjectsOf: ReadonlyMap<string, readonly string[]>): Sectioned & { moved: string[] } {
  const sections = base.map(one => ({ ...one, ids: [...one.ids] }))
  const unserved: Sectioned['unserved'] = []
  const moved: string[] = []
  for (const { id, subjects } of fresh.toSorted((a, b) => a.id.localeCompare(b.id))) {
    if (seat(sections, id, subjects, { blocks, max })) continue
    const who = makeRoom(sections, id, subjects, { blocks, max }, subjectsOf)
    if (who === null) unserved.push({ id, reason: '现有教学班没有合适的空位，请重新分班或扩容' })
    else moved.push(who)
  }
  return { sections, unserved, moved }
}

type Space = Pick<Rules, 'blocks' | 'max'>

/** Seats a pupil where the fullest of his classes is as small as can be; false: he fits nowhere. */
function seat(sections: readonly Section[], id: string, subjects: readonly string[], { blocks, max }: Space): boolean {
  const ways = patternsOf(subjects.length, blocks).map(way => way.map((block, at) => sections
    .filter(one => one.subject === subjects[at] && one.block === block + 1 && one.ids.length < max)
    .toSorted((a, b) => a.ids.length - b.ids.length)[0]))
  const whole = ways.flatMap(way => (way.includes(undefined) ? [] : [way.flatMap(one => one ?? [])]))
  const fullest = (way: readonly Section[]) => Math.max(...way.map(one => one.ids.length))
  const [best] = whole.toSorted((a, b) => fullest(a) - fullest(b))
  for (const one of best ?? []) one.ids.push(id)
  return best !== undefined
}

/** Lets one pupil of a full class change his blocks, so that another one fits; null: nobody can. */
function makeRoom(sections: readonly Section[], id: string, subjects: readonly string[], space: Space, subjectsOf: ReadonlyMap<string,
  readonly string[]>): string | null {
  const full = sections.filter(one => subjects.includes(one.subject) && one.ids.length >= space.max)
  for (const who of new Set(full.flatMap(one => one.ids))) {
    const before = sections.map(one => [...one.ids])
    for (const one of sections) if (one.ids.includes(who)) one.ids.splice(one.ids.indexOf(who), 1)
    if (seat(sections, id, subjects, space) && seat(sections, who, subjectsOf.get(who) ?? [], space)) return who
    for (const [at, one] of sections.entries()) one.ids.splice(0, one.ids.length, ...(before[at] ?? []))
  }
  return null
}
