import { cameraApi } from '@campus/devices/contract'
import type { Camera } from '@campus/devices/contract'
import { call } from '@kit/web'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'

const page_size = 300

/** All cameras the reader may see, in the order of their places. */
export function useCameras() {
  return useQuery({ queryKey: [cameraApi.list.call, 'all'], queryFn: ({ signal }) => readAll(signal), placeholderData: keepPreviousData })
}

async function readAll(signal: AbortSignal): Promise<Camera[]> {
  const found: Camera[] = []
  for (let page_index = 1; ; page_index += 1) {
    const { list, total } = await call(cameraApi.list, { page_index, page_size }, { signal, quiet: true })
    found.push(...list)
    if (list.length === 0 || found.length >= total) return found
  }
}

/** Reads everything about cameras again. */
export function useCamerasChanged(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: [cameraApi.list.call] })
}
