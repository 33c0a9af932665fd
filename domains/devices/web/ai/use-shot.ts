import { aiRuleApi } from '@campus/devices/contract'
import { call, instantText } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePicture } from '../video/use-live.ts'

const [second_ms, most_tries] = [1000, 12] as const

/** The newest picture of a camera, and `take`: a fresh one is asked of its recorder and waited for; `told` says what came of it. */
export function useShot(camera_id: string) {
  const query = useQuery({ queryKey: [aiRuleApi.shot.call, camera_id], queryFn: ({ signal }) => call(aiRuleApi.shot, { id: camera_id }, { signal, quiet: true }), gcTime: 0, retry: false })
  const [busy, setBusy] = useState(false)
  const [told, tell] = useState<string | null>(null)
  const take = async () => {
    setBusy(true)
    tell(null)
    const before = query.data?.snapshot_at ?? null
    let live = (await query.refetch()).data
    for (let tries = 0; tries < most_tries && live?.device_state === '1' && live.snapshot_at === before; tries += 1) {
      await new Promise(resolve => setTimeout(resolve, second_ms))
      live = (await query.refetch()).data
    }
    tell(outcome(live, before))
    setBusy(false)
  }
  return { picture: usePicture(query.data), at: query.data?.snapshot_at ?? null, is_asking: query.isPending, error: query.error, busy, told, take }
}

function outcome(live: { device_state: string | null; snapshot_at: string | null } | undefined, before: string | null): string {
  if (live && live.snapshot_at !== null && live.snapshot_at !== before) return `已抓到${instantText(live.snapshot_at)}的画面`
  const last = before === null ? '还没有过画面' : `显示的是${instantText(before)}的画面`
  return live?.device_state === '1' ? `录像机没有送来新画面，${last}，请检查录像机的网络和通道` : `摄像机或录像机不在线，${last}，请检查电源和网络`
}
