import { configApi } from '@campus/devices/contract'
import type { Request } from '@kit/contract'
import { call } from '@kit/web'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'

const again_ms = 3000

/** The settings that a model takes; without one, those of all models. */
export function useConfigKeys(model_code: string | null) {
  return useQuery({ queryKey: [configApi.keys.call, model_code], queryFn: async ({ signal }) => (await call(configApi.keys, model_code === null ? {} : { model_code }, { signal, quiet: true })).list, staleTime: Number.POSITIVE_INFINITY })
}

/** What a draft would change; asked for again whenever it changes, none as long as it is not whole. */
export function useConfigPreview(draft: Request<typeof configApi.preview> | null) {
  return useQuery({ queryKey: [configApi.preview.call, draft], queryFn: ({ signal }) => (draft ? call(configApi.preview, draft, { signal, quiet: true }) : null), enabled: draft !== null, placeholderData: keepPreviousData, retry: false })
}

/** Reads them again every few seconds while a trial runs. */
export function useAgain(is_running: boolean): void {
  const changed = useConfigChanged()
  useEffect(() => {
    if (!is_running) return undefined
    const timer = setInterval(() => void changed(), again_ms)
    return () => clearInterval(timer)
  }, [is_running, changed])
}

/** Reads everything about settings again. */
export function useConfigChanged(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    await Promise.all([configApi.list, configApi.read, configApi.diff, configApi.targets].map(({ call: name }) => client.invalidateQueries({ queryKey: [name] })))
  }, [client])
}
