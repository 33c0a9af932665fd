import { AI_WARN_KIND, devicesEvents, devicesTemplates } from '@campus/devices/contract'
import { holdersOf, send } from '@campus/messages/server'
import { asTables } from '@kit/server/db'
import { consume } from '@kit/server/event'
import { minuteText } from '@kit/server/excel'
import type { EventDesk } from '@kit/server/http'
import type { DevicesDb } from '../db.ts'
import { urgent_warnings } from '../event/duty.ts'
import { receiversAt } from './receivers.ts'

const { aiWarningRaised } = devicesEvents
const [longest_place, longest_camera] = [60, 48] as const

/** Who holds the roles that a rule names hears of its warnings; without any, whoever looks after the place. Of who was seen nothing is told. */
export const warningConsumers = [
  consume('devices.warning.tell', aiWarningRaised.name, aiWarningRaised.payload, async (desk, { warning_id, warn_kind, at }) => {
    const warning = await readWarning(desk, warning_id)
    if (!warning) return
    const is_urgent = urgent_warnings.includes(warn_kind)
    const holders = await holdersOf(desk, warning.notify_role_ids)
    const to = holders.length > 0 ? holders : await receiversAt(desk, warning.node_path, is_urgent)
    const values = { kind: AI_WARN_KIND.names[warn_kind], place: cut(warning.node_path_name ?? '已停用的场所', longest_place), camera: cut(warning.device_name, longest_camera), at: minuteText(new Date(at)) }
    if (to.length > 0) await send(desk, { template: devicesTemplates.warning, source_ref: `ai_warning/${warning_id}`, to, values, link: `/KuangshiAIRecord?warning_id=${warning_id}`, level: is_urgent ? 3 : 2 })
  }),
]

/** A warning with what its rule says of who is told; none when it has gone into another one meanwhile. */
function readWarning({ db, school_id }: EventDesk, warning_id: string) {
  return asTables<DevicesDb>(db)
    .selectFrom('ai_warning as w')
    .innerJoin('ai_rule as r', join => join.onRef('r.school_id', '=', 'w.school_id').onRef('r.rule_id', '=', 'w.rule_id'))
    .innerJoin('device as d', join => join.onRef('d.school_id', '=', 'w.school_id').onRef('d.device_id', '=', 'w.camera_device_id'))
    .leftJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 'w.school_id').onRef('p.place_id', '=', 'w.place_id'))
    .select(['r.notify_role_ids', 'd.device_name', 'p.node_path', 'p.node_path_name'])
    .where('w.school_id', '=', school_id)
    .where('w.warning_id', '=', warning_id)
    .where('w.merged_into', 'is', null)
    .executeTakeFirst()
}

function cut(text: string, most: number): string {
  return [...text].slice(0, most).join('')
}
