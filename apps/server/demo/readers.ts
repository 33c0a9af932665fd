import { reader_port } from '@campus/devices/contract'
import { createReaders } from '@campus/devices/server'
import type { DevicesViews, PlannedReaders } from '@campus/devices/server'
import type { PeopleViews } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { demo_card_uids } from '@kit/terminal-protocol'
import type { Work } from './school-work.ts'

const minute_ms = 60_000
const [day_min, most_pupils] = [1440, 200] as const
const [sample = ''] = demo_card_uids
const plain = { truncation: 'none', pad: true, upper: true, sample } as const
/** Where cards are issued, and how their readers write them. */
const formats: PlannedReaders['formats'] = [
  { ...plain, format_name: '正码十六进制', input: 'hex', byte_order: 'as_is' },
  { ...plain, format_name: '反码10位十进制', input: 'dec10', byte_order: 'reversed' },
  { ...plain, format_name: '卡面8位（3+5）', input: 'dec8', byte_order: 'as_is' },
  { ...plain, format_name: '班牌后8位', input: 'hex', byte_order: 'as_is', truncation: '8' },
]
const desk = { reader_ip: '127.0.0.1', port: reader_port, mode: 'uid' } as const
const desks: PlannedReaders['desks'] = [
  { ...desk, desk_name: '总务处发卡窗口', format: '正码十六进制' },
  { ...desk, desk_name: '教务处补卡窗口', format: '正码十六进制' },
  { ...desk, desk_name: '食堂充值窗口', reader_ip: '192.168.10.31', format: '卡面8位（3+5）' },
  { ...desk, desk_name: '图书馆', reader_ip: '192.168.10.42', format: '反码10位十进制' },
  { ...desk, desk_name: '门卫室', reader_ip: '192.168.10.11', format: null },
  { ...desk, desk_name: '社保卡登记台', mode: 'social', format: '正码十六进制' },
]
/** Doors that cards came to which nobody knows: which terminal, last signs, how often, how many minutes ago. */
const strange: readonly (readonly [nth: number, masked: string, times: number, ago_min: number])[] = [[0, '****7C3E', 14, 25], [2, '****19F0', 9, 190], [3, '****7C3E', 6, 1_460], [5, '****A04D', 3, 2_900], [8, '****5512', 2, 4_400], [11, '****E7B1', 1, 7_100]]
const turned: readonly (readonly [nth: number, who: number, times: number, ago_min: number])[] = [[1, 40, 22, 60], [1, 77, 8, 95], [1, 120, 17, 1_500]]

/** Desks at which cards are read, formats of numbers, and cards that doors have seen and nobody knows. `cards`: by user id, how devices call his card. */
export async function fillReaders({ db, school_id, now }: Work, cards: ReadonlyMap<string, string>): Promise<void> {
  const terminals = await asTables<DevicesViews>(db).selectFrom('device_live_v').select('device_id').where('school_id', '=', school_id).where('device_type', '=', '01').orderBy('device_sn').execute()
  const pupils = await asTables<PeopleViews>(db).selectFrom('live_student').select('user_id').where('school_id', '=', school_id).orderBy('student_no').limit(most_pupils).execute()
  const ago = (minutes: number) => new Date(now.getTime() - minutes * minute_ms)
  const sightings = [
    ...strange.map(([nth, code_masked, times, min]) => ({ device_id: terminals[nth]?.device_id ?? '', code_masked, heard_input: null, heard_order: null, credential_ref: null, times, first_at: ago(min + times * day_min), last_at: ago(min) })),
    ...turned.map(([nth, who, times, min]) => ({ device_id: terminals[nth]?.device_id ?? '', code_masked: '****832A', heard_input: 'hex' as const, heard_order: 'reversed' as const, credential_ref: cards.get(pupils[who]?.user_id ?? '') ?? null, times, first_at: ago(min + times * day_min), last_at: ago(min) })),
  ]
  await createReaders(db, school_id, { formats, desks, sightings })
}
