import type { Request } from '../driver.ts'
import { ownPrefix } from './topic.ts'

/** What the school has of its own for a device that comes under its wing. */
export type Adoption = { addr: string; prefix: string; sn: string; secret: string; console_password: string; password_length: 4 | 6 | 8; keeps_strangers: boolean; uploads_pictures: boolean }

/**
 * The steps by which a device that has come in with its one-time code becomes the school's own, in their order; each is read back from its reply before the next
 * (chapter 31 §5.7.1). After the first the device comes again under its new identity; after the third it restarts by itself.
 */
export function adoptionSteps({ addr, prefix, sn, secret, console_password, password_length, keeps_strangers, uploads_pictures }: Adoption): Request[] {
  const steps = [
    { mqtt: { addr, username: sn, password: secret, prefix: ownPrefix(prefix, sn), clientIdSuffix: 0, cleanSession: 1, qos: 1, timeout: 10 } },
    { sys: { heart_en: 1, heart_time: 30, passwordLength: password_length, faceImageRetention: 0, strangerImage: keeps_strangers ? 1 : 0 } },
    { ntp: { timeZone: 'Asia/Shanghai' } },
    { base: { password: console_password } },
    { access: { offlineAccessNum: 2000, uploadToCloud: uploads_pictures ? 1 : 0 } },
  ]
  return steps.map(data => ({ action: 'setConfig', data, rows: [], is_read: false }))
}
