import { adapters } from '@campus/messages/contract'
import type { OutsideChannel } from '@campus/messages/contract'
import { z } from 'zod'
import type { MessagesHandle } from './db.ts'
import { isOutside } from './template.queries.ts'

const Settings = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

/** How an outside channel is used in a school; `row_version` 0 = nobody has set it, it writes to the log alone. */
export type ChannelSetting = {
  adapter: (typeof adapters)[number]
  settings: z.output<typeof Settings>
  secret_enc: Buffer | null
  receipt_secret_enc: Buffer | null
  day_limit: number
  person_day_limit: number
  quiet_from: string
  quiet_to: string
  enabled: boolean
  row_version: number
}

const untouched: ChannelSetting = { adapter: 'log', settings: {}, secret_enc: null, receipt_secret_enc: null, day_limit: 10_000, person_day_limit: 10, quiet_from: '22:00', quiet_to: '07:00', enabled: true, row_version: 0 }

/** What the school has set for each channel it has touched. */
export async function readChannels(db: MessagesHandle, school_id: number): Promise<ReadonlyMap<OutsideChannel, ChannelSetting>> {
  const rows = await db.selectFrom('message_channel').selectAll().where('school_id', '=', school_id).execute()
  return new Map(rows.flatMap(({ channel, adapter, settings, school_id: _school, ...rest }): [OutsideChannel, ChannelSetting][] =>
    isOutside(channel) ? [[channel, { ...rest, adapter: z.enum(adapters).parse(adapter), settings: Settings.parse(settings) }]] : []))
}

/** The setting of one channel, also when nobody has set it. */
export function settingOf(channels: ReadonlyMap<OutsideChannel, ChannelSetting>, channel: OutsideChannel): ChannelSetting {
  return channels.get(channel) ?? untouched
}
