import { teachingApi } from '@campus/teaching/contract'
import type { TeachingTerm } from '@campus/teaching/contract'
import { useCall } from '@kit/web/part'
import { Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Terms = { terms: readonly TeachingTerm[]; semester_id: number | undefined; select: ReactNode; ready: boolean }

/** The terms of the school and the chosen one: today's until another is chosen. */
export function useTerms(): Terms {
  const { data } = useCall(teachingApi.terms, {})
  const [chosen, choose] = useState<number>()
  const terms = data?.list ?? []
  const semester_id = chosen ?? data?.current ?? undefined
  const select = <Select className="teaching-term" aria-label="学期" value={semester_id} onChange={choose} placeholder="选择学期" options={termOptions(terms)} />
  return { terms, semester_id, select, ready: data !== undefined }
}

/** Choices of a select; closed terms say so. */
export function termOptions(terms: readonly TeachingTerm[]) {
  return terms.map(({ semester_id, name, is_closed }) => ({ value: semester_id, label: is_closed ? `${name}（已归档）` : name }))
}
