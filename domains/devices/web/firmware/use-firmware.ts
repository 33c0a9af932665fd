import { firmwareApi } from '@campus/devices/contract'
import { call } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'

const again_ms = 3000

/** Packages that fit every one of these models; of all where none is named. */
export function usePackages(model_codes: readonly string[]) {
  return useQuery({
    queryKey: [firmwareApi.list.call, 'choice'],
    queryFn: async ({ signal }) => (await call(firmwareApi.list, { page_size: '300' }, { signal, quiet: true })).list,
    select: list => list.filter(one => model_codes.every(code => one.model_codes.includes(code))),
  })
}

/** Reads packages and tasks again. */
export function useFirmwareChanged(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    await Promise.all([firmwareApi.list, firmwareApi.tasks, firmwareApi.task, firmwareApi.history].map(({ call: name }) => client.invalidateQueries({ queryKey: [name] })))
  }, [client])
}

/** Reads them again every few seconds while something is under way. */
export function useFollow(is_running: boolean): void {
  const changed = useFirmwareChanged()
  useEffect(() => {
    if (!is_running) return undefined
    const timer = setInterval(() => void changed(), again_ms)
    return () => clearInterval(timer)
  }, [is_running, changed])
}
