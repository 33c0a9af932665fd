import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createFirmware, createProfiles } from '@campus/devices/server'
import type { DevicesViews, PlannedFirmware, PlannedProfile } from '@campus/devices/server'
import type { IdentityViews } from '@campus/identity/server'
import { asTables } from '@kit/server/db'
import type { Db } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { upgrade } from './odd-devices.ts'
import { startOfDay } from './school-year.ts'
import type { Work } from './school-work.ts'

type Site = { place_id: string; place_kind: number; place_name: string }
type Package = Pick<PlannedFirmware, 'model_codes' | 'kind' | 'version' | 'notes'> & { days_ago: number; /** as large as such programs are, where it is really to be brought to somebody */ is_large?: boolean; tasks: PlannedFirmware['tasks'] }

const [building, gate, dormitory] = [2, 9, 10] as const
const configured: readonly number[] = [building, gate, dormitory]
const day_ms = 86_400_000
/** The first line by which a virtual terminal knows what a package is, and something behind it. */
const [filling, large_filling] = [24 * 1024, 24 * 1024 * 1024] as const

/** How the devices of a school of this size are set. */
export async function fillDeviceProfiles({ db, school_id, today }: Work, all_sites: readonly Site[]): Promise<void> {
  const sites = all_sites.filter(site => configured.includes(site.place_kind)).toSorted((a, b) => Number(BigInt(a.place_id) - BigInt(b.place_id)))
  await createProfiles(db, school_id, profiles(sites), { by: await clerk(asTables<IdentityViews>(db), school_id), from: new Date(startOfDay(today).getTime() - 70 * day_ms) })
}

/** Who does such things. */
async function clerk(db: Db<IdentityViews>, school_id: number): Promise<string> {
  return (await db.selectFrom('school_user_v').select('user_id').where('school_id', '=', school_id).where('user_kind', '=', 2).where('left_at', 'is', null).orderBy('user_id').executeTakeFirstOrThrow()).user_id
}

/** The firmware that was brought to devices; nothing that they say of themselves contradicts it. */
export async function fillFirmware({ app, db, school_id, today }: Work): Promise<void> {
  const devices = await asTables<DevicesViews>(db).selectFrom('device_live_v').select(['device_id', 'model_code']).where('school_id', '=', school_id).orderBy('device_sn').execute()
  const by = await clerk(asTables<IdentityViews>(db), school_id)
  const of = (model_code: string) => devices.filter(one => one.model_code === model_code).map(one => one.device_id)
  const day = startOfDay(today)
  await createFirmware(db, school_id, await Promise.all(packages(of, day).map(one => keepPackage(app, school_id, one, day))), by)
}

function profiles(sites: readonly Site[]): PlannedProfile[] {
  const at = (kind: number, part = /./u) => sites.filter(site => site.place_kind === kind && part.test(site.place_name)).map(site => site.place_id)
  return [
    { profile_name: '全校校时与防拆', values: { 'ntp.server': 'ntp.aliyun.com', 'access.tamper': 1 } },
    { profile_name: '人脸终端识别', model_code: 'JD-F10', values: { 'face.similarity': 0.65, 'face.livenessOff': 1, 'face.livenessVal': 6, 'face.recheck': 8, 'access.relayTime': 5 } },
    { profile_name: '校门早高峰快速通行', model_code: 'JD-F10', place_ids: at(gate), values: { 'face.recheck': 3, 'face.recognitionTimeout': 3, 'access.relayTime': 3 } },
    { profile_name: '宿舍人脸机识别', model_code: 'VF105', values: { 'face.similarity': 0.6, 'face.recheck': 10, 'access.relayTime': 5, 'base.volume': 4 } },
    { profile_name: '宿舍楼低音量', model_code: 'JD-F10', place_ids: at(dormitory), values: { 'base.volume': 2, 'base.brightness': 50 } },
    { profile_name: '教学楼班牌亮度音量', model_code: 'JD-B32', place_ids: at(building, /教学楼/u), values: { 'base.brightness': 60, 'base.volume': 3 } },
    { profile_name: '走廊信息屏', model_code: 'JD-S43', values: { 'base.brightness': 85, 'base.volume': 1 } },
  ]
}

function packages(of: (model_code: string) => readonly string[], today: Date): Package[] {
  const ago = (days: number, hour: number) => new Date(today.getTime() - days * day_ms + hour * 3_600_000)
  const night = { window_from: '22:00', window_to: '05:00' }
  return [
    { model_codes: ['JD-F10', 'JD-K12'], kind: 'jap', version: '1.0.0', notes: '暑期统一升级：活体检测和离线记录补传', days_ago: 62, tasks: [{ ...night, state: 'done', wave: 3, held_reason: null, device_ids: [...of('JD-F10'), ...of('JD-K12')], from_version: '0.9.8', at: ago(61, 16), fate: () => ({ state: 'UPDATED', error: null }) }] },
    { model_codes: ['JD-B32'], kind: 'jap', version: '1.1.0', notes: '班牌播放器：课表翻页、节能模式', days_ago: 9, tasks: [{ ...night, state: 'held', wave: 1, held_reason: '第1批1台中有1台失败', device_ids: of('JD-B32'), from_version: '1.0.0', at: ago(8, 15), fate: wave => (wave === 1 ? { state: 'FAILED', error: '版本未变化' } : { state: 'QUEUED', error: null }) }] },
    { model_codes: ['JD-S43'], kind: 'jap', version: upgrade.version, notes: '信息屏：开机画面、断网续播', days_ago: 2, is_large: true, tasks: [{ window_from: null, window_to: null, state: 'running', wave: 3, held_reason: null, device_ids: of('JD-S43').slice(0, upgrade.done.length + upgrade.under_way.length), from_version: '1.0.0', at: ago(1, 15), fate: wave => ({ state: wave < 3 ? 'UPDATED' : 'QUEUED', error: null }) }] },
    { model_codes: ['VF105'], kind: 'dpk', version: '12.0.4', notes: '厂家安全补丁，尚未下发，先在一台上试', days_ago: 3, tasks: [] },
  ]
}

async function keepPackage({ files, config }: App, school_id: number, { days_ago, model_codes, kind, version, notes, tasks, is_large = false }: Package, today: Date): Promise<PlannedFirmware> {
  const bytes = Buffer.concat([Buffer.from(`campus-firmware ${version}\n`), Buffer.alloc(is_large && config.CAMPUS_ENV !== 'test' ? large_filling : filling, `${model_codes.join(' ')} ${version} `)])
  const hash = (name: 'md5' | 'sha256') => createHash(name).update(bytes).digest('hex')
  const file_name = `${model_codes.join('_')}_${version}.${kind}`
  const file_key = `${school_id}/firmware/${file_name}`
  await mkdir(dirname(files.pathOf(file_key)), { recursive: true, mode: 0o700 })
  await writeFile(files.pathOf(file_key), bytes)
  return { model_codes, kind, version, file_name, file_key, size: bytes.length, sha256: hash('sha256'), md5: hash('md5'), notes, uploaded_at: new Date(today.getTime() - days_ago * day_ms + 9 * 3_600_000), tasks }
}
