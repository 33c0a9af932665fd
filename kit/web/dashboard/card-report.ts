import { createContext, useContext, useEffect } from 'react'

/** What a card tells its frame: when its figures came, whether it is asking again, and how to make it ask. */
export type CardReport = { at: number; busy: boolean; again: () => void }

export const CardReportContext = createContext<(report: CardReport) => void>(() => undefined)

/** Tells the frame around a card how its figures stand. */
export function useCardReport({ at, busy, again }: CardReport): void {
  const report = useContext(CardReportContext)
  useEffect(() => {
    report({ at, busy, again })
  }, [report, at, busy, again])
}
