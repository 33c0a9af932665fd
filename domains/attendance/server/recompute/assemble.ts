import type { RuleBody } from '@campus/attendance/contract'
import type { Db } from '../db.ts'
import type { PersonDay } from '../judge/types.ts'
import { minute_ms } from '../judge/window.ts'
import { besideSittings, readDayKinds, readLessons, readSittings, readSlots, slotsOf } from './expect.ts'
import type { Expected } from './expect.ts'
import { readSetting } from '../rule/setting.service.ts'
import { exemptOf, readCorrections, readEvidence, readExempts, readGates, readLeaves } from './facts.ts'
import type { Asked } from './facts.ts'
import { staff_shard } from './group.ts'
import type { Group } from './group.ts'
import { readMembers } from './people.ts'
import type { Member } from './people.ts'
import { readPlaces } from './places.ts'
import type { Places } from './places.ts'
import { pickArrange, readInForce } from './rules.ts'
import type { InForce } from './rules.ts'

/** One person's day as the judge takes it, and what each expectation is about. */
export type Assembled = { user_id: string; day: PersonDay; expected: readonly Expected[] }
/** What a trial puts in place of what is saved. */
export type Instead = { rule_id: string; body: RuleBody }

const [student, staff, teaching_day] = [1, 2, 8] as const
const whole_school = '00'

/** Reads everything that is known of a group on its date: expectations with their rules, and all facts. Nothing of it is judged here. */
export async function assemble(db: Db, school_id: number, group: Group, as_of: number, instead?: Instead): Promise<Assembled[]> {
  const { date, shard } = group
  const members = await readMembers(db, school_id, group)
  if (members.length === 0) return []
  const person_kind = shard === staff_shard ? staff : student
  const arranges = (await readInForce(db, school_id, date, instead)).filter(one => one.person_kind === person_kind)
  const places = await readPlaces(db, school_id, date)
  const daily = [
    ...(await readLessons(db, school_id, group, members)), ...(await clockSlots(db, school_id, date, { members, person_kind, places }))
  ]
  const expected = besideSittings(daily, await readSittings(db, school_id, group, members))
  if (expected.length === 0) return []
  const asked: Asked = { school_id, date, user_ids: [...new Set(expected.map(one => one.user_id))], person_kind }
  const facts = {
    evidence: await readEvidence(db, asked, places), gates: await readGates(db, asked, places), leaves: await readLeaves(db, asked), exempts: await readExempts(db, asked), corrections: await readCorrections(db, asked),
  }
  const config = await db.selectFrom('school_config_v').select('nocheck_status_autochange').where('school_id', '=', school_id)
    .executeTakeFirst()
  const { settle_hours } = await readSetting(db, school_id)
  // Rows still unverified so long after their window become 免考勤, where the school says so (chapter 55 §2.1).
  const exempt_unverified_after = config?.nocheck_status_autochange === 1 ? settle_hours * 60 * minute_ms : null
  return [...Map.groupBy(expected, one => one.user_id)].map(([user_id, own]) => ({
    user_id, expected: own,
    day: {
      as_of, exempt_unverified_after, evidence: facts.evidence.get(user_id) ?? [], gates: facts.gates.get(user_id) ?? [], leaves: facts.leaves.get(user_id) ?? [],
      expectations: own.map(one => expectationOf(
        one, { arranges, places, date, exempts: facts.exempts.get(user_id) ?? [], corrections: facts.corrections.get(user_id) }
      )),
    },
  }))
}

type Context = {
  arranges: readonly InForce[]; places: Places; date: string; exempts: Parameters<typeof exemptOf>[0]; corrections: ReadonlyMap<string,
  PersonDay['expectations'][number]['correction']> | undefined,
}

function expectationOf(one: Expected, { arranges, places, date, exempts, corrections }: Context): PersonDay['expectations'][number] {
  const is_lesson = one.arrange_id === null
  const arrange = is_lesson ? pickArrange(
    arranges.filter(each => each.kind === 'course'), one
  ) : (arranges.find(each => each.arrange_id === one.arrange_id) ?? null)
  const rule = arrange && { ref: arrange.ref, body: one.need_out ? { ...arrange.body, need_out: true } : arrange.body }
  const place = places.of(one.place_id)
  return {
    expect_kind: one.expect_kind, occurrence_id: one.occurrence_id, begin: one.begin, end: one.end, title: one.title, place, rule, points: rule ? places.pointsFor(
      place, rule.body.place_match, is_lesson ? 'lesson' : 'clock'
    ) : [],
    exempt: exemptOf(
      exempts, { expect_kind: one.expect_kind, section: one.section, date }
    ), correction: corrections?.get(`${one.expect_kind}/${one.occurrence_id}`) ?? null,
  }
}

async function clockSlots(
  db: Db, school_id: number, date: string,
  { members, person_kind, places }: { members: readonly Member[]; person_kind: number; places: Places }
): Promise<Expected[]> {
  const slots = await readSlots(db, school_id, date)
  if (slots.length === 0) return []
  const kinds = await readDayKinds(db, school_id, date)
  return members.flatMap(member => {
    const day_kind = kinds.get(member.grade ?? whole_school) ?? teaching_day
    return slotsOf(member, slots, { person_kind, day_kind, date, home: places.homes.get(member.dept_id) ?? null })
  })
}
