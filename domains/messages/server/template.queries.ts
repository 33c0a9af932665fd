import type { MessageTemplate, OutsideChannel } from '@campus/messages/contract'
import type { MessagesHandle } from './db.ts'

/** A template as a school uses it; `row_version` 0 = as its domain declares it. */
export type SchoolTemplate = {
  title: string
  body: string
  channels: readonly OutsideChannel[]
  all_channels: boolean
  provider_template_id: string | null
  enabled: boolean
  row_version: number
}

/** The school's words and channels of a template, else the declared ones. */
export async function readTemplate(db: MessagesHandle, school_id: number, declared: MessageTemplate): Promise<SchoolTemplate> {
  const changed = await db
    .selectFrom('message_template')
    .select(['title', 'body', 'channels', 'all_channels', 'provider_template_id', 'enabled', 'row_version'])
    .where('school_id', '=', school_id)
    .where('code', '=', declared.code)
    .executeTakeFirst()
  if (changed) return { ...changed, channels: changed.channels.filter(isOutside) }
  const { title, body, channels, all_channels = false } = declared
  return { title, body, channels, all_channels, provider_template_id: null, enabled: true, row_version: 0 }
}

/** The providers' own names of templates, as far as the school has given them. */
export async function providerTemplates(db: MessagesHandle, school_id: number): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('message_template').select(['code', 'provider_template_id']).where('school_id', '=', school_id).execute()
  return new Map(rows.flatMap(({ code, provider_template_id }): [string, string][] => (provider_template_id === null ? [] : [[code, provider_template_id]])))
}

/** True for the channels that leave the product. */
export function isOutside(channel: number): channel is OutsideChannel {
  return channel >= 2 && channel <= 5
}
