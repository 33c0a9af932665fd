import { cameraApi, most_tiles } from '@campus/devices/contract'
import type { CameraLive } from '@campus/devices/contract'
import { call, serverNow } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

const second_ms = 1000
const usual_s = 5

/** The way to a camera's picture, asked for again in time; while the page is hidden nobody looks and nobody asks. */
export function useLive(camera_id: string) {
  return useQuery({
    queryKey: [cameraApi.live.call, camera_id],
    queryFn: ({ signal }) => call(cameraApi.live, { id: camera_id }, { signal, quiet: true }),
    refetchInterval: query => (query.state.data?.again_s ?? usual_s) * second_ms,
    staleTime: 0,
    gcTime: 0,
  })
}

/** The newest picture that has come, as an address of this page; the one before stays until it is here. */
export function usePicture(live: CameraLive | undefined): string | undefined {
  const [shown, show] = useState<string>()
  const url = live?.kind === 'snapshot' ? live.url : null
  const version = live?.snapshot_at ?? null
  // One picture has many addresses, each good for a minute: it is fetched once.
  const address = useRef(url)
  useEffect(() => {
    address.current = url
  })
  useEffect(() => {
    if (address.current === null || version === null) return undefined
    const stop = new AbortController()
    fetchPicture(address.current, stop.signal).then(show, () => undefined)
    return () => stop.abort()
  }, [version])
  useEffect(() => () => void (shown !== undefined && URL.revokeObjectURL(shown)), [shown])
  return shown
}

async function fetchPicture(url: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(url, { signal })
  if (!answer.ok) throw new Error(String(answer.status))
  return URL.createObjectURL(await answer.blob())
}

/** Tells the server which cameras are shown no more, so that a look ends when it ends. */
export function useWatched(camera_ids: readonly string[]): void {
  const shown = camera_ids.join()
  useEffect(() => () => {
    const gone = shown.split(',').filter(Boolean).slice(0, most_tiles)
    if (gone.length > 0) void call(cameraApi.watched, { camera_ids: gone }, { quiet: true }).catch(() => undefined)
  }, [shown])
}

/** Seconds since an instant, by the server's clock; goes on by itself. */
export function useAge(at: string | null | undefined): number | null {
  const [now, setNow] = useState(() => serverNow())
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), second_ms)
    return () => clearInterval(timer)
  }, [])
  return at === null || at === undefined ? null : Math.max(0, Math.round((Number(now) - Date.parse(at)) / second_ms))
}
