import type { AdoptionTitle, DeviceAdoption } from '@campus/devices/contract'
import type { Adoption } from './adoption.queries.ts'

/** What of a device decides what is said: its steps, whether it is there, whether nothing is put onto it, whether it comes in with a one-time code and until when (null: it does not), whether a secret can be brought by itself. */
export type Told = { steps: readonly AdoptionTitle[]; is_online: boolean; is_paused: boolean; is_temporary: boolean; prior_until: Date | null; judges_logins: boolean; now: Date }

const by_hand = '请在列表的“更多”中“更换接入密码”，并在设备上填写'
const next_steps: Readonly<Record<AdoptionTitle, string>> = {
  secret: by_hand,
  mqtt: `请在设备上核对服务器地址后点“重试”；仍被拒绝时，${by_hand}`,
  sys: '请在设备自己的管理页面上核对这些设置，或升级设备固件，再点“重试”',
  ntp: '请在设备自己的管理页面上把时区改为 Asia/Shanghai，再点“重试”',
  base: '请在“设备密码”中为它换一个密码，再点“重试”',
  access: '请在设备自己的管理页面上核对这些设置，或升级设备固件，再点“重试”',
}
const brings_secret: readonly AdoptionTitle[] = ['secret', 'mqtt']

/** How far a device has come, each step with what it waits for or what to do. */
export function adoptionTold({ step, note, is_refused, secret_sealed, begun_at, done_at }: Adoption, { steps, ...told }: Told): DeviceAdoption {
  const at = done_at === null ? steps.findIndex(one => one === step) : steps.length
  return {
    steps: steps.map((one, n) => {
      if (n < at) return { step: one, state: 'done', sentence: null }
      if (n > at) return { step: one, state: 'waiting', sentence: null }
      return is_refused ? { step: one, state: 'refused', sentence: `${note ?? '设备拒绝了设置'}。${next_steps[one]}${deadline(one, told)}` } : { step: one, state: 'waiting', sentence: waitsFor(one, { ...told, note, has_secret: secret_sealed !== null }) }
    }),
    begun_at: begun_at.toISOString(),
    done_at: done_at?.toISOString() ?? null,
  }
}

function waitsFor(step: AdoptionTitle, { note, has_secret, ...told }: Omit<Told, 'steps'> & { note: string | null; has_secret: boolean }): string {
  const { is_online, is_temporary, judges_logins } = told
  if (brings_secret.includes(step) && is_temporary && !has_secret) return judges_logins ? '设备下次连接时自动更换' : `外部消息服务器按密码文件认证，不能自动更换：${by_hand}，再导出密码文件`
  if (brings_secret.includes(step) && is_temporary && told.prior_until !== null && told.prior_until <= told.now) return `登记码已失效，设备不能再连接：${by_hand}`
  if (note !== null) return `${note}${deadline(step, told)}`
  // The console's password is a row like any other, and waits with them.
  if (step === 'base' && told.is_paused) return '设备已停用或暂停了下发，恢复后自动继续'
  return is_online ? '正在设置并读回核对' : `等设备连接后自动继续${deadline(step, told)}`
}

/** Until when the one-time code still opens; whoever has not got its secret by then has to be set up by hand. */
function deadline(step: AdoptionTitle, { is_temporary, prior_until }: Pick<Told, 'is_temporary' | 'prior_until'>): string {
  if (!is_temporary || prior_until === null || !brings_secret.includes(step)) return ''
  const local = new Date(prior_until.getTime() + 8 * 3_600_000).toISOString()
  return `（登记码${local.slice(5, 7)}月${local.slice(8, 10)}日${local.slice(11, 16)}失效）`
}
