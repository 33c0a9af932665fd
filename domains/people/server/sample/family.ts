import type { Draw } from './draw.ts'
import type { Inventor } from './invented.ts'
import type { NameMaker, Sex } from './names.ts'

type SampleGuardian = { name: string; relation: string; mobile: string; is_guardian: boolean; work: string; edu: string }
/** The people at home; brothers and sisters share them. */
export type SampleFamily = { surname: string; guardians: SampleGuardian[]; address: string }

const mother_surname_ratio = 1 / 13
const grandparent_ratio = 0.03
const works = ['(虚构)启明机械有限公司', '(虚构)海信社区服务中心', '(虚构)阳光物流', '(虚构)青禾设计工作室', '自由职业', ''] as const
const educations = ['大学本科毕业', '大学专科毕业', '中等专科毕业', '硕士研究生毕业'] as const
const estates = ['阳光花园', '滨河小区', '市民公寓', '枫林雅苑', '科技园家属院'] as const

/** A family with one guardian or two, the first of whom answers for the child. */
export function makeFamily(draw: Draw, names: NameMaker, invent: Inventor, guardians: 1 | 2): SampleFamily {
  const father_surname = names.surname()
  const mother_surname = names.surname()
  const address = `山东省青岛市(虚构)${draw.pick(estates)}${draw.below(30) + 1}号楼${draw.below(6) + 1}0${draw.below(4) + 1}`
  const person = (relation: string, surname: string, cohort: 'parent' | 'grandparent', sex: Sex): SampleGuardian => ({
    name: surname + names.given(cohort, sex),
    relation,
    mobile: invent.mobile(),
    is_guardian: true,
    work: draw.pick(works),
    edu: draw.pick(educations),
  })
  const surname = draw.next() < mother_surname_ratio ? mother_surname : father_surname
  const father = () => person('父亲', father_surname, 'parent', '1')
  const mother = () => person('母亲', mother_surname, 'parent', '2')
  if (draw.next() < grandparent_ratio) {
    const grandmother = person('奶奶', mother_surname, 'grandparent', '2')
    return { surname, address, guardians: guardians === 1 ? [grandmother] : [grandmother, father()] }
  }
  if (guardians === 2) return { surname, address, guardians: [father(), mother()] }
  return { surname, address, guardians: [draw.next() < 0.5 ? father() : mother()] }
}
