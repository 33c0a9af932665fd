import { cardFormatApi, readerDeskApi } from '@campus/devices/contract'
import type { ReaderDesk } from '@campus/devices/contract'
import { call, readStoredJson, store } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'

const Kept = z.object({ desk_id: z.string() })

/** The desks of the school. */
export function useDesks() {
  return useQuery({ queryKey: [readerDeskApi.list.call], queryFn: async ({ signal }) => (await call(readerDeskApi.list, {}, { signal, quiet: true })).list })
}

/** The school's ways of writing numbers of cards. */
export function useFormats() {
  return useQuery({ queryKey: [cardFormatApi.list.call], queryFn: async ({ signal }) => (await call(cardFormatApi.list, {}, { signal, quiet: true })).list })
}

/** Reads desks and formats again. */
export function useReadersChanged(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([readerDeskApi.list.call, cardFormatApi.list.call, cardFormatApi.test.call].map(name => client.invalidateQueries({ queryKey: [name] })))
  }
}

/** The desk at which this browser stands: chosen once and remembered, also when somebody else signs in; null as long as none is. */
export function useOwnDesk(): { desk: ReaderDesk | null; choose: (desk: ReaderDesk) => void } {
  const desks = useDesks().data ?? []
  const [chosen, remember] = useState(() => Kept.safeParse(readStoredJson('cardConfig')).data?.desk_id)
  const desk = desks.find(one => one.desk_id === chosen) ?? (desks.length === 1 ? desks[0] : undefined)
  const choose = ({ desk_id }: ReaderDesk) => {
    store('cardConfig', { desk_id })
    remember(desk_id)
  }
  return { desk: desk ?? null, choose }
}
