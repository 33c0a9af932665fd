import { GRADE } from '@campus/people/contract'
import type { UpgradeAction, UpgradeItem, UpgradePerson } from '@campus/people/contract'

/** A box of one of the two columns: a class this year, or where it goes. Heights are pixels; `y` from the top. */
export type FlowNode = { key: string; title: string; pupils: number; y: number; height: number; dept_id: string | null }
export type FlowGroup = { key: string; title: string; y: number; dept_id: string | null; action: UpgradeAction | null }
/** Pupils on their way from a class to a box on the right; `bent`: they do otherwise than their class. */
export type FlowBand = { key: string; from: string; to: string; dept_id: string; pupils: number; y0: number; y1: number; width: number; action: UpgradeAction | null; bent: boolean }
export type Flow = { left: FlowNode[]; left_groups: FlowGroup[]; right: FlowNode[]; right_groups: FlowGroup[]; bands: FlowBand[]; height: number }

const class_type = 4
const grade_type = 3
const a_pupil = 0.36
const least = 18
const group_gap = 26
const node_gap = 4
/** Where nobody is in a class of the school any more, or not yet known. */
const sinks = { GRADUATE: '毕业离校', CLOSE: '关闭', OUT: '离校', OPEN: '未选择去向' } as const

type Landing = { key: string; group: string; title: string }

/** This year's classes and next year's side by side, joined by bands as wide as their pupils. */
export function flowOf(items: readonly UpgradeItem[], people: readonly UpgradePerson[]): Flow {
  const grades = items.filter(item => item.dept_type === grade_type).toSorted(byGrade)
  const classes = grades.flatMap(grade => items.filter(item => item.dept_type === class_type && item.parent_id === grade.dept_id))
  const landings = new Map(classes.map(item => [item.dept_id, landingOf(item, items)]))
  const strands = classes.flatMap(item => strandsOf(item, people.filter(person => person.dept_id === item.dept_id), landings))
  const left = stack(grades.map(grade => ({ key: grade.dept_id, title: grade.dept_name, nodes: classes.filter(item => item.parent_id === grade.dept_id).map(item => ({ key: item.dept_id, title: item.dept_name, pupils: item.pupils, dept_id: item.dept_id })) })))
  const sizes = Map.groupBy(strands, strand => strand.to.key)
  const groups = [...Map.groupBy([...sizes.values()].flatMap(own => own[0]?.to ?? []), landing => landing.group)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const right = stack(groups.map(([group, nodes]) => ({
    key: group, title: groupTitle(group), nodes: nodes.map(({ key, title }) => ({ key, title, pupils: (sizes.get(key) ?? []).reduce((sum, strand) => sum + strand.pupils, 0), dept_id: null })),
  })))
  const actions = new Map(items.map(item => [item.dept_id, item.action]))
  return {
    left: left.nodes, right: right.nodes,
    left_groups: left.groups.map(group => ({ ...group, dept_id: group.key, action: actions.get(group.key) ?? null })),
    right_groups: right.groups.map(group => ({ ...group, dept_id: null, action: null })),
    bands: bandsOf(strands, left.nodes, right.nodes, actions),
    height: Math.max(left.height, right.height),
  }
}

function byGrade(a: UpgradeItem, b: UpgradeItem): number {
  return (a.from_grade ?? '~').localeCompare(b.from_grade ?? '~') || Number(a.dept_id) - Number(b.dept_id)
}

/** The box on the right to which a class goes. */
function landingOf(item: UpgradeItem, items: readonly UpgradeItem[]): Landing {
  const { dept_id, action, to_grade, from_grade, dept_name, new_name } = item
  if (action === 'GRADUATE' || action === 'CLOSE') return { key: action, group: `~${action}`, title: sinks[action] }
  if (action === null) return { key: 'OPEN', group: '~OPEN', title: sinks.OPEN }
  const is_pool = action === 'CONTINUE' && items.find(one => one.dept_id === item.parent_id)?.is_pool === true
  if (is_pool) return { key: `pool ${to_grade ?? ''}`, group: to_grade ?? '~', title: '待分班' }
  return { key: dept_id, group: to_grade ?? from_grade ?? '~', title: new_name ?? nameAfter(dept_name, from_grade, to_grade) }
}

/** The class's name with the word of its next grade. */
export function nameAfter(name: string, from: string | null, to: string | null): string {
  const was = gradeName(from)
  const is = gradeName(to)
  return was !== undefined && is !== undefined && name.startsWith(was) ? is + name.slice(was.length) : name
}

function gradeName(grade: string | null): string | undefined {
  return Object.entries(GRADE.names).find(([code]) => code === grade)?.[1]
}

function groupTitle(group: string): string {
  return gradeName(group) ?? (group.startsWith('~') ? '不再就读' : '其他')
}

type Strand = { from: string; to: Landing; pupils: number; bent: boolean }

function strandsOf(item: UpgradeItem, people: readonly UpgradePerson[], landings: ReadonlyMap<string, Landing>): Strand[] {
  const bent = people.map(person => {
    const to = person.action === 'OUT' ? { key: 'OUT', group: '~OUT', title: sinks.OUT } : landings.get(person.target_dept_id ?? '')
    return { from: item.dept_id, to: to ?? { key: 'OPEN', group: '~OPEN', title: sinks.OPEN }, pupils: 1, bent: true }
  })
  const to = landings.get(item.dept_id)
  const rest = item.pupils - bent.length
  const whole = to && (rest > 0 || item.pupils === 0) ? [{ from: item.dept_id, to, pupils: Math.max(0, rest), bent: false }] : []
  return [...whole, ...bent]
}

type Stacked = { key: string; title: string; nodes: { key: string; title: string; pupils: number; dept_id: string | null }[] }

function stack(groups: readonly Stacked[]) {
  let y = 0
  const nodes: FlowNode[] = []
  const heads = groups.map(({ key, title, nodes: own }) => {
    const head = { key, title, y: y + 16 }
    y += group_gap
    for (const node of own) {
      const height = Math.max(least, node.pupils * a_pupil)
      nodes.push({ ...node, y, height })
      y += height + node_gap
    }
    return head
  })
  return { nodes, groups: heads, height: y }
}

/** Bands of one box lie below each other; the strands together fill the part of it that its pupils take. */
function bandsOf(strands: readonly Strand[], left: readonly FlowNode[], right: readonly FlowNode[], actions: ReadonlyMap<string, UpgradeAction | null>): FlowBand[] {
  const sources = new Map(left.map(node => [node.key, { node, filled: 0 }]))
  const targets = new Map(right.map(node => [node.key, { node, filled: 0 }]))
  return strands.flatMap(({ from, to, pupils, bent }, at) => {
    const source = sources.get(from)
    const target = targets.get(to.key)
    if (!source || !target) return []
    const width = pupils === 0 ? 1 : pupils * Math.min(source.node.height / source.node.pupils, target.node.height / target.node.pupils)
    const band = { key: `${from} ${at}`, from: source.node.title, to: target.node.title, dept_id: from, pupils, y0: source.node.y + source.filled, y1: target.node.y + target.filled, width, action: actions.get(from) ?? null, bent }
    source.filled += width
    target.filled += width
    return [band]
  })
}
