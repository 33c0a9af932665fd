import { personHistoryApi } from '@campus/people/contract'
import type { Endpoint } from '@kit/contract'
import { commandApi } from './command.ts'
import { deviceApi } from './device.ts'
import { ruleApi } from './rule.ts'
import { syncApi } from './sync.ts'
import type { Remedy } from './sync.ts'

/** What mends something: the words of its button, and the call whose right it needs. */
export const remedies: Readonly<Record<Remedy, { label: string; call: Endpoint }>> = {
  enable: { label: '启用设备', call: deviceApi.enable },
  push: { label: '恢复下发', call: deviceApi.ispush },
  confirm: { label: '确认大批量变更', call: syncApi.hold_confirm },
  place: { label: '移动场所', call: deviceApi.place },
  resend: { label: '重新下发', call: syncApi.resend },
  derive: { label: '重新下发', call: syncApi.resync },
  verify: { label: '回读核对', call: syncApi.resync },
  clock: { label: '校时', call: commandApi.control },
  rule: { label: '查看门禁规则', call: ruleApi.page },
  photo: { label: '更换照片', call: personHistoryApi.history },
  person: { label: '查看人员', call: personHistoryApi.history },
}

/** What is in the way of somebody at a door, and what mends it (chapter 30 §10.1); what is not here no button mends. */
export const mends = {
  device_disabled: 'enable',
  push_paused: 'push',
  mass_held: 'confirm',
  not_placed: 'place',
  private_zone: 'place',
  retry_exhausted: 'resend',
  row_refused: 'resend',
  retrying: 'resend',
  not_derived: 'derive',
  unanswered: 'verify',
  clock_wrong: 'clock',
  rule_closed: 'rule',
  photo_unfit: 'photo',
  face_refused: 'photo',
  person_data: 'person',
} as const satisfies Readonly<Record<string, Remedy>>
export type Cause = keyof typeof mends
