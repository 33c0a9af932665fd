import { makeFamily, special_families } from '@campus/people/server'
import type { InventedFamily, SampleTools } from '@campus/people/server'
import { birthYearOf } from './seats.ts'
import type { Seat } from './seats.ts'
import { spread } from './spread.ts'
import type { PlannedStaff } from './staff.ts'

/** A family with its children, eldest first; `are_twins`: they are born on one day. */
export type Household = { family: InventedFamily; children: Seat[]; are_twins: boolean }
type Wish = Omit<Parameters<typeof makeFamily>[1], 'eldest_born'>
type Group = Wish & { children: Seat[]; are_twins: boolean }

/** Of pupils on the roll: guardians in all, pupils with one or none, families with a grandparent, with three children, with twins, of employees. */
export const family_counts = { guardians: 6640, lone: 31, unknown: 4, with_grandparent: 119, triples: 24, twins: 12, of_staff: 9 } as const
const gone_with_sibling_share = 0.12
const gone_with_one_parent_share = 0.04
const years_apart = { least: 2, most: 9 }
const age_of_parents = { least: 25, most: 40 }

/** Gives every seat a family; brothers and sisters share one. */
export function planFamilies(tools: SampleTools, seats: readonly Seat[], staff: readonly PlannedStaff[]): Household[] {
  const groups = groupSiblings(tools.draw.shuffled(seats.filter(isOnRoll)))
  claim(groups, special_families.map(special => ({ wish: { special }, fits: seat => seat.sex === special.children[0]?.sex })))
  const parents = tools.draw.shuffled(staff).map(parentOf).filter(({ fits }) => seats.some(fits))
  claim(groups, parents.slice(0, family_counts.of_staff))
  for (const seat of seats) if (!isOnRoll(seat)) joinGroup(tools, groups, seat)
  return groups.map(({ children, are_twins, ...wish }) => {
    const family = makeFamily(tools, { ...wish, eldest_born: Math.min(...children.map(birthYearOf)) })
    return { family, children: children.toSorted((a, b) => birthYearOf(a) - birthYearOf(b)), are_twins }
  })
}

function isOnRoll({ kind }: Seat): boolean {
  return kind === 'in class' || kind === 'suspended'
}

/** Families of the pupils on the roll, so that the guardians are as many as they shall be. */
function groupSiblings(seats: readonly Seat[]): Group[] {
  const { guardians, lone, unknown, with_grandparent, triples, twins } = family_counts
  const nobody = seats.filter(seat => seat.stage === '3').slice(0, unknown)
  const waiting = seats.filter(seat => !nobody.includes(seat))
  const single = waiting.splice(0, lone)
  const couples = (guardians - lone - with_grandparent) / 2
  const pairs = waiting.length - couples - 2 * triples
  const places = Array.from({ length: couples }, (_, at) => at)
  const grandparents = new Set(spread(places, with_grandparent))
  const groups = places.map((at): Group => {
    const are_twins = at < twins
    const children = takeChildren(waiting, at < pairs ? 2 : at < pairs + triples ? 3 : 1, are_twins ? isTwin : isApart)
    return { children, shape: grandparents.has(at) ? 'with grandparent' : 'couple', are_twins }
  })
  const alone = (seat: Seat, shape: Group['shape']): Group => ({ children: [seat], shape, are_twins: false })
  return [...groups, ...single.map(seat => alone(seat, 'single')), ...nobody.map(seat => alone(seat, 'unknown'))]
}

function takeChildren(waiting: Seat[], count: number, fits: (a: Seat, b: Seat) => boolean): Seat[] {
  const children = waiting.splice(-1)
  while (children.length < count) {
    const at = waiting.findLastIndex(seat => children.every(child => fits(child, seat)))
    if (at < 0) throw new Error('nobody is left who could be a brother or sister')
    children.push(...waiting.splice(at, 1))
  }
  return children
}

function isTwin(a: Seat, b: Seat): boolean {
  return a.stage === b.stage && a.enrol_year === b.enrol_year
}

function isApart(a: Seat, b: Seat): boolean {
  const years = Math.abs(birthYearOf(a) - birthYearOf(b))
  return years >= years_apart.least && years <= years_apart.most
}

type Claim = { wish: Pick<Wish, 'special' | 'parent'>; fits(seat: Seat): boolean }

/** Lets families with one child and both parents be the wished ones, evenly over the school. */
function claim(groups: readonly Group[], claims: readonly Claim[]): void {
  claims.forEach(({ wish, fits }, at) => {
    const start = Math.floor((at * groups.length) / claims.length)
    const found = [...groups.slice(start), ...groups].find(group => isPlain(group) && group.children.every(seat => seat.kind === 'in class' && fits(seat)))
    if (!found) throw new Error('no family fits the wish')
    Object.assign(found, wish)
  })
}

function isPlain({ shape, children, special, parent }: Group): boolean {
  return shape === 'couple' && children.length === 1 && !special && !parent
}

/** An employee with a child in the school. */
function parentOf({ user_name, sex, mobile, birthday }: PlannedStaff): Claim {
  const born = Number(birthday?.slice(0, 4))
  const fits = (seat: Seat) => {
    const age = birthYearOf(seat) - born
    return age >= age_of_parents.least && age <= age_of_parents.most
  }
  return { wish: { parent: { user_name, sex: sex === '1' ? '1' : '2', mobile: mobile ?? '' } }, fits }
}

/** Who is gone has a family of his own, or a brother or sister who is still there. */
function joinGroup({ draw }: SampleTools, groups: Group[], seat: Seat): void {
  const isYounger = (child: Seat) => isOnRoll(child) && birthYearOf(child) - birthYearOf(seat) >= years_apart.least
  const start = draw.below(groups.length)
  const found = draw.chance(gone_with_sibling_share) ? groups.slice(start).find(group => isPlain(group) && group.children.every(isYounger)) : undefined
  if (found) found.children.push(seat)
  else groups.push({ children: [seat], shape: draw.chance(gone_with_one_parent_share) ? 'single' : 'couple', are_twins: false })
}
