import { ai_most_days, aiChannel, aiRecordApi, aiRuleApi } from '@campus/devices/contract'
import type { AiWarning } from '@campus/devices/contract'
import type { Request } from '@kit/contract'
import { call, schoolToday, sentenceOf, toast, useChannel } from '@kit/web'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { dayjs } from '@kit/web/day'
import { useRef } from 'react'

const told_together_ms = 500
/** Addresses of pictures live five minutes: the list is asked for again before. */
const fresh_ms = 240_000
export const page_size = 50

/** What the list is filtered by, as it stands in the address. */
export type WarningSearch = Readonly<Record<string, string | undefined>>
export type Asked = Request<typeof aiRecordApi.summary>
export type Decision = 'ignore' | 'illegal' | 'undo'
const names = ['warn_kind', 'place_id', 'camera_device_id', 'rule_id', 'state'] as const
const week_days = 7

/** What is asked for: without days the last seven, never more than may be looked at together. */
export function askedOf(search: WarningSearch): Asked {
  const to = search['to'] ?? schoolToday()
  const wanted = search['from'] ?? dayjs(to).subtract(week_days - 1, 'day').format('YYYY-MM-DD')
  const earliest = dayjs(to).subtract(ai_most_days - 1, 'day').format('YYYY-MM-DD')
  return { from: wanted < earliest ? earliest : wanted, to, ...Object.fromEntries(names.flatMap(name => (search[name] === undefined ? [] : [[name, search[name]]]))) }
}

/** The warnings of a page; old ones stay while new ones come. */
export function useWarnings(asked: Asked, page_index: number) {
  return useQuery({ queryKey: [aiRecordApi.page.call, asked, page_index], queryFn: ({ signal }) => call(aiRecordApi.page, { ...asked, page_index, page_size }, { signal, quiet: true }), placeholderData: keepPreviousData, refetchInterval: fresh_ms })
}

/** How many in each state, and when and where. */
export function useWarningSums(asked: Asked) {
  return useQuery({ queryKey: [aiRecordApi.summary.call, asked], queryFn: ({ signal }) => call(aiRecordApi.summary, asked, { signal, quiet: true }), placeholderData: keepPreviousData })
}

/** Who has decided what of a warning. */
export function useDecisions({ warning_id, state }: Pick<AiWarning, 'warning_id' | 'state'>) {
  return useQuery({ queryKey: [aiRecordApi.decisions.call, warning_id, state], queryFn: async ({ signal }) => (await call(aiRecordApi.decisions, { warning_id }, { signal, quiet: true })).list })
}

/** Reads warnings again. */
export function useWarningsChanged(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([aiRecordApi.page, aiRecordApi.summary, aiRuleApi.page].map(({ call: name }) => client.invalidateQueries({ queryKey: [name] })))
  }
}

/** Reads warnings again when something is told of a place; what comes within half a second is one reading. */
export function useWarningEar(place_id: string): void {
  const changed = useWarningsChanged()
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const soon = () => {
    waiting.current ??= setTimeout(() => {
      waiting.current = undefined
      void changed()
    }, told_together_ms)
  }
  useChannel(aiChannel, soon, { of: place_id, onGap: soon })
}

/** Decides of warnings, those of one state together; who was faster is told, and the list is read again. @returns whether it was done */
export async function decide(what: Decision, warnings: readonly AiWarning[], note?: string): Promise<boolean> {
  try {
    for (const [seen_state, of] of Map.groupBy(warnings, one => one.state)) await call(aiRecordApi[what], { ids: of.map(one => one.warning_id), seen_state, ...(note ? { note } : {}) }, { quiet: true })
    toast.success(what === 'undo' ? '已撤销，恢复为待处理' : `已标记为${what === 'ignore' ? '忽略' : '违规'}${warnings.length > 1 ? `：${warnings.length}条` : ''}`)
    return true
  } catch (cause) {
    toast.error(sentenceOf(cause))
    return false
  }
}
