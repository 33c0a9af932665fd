import type { HeldPlan } from '@campus/devices/contract'

const whole = 100
const ways: Readonly<Record<number, string>> = { 1: '从这里进入', 2: '从这里离开' }

/** How many of those whom the device holds go, in hundredths. */
export function heldShare({ persons, persons_total }: Pick<HeldPlan, 'persons' | 'persons_total'>): number {
  return persons_total === 0 ? whole : Math.round((persons / persons_total) * whole)
}

/** Some names, and that there are more. */
export function namesText(names: readonly string[], most: number): string {
  return `${names.slice(0, most).join('、')}${names.length > most ? '等' : ''}`
}

/** Of which classes and departments they are: “一年级1班32人、一年级2班28人”. */
export function groupsText({ groups, persons }: Pick<HeldPlan, 'groups' | 'persons'>): string {
  const listed = groups.reduce((sum, group) => sum + group.persons, 0)
  return `${groups.map(group => `${group.name}${group.persons}人`).join('、')}${listed < persons ? `，其他${persons - listed}人` : ''}`
}

/** Who would lose what: the classes, some names, and which way they could not go any more. */
export function whoText(plan: HeldPlan): string {
  const who = `${plan.names.join('、')}${plan.persons > plan.names.length ? '等' : ''}`
  return `涉及${groupsText(plan)}（${who}）。确认后他们不能再${lostWay(plan)}；确认前仍可通行。如果是误操作，恢复他们的通行权限即可取消。`
}

/** What they could not do any more at this device. */
export function lostWay({ direction, node_path_name }: Pick<HeldPlan, 'direction' | 'node_path_name'>): string {
  return `${ways[direction ?? 0] ?? '从这里进出'}${node_path_name === null ? '' : `（${node_path_name}）`}`
}
