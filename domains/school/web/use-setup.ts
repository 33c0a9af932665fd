import { setupApi } from '@campus/school/contract'
import type { SetupList } from '@campus/school/contract'
import { call, toast } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

const FRESH_MS = 3000

/** The set-up list of the school as the identity sees it; undefined until it is known, and where it could not be read. */
export type Setup = { list: SetupList | undefined; busy: boolean; hide: (hidden: boolean) => void }

/** The set-up list, read again whenever the window comes back: steps are done on other pages. */
export function useSetup(): Setup {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const { data } = useQuery({
    queryKey: [setupApi.list.call],
    queryFn: ({ signal }) => call(setupApi.list, {}, { signal, quiet: true }),
    refetchOnWindowFocus: true,
    // Several parts of one page ask at once.
    staleTime: FRESH_MS,
  })
  const put = async (hidden: boolean) => {
    setBusy(true)
    try {
      await call(setupApi.hide, { hidden })
      await client.invalidateQueries({ queryKey: [setupApi.list.call] })
      if (hidden) toast.success('清单已隐藏，可在首页底部重新显示')
    } finally {
      setBusy(false)
    }
  }
  return { list: data, busy, hide: (hidden) => void put(hidden).catch(() => undefined) }
}
