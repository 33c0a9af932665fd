import { api, get, put } from '@kit/contract'
import { z } from 'zod'
import { most_body, most_title } from './template.ts'

const Code = z.string().max(80).regex(/^[a-z._]+$/)
const Channels = z.array(z.number().int().min(2).max(5)).max(4).refine(all => new Set(all).size === all.length, { error: '通道重复' })

const TemplateDraft = z.object({
  title: z.string().trim().min(1).max(most_title),
  body: z.string().trim().min(1).max(most_body),
  /** outside channels in the order in which they are tried */
  channels: Channels,
  all_channels: z.boolean(),
  provider_template_id: z.string().trim().max(120).nullable(),
  enabled: z.boolean(),
  row_version: z.number().int(),
})

/** A template as the school uses it; `fields` with their most signs, `field_names` as an administrator reads them. `row_version` 0: as declared. */
export const TemplateRow = TemplateDraft.extend({ code: Code, name: z.string(), source: z.string(), fields: z.record(z.string(), z.number().int()), field_names: z.record(z.string(), z.string()) })
export type TemplateRow = z.output<typeof TemplateRow>

const need = 'messages.setting.edit'

export const templateApi = api('web', 'messages.template', {
  list: get('message/template', { reply: z.object({ list: z.array(TemplateRow) }), need }),
  save: put('message/template/:code', { params: z.object({ code: Code }), body: TemplateDraft, reply: TemplateRow, need }),
})
