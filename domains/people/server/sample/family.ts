import { relation_sex } from '@campus/people/contract'
import type { Sex } from './names.ts'
import { makeHome } from './places.ts'
import type { Home } from './places.ts'
import type { SpecialFamily } from './special-families.ts'
import type { SampleTools } from './tools.ts'

/** Who answers for the child, first contact first: both parents, one of them (or a grandmother), both and a grandparent, nobody known. */
type FamilyShape = 'couple' | 'single' | 'with grandparent' | 'unknown'
/** Somebody at home; codes of PICKUP_RELATION and EDU_LEVEL. */
export type InventedGuardian = {
  user_name: string
  relation: string
  mobile: string
  is_guardian: boolean
  can_pickup: boolean
  work: string | null
  edu: string | null
  id_no: string | null
}
/** The people at home; brothers and sisters share them. */
export type InventedFamily = { surname: string; guardians: InventedGuardian[]; home: Home; nation: string; special?: SpecialFamily }
/** What is known before a family is made: a special one, or a parent who already is a person of the school. */
export type FamilyWish = { shape: FamilyShape; eldest_born: number; special?: SpecialFamily; parent?: { user_name: string; sex: Sex; mobile: string } }

const father = '51'
const mother = '52'
const grandmother = '62'
/** 爷爷 is the father of the father, 外公 of the mother. */
const child_of: Readonly<Record<string, string>> = { '61': father, '63': mother }
const grandparents = [['61', 2], ['62', 4], ['63', 1], ['64', 3]] as const
const mother_surname_share = 1 / 13
const lone_grandmother_share = 0.03
const mother_first_share = 0.55
const id_known_share = 0.35
const no_pickup_share = 0.02
const nations = [['01', 930], ['11', 22], ['03', 20], ['02', 10], ['10', 8], ['15', 5], ['08', 5]] as const
const works = ['(虚构)启明机械有限公司', '(虚构)海信社区服务中心', '(虚构)阳光物流', '(虚构)青禾设计工作室', '(虚构)港口集团', '(虚构)市第三医院', '(虚构)滨海银行', '自由职业', '个体经营', null] as const
const educations = [['21', 38], ['31', 24], ['14', 12], ['41', 8], ['61', 8], ['71', 5], ['11', 1], [null, 4]] as const

/** Makes a family that fits the wish. */
export function makeFamily(tools: SampleTools, wish: FamilyWish): InventedFamily {
  const { draw, names } = tools
  const { special, parent } = wish
  const nation = special?.nation ?? draw.weighted(nations)
  const father_name = special?.father ?? (parent?.sex === '1' ? parent.user_name : names.full('parent', '1'))
  const mother_name = special?.mother ?? (parent?.sex === '2' ? parent.user_name : names.full('parent', '2'))
  const couple = [guardian(tools, wish, father, father_name), guardian(tools, wish, mother, mother_name)]
  const surname = names.surnameOf(draw.chance(mother_surname_share) && parent === undefined ? mother_name : father_name)
  return { surname, home: makeHome(draw), nation, guardians: guardiansOf(tools, wish, couple), ...(special ? { special } : {}) }
}

/** Is the parent known to the school as somebody else, an employee? Then only the mobile is needed to join the two. */
function guardian({ draw, invent }: SampleTools, { eldest_born, parent }: FamilyWish, relation: string, user_name: string, elder_by = 0): InventedGuardian {
  const is_known = parent?.user_name === user_name
  const born = eldest_born - draw.between(24, 36) - elder_by
  const birthday = `${born}-${two(draw.between(1, 12))}-${two(draw.between(1, 28))}`
  const sex = relation_sex[relation] ?? '1'
  return {
    user_name,
    relation,
    mobile: is_known ? parent.mobile : invent.mobile('parents'),
    is_guardian: elder_by === 0,
    can_pickup: !draw.chance(no_pickup_share),
    work: is_known ? null : draw.pick(works),
    edu: draw.weighted(educations),
    id_no: !is_known && draw.chance(id_known_share) ? invent.id_no(birthday, sex).id_no : null,
  }
}

function guardiansOf(tools: SampleTools, wish: FamilyWish, couple: readonly InventedGuardian[]): InventedGuardian[] {
  const { draw } = tools
  if (wish.shape === 'unknown') return []
  if (wish.shape === 'single' && draw.chance(lone_grandmother_share)) return [{ ...elder(tools, wish, grandmother, couple), is_guardian: true }]
  const ordered = draw.chance(mother_first_share) ? couple.toReversed() : [...couple]
  if (wish.shape === 'single') return ordered.slice(0, 1)
  return wish.shape === 'couple' ? ordered : [...ordered, elder(tools, wish, draw.weighted(grandparents), couple)]
}

/** A grandfather has the surname of his child. */
function elder(tools: SampleTools, wish: FamilyWish, relation: string, couple: readonly InventedGuardian[]): InventedGuardian {
  const { names } = tools
  const child = couple.find(parent => parent.relation === child_of[relation])
  const name = names.full('grandparent', relation_sex[relation] ?? '2', child ? names.surnameOf(child.user_name) : undefined)
  return guardian(tools, wish, relation, name, 26)
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
