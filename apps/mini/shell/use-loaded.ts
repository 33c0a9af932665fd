import { useCallback, useEffect, useState } from 'react'
import { sentenceOf } from './ask.ts'

/** Something fetched for a page: nothing yet, the sentence of a failure, or the data; `again` fetches anew and keeps what stands there. */
export type Loaded<T> = { data: T | undefined; failure: string | undefined; again: () => void }

/** Fetches when the page opens, and again when the function changes. */
export function useLoaded<T>(fetchIt: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ data?: T; failure?: string }>({})
  const again = useCallback(() => {
    fetchIt().then(
      data => setState({ data }),
      (cause: unknown) => setState(before => ({ ...before, failure: sentenceOf(cause) })),
    )
  }, [fetchIt])
  useEffect(again, [again])
  return { data: state.data, failure: state.failure, again }
}
