import { createAiRules, createWarnings, imageUse, seeingCameras } from '@campus/devices/server'
import type { PlannedAiRule, PlannedWarning, SeeingCamera } from '@campus/devices/server'
import type { IdentityViews } from '@campus/identity/server'
import { asTables } from '@kit/server/db'
import { drawFiles, keepDrawings, made_by } from './drawings.ts'
import type { Drawing, Sketch } from './drawings.ts'
import { startOfDay } from './school-year.ts'
import type { Work } from './school-work.ts'
import { drawScene } from './scenes.ts'

type Week = boolean[]
type Scene = Sketch & Drawing
type Kind = PlannedAiRule['warn_kind']
/** A rule, the places that it fits, and what its warnings turn out to be: of so many hundred decided ones nothing was the matter. */
type Plan = { rule: Omit<PlannedAiRule, 'cameras'>; at: RegExp; hours: readonly number[]; nothing_pct: number }

const [warning_count, days, undecided_days, cameras_each] = [60, 28, 2, 6] as const
const [day_ms, hour_ms, minute_ms] = [86_400_000, 3_600_000, 60_000] as const
const workdays: Week = [true, true, true, true, true, false, false]
const every_day: Week = [true, true, true, true, true, true, true]
const middle = [{ x: 0.12, y: 0.28 }, { x: 0.88, y: 0.28 }, { x: 0.96, y: 0.94 }, { x: 0.04, y: 0.94 }]

const plans: readonly Plan[] = [
  { rule: { rule_name: '夜间校门陌生人', warn_kind: '1', windows: [{ weekdays: every_day, begin: '22:00', end: '06:00' }], dwell_sec: 20 }, at: /门/u, hours: [22, 23, 5], nothing_pct: 45 },
  { rule: { rule_name: '放学后实验楼入侵', warn_kind: '2', windows: [{ weekdays: every_day, begin: '18:30', end: '06:30' }], dwell_sec: 10 }, at: /实验|计算机/u, hours: [19, 20, 21], nothing_pct: 30 },
  { rule: { rule_name: '课间走廊人员聚集', warn_kind: '3', windows: [{ weekdays: workdays, begin: '07:30', end: '17:30' }], dwell_sec: 60, sensitivity: 50, merge_sec: 300 }, at: /\d层/u, hours: [9, 10, 15], nothing_pct: 50 },
  { rule: { rule_name: '走廊与操场打架', warn_kind: '4', sensitivity: 70, merge_sec: 120 }, at: /\d层|楼$/u, hours: [8, 12, 16], nothing_pct: 35 },
  { rule: { rule_name: '围墙和校门翻越', warn_kind: '5', sensitivity: 75 }, at: /门|楼$/u, hours: [6, 12, 21], nothing_pct: 20 },
  { rule: { rule_name: '楼梯口跌倒', warn_kind: '6', dwell_sec: 5, sensitivity: 65 }, at: /\d层/u, hours: [10, 11, 14], nothing_pct: 40 },
  { rule: { rule_name: '教学楼抽烟', warn_kind: '7', sensitivity: 80, merge_sec: 600 }, at: /\d层|教室/u, hours: [12, 17, 18], nothing_pct: 80 },
  { rule: { rule_name: '实验室明火烟雾', warn_kind: '8', sensitivity: 85, merge_sec: 600 }, at: /实验/u, hours: [10, 14, 15], nothing_pct: 60 },
]

/** What the cameras saw, drawn and not photographed: the pictures of each of sixty warnings. */
export function drawScenes(school_id: number): Promise<Scene[][]> {
  return Promise.all(Array.from({ length: warning_count }, (_, at) => drawFiles(school_id, Array.from({ length: Math.min(hitsOf(at), 1 + (at % 4)) }, (_, n) => ({ name: `past-${at}-${n}.jpg`, svg: drawScene(planOf(at).rule.warn_kind, at * 5 + n) })))))
}

/** Sixty warnings of four weeks in all kinds with these pictures; those of the last two days nobody has looked at yet. */
export async function fillWarnings(work: Work, scenes: readonly Scene[][]): Promise<void> {
  const { db, school_id, now } = work
  const seeing = await seeingCameras(db, school_id, now)
  // Cameras go by the real day: of a school year that is to come none sees anything yet.
  if (seeing.length === 0) return
  const chosen = plans.map(plan => ({ plan, cameras: seeing.filter(camera => plan.at.test(belowSchool(camera))).slice(0, cameras_each) }))
  const rules = await createAiRules(db, school_id, chosen.map(({ plan, cameras }) => ({ ...plan.rule, cameras: cameras.map(({ camera_device_id }, n) => ({ camera_device_id, roi: n % 2 === 0 ? middle : null })) })))
  const deciders = await asTables<IdentityViews>(db).selectFrom('school_user_v').select('user_id').where('school_id', '=', school_id).where('user_kind', '=', 2).where('left_at', 'is', null).orderBy('user_id').limit(3).execute()
  const today = startOfDay(work.today)
  const warnings = scenes.map((drawn, at) => {
    const n = at % plans.length
    return planOne(at, { plan: planOf(at), cameras: chosen[n]?.cameras ?? [], rule_id: rules[n] ?? '', by: deciders[at % Math.max(1, deciders.length)]?.user_id ?? made_by, today, now, drawn })
  })
  await keepDrawings(work, 'warning', warnings.flatMap(({ box_device_id }, at) => (scenes[at] ?? []).map(scene => ({ ...scene, ref: imageUse({ box: box_device_id, ref: scene.name }) }))))
  await createWarnings(db, school_id, warnings)
}

function planOf(at: number): Plan {
  const plan = plans[at % plans.length]
  if (!plan) throw new Error('nothing is planned to be seen')
  return plan
}

function hitsOf(at: number): number {
  return 1 + ((at * 11) % 37)
}

/** Where a camera is, without the name of the school. */
function belowSchool({ node_path_name }: SeeingCamera): string {
  return node_path_name.slice(node_path_name.indexOf('/') + 1)
}

type Facts = { plan: Plan; cameras: readonly SeeingCamera[]; rule_id: string; by: string; today: Date; now: Date; drawn: readonly Scene[] }

function planOne(at: number, { plan, cameras, rule_id, by, today, now, drawn }: Facts): PlannedWarning {
  const camera = cameras[(at * 7) % cameras.length]
  if (!camera) throw new Error(`${plan.rule.rule_name}: a rule that looks through no camera`)
  const days_ago = Math.floor((at * at * days) / (warning_count * warning_count))
  const planned = today.getTime() - days_ago * day_ms + (plan.hours[at % plan.hours.length] ?? 12) * hour_ms + ((at * 13) % 60) * minute_ms
  // What would be later today was yesterday.
  const begin = planned > now.getTime() ? planned - day_ms : planned
  const hits = hitsOf(at)
  const is_open = Math.min(now.getTime(), today.getTime() + day_ms) - begin < undecided_days * day_ms
  const is_nothing = (at * 17 + Math.floor(at / plans.length) * 41) % 100 < plan.nothing_pct
  const decided_at = new Date(begin + (9 + (at % 50)) * minute_ms)
  return {
    camera_device_id: camera.camera_device_id, box_device_id: camera.box_device_id, place_id: camera.place_id, rule_id, warn_kind: plan.rule.warn_kind, begin_at: new Date(begin), end_at: new Date(begin + (hits - 1) * 2500), hits, images: imagesOf(at, camera.box_device_id, begin, drawn),
    decided: is_open ? null : { by, at: decided_at, state: is_nothing ? 1 : 2, note: is_nothing ? (notes.nothing[at % notes.nothing.length] ?? null) : (notes.something[plan.rule.warn_kind] ?? null) },
  }
}

const notes: { nothing: readonly (string | null)[]; something: Readonly<Partial<Record<Kind, string>>> } = {
  nothing: ['保洁人员工作', '学生正常玩闹，已核实', null, '光线变化引起'],
  something: { 1: '已由门卫劝离', 2: '已通知安保到场', 4: '已通知班主任和家长', 5: '学生翻越围墙，已通知年级组', 6: '学生扭伤，已送医务室', 7: '已批评教育', 8: '实验结束未熄灭酒精灯，已处理' },
}

function imagesOf(at: number, box: string, begin: number, drawn: readonly Scene[]): PlannedWarning['images'] {
  return drawn.map(({ name, file_key }, n) => ({ box, ref: name, at: new Date(begin + n * 2500).toISOString(), score: 60 + ((at * 17 + n * 9) % 38), file_key }))
}
