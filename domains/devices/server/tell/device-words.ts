import type { Sender } from '@campus/messages/server'
import { asTables } from '@kit/server/db'
import type { DevicesDb } from '../db.ts'

/** Names that are said before it says how many more there are. */
export const most_named = 4
const longest_name = 11
/** Where somebody looks after devices. */
export const home = '/DeviceControl'

type Place = { device_name: string; node_path: string | null; node_path_name: string | null }

/** How a device is called and where it stands now; undefined when it is not there. */
export async function placeOf({ db, school_id, now }: Sender, device_id: string): Promise<Place | undefined> {
  return asTables<DevicesDb>(db)
    .selectFrom('device as d')
    .leftJoin('device_place as s', join => join.onRef('s.school_id', '=', 'd.school_id').onRef('s.device_id', '=', 'd.device_id').on('s.valid_from', '<=', now).on(eb => eb.or([eb('s.valid_to', 'is', null), eb('s.valid_to', '>', now)])))
    .leftJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 's.school_id').onRef('p.place_id', '=', 's.place_id'))
    .select(['d.device_name', 'p.node_path', 'p.node_path_name'])
    .where('d.school_id', '=', school_id)
    .where('d.device_id', '=', device_id)
    .executeTakeFirst()
}

/** The first names of many; `unit`: what they are counted in, null where the count stands elsewhere. */
export function namesOf(names: readonly string[], unit: string | null): string {
  return names.slice(0, most_named).map(name => cut(name, longest_name)).join('、') + (names.length > most_named ? `等${unit === null ? '' : `${names.length}${unit}`}` : '')
}

/** A text that is no longer than its field. */
export function cut(text: string, most: number): string {
  return [...text].slice(0, most).join('')
}
