import type { PupilStep, SampleTools } from '@campus/people/server'
import { addDays, workday } from './school-year.ts'
import type { Days, Seat } from './seats.ts'
import { spread } from './spread.ts'

/** A step of a pupil's past before ids are known. */
export type PlannedStep = Distribute<PupilStep>
type Distribute<T> = T extends { dept_id: string } ? Omit<T, 'dept_id' | 'user_id'> & { class_key: string } : T extends PupilStep ? Omit<T, 'user_id'> : never

export const past_counts = { joined: 25, returned: 6, overdue: 2 } as const
const schools_around = ['济南市(虚构)泉城实验学校', '烟台市(虚构)芝罘第二小学', '上海市(虚构)浦江实验学校', '青岛市(虚构)海滨学校', '北京市(虚构)朝晖学校'] as const
const leaving_reasons = ['随父母工作调动', '户口迁移', '家庭搬迁'] as const
const illnesses = ['因病休养', '骨折术后康复', '身体原因需长期治疗'] as const
const longest_suspension = 365

/** What happened to whom: everything beside the promotion itself, which moves nobody. Some seats are given another beginning. */
export function planPast(tools: SampleTools, seats: readonly Seat[], days: Days): Map<Seat, PlannedStep[]> {
  const { past_from, left_on, from } = days
  const of = (kind: Seat['kind']) => seats.filter(seat => seat.kind === kind)
  const settled = of('in class').filter(seat => seat.from === past_from && seat.first_class.key === seat.class_key)
  const [returned, joined] = [spread(settled, past_counts.returned), spread(settled.slice(1), past_counts.joined)]
  for (const seat of joined) Object.assign(seat, { from: dayIn(tools, addDays(past_from, 20), addDays(past_from, 270)), open_kind: 'IN', entry_way: '09' })
  return new Map<Seat, PlannedStep[]>([
    ...of('in class').filter(seat => seat.first_class.key !== seat.class_key).map(seat => [seat, [{ kind: 'CLASS' as const, on: from, class_key: seat.class_key }]] as const),
    ...returned.map(seat => [seat, awayAndBack(tools, seat, days)] as const),
    ...of('suspended').map((seat, at) => [seat, [suspension(tools, days, at < past_counts.overdue)]] as const),
    ...of('gone').map(seat => [seat, [leaving(tools, addDays(past_from, 30), addDays(days.today, -2))]] as const),
    ...of('graduated').map(seat => [seat, [{ kind: 'GRAD' as const, on: left_on }]] as const),
  ].map(([seat, steps]) => [seat, [...steps]]))
}

function leaving({ draw }: SampleTools, earliest: string, latest: string): Extract<PlannedStep, { kind: 'OUT' }> {
  return { kind: 'OUT', on: dayIn({ draw }, earliest, latest), reason: draw.pick(leaving_reasons), to_where: draw.pick(schools_around) }
}

/** Left in autumn, came back in spring or with the new school year. */
function awayAndBack(tools: SampleTools, { class_key }: Seat, { past_from, from }: Days): PlannedStep[] {
  const back_on = tools.draw.chance(0.5) ? from : dayIn(tools, addDays(past_from, 160), addDays(past_from, 220))
  return [leaving(tools, addDays(past_from, 40), addDays(past_from, 130)), { kind: 'RETURN', on: back_on, class_key }]
}

/** An overdue one should have been back when the school year began; the others have some months left. */
function suspension(tools: SampleTools, { left_on, from, today }: Days, is_overdue: boolean): PlannedStep {
  const reason = tools.draw.pick(illnesses)
  if (is_overdue) return { kind: 'SUSPEND', on: dayIn(tools, addDays(from, -300), addDays(from, -200)), until: left_on, reason }
  const on = dayIn(tools, addDays(today, -270), addDays(today, -20))
  return { kind: 'SUSPEND', on, until: addDays(on, longest_suspension - 1), reason }
}

function dayIn({ draw }: Pick<SampleTools, 'draw'>, earliest: string, latest: string): string {
  const days = Math.max(0, Math.floor((Date.parse(latest) - Date.parse(earliest)) / 86_400_000))
  return workday(addDays(earliest, draw.between(0, days)))
}
