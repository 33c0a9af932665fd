import { api, get, post, SchoolId } from '@kit/contract'
import { z } from 'zod'

export const DictionaryItem = z.object({
  sc_code_type: z.string(),
  sc_code_item: z.string(),
  name: z.string(),
  order: z.number().int(),
  /** out of use in this school: shown where it is stored, offered nowhere */
  disabled: z.literal(1).optional(),
})

/** `unchanged` answers a caller that already holds this version. */
export const Dictionaries = z.object({ version: z.string(), unchanged: z.literal(1).optional(), list: z.array(DictionaryItem).optional() })

export const dictionaryApi = api('web', 'school.dictionary', {
  all: get('code/get_all_dic', {
    query: z.object({ school_id: SchoolId, version: z.string().max(64).optional() }),
    reply: Dictionaries,
    session: true,
    within: 'school',
  }),
  item: post('code/getItem', {
    reads: true, body: z.object({ sc_code_type: z.string().max(40), sc_code_item: z.string().max(20).optional() }),
    reply: z.object({ list: z.array(DictionaryItem) }),
    session: true,
    within: 'school',
  }),
})
