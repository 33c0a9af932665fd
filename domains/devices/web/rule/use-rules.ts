import { deviceApi, ruleApi } from '@campus/devices/contract'
import type { DeviceRuleBody } from '@campus/devices/contract'
import type { Input } from '@kit/contract'
import { call, useCan } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useReadAgain } from './rule-table.tsx'
import type { RuleKind } from './rule-words.ts'

export type Drafted = Input<typeof ruleApi.preview>

/** What a draft would do; asked for again whenever it changes, none as long as it is not whole. */
export function usePreview(draft: Drafted | null) {
  return useQuery({ queryKey: [ruleApi.preview.call, draft], queryFn: ({ signal }) => (draft ? call(ruleApi.preview, draft, { signal, quiet: true }) : null), enabled: draft !== null, placeholderData: keepPreviousData })
}

/** Devices to choose from, by what was typed, of one model alone where it is named. */
export function useDeviceChoices(keyword: string, model_code?: string) {
  const enabled = useCan(deviceApi.list)
  return useQuery({ queryKey: [deviceApi.list.call, 'choice', keyword, model_code], queryFn: async ({ signal }) => (await call(deviceApi.list, { page_size: '50', sort: 'place', ...(keyword === '' ? {} : { keyword }), ...(model_code === undefined ? {} : { model_code }) }, { signal, quiet: true })).list, enabled, placeholderData: keepPreviousData })
}

/** Reads the rules again. */
export function useRulesChanged(): () => Promise<void> {
  return useReadAgain([ruleApi.page])
}

/** A body of a kind as it begins. */
export function newBody(kind: RuleKind): DeviceRuleBody {
  if (kind === 1) return { kind, unlock_sec: 5, held_open_sec: 30, fire_opens: true, windows: [] }
  if (kind === 2) return { kind, windows: [], stays_on: [] }
  return { kind, idle_minutes: 10, brightness: 20, wake_on: 'touch', windows: [] }
}
