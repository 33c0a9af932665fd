import type { DevicesViews } from '@campus/devices/server'
import { usual_zones } from '@campus/publishing/contract'
import { createBoards } from '@campus/publishing/server'
import type { PlannedBoards } from '@campus/publishing/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { Drawing } from './drawings.ts'
import type { Work } from './school-work.ts'

/** Boards and screens that have a plan from the start: those that the demo's virtual terminals play come first. */
const [boards, screens] = [16, 4] as const
const pictures = 6
const screen_zones: PlannedBoards['templates'][number]['zones'] = [
  { zone: 'media', title: '图片视频', module: 'media', x: 0, y: 0, w: 17, h: 24, z: 0 },
  { zone: 'clock', title: '时钟', module: 'clock', x: 17, y: 0, w: 7, h: 4, z: 0 },
  { zone: 'countdown', title: '倒计时', module: 'countdown', x: 17, y: 4, w: 7, h: 9, z: 0 },
  { zone: 'notice', title: '通知', module: 'notice', x: 17, y: 13, w: 7, h: 11, z: 0 },
]
const class_zones: PlannedBoards['templates'][number]['zones'] = [
  ...usual_zones[1].map(zone => (zone.zone === 'honour' ? { ...zone, h: 4 } : zone)),
  { zone: 'countdown', title: '倒计时', module: 'countdown', x: 16, y: 20, w: 8, h: 4, z: 0 },
]

/** What some boards of a demo school show: two templates, rules, contents and countdowns. Their files are of the school's library; the boards fetch them when they connect. */
export async function fillBoardContent(work: Work, library: readonly Drawing[]): Promise<void> {
  const { db, school_id } = work
  const devices = asTables<DevicesViews>(db)
  const of = async (device_type: string, limit: number) =>
    (
      await devices
        .selectFrom('device_live_v')
        .select('device_id')
        .where('school_id', '=', school_id)
        .where('device_type', '=', device_type)
        .orderBy('device_sn')
        .limit(limit)
        .execute()
    ).map(row => row.device_id)
  const [of_classes, of_halls] = [await of('03', boards), await of('21', screens)]
  const {
    rows: [author],
  } = await sql<{
    user_id: string
  }>`select user_id::text as user_id from live_staff where school_id = ${school_id} order by user_id limit 1`.execute(db)
  if (!author) return
  const files = library
    .slice(0, pictures)
    .map(({ file_key, sha256, bytes, mime }, at) => ({ file_key, sha256, bytes: bytes.length, mime, name: `校园风光${at + 1}` }))
  const draft = { weekdays: [], order_mode: 1, item_seconds: 10, mute_in_lesson: true }
  await createBoards(work, {
    created_by: author.user_id,
    templates: [
      { name: '班级班牌（含倒计时）', orientation: 1, state: 1, zones: class_zones },
      { name: '大厅横屏', orientation: 1, state: 1, zones: screen_zones },
    ],
    rules: [
      { ...draft, name: '课间播放', day_kind: 2, dayparts: [{ section: 'break' }, { section: 'noon' }, { section: 'after' }] },
      { ...draft, name: '周末', day_kind: 3, dayparts: [{ from: '08:00', to: '18:00' }] },
    ],
    contents: [
      { title: '校园风光', files: files.slice(0, 4), zone: 'media', priority: 5 },
      { title: '课间安全提示', text: '课间不追逐打闹，上下楼梯靠右行', zone: 'media', priority: 6, rule: '课间播放' },
      { title: '艺术作品展', files: files.slice(4), zone: 'media', priority: 5 },
      { title: '降温提醒', text: '今日降温，请注意添衣', zone: 'ticker', priority: 7 },
      { title: '读书节海报', text: '读书节：与好书为伴', zone: 'media', priority: 4, is_draft: true },
    ],
    countdowns: [{ title: '高考', target_on: examDay(work.today), count_mode: 1, style: 1, done_text: '祝考试顺利' }],
    in_template: { template: '大厅横屏', device_ids: of_halls },
    device_ids: [...of_classes, ...of_halls],
  })
}

/** The next 7th of June. */
function examDay(today: string): string {
  const year = Number(today.slice(0, 4))
  return today <= `${year}-06-07` ? `${year}-06-07` : `${year + 1}-06-07`
}
